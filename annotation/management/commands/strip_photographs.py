from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Project
from annotation.stored_metadata import Stripped, strip_stored

UNUSABLE = 3  # exit code
_EACH = 1_000  # photographs between two lines


class Command(BaseCommand):
    help = (
        "Leave out of stored photographs what they say of themselves: the place, the time, the camera, the "
        "owner, comments and previews. Imports do so already; this command is for photographs from before. "
        "Nothing is encoded anew. It can be stopped and run again. "
        f"Exit code 0: all were stripped; {UNUSABLE}: some are damaged or cannot be read, and stay."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", default="", help="only the photographs of this project")
        parser.add_argument("--dry-run", action="store_true", help="only count, and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        project = None
        if name := options["project"]:
            project = Project.objects.filter(name=name).first()
            if project is None:
                raise CommandError(f"--project: there is no project {name}")
        counts = strip_stored(project, dry_run=options["dry_run"], seen=self._say, report=self.stderr.write)
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was written.")
        self.stdout.write(
            f"{counts.photographs:,} photographs, {counts.stripped:,} of them with metadata "
            f"({counts.saved:,} bytes)"
        )
        if counts.unusable:
            raise CommandError(
                f"{counts.unusable:,} photographs could not be used, see above", returncode=UNUSABLE
            )

    def _say(self, counts: Stripped) -> None:
        if counts.photographs % _EACH == 0:
            self.stdout.write(f"{counts.photographs:,} photographs")
