from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workflows.crowd.payments.book_check import verify_books
from workflows.management.sealed import add_expect, check_log
from workflows.management.subject import project_named
from workflows.money.ledger_rows import LEDGER
from workflows.money.models import LedgerEntry
from workflows.money.page_pay_check import wrong_caps


class Command(BaseCommand):
    help = (
        "Check every entry of the ledger. Print everything that is wrong with entries or budgets, and each "
        "entry that was changed, removed or inserted since it was sealed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project, without seals (default: all)")
        add_expect(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        entries = LedgerEntry.objects.all()
        project, summary = None, ""
        sealed: list[str] = []
        if options["project"]:
            if options["expect"]:
                raise CommandError("--expect: the seals are of all projects, so leave out --project")
            project = project_named(options["project"]).pk
            entries = entries.filter(batch__project=project)
        else:
            sealed, summary = check_log(LEDGER, expect=options["expect"])
        found = [*verify_books(project_id=project), *wrong_caps(project), *sealed]
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} differences")
        self.stdout.write(f"{entries.count():,} entries: they balance and add up to the budgets")
        if summary:
            self.stdout.write(summary)
