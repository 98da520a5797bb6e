from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.management.subject import project_and_batch
from workflows.money.earned_days import recount_project
from workflows.money.ledger_rows import LedgerError


class Command(BaseCommand):
    help = (
        "recount: add up what workers without a platform earned from the ledger's entries, where "
        "`verify_ledger` says that what is kept is not that."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=("recount",))
        parser.add_argument("--project", required=True)
        parser.add_argument("--by", default="command line", help="who asks, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project, _ = project_and_batch(options["project"], None)
        try:
            wrong = recount_project(project=project, by=options["by"], now=timezone.now())
        except LedgerError as error:
            raise CommandError(f"{error}: see what `verify_ledger` says of the entries") from error
        self.stdout.write(f"{wrong:,} workers' days were put right")
