from __future__ import annotations

from argparse import ArgumentParser
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from annotation.models import Batch
from workflows.analysis.costs import costs_now
from workflows.management.subject import project_and_batch
from workflows.money.domain.currencies import digits, plain


class Command(BaseCommand):
    help = (
        "Print what batches cost by the ledger, in all and for each accepted box, finished chain and image."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--batch", help="only this batch (default: all batches of the project)")

    def handle(self, *args: Any, **options: Any) -> None:
        project, batch = project_and_batch(options["project"], options["batch"])
        for one in [batch] if batch else project.batches.order_by("pk"):
            self._print(one)

    def _print(self, batch: Batch) -> None:
        found = costs_now(batch, now=timezone.now())
        currency = found.currency
        self.stdout.write(f"{batch.name} ({currency})")
        sums = {name: getattr(found, name) for name in ("spent", "rewards", "bonuses", "fees", "reserved")}
        sums |= {"models": found.models} if found.models else {}
        sums |= {"owed to direct workers": found.payable} if found.payable else {}
        sums |= {"left of the cap": found.left} if found.left is not None else {}
        sums |= {f"stage {name}": amount for name, amount in found.stages.items()}
        for name, amount in sums.items():
            self.stdout.write(f"  {name}: {plain(amount, currency)}")
        for one in found.results:
            # A part of the smallest unit is worth knowing: a box costs a few of them.
            cost = "-" if one.cost is None else _plain(one.cost, currency)
            self.stdout.write(f"  {one.result}: {cost} (of {one.number:,})")


def _plain(units: Fraction, currency: str) -> str:
    """Return an amount as text, rounded to a hundredth of the smallest unit (half to even)."""
    hundredths = round(units * 100)
    behind = digits(currency) + 2
    whole, rest = divmod(hundredths, 10**behind)
    return f"{whole}.{rest:0{behind}}"
