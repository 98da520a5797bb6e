"""What a platform leaves behind besides the corpus: publications, participations, pay, the ledger, calls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from annotation.domain.answers import Stage
from annotation.models import Batch, Worker
from annotation.planner import analyze
from workflows.crowd.models import Balance, Payment, Problem, Publication
from workflows.money.models import Budget, LedgerEntry, LedgerLine
from workflows.platforms.models import ProviderCall
from workflows.workers.models import Participation

PROVIDER = {"provider": "mturk", "environment": "sandbox"}
CROWD = {"provider": "mturk", "cap": 10**9, "hourly_wage": 900}
REWARD, FEE = 12, 2
AT_ONCE = 5000
UNSETTLED, PROBLEMS = 300, 60
"""How many publications are not over, and how many problems are open."""


def fill_crowd(
    batch: Batch,
    workers: list[Worker],
    number: int,
    now: datetime,
    *,
    unsettled: int = UNSETTLED,
    problems: int = PROBLEMS,
) -> None:
    """Make so many publications of the batch, with a place each.

    All but `unsettled` were paid long ago, and all but `problems` of their problems are closed.
    """
    over = max(0, number - unsettled)
    stages = [str(stage) for stage in Stage]

    def publication(n: int) -> Publication:
        state = "settled" if n < over else "open"
        return Publication(
            batch=batch, stage=stages[n % 6], token=f"bench-{n}", external_id=f"HIT{n}", state=state, free=0,
            reward=REWARD, fee=FEE, currency="USD", created_at=now, seen_at=now,
            expires_at=now + timedelta(days=1), **PROVIDER,
        )  # fmt: skip

    published = made_rows(Publication, (publication(n) for n in range(number)))
    taken = made_rows(
        Participation,
        (
            Participation(
                publication=one, external_id=f"ASG{n}", worker=workers[n % len(workers)], confirmed=True,
                state="approved" if n < over else ("opened", "submitted")[n % 2], opened_at=now,
                submitted_at=now, deadline=now + timedelta(days=3),
            )
            for n, one in enumerate(published)
        ),
    )  # fmt: skip
    made_rows(
        Payment,
        (
            Payment(
                participation=one, kind="reward", token=f"reward-{one.pk}", amount=REWARD, fee=FEE,
                currency="USD", created_at=now, state="done" if n < over else ("due", "failed")[n % 2],
            )
            for n, one in enumerate(taken)
        ),
    )  # fmt: skip
    _ledger(batch, published, taken, over, now)
    made_rows(
        Problem,
        (
            Problem(
                batch=batch, kind="lost", key=f"lost:{n}", detail="No answers came.", created_at=now,
                participation=taken[n], closed_at=None if n >= number - problems else now,
            )
            for n in range(number)
        ),
    )  # fmt: skip
    made_rows(
        ProviderCall,
        (
            ProviderCall(operation="submissions", subject=f"HIT{n}", created_at=now, outcome="ok", **PROVIDER)
            for n in range(number)
        ),
    )
    Balance.objects.create(amount=10**6, currency="USD", seen_at=now, **PROVIDER)
    analyze(Publication, Participation, Payment, Problem, ProviderCall, LedgerEntry, LedgerLine)


def _ledger(
    batch: Batch,
    published: list[Publication],
    taken: list[Participation],
    over: int,
    now: datetime,
) -> None:
    """Add a reservation for each publication, and a payment for each that is over."""
    cost, total = REWARD + FEE, len(published) * (REWARD + FEE)
    spent = over * cost
    Budget.objects.create(batch=batch, currency="USD", cap=10**9, reserved=total - spent, spent=spent)
    common: dict[str, Any] = {"batch": batch, "currency": "USD", "created_at": now}
    movements: tuple[tuple[str, dict[str, int], list[dict[str, Any]]], ...] = (
        ("reserve", {"reserved": cost, "funds": -cost}, [{"publication": one} for one in published]),
        (
            "commit",
            {"rewards": REWARD, "fees": FEE, "reserved": -cost},
            [{"participation": one} for one in taken[:over]],
        ),
    )
    for kind, lines, rows in movements:
        made = (
            LedgerEntry(kind=kind, token=f"{kind}:bench-{n}", under=f"bench-{n}", **row, **common)
            for n, row in enumerate(rows)
        )
        entries = made_rows(LedgerEntry, made)
        made_rows(
            LedgerLine,
            (
                LedgerLine(entry=entry, account=account, amount=amount)
                for entry in entries
                for account, amount in lines.items()
            ),
        )


def made_rows(model: Any, rows: Iterator[Any]) -> list[Any]:
    """Insert the rows, AT_ONCE at a time, and return them."""
    made: list[Any] = []
    while some := list(islice(rows, AT_ONCE)):
        made += model.objects.bulk_create(some)
    return made
