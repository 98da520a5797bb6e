"""Clients of one model, the sweep and `advance` at once: an item gets one answer of its model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from annotation.models import ImageWork, ModelAnswer
from tests.entities_fast import ONE, answer, drawn
from tests.factories import NOW, claim_maybe, make_worker
from tests.judging_models import held, judge_of, make_judged, reply_to
from tests.workflows.pipeline.invariants import check_promises, check_rules
from tests.workflows.threads import at_once
from workflows.judges.answers import Outcome, pass_over_models, take_model_answers
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
LATE = NOW + timedelta(hours=1)


def test_of_answers_that_come_at_once_one_is_stored() -> None:
    batch = make_judged()
    answer(batch, drawn(ONE))
    (item,) = held()
    model = judge_of(batch)
    said = [reply_to(item, kind) for kind in ("good", "loose", "cut")] * 2
    outcomes = at_once([partial(take_model_answers, model=model, replies=[one], now=NOW) for one in said])
    counted = Counter(outcome for some in outcomes for outcome in some)
    assert counted[Outcome.STORED] == 1
    assert counted[Outcome.SAME] == 1
    assert counted[Outcome.OTHER] == 4
    advance_pending(now=NOW)
    check_rules(batch.project)


def test_an_answer_and_the_end_of_its_time_leave_one_row_and_one_question() -> None:
    batch = make_judged(images=4)
    while claim_maybe(worker := make_worker(batch.project)):
        answer(batch, drawn(ONE), worker)
    items = held()
    assert len(items) == 4
    model = judge_of(batch)
    calls: list[Callable[[], object]] = [
        partial(take_model_answers, model=model, replies=[reply_to(item)], now=LATE) for item in items
    ]
    calls += [partial(pass_over_models, now=LATE), *calls, partial(advance_pending, now=LATE)]
    at_once(calls)
    advance_pending(now=LATE)
    assert sorted(ModelAnswer.objects.values_list("item_id", flat=True)) == [item.pk for item in items]
    check_promises(batch.project)
    check_rules(batch.project)
    assert verify(list(ImageWork.objects.values_list("pk", flat=True))) == []
    assert claim_maybe(make_worker(batch.project)) is not None
