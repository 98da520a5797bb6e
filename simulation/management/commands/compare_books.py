from __future__ import annotations

import csv
import io
import time
import uuid
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Sum
from django.utils import timezone

from annotation.models import Batch
from simulation.emulators.mturk.handle import Handle as Turk
from simulation.emulators.mturk.world import Account
from simulation.emulators.panel.handle import Handle as PanelHandle
from simulation.emulators.prolific.handle import Handle as Emulator
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.actions import pay_more
from workflows.crowd.domain.absence import SLACK
from workflows.crowd.link.lists import HEADER, lines_of, take_list, take_out
from workflows.crowd.models import Payment, Publication
from workflows.crowd.publications.publish import mark_expiring
from workflows.crowd.rounds.step import step
from workflows.money.domain.currencies import amount
from workflows.money.models import LedgerLine
from workflows.platforms.provider import Provider
from workflows.platforms.registry import provider
from workflows.workers.models import Participation

ACCOUNTS = ("rewards", "bonuses", "fees", "reserved")


class Command(BaseCommand):
    help = (
        "Close and settle a finished project's publications on an emulated platform, and compare the ledger "
        "with the emulator's own books, to the cent."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        emulator = parser.add_mutually_exclusive_group(required=True)
        emulator.add_argument("--mturk", metavar="URL", help="the address of Mechanical Turk's emulator")
        emulator.add_argument("--prolific", metavar="URL", help="the address of Prolific's emulator")
        emulator.add_argument("--link", metavar="URL", help="the address of the emulated panel")
        parser.add_argument(
            "--seconds", type=float, default=120, help="wait at most this long (default: 120)"
        )

        parser.add_argument(
            "--bonus",
            type=int,
            metavar="CENTS",
            help="pay this bonus for the first page, so that the books have one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = next(one for one in THEIRS if options[one])
        platform = provider(name)
        if options["link"]:  # nobody is paid before the first list is taken out
            _settle(options["project"], options["seconds"], platform, options["link"])
        if options["bonus"]:
            _thank(options["project"], options["bonus"], platform)
        _settle(options["project"], options["seconds"], platform, options["link"] or "")
        of_project = Publication.objects.filter(batch__project__name=options["project"])
        ours = _ledger(options["project"])
        # What the platform refused, or was never asked for, has no id there.
        known_there = of_project.exclude(external_id="")
        theirs = THEIRS[name](options[name], set(known_there.values_list("external_id", flat=True)))
        # All batches of a platform have the currency of its account.
        currency = of_project.values_list("currency", flat=True).first() or ""
        self.stdout.write(f"{'':12} {'our ledger':>16} {'the emulator':>16}")
        for account in ACCOUNTS:
            here, there = (amount(sums[account], currency) for sums in (ours, theirs.sums))
            self.stdout.write(f"{account:12} {here:>16} {there:>16}")
        wrong = [account for account in ACCOUNTS if ours[account] != theirs.sums[account]]
        wrong += theirs.wrong
        known = set(Publication.objects.filter(provider=name).values_list("external_id", flat=True))
        wrong += [f"not ours: {one}" for one in theirs.publications if one not in known]
        if wrong:
            raise CommandError(f"they differ in {', '.join(wrong)}")
        self.stdout.write("They agree. Nothing is unpaid, nothing was paid twice, nothing is unknown.")


def _thank(project: str, cents: int, platform: Provider) -> None:
    of_project = Participation.objects.filter(publication__batch__project__name=project)
    first = of_project.filter(state=Participation.State.APPROVED).order_by("pk").first()
    if first is None:
        raise CommandError("nobody was paid for a page, so nobody can get a bonus")
    pay_more(
        provider=platform,
        participation_id=first.pk,
        kind=Payment.Kind.BONUS,
        amount=cents,
        reason="Thank you for the first page.",
        token=str(uuid.uuid5(uuid.UUID(first.publication.token), "thanks")),
        by="demo",
        now=timezone.now(),
    )


def _ledger(project: str) -> Counter[str]:
    lines = LedgerLine.objects.filter(entry__batch__project__name=project)
    return Counter(dict(lines.values_list("account").annotate(Sum("amount"))))


def _carry(project: str, url: str) -> None:
    """Carry the panel's list here, and the list of whom to pay there."""
    with PanelHandle(url) as panel:
        for batch in Batch.objects.filter(project__name=project):
            if settings_of(batch).crowd.provider == LINK:
                take_list(batch=batch, data=panel.participants(), now=timezone.now())
                now = timezone.now()
                if take_out(batch=batch, now=now):
                    told = io.StringIO()
                    csv.writer(told).writerows((HEADER, *lines_of(batch, now)))
                    panel.pay(told.getvalue())


def _settle(project: str, seconds: float, platform: Provider, panel: str = "") -> None:
    """Close publications, and wait until everything is paid and released.

    Nobody is at work any more. So after the first round, the others are those of a later time, when whoever
    left without a word counts as gone. Raises CommandError if it takes longer than `seconds`.
    """
    states = Publication.State
    left = Publication.objects.filter(batch__project__name=project).exclude(
        state__in=(states.SETTLED, states.FAILED)
    )
    due = Payment.objects.filter(
        participation__publication__batch__project__name=project, state=Payment.State.DUE
    )
    mark_expiring(left.values_list("pk", flat=True))
    end, later = time.monotonic() + seconds, timedelta()
    while left.exists() or due.exists():
        if panel:
            _carry(project, panel)
        if time.monotonic() > end:
            raise CommandError(
                f"after {seconds:.0f} s {left.count()} publications are not settled, "
                f"and {due.count()} payments are due"
            )
        if not step(provider=platform, now=timezone.now() + later, patient=False).busy:
            later = SLACK
        time.sleep(0.2)


_MTURK_ACCOUNTS = {"rewards": "rewards", "bonuses": "bonuses", "fees": "fees", "held": "reserved"}
_MTURK_WRONG = {"unpaid": "submitted and not paid", "paidTwice": "paid twice"}
_PROLIFIC_KINDS = {"reward": "rewards", "screen-out": "rewards", "bonus": "bonuses"}
_PROLIFIC_WRONG = {"unpaid": "submitted and not paid", "paid_twice": "paid twice"}


@dataclass(frozen=True, slots=True)
class Theirs:
    sums: Counter[str]  # cents by account of our ledger, only of the publications that were asked for
    publications: list[str]  # ids of all publications, whoever made them
    wrong: list[str]  # what must not happen, in all publications


def of_mturk(url: str, hits: set[str]) -> Theirs:
    with Turk(url, "", Account("", "")) as turk:
        books, state = turk.books(), turk.state()
    sums = Counter[str]()
    for entry in books["entries"]:
        if entry["hit"] in hits:
            for account, amount in entry["lines"].items():
                sums[_MTURK_ACCOUNTS.get(account, account)] += amount
    wrong = [f"{what}: {state[key]}" for key, what in _MTURK_WRONG.items() if state[key]]
    return Theirs(sums, [hit["id"] for hit in state["hits"]], wrong)


def of_prolific(url: str, studies: set[str]) -> Theirs:
    with Emulator(url) as emulator:
        books, state = emulator.books(), emulator.state()
    sums = Counter[str]()
    for entry in books["entries"]:
        if entry["study"] in studies:
            sums[_PROLIFIC_KINDS[entry["kind"]]] += entry["amount"]
            sums["fees"] += entry["fee"]
    sums["reserved"] = sum(books["reserved_by_study"].get(study, 0) for study in studies)
    wrong = [f"{what}: {state[key]}" for key, what in _PROLIFIC_WRONG.items() if state[key]]
    return Theirs(sums, [study["id"] for study in state["studies"]], wrong)


def of_panel(url: str, publications: set[str]) -> Theirs:
    """Return the books of a panel. It has one study, and knows none of our publications."""
    with PanelHandle(url) as panel:
        books = panel.books()
    return Theirs(Counter(books["sums"]), [], books["wrong"])


THEIRS: Mapping[str, Callable[[str, set[str]], Theirs]] = MappingProxyType(
    {"mturk": of_mturk, "prolific": of_prolific, "link": of_panel}
)
"""The function for each platform. Its arguments are the emulator's address and our publications."""
