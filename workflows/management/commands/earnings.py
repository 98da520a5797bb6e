from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.management.subject import project_named
from workflows.money.earned_days import recount_project
from workflows.money.ledger_rows import LedgerError


class Command(BaseCommand):
    help = (
        "recount: correct the kept sums of direct workers' earnings from the ledger's entries, if "
        "`verify_ledger` reports that the sums are wrong."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=("recount",))
        parser.add_argument("--project", required=True)
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        try:
            wrong = recount_project(project=project, by=options["by"], now=timezone.now())
        except LedgerError as error:
            raise CommandError(f"{error}: see what `verify_ledger` says about the entries") from error
        self.stdout.write(f"{wrong:,} workers' days were corrected")
