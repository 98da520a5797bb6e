from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Project
from workflows.analysis.counts.refresh import count_due


class Command(BaseCommand):
    help = (
        "Refresh all figures that the console's pages show. A running server refreshes changed ones itself."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        project = None
        if (name := options["project"]) is not None:
            project = Project.objects.filter(name=name).values_list("pk", flat=True).first()
            if project is None:
                raise CommandError(f"there is no project {name!r}")
        counted = count_due(clock=timezone.now, project_id=project, force=True)
        self.stdout.write(f"{counted} groups of figures refreshed")
