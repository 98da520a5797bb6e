from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workflows.crowd.payments.book_check import verify_books
from workflows.management.subject import project_and_batch
from workflows.money.models import LedgerEntry


class Command(BaseCommand):
    help = "Check every entry of the ledger and print everything that is wrong with entries or budgets."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", help="only this project (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        entries = LedgerEntry.objects.all()
        project = None
        if options["project"]:
            project = project_and_batch(options["project"], None)[0].pk
            entries = entries.filter(batch__project=project)
        found = verify_books(project_id=project)
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} differences")
        self.stdout.write(f"{entries.count():,} entries: they balance and add up to the budgets")
