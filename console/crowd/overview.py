"""The head of the crowd page: the budget, the account, the publications of each stage, and costs so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, F, Sum

from annotation.models import Batch
from console.common.labels import STAGES
from workflows.analysis.costs import kept_costs_of_results
from workflows.batch_settings.selectors import settings_of
from workflows.crowd.models import Balance, Publication
from workflows.money.domain.currencies import amount
from workflows.money.domain.ledger import budget_left
from workflows.money.model_calls import call_books, price_of_calls
from workflows.money.models import Budget
from workflows.workers.models import Participation

MAX_COUNTED = 1000
"""Publications that are over, perhaps hundreds of thousands, are counted only up to here."""
UNSETTLED = (Publication.State.PLANNED, Publication.State.OPEN, Publication.State.CLOSED)
"""States in the conditional index: only as many publications as are worked on at once."""
RESULTS = {
    "accepted box": "An accepted box",
    "finished chain": "A finished chain",
    "finished image": "A finished image",
}

COLUMNS = (
    *("Planned", "Open", "Closed"),
    *("Places", "Free", "At work", "Not confirmed", "To look at"),
)


@dataclass(frozen=True, slots=True)
class Money:
    """The budget in smallest units. Before there is a ledger, it has only the cap of the settings."""

    currency: str
    cap: int | None
    reserved: int = 0
    spent: int = 0
    models: int | None = None  # what models cost, as a part of `spent`; None where they cost nothing

    @property
    def left(self) -> int | None:
        """Return what is left of the cap; None without a cap."""
        return budget_left(cap=self.cap, reserved=self.reserved, spent=self.spent)

    @property
    def whole(self) -> int:
        """Return the amount that the whole bar stands for."""
        return max(self.cap or 0, self.reserved + self.spent, 1)

    @property
    def words(self) -> list[tuple[str, str]]:
        """Return names and amounts for the list beside the bar."""
        cap = "none" if self.cap is None else amount(self.cap, self.currency)
        left = "no limit" if self.left is None else amount(self.left, self.currency)
        spent, reserved = (amount(one, self.currency) for one in (self.spent, self.reserved))
        models = [] if self.models is None else [("Models, of this", amount(self.models, self.currency))]
        return [("Cap", cap), ("Spent", spent), *models, ("Reserved", reserved), ("Left", left)]


def money_of(batch: Batch) -> Money:
    """Return the batch's budget. One query, and some more if its model costs something."""
    budget = Budget.objects.filter(batch=batch).first()
    if budget is None:
        settings = settings_of(batch)
        return Money(settings.currency, settings.crowd.cap)
    price = price_of_calls(batch)
    models = call_books(batch.pk, price).spent if price else None
    return Money(budget.currency, budget.cap, budget.reserved, budget.spent, models)


def balance_of(provider: str, environment: str) -> Balance | None:
    """Return the account's balance when it was last asked, or None."""
    return Balance.objects.filter(provider=provider, environment=environment).first()


@dataclass(slots=True)
class Row:
    """A stage's publications that are not over, and those in workers' hands."""

    stage: str
    planned: int = 0
    open: int = 0
    closed: int = 0
    places: int = 0
    free: int = 0
    working: int = 0
    unconfirmed: int = 0  # of names that the platform has not confirmed: they may be nobody's
    submitted: int = 0

    @property
    def named(self) -> list[tuple[str, int]]:
        """Return the figures with the names of their columns."""
        figures = (
            *(self.planned, self.open, self.closed),
            *(self.places, self.free, self.working, self.unconfirmed, self.submitted),
        )
        return list(zip(COLUMNS, figures, strict=True))

    @property
    def nothing(self) -> bool:
        """Return whether all figures are 0. Phones leave such a row out."""
        return not any(figure for _, figure in self.named)


@dataclass(frozen=True, slots=True)
class Going:
    """Publications by stage. Those that are over are counted up to MAX_COUNTED."""

    rows: list[Row] = field(default_factory=list)
    settled: int = 0
    failed: int = 0

    @property
    def published(self) -> bool:
        """Return whether anything was published."""
        return bool(self.settled or self.failed) or any(not row.nothing for row in self.rows)

    @property
    def columns(self) -> Sequence[str]:
        """Return the names of the columns in their order."""
        return COLUMNS

    @property
    def over(self) -> list[tuple[str, str]]:
        """Return names and numbers of publications that are over."""
        return [("settled", _up_to(self.settled)), ("failed", _up_to(self.failed))]


def going_on(batch: Batch) -> Going:
    """Return the batch's publications by stage. Four queries, on conditional indexes or with a limit."""
    rows: dict[str, Row] = defaultdict(lambda: Row(""))
    stages = settings_of(batch).stages
    for stage in stages:
        rows[stage] = Row(STAGES[stage][:1].upper() + STAGES[stage][1:])
    states = (
        Publication.objects.filter(batch=batch, state__in=UNSETTLED)
        .order_by()
        .values_list("stage", "state")
        .annotate(number=Count("pk"), of=Sum("places"), left=Sum("free"))
    )
    for stage, state, number, places, free in states:
        row = rows[stage]
        setattr(row, str(state), number)
        row.places += places
        row.free += free if state == Publication.State.OPEN else 0
    hands = (
        Participation.objects.filter(
            publication__batch=batch,
            publication__state__in=UNSETTLED,
            state__in=(Participation.State.OPENED, Participation.State.SUBMITTED),
        )
        .order_by()
        .values_list(F("publication__stage"), "state", "confirmed")
        .annotate(number=Count("pk"))
    )
    for stage, state, confirmed, number in hands:
        if state == Participation.State.SUBMITTED:
            rows[stage].submitted += number
        elif confirmed:
            rows[stage].working = number
        else:
            rows[stage].unconfirmed = number
    over = Publication.objects.filter(batch=batch).order_by()
    settled, failed = (
        over.filter(stage__in=stages, state=state).values("pk")[: MAX_COUNTED + 1].count()
        for state in (Publication.State.SETTLED, Publication.State.FAILED)
    )
    return Going([rows[stage] for stage in stages], settled, failed)


def _up_to(number: int) -> str:
    return f"more than {MAX_COUNTED:,}" if number > MAX_COUNTED else f"{number:,}"


def costs_of(batch: Batch, money: Money) -> list[tuple[str, str, str]]:
    """Return the name of each kind of result, what one costs, and of how many. One query."""
    return [
        (
            RESULTS[one.result],
            "–" if one.cost is None else amount(float(one.cost), money.currency),
            f"of {one.number:,}",
        )
        for one in kept_costs_of_results(batch, spent=money.spent)
    ]
