from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.crowd.direct.page_earnings import adopt_pages
from workflows.management.subject import project_and_batch
from workflows.money.earned_days import recount_project
from workflows.money.ledger_rows import LedgerError


class Command(BaseCommand):
    help = (
        "adopt: owe workers without a platform the pages of before there was a ledger; it cannot be taken "
        "back. recount: add up what they earned from the ledger's entries, where `verify_ledger` says that "
        "what is kept is not that."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=("adopt", "recount"))
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--before",
            metavar="DAY",
            help="adopt only pages submitted before it, as 2026-11-01 (UTC)",
        )
        parser.add_argument("--by", default="command line", help="who asks, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_batch(options["project"], None)
        by, now = options["by"], timezone.now()
        if options["verb"] == "recount":
            if options["before"]:
                raise CommandError("--before is for adopt: recount goes through all entries")
            try:
                wrong = recount_project(project=project, by=by, now=now)
            except LedgerError as error:
                raise CommandError(f"{error}: see what `verify_ledger` says of the entries") from error
            self.stdout.write(f"{wrong:,} workers' days were put right")
            return
        try:
            before = date.fromisoformat(options["before"]) if options["before"] else None
        except ValueError as error:
            raise CommandError(f"--before: {options['before']!r} is no day as 2026-11-01") from error
        adopted = adopt_pages(project=project, before=before, by=by, now=now)
        self.stdout.write(f"{adopted:,} pages are owed now, and come into the ledger within a minute")
