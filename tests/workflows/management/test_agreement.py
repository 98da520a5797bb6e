from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Chain, Decision, Item, Judgment, VerificationQuestion
from tests.factories import NOW, answer_page, make_at_stage, make_project, make_worker
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def judge(batch: Batch, stage: str, answers: list[dict[str, Any]], *, content: str, right: Any) -> int:
    """Make a verification question and let as many workers answer it. Return its id."""
    image = Item.objects.filter(batch=batch).select_related("work__image")[0].work.image
    question = VerificationQuestion.objects.create(
        project=batch.project, image=image, stage=stage, content=content, source="written", kind="",
        mentions=[], answer=right, created_at=NOW,
    )  # fmt: skip
    for n, answer in enumerate(answers):
        worker, _ = batch.project.workers.get_or_create(external_id=f"w{n}")
        page = Assignment.objects.create(
            worker=worker, batch=batch, stage=stage, items=[], state=Assignment.State.SUBMITTED,
            created_at=NOW, expires_at=NOW,
        )  # fmt: skip
        correct = answer == right or answer.get("box") in right.get("boxes", ())
        Judgment.objects.create(
            question=question, worker=worker, assignment=page, answer=answer, correct=correct, created_at=NOW
        )
    return question.pk


@pytest.fixture
def batch() -> Batch:
    """Let two workers answer fifty quality questions.

    Their answers are the first table of "Cohen's kappa" in Wikipedia (0.4).
    """
    batch = make_at_stage("quality")
    table = {(True, True): 20, (True, False): 5, (False, True): 10, (False, False): 15}
    number = 0
    for (a, b), times in table.items():
        for _ in range(times):
            judge(batch, "quality", [{"good": a}, {"good": b}], content=f"{number}", right={"good": True})
            number += 1
    return batch


def printed(batch: Batch, **options: Any) -> str:
    out = StringIO()
    call_command("agreement", project=batch.project.name, stdout=out, **{"resamples": 200, **options})
    return out.getvalue()


def test_a_stage_is_a_table_beside_the_papers(batch: Batch) -> None:
    told = printed(batch, stage="quality")
    assert "quality: 50 items with two or more judgments" in told
    assert "Cohen's kappa               0.400  0." in told
    assert "per cent agreement          0.700  0." in told
    assert "right where it is known     0.550  0." in told
    assert "of 100; the paper's trusted workers: 88.0%" in told
    assert "coverage" not in told


def test_every_stage_is_there_and_says_what_is_missing(batch: Batch) -> None:
    told = printed(batch)
    for stage in Stage:
        assert f"{stage}: " in told
    assert "no item has two judgments" in told
    assert "no subject has two boxes" in told
    assert "no answers yet" in told
    # The paper's 82.4% is not about verification questions.
    assert told.count("no answers yet  of 0; the paper's trusted workers: 82.4% of boxes approved\n") == 1
    assert told.count("approved") == 1


def test_json_has_the_figures_with_their_intervals(batch: Batch) -> None:
    [found] = json.loads(printed(batch, stage="quality", json=True))
    cohen = found["figures"]["cohen"]
    assert cohen["value"] == pytest.approx(0.4)
    assert cohen["low"] < 0.4 < cohen["high"]
    assert (found["items"], found["judgments"], found["answered"]) == (50, 100, 100)
    assert found["paper"] == 0.88


def test_the_same_seed_gives_the_same_intervals(batch: Batch) -> None:
    assert printed(batch, seed=3) == printed(batch, seed=3)
    assert printed(batch, seed=3) != printed(batch, seed=4)


def test_a_drawing_question_whose_crowd_agrees_with_itself_only_is_named() -> None:
    batch = make_at_stage("drawing")
    boxes: list[dict[str, Any]] = [{"box": [100, 100, 200, 200 + n]} for n in range(4)]
    wrong = judge(batch, "drawing", boxes, content="wrong gold", right={"boxes": [[400, 300, 450, 350]]})
    fine = judge(batch, "drawing", boxes, content="good gold", right={"boxes": [[100, 100, 200, 200]]})
    [found] = json.loads(printed(batch, stage="drawing", json=True))
    assert found["contested"] == [wrong] and fine != wrong
    assert found["figures"]["mean_iou"]["value"] > 0.97
    assert f"question {wrong}: workers agree on a box" in printed(batch, stage="drawing")


def test_judgments_that_were_set_aside_are_left_out() -> None:
    batch = make_at_stage("requirement")
    item = Item.objects.get(batch=batch, stage="requirement")
    page = Assignment.objects.create(
        worker=make_worker(batch.project), batch=batch, stage="requirement", items=[item.pk],
        created_at=NOW, expires_at=NOW,
    )  # fmt: skip
    for n in range(2):
        Judgment.objects.create(
            item=item, worker=make_worker(batch.project, f"r{n}"), assignment=page,
            answer={"requirement": "box"}, created_at=NOW,
        )  # fmt: skip
    assert "requirement: 1 items" in printed(batch, stage="requirement")
    decision = Decision.objects.create(project=batch.project, kind="set-aside", by="ada", created_at=NOW)
    Judgment.objects.filter(pk=item.judgments.all()[0].pk).update(set_aside=decision)
    assert "requirement: 0 items" in printed(batch, stage="requirement")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"project": "nettles"}, "there is no project 'nettles'"),
        ({"batch": "second"}, "has no batch 'second'"),
        ({"resamples": -1}, "--resamples must be a number from 0"),
    ],
)
def test_what_is_not_there_is_named(options: dict[str, Any], message: str) -> None:
    make_project("flowers")
    with pytest.raises(CommandError, match=message):
        call_command("agreement", **{"project": "flowers", **options})


def test_a_box_that_two_workers_drew_one_after_the_other_is_told() -> None:
    """The first box was rejected, or the second worker would have been shown it.

    So one of the three workers was wrong.
    """
    batch = make_at_stage("drawing")
    for good in (False, True):
        answer_page(make_worker(batch.project), stage="drawing")
        advance_pending(now=NOW)
        if not good:
            answer_page(make_worker(batch.project), stage="quality", answering=lambda *_: {"good": False})
            advance_pending(now=NOW)
    [found] = json.loads(printed(batch, stage="drawing", json=True))
    assert found["redrawn"] == [Chain.objects.get().pk]
    assert f"chain {found['redrawn'][0]}: several workers drew the same box" in printed(batch)


def test_a_seed_is_a_whole_number_from_0(batch: Batch) -> None:
    with pytest.raises(CommandError, match="--seed must be a whole number"):
        printed(batch, seed=-1)
