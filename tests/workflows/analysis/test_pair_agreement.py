"""What two workers both judged."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Decision, Item, Judgment, VerificationQuestion
from tests.factories import NOW, answer_page, make_at_stage, make_controlled, make_worker
from workflows.analysis import pair_agreement
from workflows.analysis.pair_agreement import judged_by_both
from workflows.questions.domain.retirement import VOID

pytestmark = pytest.mark.django_db


def _judged() -> tuple[int, int]:
    """Let three workers judge the coverage of two images; the second of them differs from the others."""
    batch = make_at_stage("coverage", images=2)
    workers = [make_worker(batch.project) for _ in range(3)]
    Item.objects.filter(stage="coverage").update(needed=3)
    for worker, complete in zip(workers, (True, False, True), strict=True):
        answer_page(worker, stage="coverage", answering=lambda *_, said=complete: {"complete": said})
    return workers[0].pk, workers[1].pk


def _third(one: int, other: int) -> int:
    return (
        Judgment.objects.exclude(worker__in=[one, other])
        .filter(item__stage="coverage")
        .earliest("pk")
        .worker_id
    )


def test_items_of_both_are_compared_once_each(django_assert_num_queries: Any) -> None:
    one, other = _judged()
    with django_assert_num_queries(2):
        found = judged_by_both(one, other)
    assert [(both.stage, both.same) for both in found.both] == [("coverage", False)] * 2
    assert [Judgment.objects.get(pk=both.one).worker_id for both in found.both] == [one] * 2
    pairs = [Judgment.objects.get(pk=both.other) for both in found.both]
    assert [(row.worker_id, row.item_id) for row in pairs] == [
        (other, Judgment.objects.get(pk=both.one).item_id) for both in found.both
    ]
    assert not found.cut
    assert [both.same for both in judged_by_both(one, _third(one, other)).both] == [True] * 2


def test_what_does_not_count_is_left_out() -> None:
    one, other = _judged()
    first, second = Item.objects.filter(stage="coverage").order_by("pk")
    Item.objects.filter(pk=first.pk).update(state="withdrawn")
    assert len(judged_by_both(one, other).both) == 1
    decision = Decision.objects.create(
        project=second.batch.project, kind="set-aside", by="ada", worker_id=other, created_at=NOW
    )
    Judgment.objects.filter(item=second, worker=other).update(set_aside=decision)
    assert not judged_by_both(one, other).both
    assert not judged_by_both(other, one).both
    assert len(judged_by_both(one, _third(one, other)).both) == 1


def test_of_many_the_newest_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = _judged()
    monkeypatch.setattr(pair_agreement, "MAX_COMPARED", 1)
    found = judged_by_both(one, other)
    newest = Judgment.objects.filter(worker=one, item__stage="coverage").latest("pk")
    assert ([both.one for both in found.both], found.cut) == ([newest.pk], True)


def test_right_answers_to_a_question_are_the_same_whatever_was_drawn() -> None:
    batch = make_controlled("drawing", "trusted")
    one, other = make_worker(batch.project), make_worker(batch.project)
    question = VerificationQuestion.objects.filter(stage="drawing").earliest("pk")
    page = batch.assignments.create(worker=one, stage="drawing", items=[], created_at=NOW, expires_at=NOW)
    rows = [
        Judgment.objects.create(
            question=question,
            worker=worker,
            assignment=page,
            answer={"box": box},
            correct=correct,
            created_at=NOW,
        )
        for worker, box, correct in ((one, [0, 0, 9, 9], True), (other, [50, 50, 90, 90], False))
    ]
    (found,) = judged_by_both(one.pk, other.pk).both
    assert (found.stage, found.one, found.other) == ("drawing", rows[0].pk, rows[1].pk)
    assert not found.same
    Judgment.objects.filter(pk=rows[1].pk).update(regraded=True)
    assert judged_by_both(one.pk, other.pk).both[0].same
    VerificationQuestion.objects.filter(pk=question.pk).update(retired=VOID)
    assert not judged_by_both(one.pk, other.pk).both
