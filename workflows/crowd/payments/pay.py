"""Pay on a platform what is due, and owe top-ups to the wage floor.

A process may stop anywhere in between: the next round asks again, and each payment is made once.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, F, OuterRef, QuerySet

from annotation.models import Assignment, Batch, QualificationTry
from workflows.batch_settings.selectors import settings_of
from workflows.core.time_slices import Turn
from workflows.crowd.models import Payment
from workflows.crowd.payments.book import book, drop_moot, put_aside, secure
from workflows.crowd.payments.owed import SETTLING, Kind, State, bind, owe_more, say_unpaid
from workflows.money.domain.wage_floor import ENOUGH_PAGES, top_up, wanted_reward
from workflows.money.page_times import page_times
from workflows.platforms.failure_budget import Attempts
from workflows.platforms.provider import Money, NoFundsError, Provider, RefusedError, Stand, Submitted
from workflows.workers.models import Participation

AT_ONCE = 500
"""Payments of a state that one round tries, and top-ups that it finds for a stage. Payments that were tried
come after all others, so that those that cannot be made hold up nobody."""
TOP_UP_REASON = "This page takes longer than its reward pays for: here is the rest. Thank you."


def payments_of(provider: Provider) -> QuerySet[Payment]:
    """Return the payments on this platform, in the provider's environment."""
    return Payment.objects.filter(
        participation__publication__provider=provider.name,
        participation__publication__environment=provider.environment,
    ).select_related("participation__publication", "participation__worker")


def pay(*, provider: Provider, now: datetime, turn: Turn | None = None) -> Attempts:
    """Pay what is due, and what has waited for a higher cap and fits now.

    On a platform that is reached by lists, what is due waits until somebody takes the list out.
    """
    attempts = Attempts()
    ours = payments_of(provider)
    moot = ours.filter(
        state__in=(State.DUE, State.WAITING, State.FAILED),
        kind__in=SETTLING,
        participation__state=Participation.State.RETURNED,
    )
    for payment in _in_turn(moot):
        with attempts.one():
            if not drop_moot(payment=payment, now=now):
                _tried(payment, now)
    for payment in _in_turn(ours.filter(state=State.WAITING)):
        with attempts.one():
            if not bind(payment=payment, now=now):
                _tried(payment, now)
    due = [] if provider.by_list else _in_turn(ours.filter(state=State.DUE))
    for payment in attempts.each(due, turn):
        paid = False
        with attempts.one():
            paid = pay_one(provider=provider, payment=payment, now=now)
        attempts.done += paid
        if not paid:
            _tried(payment, now)
    return attempts


def _in_turn(payments: QuerySet[Payment]) -> list[Payment]:
    return list(payments.order_by(F("tried_at").asc(nulls_first=True), "pk")[:AT_ONCE])


def _tried(payment: Payment, now: datetime) -> None:
    """Move a payment behind all others that wait."""
    Payment.objects.filter(pk=payment.pk).update(tried_at=now)


def pay_one(*, provider: Provider, payment: Payment, now: datetime) -> bool:
    """Pay one payment, and return whether it is booked now.

    A problem is raised if the account is empty or the platform refuses. Raises UnavailableError; then the
    payment stays due.
    """
    if not secure(payment=payment, now=now):
        return False
    try:
        _call(provider, payment)
    except NoFundsError as error:
        say_unpaid(payment=payment, why=f"{error} Put money into the account; it is tried again.", now=now)
        return False
    except RefusedError as error:
        if _is_so_already(provider, payment):
            return book(payment=payment, now=now)
        if put_aside(payment=payment, error=str(error)):
            say_unpaid(payment=payment, why=f"the platform refuses: {error} {_what_to_do(payment)}", now=now)
        return False
    return book(payment=payment, now=now)


def _what_to_do(payment: Payment) -> str:
    """Return the advice to a researcher about a payment that the platform refuses."""
    if payment.kind == Kind.REFUSAL:
        return (
            "Reject once more, for a reason that the platform takes: the new one takes the place of the old. "
            "Or approve: until then the worker is neither paid nor rejected."
        )
    again = "Look there; `crowd retry` asks again"
    return f"{again}." if payment.kind in SETTLING else f"{again}, and `crowd withdraw` gives a bonus up."


def _call(provider: Provider, payment: Payment) -> None:
    participation = payment.participation
    if payment.kind == Kind.REWARD:
        provider.approve(participation.external_id)
    elif payment.kind == Kind.REFUSAL:
        provider.reject(participation.external_id, reason=payment.reason)
    elif payment.kind != Kind.SCREENED:  # the platform pays that by itself
        provider.bonus(
            as_submitted(participation),
            amount=Money(payment.amount, payment.currency),
            reason=payment.reason,
            token=payment.token,
        )


def _is_so_already(provider: Provider, payment: Payment) -> bool:
    """Return whether the platform has already done what it refuses to do."""
    wanted = {Kind.REWARD: Stand.APPROVED, Kind.REFUSAL: Stand.REJECTED}.get(Kind(payment.kind))
    participation = payment.participation
    there = provider.submissions(participation.publication.external_id)
    name = participation.worker.external_id
    return wanted is not None and any(
        one.external_id == participation.external_id and one.worker == name and one.stand == wanted
        for one in there
    )


def as_submitted(participation: Participation) -> Submitted:
    """Return a participation as a submission, from what we know of it."""
    stands = {
        Participation.State.APPROVED: Stand.APPROVED,
        Participation.State.REJECTED: Stand.REJECTED,
        Participation.State.RETURNED: Stand.RETURNED,
        Participation.State.OPENED: Stand.WORKING,
    }
    return Submitted(
        external_id=participation.external_id,
        publication_id=participation.publication.external_id,
        worker=participation.worker.external_id,
        stand=stands.get(Participation.State(participation.state), Stand.SUBMITTED),
        submitted_at=participation.submitted_at,
        deadline=participation.deadline,
    )


TEST_REASON = "Thank you for passing the qualification test: this pays for your time."
_TESTS = uuid.UUID("5d5f0f0e-9c0b-4c39-8f8e-6a1a0c7f2b11")
"""Tokens of bonuses for tests are made of this, so that a worker's test of a stage is paid once."""


def owe_top_ups(*, provider: Provider, now: datetime) -> Attempts:
    """Owe each page once what its reward lacks to the wage floor.

    This is done once a stage's own median time is known. At the latest it is done when the batch is over, by
    the usual time.
    """
    attempts = Attempts()
    stages: dict[int, list[str]] = {}
    found = _without_top_up(provider).order_by().values_list("publication__batch", "publication__stage")
    for batch_id, stage in found.distinct():
        stages.setdefault(batch_id, []).append(stage)
    for batch in Batch.objects.filter(pk__in=stages).order_by("pk"):
        missing: list[tuple[Participation, int]] = []
        with attempts.one():
            missing = _missing(provider, batch, stages[batch.pk])
        for participation, amount in missing:
            with attempts.one():
                owe_more(
                    provider=provider,
                    participation=participation,
                    kind=Kind.TOP_UP,
                    amount=amount,
                    reason=TOP_UP_REASON,
                    token=_top_up_token(participation),
                    now=now,
                )
                attempts.done += 1
    return attempts


def owe_test_bonuses(*, provider: Provider, now: datetime) -> Attempts:
    """Owe each worker of the platform once what passing the test of a stage pays.

    A platform pays a bonus for a place. It is owed for the first place of the batch's stage at which the
    worker's page was approved, in the round after that.
    """
    attempts = Attempts()
    approved = Participation.objects.filter(
        state=Participation.State.APPROVED,
        assignment__state=Assignment.State.SUBMITTED,
        publication__provider=provider.name,
        publication__environment=provider.environment,
    ).select_related("publication", "worker")
    owed = QualificationTry.objects.filter(owed=True, place=None, worker__provider=provider.name)
    places = approved.filter(
        worker=OuterRef("worker"), publication__batch=OuterRef("batch"), publication__stage=OuterRef("stage")
    )
    for held in owed.filter(Exists(places)).order_by("pk")[:AT_ONCE]:
        with attempts.one():
            here = approved.filter(publication__batch=held.batch_id, publication__stage=held.stage)
            participation = here.filter(worker=held.worker_id).order_by("pk")[0]
            owe_more(
                provider=provider,
                participation=participation,
                kind=Kind.BONUS,
                amount=held.bonus,
                reason=TEST_REASON,
                token=str(uuid.uuid5(_TESTS, f"{held.worker_id}/{held.stage}")),
                now=now,
            )
            QualificationTry.objects.filter(pk=held.pk).update(owed=False)
            attempts.done += 1
    return attempts


def _missing(provider: Provider, batch: Batch, stages: Sequence[str]) -> list[tuple[Participation, int]]:
    """Return whom to top up in a batch, and by how much in smallest units: at most AT_ONCE of a stage."""
    settings = settings_of(batch)
    if not (settings.crowd.hourly_wage and settings.crowd.top_up):
        return []
    over = batch.state in Batch.OVER
    missing: list[tuple[Participation, int]] = []
    for stage, time in page_times(batch.pk, settings, stages).items():
        if time.pages < ENOUGH_PAGES and not over:
            continue
        lacking = _without_top_up(provider).filter(
            publication__batch=batch,
            publication__stage=stage,
            publication__reward__lt=F("page_number") * wanted_reward(settings.crowd.hourly_wage, time),
        )
        missing += [
            (one, top_up(settings, reward=one.publication.reward, time=time, pages=one.page_number))
            for one in lacking.select_related("publication", "worker").order_by("pk")[:AT_ONCE]
        ]
    return missing


def _top_up_token(participation: Participation) -> str:
    """Return the token of a participation's top-up, which never changes, so that it is owed once."""
    publication = participation.publication
    name = f"top-up:{participation.external_id}:{participation.worker.external_id}"
    return str(uuid.uuid5(uuid.UUID(publication.token), name))


def _without_top_up(provider: Provider) -> QuerySet[Participation]:
    topped = Payment.objects.filter(participation=OuterRef("pk"), kind=Kind.TOP_UP)
    return Participation.objects.filter(
        ~Exists(topped),
        state=Participation.State.APPROVED,
        # The wage floor is for time on a page. A researcher may pay a part to workers who submitted none.
        assignment__state=Assignment.State.SUBMITTED,
        publication__provider=provider.name,
        publication__environment=provider.environment,
    )
