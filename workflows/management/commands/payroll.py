from __future__ import annotations

import csv
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.management.subject import project_named
from workflows.money.domain.payroll import PeriodError, parse_period, table_rows
from workflows.money.payroll import mark_paid, payroll, record_export


class Command(BaseCommand):
    help = "Write what direct workers earned in a period as CSV, or mark it as paid."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--from",
            dest="first",
            required=True,
            metavar="DAY",
            help="the first day, such as 2026-11-01 (UTC)",
        )
        parser.add_argument("--to", dest="last", required=True, metavar="DAY", help="the last day (UTC)")
        parser.add_argument("--by", default="command line", help="your name, for the audit log")
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--out", type=Path, metavar="FILE", help="write to this new file (default: standard output)"
        )
        what.add_argument(
            "--mark-paid",
            action="store_true",
            help="mark everything in the period as paid; repeating this changes nothing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        now = timezone.now()
        try:
            period = parse_period(options["first"], options["last"])
            if options["mark_paid"]:
                marked = mark_paid(project=project, period=period, by=options["by"], now=now)
                self.stdout.write(f"{marked:,} entries marked as paid")
                return
        except PeriodError as error:
            raise CommandError(f"--{error}") from error
        table = table_rows(period, payroll(project, period))
        record_export(project=project, period=period, by=options["by"], now=now)
        if options["out"] is None:
            csv.writer(self.stdout).writerows(table)
            return
        written = -1  # the names of the columns are no line
        try:
            with options["out"].open("x", encoding="utf-8", newline="") as file:
                for row in table:
                    csv.writer(file).writerow(row)
                    written += 1
        except OSError as error:
            raise CommandError(f"--out {options['out']}: {error.strerror}") from error
        self.stdout.write(f"lines: {written:,}")
