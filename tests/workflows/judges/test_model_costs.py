"""Answers of a model that cost something: reserved in blocks under the cap, and charged to a batch once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from io import StringIO
from threading import Event

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from annotation.models import Batch, ImageWork, ModelAnswer
from annotation.transactions import write_transaction
from tests.entities_fast import ONE, answer, drawn, said
from tests.factories import NOW, claim_maybe, make_questions, make_worker
from tests.judging_models import JUDGE, held, judge_all, judge_of, make_judged, reply_to
from tests.unguarded import unguarded
from tests.workflows.threads import at_once
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError
from workflows.batches.settings_edits import change_settings
from workflows.crowd.payments.book_check import verify_books
from workflows.judges.answers import Outcome, Reply, pass_over_models, take_model_answers
from workflows.judges.money_report import money_of
from workflows.judges.paid_questions import ask_model
from workflows.money.domain import model_calls
from workflows.money.domain.payroll import Period
from workflows.money.model_calls import reserve_calls, settle_calls
from workflows.money.models import Budget, LedgerEntry, LedgerLine
from workflows.money.payroll import payroll, unpaid_in
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify

pytestmark = pytest.mark.django_db
PRICE = 500
BLOCK = 4


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block is of four answers here."""
    monkeypatch.setattr(model_calls, "CALLS_PER_BLOCK", BLOCK)


def make_paid(images: int, cap: int | None = None, price: int = PRICE) -> Batch:
    """Make a batch with as many items that wait for its model, which costs `price` for four answers."""
    batch = make_judged(images=images, judge={"price": price}, crowd={"cap": cap})
    while claim_maybe(worker := make_worker(batch.project)):
        answer(batch, drawn(ONE), worker)
    assert len(held()) == images
    return batch


def asked(batch: Batch, limit: int = 20) -> list[str]:
    return [one.key for one in ask_model(model=judge_of(batch), limit=limit, now=NOW)]


def accounts(batch: Batch) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, amount in LedgerLine.objects.filter(entry__batch=batch).values_list("account", "amount"):
        found[name] = found.get(name, 0) + amount
    return {name: amount for name, amount in found.items() if amount}


def test_a_block_is_reserved_before_questions_are_asked_and_spent_when_it_is_full() -> None:
    batch = make_paid(6)
    assert accounts(batch) == {}
    assert len(asked(batch, 3)) == 3
    assert accounts(batch) == {"funds": -500, "reserved": 500}
    assert len(asked(batch, 3)) == 3  # nothing new is reserved for what is asked again
    assert len(asked(batch)) == 6
    assert accounts(batch) == {"funds": -1000, "reserved": 1000}
    assert judge_all(batch) == [Outcome.STORED] * 6
    assert accounts(batch) == {"funds": -1000, "reserved": 500, "models": 500}
    assert set(ModelAnswer.objects.values_list("charged_to", flat=True)) == {batch.pk}
    assert verify_books() == []


def test_once_the_batch_is_over_answers_are_paid_and_the_rest_is_released() -> None:
    batch = make_paid(5, price=3)
    asked(batch)
    judge_all(batch)
    settle_calls(now=NOW)  # it still runs
    assert accounts(batch) == {"funds": -6, "reserved": 3, "models": 3}
    Batch.objects.update(state=Batch.State.FINISHED)
    for _ in range(2):
        settle_calls(now=NOW)
        assert accounts(batch) == {"funds": -4, "models": 4}  # 5 answers of 3/4 of a cent, rounded up
    assert verify_books() == []
    # It goes on, and reserves the next block up to a whole number of them.
    Batch.objects.update(state=Batch.State.RUNNING)
    batch.refresh_from_db()
    assert reserve_calls(batch=batch, wanted=3, now=NOW) == 3
    assert accounts(batch) == {"funds": -6, "models": 4, "reserved": 2}
    Batch.objects.update(state=Batch.State.CANCELLED)
    settle_calls(now=NOW)
    assert accounts(batch) == {"funds": -4, "models": 4}
    assert verify_books() == []


def test_without_a_price_nothing_is_booked() -> None:
    batch = make_paid(3, price=0)
    assert len(asked(batch)) == 3
    judge_all(batch)
    assert not LedgerEntry.objects.exists()
    assert not ModelAnswer.objects.filter(charged_to__isnull=False).exists()
    assert verify_books() == []


def test_what_the_cap_has_no_room_for_is_not_asked_and_workers_are_asked_at_once() -> None:
    batch = make_paid(6, cap=900)
    assert len(asked(batch)) == BLOCK
    assert pass_over_models(now=NOW) == 2  # at once, and not after the ten minutes
    advance_pending(now=NOW)
    assert len(held()) == BLOCK
    assert claim_maybe(make_worker(batch.project)) is not None
    judge_all(batch)
    assert accounts(batch) == {"funds": -500, "models": 500}
    assert asked(batch) == []
    assert sorted(row.answer is None for row in ModelAnswer.objects.all()) == [False] * 4 + [True] * 2
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []
    assert verify_books() == []


def test_with_a_higher_cap_the_model_is_asked_again() -> None:
    batch = make_paid(6, cap=500)
    asked(batch)
    for item in held()[:BLOCK]:
        take_model_answers(model=judge_of(batch), replies=[reply_to(item)], now=NOW)
    assert asked(batch) == []
    Budget.objects.update(cap=1000)
    assert len(asked(batch)) == 2


def test_answers_beyond_the_cap_are_not_stored_and_their_items_go_to_workers() -> None:
    # A client that posts answers to questions that it was never given.
    batch = make_paid(6, cap=500)
    replies = [reply_to(item) for item in held()]
    outcomes = take_model_answers(model=judge_of(batch), replies=replies, now=NOW)
    assert outcomes == [Outcome.STORED] * 4 + [Outcome.LATE] * 2
    assert ModelAnswer.objects.filter(answer__isnull=True, charged_to=None).count() == 2
    advance_pending(now=NOW)
    assert held() == []
    assert accounts(batch) == {"funds": -500, "models": 500}
    assert verify_books() == []


def test_people_and_the_model_share_one_cap() -> None:
    batch = make_judged(
        images=2, judge={"price": PRICE}, reward={"check": 300, "boxes": 300}, crowd={"cap": 600}
    )
    answer(batch, drawn(ONE), make_worker(batch.project))  # reserves 300
    assert asked(batch) == []  # only 300 are left, and a block costs 500
    assert pass_over_models(now=NOW) == len(ModelAnswer.objects.all()) > 0
    assert Budget.objects.get().reserved == 300
    assert verify_books() == []


def test_a_known_question_is_charged_to_the_first_running_batch_with_room() -> None:
    batch = make_paid(1)
    (question,) = make_questions(batch.project, "check")
    assert asked(batch) == [f"q{question.pk}", f"i{held()[0].pk}"]
    reply = Reply(f"q{question.pk}", said("good"))
    assert take_model_answers(model=judge_of(batch), replies=[reply], now=NOW) == [Outcome.STORED]
    assert ModelAnswer.objects.get().charged_to == batch
    assert verify_books() == []


def test_payroll_never_pays_a_model() -> None:
    batch = make_paid(4)
    asked(batch)
    judge_all(batch)
    month = Period(date(2000, 1, 1), date(2100, 1, 1))
    assert accounts(batch)["models"] == 500
    assert list(payroll(batch.project, month)) == []
    assert not unpaid_in(batch.project, month).exists()


def test_the_price_is_fixed_once_the_batch_is_launched_and_other_settings_of_the_judge_are_not() -> None:
    batch = make_paid(1)
    settings = settings_of(batch)
    with pytest.raises(BatchError, match=r"judge\.price: fixed since"):
        change_settings(batch=batch, settings=replace(settings, judge=replace(settings.judge, price=7)))
    shadow = replace(settings, judge=replace(settings.judge, counts=False, seconds=60))
    assert change_settings(batch=batch, settings=shadow) == ["judge.counts", "judge.seconds"]


def test_costs_have_a_line_of_their_own() -> None:
    batch = make_paid(4)
    asked(batch)
    judge_all(batch)
    out = StringIO()
    call_command("costs", project=batch.project.name, stdout=out)
    assert "  models: 5.00\n" in out.getvalue()
    assert "  spent: 5.00\n" in out.getvalue()
    assert "  fees: 0.00\n" in out.getvalue()


def test_the_report_says_what_the_model_cost_and_why_it_is_asked_nothing_more() -> None:
    batch = make_paid(6, cap=900)
    asked(batch)
    pass_over_models(now=NOW)
    advance_pending(now=NOW)
    judge_all(batch)
    out = StringIO()
    call_command("model", "report", batch.project.name, JUDGE, stdout=out)
    lines = out.getvalue().splitlines()
    assert "4 answers in batch main, at 5.00 USD for 1,000: 5.00 USD spent, 0.00 USD reserved" in lines
    assert lines[-2].startswith(
        "Batch main asks it nothing more, and asks workers instead: its cap leaves 4.00 USD, and the next "
        "answers cost 5.00 USD"
    )
    Batch.objects.update(state=Batch.State.PAUSED)
    (money,) = money_of(Batch.objects.all())
    assert money.stopped == ""


def test_books_that_do_not_follow_from_the_answers_are_found() -> None:
    batch = make_paid(4)
    asked(batch)
    judge_all(batch)
    with unguarded():
        ModelAnswer.objects.filter(pk=ModelAnswer.objects.first().pk).update(charged_to=None)  # type: ignore[union-attr]
    found = verify_books()
    assert f"batch {batch.pk}: models: spent must be from 0 to 375, and is 500" in found
    assert f"batch {batch.pk}: models: 1 answers to its questions are charged to no batch" in found


def test_what_was_not_answered_is_never_charged() -> None:
    batch = make_paid(1)
    with pytest.raises(IntegrityError, match="model_answer_paid"), transaction.atomic():
        ModelAnswer.objects.create(model=judge_of(batch), item=held()[0], charged_to=batch, created_at=NOW)


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_a_block_is_reserved_once_whoever_asks_and_answers_at_once() -> None:
    batch = make_paid(6, cap=500)
    model = judge_of(batch)
    asks: list[Callable[[], object]] = [partial(ask_model, model=model, limit=6, now=NOW)] * 6
    at_once(asks)
    assert accounts(batch) == {"funds": -500, "reserved": 500}
    posts: list[Callable[[], object]] = [
        partial(take_model_answers, model=model, replies=[reply_to(item)], now=NOW) for item in held()
    ]
    sweep: list[Callable[[], object]] = [partial(pass_over_models, now=NOW), partial(settle_calls, now=NOW)]
    at_once([*posts, *asks, *sweep])
    assert ModelAnswer.objects.filter(charged_to=batch).count() == BLOCK
    assert accounts(batch) == {"funds": -500, "models": 500}
    assert verify_books() == []
    late = NOW + timedelta(hours=1)
    advance_pending(now=late)
    assert held() == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.both_databases
def test_answers_wait_until_others_are_booked_and_see_what_these_left() -> None:
    batch = make_paid(BLOCK + 1, cap=500)
    assert len(asked(batch)) == BLOCK
    model, replies = judge_of(batch), [reply_to(item) for item in held()]
    stored, tried = Event(), Event()

    def fill() -> list[Outcome]:
        with write_transaction():
            outcomes = take_model_answers(model=model, replies=replies[:BLOCK], now=NOW)
            stored.set()
            tried.wait(2)  # the other one cannot end before this transaction does
            return outcomes

    def exceed() -> list[Outcome]:
        stored.wait(60)
        try:
            return take_model_answers(model=model, replies=replies[BLOCK:], now=NOW)
        finally:
            tried.set()

    assert at_once([fill, exceed]) == [[Outcome.STORED] * BLOCK, [Outcome.LATE]]
    assert accounts(batch) == {"funds": -500, "models": 500}
    assert verify_books() == []
