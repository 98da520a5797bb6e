"""A model's answers are taken back by a decision, and everything is as if it had never answered."""

from __future__ import annotations

import pytest

from annotation.models import Chain, Decision, ImageWork, Item, ModelAnswer
from tests.entities_fast import ONE, drawn, said
from tests.factories import NOW, answer_page, claim_maybe, make_worker
from tests.judging_models import SURE, count_for, held, judge_of, make_judged
from tests.workflows.pipeline.invariants import check_rules
from workflows.judges import distrust
from workflows.judges.distrust import distrust_model
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_what_a_model_had_settled_is_asked_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distrust, "WORKS_AT_ONCE", 2)
    batch = make_judged(images=5)
    while claim_maybe(worker := make_worker(batch.project)):
        answer_page(worker, answering=lambda *_: drawn(ONE))
        advance_pending(now=NOW)
    for item in held():
        count_for(item, SURE, complete=SURE)
    assert set(Chain.objects.values_list("state", flat=True)) == {"done"}
    batch.refresh_from_db()
    assert batch.state == "finished"
    counted: list[int] = []
    model = judge_of(batch)
    assert distrust_model(model=model, by="ada", note="it fails", now=NOW, progress=counted.append) == 5
    assert counted == [2, 2, 1]
    assert distrust_model(model=model, by="ada", note="", now=NOW) == 0
    assert Decision.objects.get(kind="distrust").content == {"model": "judge/1"}
    assert not ModelAnswer.objects.filter(set_aside=None).exists()
    advance_pending(now=NOW)
    batch.refresh_from_db()
    assert batch.state == "running"
    assert set(Chain.objects.values_list("state", flat=True)) == {"check"}
    assert held() == [], "the model is not asked again"
    assert Item.objects.waiting().count() == 5
    check_rules(batch.project)
    while claim_maybe(worker := make_worker(batch.project)):
        answer_page(worker, answering=lambda *_: said("good"))
        advance_pending(now=NOW)
    assert set(ImageWork.objects.values_list("state", flat=True)) == {"done"}
    check_rules(batch.project)
