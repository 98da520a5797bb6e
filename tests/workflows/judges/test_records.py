"""What a model's answers weigh follows from its sealed answers, and from nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from annotation.domain.answers import BoxJudgment, CheckAnswer
from annotation.models import (
    Batch,
    Case,
    Chain,
    Image,
    ImageWork,
    Item,
    ModelAnswer,
    ModelVersion,
    VerificationQuestion,
)
from tests.entities_fast import ONE, answer, drawn, said
from tests.factories import NOW, answer_page, claim_maybe, make_controlled, make_worker
from tests.judging_models import JUDGE, believe, held, judge_all, judge_of, make_judge, make_judged, reply_to
from tests.suggesting_models import SUGGESTED, make_suggesting
from tests.workflows.pipeline.invariants import check_rules
from workflows.judges import records
from workflows.judges.answers import Reply, take_model_answers
from workflows.judges.domain import gate
from workflows.judges.domain.accuracy import Bounded, Rates
from workflows.judges.domain.gate import Record, parse_record
from workflows.judges.domain.kinds import NOTHING_MISSING, NOTHING_MISSING_BESIDE, PEOPLE
from workflows.judges.records import newest_record, renew_records
from workflows.judges.selectors import kinds_of_boxes
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

GOOD_ENOUGH = Bounded(0.95, 0.9, 0.97)
RATES = Rates(GOOD_ENOUGH, GOOD_ENOUGH, GOOD_ENOUGH, GOOD_ENOUGH, sealed=500, known=0, images=100)
OPEN = Record({PEOPLE: RATES, NOTHING_MISSING: RATES}, frozenset({PEOPLE, NOTHING_MISSING}))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few answers be enough for a record, and seal none by chance."""
    monkeypatch.setattr(records, "ANSWERS_PER_RECORD", 5)
    monkeypatch.setattr(gate, "SEALED_SHARE", 0.0)


def draw_all(batch: Batch) -> None:
    while claim_maybe(worker := make_worker(batch.project), stage="boxes"):
        answer_page(worker, stage="boxes", answering=lambda *_: drawn(ONE))
        advance_pending(now=NOW)


def check_all(batch: Batch) -> None:
    while claim_maybe(worker := make_worker(batch.project), stage="check"):
        answer_page(worker, stage="check", answering=lambda *_: said("good"))
        advance_pending(now=NOW)


def believed(batch: Batch, record: Record = OPEN) -> None:
    believe(judge_of(batch), record)


def weights() -> list[Any]:
    return list(ModelAnswer.objects.order_by("pk").values_list("weights", flat=True))


def test_a_record_rests_on_sealed_answers_that_workers_judged_too() -> None:
    batch = make_judged(images=12)
    draw_all(batch)
    judge_all(batch)
    assert renew_records(now=NOW) == 0, "no worker has judged anything yet"
    check_all(batch)
    assert renew_records(now=NOW) == 1
    assert renew_records(now=NOW) == 0, "nothing is new"
    found = newest_record(judge_of(batch))
    assert found is not None
    assert (found.answers, found.content["open"]) == (12, [])
    rates = parse_record(found.content).rates
    assert (rates[PEOPLE].sealed, rates[PEOPLE].images, rates[NOTHING_MISSING].sealed) == (12, 12, 12)
    assert rates[PEOPLE].sensitivity.value > 0.9
    assert found.content["people"]["boxes"]["things"] == 12, "one box of each answer"
    assert found.content["audit"] is None, "no gate is open"


def test_answers_that_counted_are_no_measure_of_the_model() -> None:
    """Workers decide those that the model called bad: by these it would look worse than it is."""
    batch = make_judged(images=12)
    believed(batch)
    draw_all(batch)
    for item in held():
        take_model_answers(model=judge_of(batch), replies=[reply_to(item, "wrong")], now=NOW)
    advance_pending(now=NOW)
    check_all(batch)
    assert None not in weights()
    assert not Item.objects.filter(stage="check", state="open").exists()
    assert not records.sealed_answers(judge_of(batch)).exists()
    assert renew_records(now=NOW) == 1, "and the record says so"


def test_an_answer_weighs_what_the_newest_record_says() -> None:
    batch = make_judged()
    believed(batch, Record())
    believed(batch)
    answer(batch, drawn(ONE))
    assert judge_all(batch) == ["stored"]
    said_so = CheckAnswer((BoxJudgment.GOOD,), missing=False)
    expected = gate.weights(OPEN, said_so, [PEOPLE])
    row = ModelAnswer.objects.get()
    assert row.weights == {"boxes": list(expected.boxes), "complete": expected.complete}
    assert row.record == newest_record(judge_of(batch))
    assert Chain.objects.get().state == "done", "it settled the chain alone"
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []


@pytest.mark.parametrize(
    "why", ["no record", "its answers do not count", "the test split", "one of ten", "a closed gate"]
)
def test_an_answer_stays_sealed(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_judged(judge={"counts": why != "its answers do not count"})
    if why != "no record":
        believed(batch, Record(OPEN.rates, frozenset({PEOPLE})) if why == "a closed gate" else OPEN)
    if why == "the test split":
        Image.objects.update(split="test")
    if why == "one of ten":
        monkeypatch.setattr(gate, "SEALED_SHARE", 1.0)
    answer(batch, drawn(ONE))
    judge_all(batch)
    assert weights() == [None]
    assert Chain.objects.get().state == "check"


def test_in_the_test_split_answers_count_if_the_batch_says_so() -> None:
    batch = make_judged(judge={"test_split": True})
    believed(batch)
    Image.objects.update(split="test")
    answer(batch, drawn(ONE))
    judge_all(batch)
    assert weights() != [None]


def test_what_is_learnt_later_changes_nothing_that_was_answered() -> None:
    """A replay sees the stored weights alone."""
    batch = make_judged(images=3)
    believed(batch)
    draw_all(batch)
    judge_all(batch)
    believed(batch, Record())
    ImageWork.objects.update(replayed=True)
    Item.objects.filter(stage="check").update(unread=True)
    advance_pending(now=NOW)
    assert set(Chain.objects.values_list("state", flat=True)) == {"done"}
    check_rules(batch.project)


def test_known_answers_join_the_record() -> None:
    batch = make_controlled("check", "verification", images=2)
    model = make_judge(batch.project)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE}})
    questions = VerificationQuestion.objects.filter(stage="check").order_by("pk")[:8]
    replies = [Reply(f"q{one.pk}", one.answer) for one in questions]
    take_model_answers(model=model, replies=replies, now=NOW)
    assert renew_records(now=NOW) == 1
    found = newest_record(model)
    assert found is not None
    assert parse_record(found.content).rates[NOTHING_MISSING].known == len(replies)


def test_a_model_that_gets_worse_weighs_nothing_and_opens_a_case() -> None:
    """Workers call every box good that it calls wrong, although it was right nineteen times of twenty."""
    batch = make_judged(images=12)
    believed(batch)
    draw_all(batch)
    model = judge_of(batch)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE, "counts": False}})
    for item in held():
        take_model_answers(model=model, replies=[reply_to(item, "wrong", missing=True)], now=NOW)
    advance_pending(now=NOW)
    check_all(batch)
    assert renew_records(now=NOW) == 1
    found = newest_record(model)
    assert found is not None and found.content["open"] == []
    case = Case.objects.get(reason="model")
    assert case.detail["model"] == JUDGE and "got worse" in case.detail["note"]


def test_what_counted_since_a_model_became_worse_is_set_aside_and_asked_of_workers() -> None:
    batch = make_judged(images=16)
    believed(batch)
    draw_all(batch)
    model = judge_of(batch)
    early, late = NOW - timedelta(hours=1), NOW + timedelta(hours=1)
    items = held()
    for item in items[:2]:  # these counted long before
        take_model_answers(model=model, replies=[reply_to(item)], now=early)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE, "counts": False}})
    for item in items[2:14]:
        take_model_answers(model=model, replies=[reply_to(item, "wrong", missing=True)], now=NOW)
    Batch.objects.update(settings={**batch.settings, "judge": {"model": JUDGE}})
    for item in items[14:]:  # and these since it became worse
        take_model_answers(model=model, replies=[reply_to(item)], now=NOW)
    advance_pending(now=NOW)
    assert sum(weight is not None for weight in weights()) == 4
    check_all(batch)
    assert set(Item.objects.filter(stage="check").values_list("state", flat=True)) == {"done"}
    assert renew_records(now=late) == 1
    aside = ModelAnswer.objects.filter(set_aside__isnull=False)
    assert {one.item_id for one in aside} == {item.pk for item in items[14:]}
    assert {one.set_aside.by for one in aside if one.set_aside} == {"policy:judge"}
    assert "set aside" in Case.objects.get(reason="model").detail["note"]
    advance_pending(now=late)
    assert {item.pk for item in Item.objects.waiting()} == {item.pk for item in items[14:]}
    check_rules(batch.project)
    check_all(batch)
    renew_records(now=late)
    assert aside.count() == 2, "once"
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []


def test_boxes_that_were_suggested_are_measured_and_weighed_apart() -> None:
    """An unmoved suggestion is of the family of its model; a box that was drawn or adjusted is a worker's."""
    batch = make_suggesting(judge={"model": JUDGE}, models=(JUDGE,))
    taken = {
        "boxes": [{"box": SUGGESTED[0][:4], "suggestion": 0}, {"box": [201, 21, 300, 220], "suggestion": 1}]
    }
    answer(batch, taken)
    (item,) = held()
    assert kinds_of_boxes([item.pk]) == {item.pk: ("owl", PEOPLE)}
    beside = Record(
        {"owl": RATES, PEOPLE: RATES, NOTHING_MISSING_BESIDE: RATES},
        frozenset({"owl", PEOPLE, NOTHING_MISSING_BESIDE}),
    )
    believed(batch, beside)
    judge_all(batch)
    assert weights() != [None]
    assert set(ModelVersion.objects.values_list("family", flat=True)) == {"judge", "owl"}


def test_a_gate_that_is_closed_for_suggested_boxes_leaves_them_to_workers() -> None:
    batch = make_suggesting(judge={"model": JUDGE}, models=(JUDGE,))
    answer(batch, {"boxes": [{"box": SUGGESTED[0][:4], "suggestion": 0}]})
    believed(batch)
    judge_all(batch)
    assert weights() == [None]
    check_all(batch)
    assert renew_records(now=NOW) == 1
    found = newest_record(judge_of(batch))
    assert found is not None and "owl" not in found.content["open"]
