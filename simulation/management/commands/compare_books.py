from __future__ import annotations

import time
import uuid
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum
from django.utils import timezone

from simulation.mturk.handle import Handle
from simulation.mturk.world import Account
from workflows.crowd.registry import provider
from workflows.domain.crowd.settings import MTURK
from workflows.models import LedgerLine, Participation, Payment, Publication
from workflows.services.crowd.deciding import pay_more
from workflows.services.crowd.publishing import mark_expiring
from workflows.services.crowd.stepping import step

BESIDE = {"unpaid": "submitted and not paid", "paidTwice": "paid twice"}
ACCOUNTS = {"rewards": "rewards", "bonuses": "bonuses", "fees": "fees", "reserved": "held"}
"""Account of our ledger -> that of the emulator."""


class Command(BaseCommand):
    help = (
        "End and settle what a project has on an emulator of Mechanical Turk once nothing more is asked, and "
        "compare the ledger with the emulator's own books, to the cent."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument("--mturk", metavar="URL", required=True, help="of the emulator")
        parser.add_argument("--seconds", type=float, default=120, help="to wait at most (default: 120)")

        parser.add_argument(
            "--bonus", type=int, metavar="CENTS", help="for the first page: so that the books have one"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["bonus"]:
            _thank(options["project"], options["bonus"])
        _settle(options["project"], options["seconds"])
        with Handle(options["mturk"], "", Account("", "")) as turk:
            books, state = turk.books(), turk.state()
        of_project = Publication.objects.filter(batch__project__name=options["project"])
        hits = set(of_project.values_list("external_id", flat=True))
        ours, theirs = _ledger(options["project"]), _lines(books["entries"], hits)
        self.stdout.write(f"{'in cents':12} {'our ledger':>12} {'the emulator':>12}")
        for account, name in ACCOUNTS.items():
            self.stdout.write(f"{account:12} {ours[account]:12,} {theirs[name]:12,}")
        wrong = [account for account, name in ACCOUNTS.items() if ours[account] != theirs[name]]
        # In everything that the emulator has, whoever it is of.
        wrong += [f"{what}: {state[key]}" for key, what in BESIDE.items() if state[key]]
        wrong += [f"not ours: {one['id']}" for one in state["hits"] if not _is_known(one["id"])]
        if wrong:
            raise CommandError(f"they differ in {', '.join(wrong)}")
        self.stdout.write("They agree. Nothing is unpaid, nothing was paid twice, nothing is unknown.")


def _thank(project: str, cents: int) -> None:
    of_project = Participation.objects.filter(publication__batch__project__name=project)
    first = of_project.filter(state=Participation.State.APPROVED).order_by("pk").first()
    if first is None:
        raise CommandError("nobody was paid for a page: there is nobody to give a bonus")
    pay_more(
        provider=provider(MTURK),
        participation_id=first.pk,
        kind=Payment.Kind.BONUS,
        amount=cents,
        reason="Thank you for the first page.",
        token=str(uuid.uuid5(uuid.UUID(first.publication.token), "thanks")),
        by="demo",
        now=timezone.now(),
    )


def _is_known(hit_id: str) -> bool:
    return Publication.objects.filter(provider=MTURK, external_id=hit_id).exists()


def _lines(entries: Iterable[Mapping[str, Any]], hits: set[str]) -> Counter[str]:
    """The emulator's sums by account, of these HITs."""
    sums = Counter[str]()
    for entry in entries:
        if entry["hit"] in hits:
            for account, amount in entry["lines"].items():
                sums[account] += amount
    return sums


def _ledger(project: str) -> Counter[str]:
    lines = LedgerLine.objects.filter(entry__batch__project__name=project)
    return Counter(dict(lines.values_list("account").annotate(Sum("amount"))))


def _settle(project: str, seconds: float) -> None:
    """End what nobody took, and wait until everything is paid and released. Raises CommandError."""
    states = Publication.State
    left = Publication.objects.filter(batch__project__name=project).exclude(
        state__in=(states.SETTLED, states.FAILED)
    )
    due = Payment.objects.filter(
        participation__publication__batch__project__name=project, state=Payment.State.DUE
    )
    mark_expiring(left.values_list("pk", flat=True))
    end = time.monotonic() + seconds
    while left.exists() or due.exists():
        if time.monotonic() > end:
            raise CommandError(
                f"after {seconds:.0f} s {left.count()} publications are not settled, "
                f"and {due.count()} payments are due"
            )
        step(provider=provider(MTURK), now=timezone.now(), patient=False)
        time.sleep(0.2)
