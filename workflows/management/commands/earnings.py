from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.management.subject import project_and_batch
from workflows.services.crowd.adopting import adopt_pages


class Command(BaseCommand):
    help = "Owe workers without a platform the pages of before there was a ledger. It cannot be taken back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=("adopt",))
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--before",
            metavar="DAY",
            help="only pages submitted before it, as 2026-11-01 (UTC)",
        )
        parser.add_argument("--by", default="command line", help="who asks, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_batch(options["project"], None)
        try:
            before = date.fromisoformat(options["before"]) if options["before"] else None
        except ValueError as error:
            raise CommandError(f"--before: {options['before']!r} is no day as 2026-11-01") from error
        adopted = adopt_pages(project=project, before=before, by=options["by"], now=timezone.now())
        self.stdout.write(f"{adopted:,} pages are owed now, and come into the ledger within a minute")
