from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workflows.core.record_seals import verify_records
from workflows.management.sealed import add_expect, check_expect


class Command(BaseCommand):
    help = (
        "Compare the corpus, settings, answers, decisions and what else results rest on with their seals. "
        "Print what was changed, removed or inserted since it was sealed. See docs/tampering.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_expect(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        check_expect(options["expect"])
        found = verify_records(expect=options["expect"])
        for line in found.mistakes:
            self.stdout.write(line)
        for line in found.remarks:
            self.stdout.write(f"note: {line}")
        if found.mistakes:
            raise CommandError(f"{len(found.mistakes)} differences")
        self.stdout.write(
            f"records: {found.sealed:,} rows are as they were sealed, {found.newer:,} are not sealed yet"
        )
        if found.since:
            self.stdout.write(
                f"the first seal was made at {found.since:%Y-%m-%d %H:%M} UTC; nothing is known of before"
            )
            self.stdout.write(f"newest hash (seal {found.seals}): {found.newest}")
