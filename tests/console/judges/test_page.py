"""The page of a project's models that judge."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Case, Chain, JudgeRecord, ModelAnswer, ModelVersion, Project
from tests.entities_fast import ONE, answer, drawn
from tests.factories import NOW, make_batch, make_image, make_project
from tests.judging_models import SURE, believe, count_for, held, judge_of, make_judge, make_judged
from tests.workflows.http import Api, check_problem
from workflows.core.models import AuditEntry
from workflows.judges.domain.accuracy import Bounded, Rates
from workflows.judges.domain.gate import Record
from workflows.judges.domain.kinds import NOTHING_MISSING, PEOPLE
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db

GOOD_ENOUGH = Bounded(0.912, 0.853, 0.951)
RATES = Rates(GOOD_ENOUGH, GOOD_ENOUGH, GOOD_ENOUGH, GOOD_ENOUGH, sealed=345, known=68, images=100)


def address(project: Project) -> str:
    return reverse("judges:project", args=[project.pk])


def test_a_manager_adds_a_model_and_gets_its_token(manager: Client, viewer: Client) -> None:
    project = make_project()
    assert "has no model yet" in viewer.get(address(project)).content.decode()
    given = {"name": "owl", "version": "1.0", "trained_on": "COCO"}
    assert viewer.post(address(project), given).status_code == 403
    shown = manager.post(address(project), given).content.decode()
    token = re.search(r'class="secret">([^<]+)<', shown)
    assert token is not None
    assert Api(None, token[1]).get("models/questions").status_code == 200
    assert AuditEntry.objects.get(action="model.add").detail == {}
    later = viewer.get(address(project)).content.decode()
    assert "owl/1.0" in later and "trained on" in later and token[1] not in later
    wrong = manager.post(address(project), {**given, "trained_on": "everything"})
    assert wrong.status_code == 422 and "give the model a new version" in wrong.content.decode()
    assert manager.post(address(project), {"name": "owl vit", "version": "2"}).status_code == 422
    assert ModelVersion.objects.count() == 1
    model = ModelVersion.objects.get()
    manager.post(reverse("judges:model", args=[model.pk]), {"end-tokens": "1"})
    check_problem(Api(None, token[1]).get("models/questions"), 401)


def test_the_page_says_how_good_a_model_is_and_takes_its_answers_back(manager: Client) -> None:
    batch = make_judged()
    model = judge_of(batch)
    believe(model, Record({PEOPLE: RATES, NOTHING_MISSING: RATES}, frozenset({PEOPLE})))
    answer(batch, drawn(ONE))
    count_for(held()[0], SURE, complete=SURE)
    assert Chain.objects.get().state == "done"
    shown = " ".join(manager.get(address(batch.project)).content.decode().split())
    assert "It answered 1 of 1 question in time" in shown
    assert "0 answers are sealed, 1 counts, and 1 of these settled a chain alone" in shown
    assert "85.3% to 95.1%" in shown and "345" in shown and "<svg" in shown
    assert shown.count(">not yet<") == 1 and shown.count(">yes<") == 1
    take_back = reverse("judges:model", args=[model.pk])
    manager.post(take_back, {"note": ""})
    assert ModelAnswer.objects.get().set_aside is None
    done = manager.post(take_back, {"note": "it fails"}, follow=True).content.decode()
    assert "No answer of judge/1 counts any more. 1 did" in done
    advance_pending(now=NOW)
    assert Chain.objects.get().state == "check"
    assert AuditEntry.objects.get(action="model.distrust").detail == {"answers": 1}


def test_the_page_compares_a_model_with_people_and_says_what_the_audit_found(viewer: Client) -> None:
    project = make_project()
    model = make_judge(project)
    content = {
        **Record({PEOPLE: RATES}, frozenset({PEOPLE}), {PEOPLE: 4.25, "*": 2.0}).to_json(),
        "people": {
            "boxes": {"kappa": [0.32, 0.203, 0.43], "things": 428, "alike": 0.799},
            "missing": {"kappa": [None, None, None], "things": 5, "alike": 1.0},
            "errors": {"correlation": [-0.07, None, None], "things": 51, "model": 0.098, "people": 0.093},
        },
        "audit": {"opened_at": NOW.isoformat(), "answers": 19, "things": 20, "contradicted": 2},
        **{"seen_at": "", "since_at": NOW.isoformat()},
    }
    JudgeRecord.objects.create(model=model, stage="check", content=content, answers=500, created_at=NOW)
    shown = " ".join(viewer.get(address(project)).content.decode().split())
    assert "0.20 to 0.43" in shown and "alike in 79.9%" in shown and "too much alike to tell" in shown
    assert "the model is wrong in 9.8%, people in 9.3%" in shown and "too few images" in shown
    assert "19 sealed answers of kinds that count" in shown
    assert "contradict 2 of the 20 things" in shown and "(10.0%, 95% interval 1.2% to 31.7%)" in shown
    assert '<meter min="0" max="10.0" value="4.25">4.2 of 10</meter>' in shown
    assert "got worse" in shown


def test_an_audit_without_a_common_answer_has_no_share(viewer: Client) -> None:
    project = make_project()
    audit = {"opened_at": NOW.isoformat(), "answers": 0, "things": 0, "contradicted": 0}
    content = {**Record({PEOPLE: RATES}, frozenset({PEOPLE})).to_json(), "audit": audit}
    JudgeRecord.objects.create(
        model=make_judge(project), stage="check", content=content, answers=0, created_at=NOW
    )
    shown = " ".join(viewer.get(address(project)).content.decode().split())
    assert "workers have judged none of what they say" in shown and "0 of the 0" not in shown


def test_a_record_of_before_says_nothing_of_people_and_audits(viewer: Client) -> None:
    project = make_project()
    believe(make_judge(project), Record({PEOPLE: RATES}, frozenset({PEOPLE})))
    shown = viewer.get(address(project)).content.decode()
    assert "Beside people" not in shown and "audit found" not in shown and "got worse" not in shown


def test_a_draft_without_its_model_says_so_before_the_launch(manager: Client) -> None:
    project = make_project()
    make_image(project, [["man"]])
    draft = make_batch(project, launch=False, protocol="entities-fast", judge={"model": "owl/1.0"})
    shown = manager.get(reverse("batches:move", args=[draft.pk, "launch"])).content.decode()
    assert "the project has no model owl/1.0" in shown and address(project) in shown


def test_the_case_of_a_model_that_got_worse_leads_to_its_page(manager: Client) -> None:
    project = make_project()
    Case.objects.create(
        project=project,
        reason="model",
        stage="check",
        opened_at=NOW,
        detail={"model": "owl/1.0", "note": "it got worse"},
    )
    shown = manager.get(reverse("review:queue")).content.decode()
    assert "model owl/1.0 in joint check" in shown and address(project) in shown and "it got worse" in shown
