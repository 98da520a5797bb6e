from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workflows.core.audit_log import AUDIT
from workflows.core.guards import missing_guards
from workflows.management.sealed import add_expect, check_log


class Command(BaseCommand):
    help = (
        "Print each entry of the audit log that was changed, removed or inserted since it was sealed, and "
        "each append-only table that the database does not hold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_expect(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        sealed, summary = check_log(AUDIT, expect=options["expect"])
        found = [*missing_guards(), *sealed]
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError(f"{len(found)} differences")
        self.stdout.write(summary)
