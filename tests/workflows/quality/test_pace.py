from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.domain.answers import DRAWS_BOXES
from annotation.models import Assignment, Batch, Case, Decision, Item, Judgment, VerificationQuestion, Worker
from config.celery import app
from tests.factories import NOW, SIZE, make_at_stage, make_worker
from tests.made_once import made_once
from tests.workflows.threads import at_once
from workflows.cases.review_queue import close_case
from workflows.quality.pace import check_pace

pytestmark = pytest.mark.django_db
PAGE = timedelta(seconds=80)


def answered(
    batch: Batch,
    worker: Worker,
    answers: Sequence[dict[str, Any]],
    *,
    seconds: float = 8.0,
    stage: str = "link",
    took: timedelta = PAGE,
    now: Any = NOW,
) -> None:
    """Let the worker submit pages of ten verification questions on as many images."""
    items = Item.objects.filter(batch=batch).order_by("pk").select_related("work__image")
    images = [item.work.image for item in items]
    pages = [
        Assignment.objects.create(
            worker=worker, batch=batch, stage=stage, items=[], state=Assignment.State.SUBMITTED,
            created_at=now - took, submitted_at=now, expires_at=now,
        )
        for _ in answers[::10]
    ]  # fmt: skip
    for n, answer in enumerate(answers):
        image = images[n % len(images)]
        question, _ = VerificationQuestion.objects.get_or_create(
            project=batch.project, image=image, stage=stage, content=f"{n}", source="written", kind="",
            mentions=list(image.mentions.order_by("pk").values_list("pk", flat=True)[:2]),
            defaults={"answer": answer, "created_at": now},
        )  # fmt: skip
        Judgment.objects.create(
            question=question, correct=True, worker=worker, assignment=pages[n // 10], answer=answer,
            seconds=seconds, created_at=now,
        )  # fmt: skip


def mixed(count: int, seed: int = 1) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [{"same": rng.random() < 0.5} for _ in range(count)]


@made_once
def make_answered() -> Batch:
    """Make links of six images, some of which three careful workers have answered."""
    batch = make_at_stage("link", images=6)
    for seed in range(3):
        answered(batch, make_worker(batch.project), mixed(40, seed))
    return batch


@pytest.fixture
def batch() -> Batch:
    return make_answered()


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        ("fast", {"answers": mixed(30, 2), "seconds": 0.2}),
        ("fast", {"answers": mixed(30, 2), "took": timedelta(seconds=3)}),  # whatever the client reports
        ("straight", {"answers": [{"same": True}] * 40}),
    ],
)
def test_a_careless_worker_becomes_a_case_with_figures(batch: Batch, kind: str, how: dict[str, Any]) -> None:
    worker = make_worker(batch.project)
    answered(batch, worker, **how)
    assert check_pace(now=NOW) == 1
    case = Case.objects.get()
    assert (case.reason, case.worker_id, case.stage) == ("pace", worker.pk, "link")
    assert case.project_id == batch.project_id
    assert [flag["kind"] for flag in case.detail["flags"]] == [kind]
    assert case.detail["flags"][0]["figures"]["answers"] == len(how["answers"])


@pytest.mark.parametrize("stage", sorted(DRAWS_BOXES))
def test_one_box_on_every_image_becomes_a_case(stage: str) -> None:
    batch = make_at_stage(stage, images=30)
    joint = stage == "boxes"
    worker = make_worker(batch.project)
    rng = random.Random(3)
    corners = [(rng.randrange(400), rng.randrange(300)) for _ in range(60)]
    places: list[dict[str, Any]] = [{"box": [x, y, x + 99, y + 99]} for x, y in corners]
    if joint:
        places = [{"boxes": list(pair)} for pair in zip(places[::2], places[1::2], strict=True)]
    answered(batch, make_worker(batch.project), places * (1 + joint), stage=stage)
    box = [SIZE[0] // 4, SIZE[1] // 4, SIZE[0] // 2, SIZE[1] // 2]
    middle: list[dict[str, Any]] = [{"box": box}, {"box": None}] * 20
    if joint:
        middle = [{"boxes": [{"box": box}, {"box": [0, 0, n + 9, 9]}]} for n in range(20)] * 2
    answered(batch, worker, middle, stage=stage)
    assert check_pace(now=NOW) == 1
    flag = Case.objects.get().detail["flags"][0]
    assert flag["kind"] == "one-box" and flag["figures"]["box"] == [0.25, 0.25, 0.5, 0.5]


def test_who_waves_all_checks_through_becomes_a_case() -> None:
    batch = make_at_stage("check", images=6)
    fine: dict[str, Any] = {"boxes": ["good", "good"], "missing": False}
    for seed in range(3):
        answers = [fine if one["same"] else {**fine, "missing": True} for one in mixed(40, seed)]
        answered(batch, make_worker(batch.project), answers, stage="check")
    answered(batch, make_worker(batch.project), [fine] * 40, stage="check")
    assert check_pace(now=NOW) == 1
    assert [flag["kind"] for flag in Case.objects.get().detail["flags"]] == ["straight"]


def test_a_flag_changes_nothing_else(batch: Batch) -> None:
    worker = make_worker(batch.project)
    answered(batch, worker, mixed(30, 2), seconds=0.2)
    before = list(Judgment.objects.order_by("pk").values())
    check_pace(now=NOW)
    worker.refresh_from_db()
    assert not worker.blocked
    assert list(Judgment.objects.order_by("pk").values()) == before


@pytest.mark.usefixtures("unguarded")
def test_looking_again_opens_nothing_twice_and_what_a_researcher_closed_stays_closed(batch: Batch) -> None:
    worker = make_worker(batch.project)
    answered(batch, worker, mixed(30, 2), seconds=0.2)
    assert [check_pace(now=NOW) for _ in range(2)] == [1, 0]
    close_case(case_id=Case.objects.get().pk, by="ada", note="a fast reader", now=NOW)
    assert check_pace(now=NOW) == 0
    Judgment.objects.filter(worker=worker).update(created_at=NOW + timedelta(hours=1))
    assert check_pace(now=NOW + timedelta(hours=1)) == 1, "what came later is looked at again"


def test_only_those_who_answered_lately_are_looked_at_unless_they_are_named(batch: Batch) -> None:
    worker = make_worker(batch.project)
    answered(batch, worker, mixed(30, 2), seconds=0.2)
    later = NOW + timedelta(hours=1)
    assert check_pace(now=later) == 0
    assert check_pace(now=later, worker_ids=[make_worker(batch.project).pk]) == 0
    assert check_pace(now=later, worker_ids=[worker.pk], project_id=batch.project_id + 1) == 0
    assert check_pace(now=later, worker_ids=[worker.pk], project_id=batch.project_id) == 1


@pytest.mark.usefixtures("unguarded")
def test_judgments_that_were_set_aside_do_not_count(batch: Batch) -> None:
    worker = make_worker(batch.project)
    answered(batch, worker, mixed(30, 2), seconds=0.2)
    decision = Decision.objects.create(
        project=batch.project, kind=Decision.Kind.SET_ASIDE, by="ada", created_at=NOW
    )
    item = Item.objects.filter(batch=batch).first()
    assert item is not None
    given = Judgment.objects.filter(worker=worker).order_by("pk")
    # only judgments on items can be set aside: here one of thirty. The others are fewer than the least number
    given.filter(pk__in=list(given.values_list("pk", flat=True)[:11])).delete()
    Judgment.objects.create(
        item=item, worker=worker, assignment=given[0].assignment, answer={"same": True},
        seconds=0.1, set_aside=decision, created_at=NOW,
    )  # fmt: skip
    assert check_pace(now=NOW) == 0
    Judgment.objects.update(set_aside=None)
    assert check_pace(now=NOW) == 1


def test_a_run_asks_a_few_questions_a_worker(batch: Batch) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            check_pace(now=NOW)
        return len(captured)

    first = queries()
    answered(batch, make_worker(batch.project), mixed(40, 5))
    assert queries() - first <= 4


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_open_one_case(transactional_db: None) -> None:
    batch = make_at_stage("link", images=6)
    answered(batch, make_worker(batch.project), mixed(30, 2), seconds=0.2)
    opened = at_once([lambda: check_pace(now=NOW)] * 4)
    assert sum(opened) == 1
    assert Case.objects.count() == 1


def test_the_task_of_the_clock_looks(batch: Batch) -> None:
    answered(batch, make_worker(batch.project), mixed(30, 2), seconds=0.2, now=timezone.now())
    task = app.conf.beat_schedule["pace"]["task"]
    app.loader.import_default_modules()
    app.tasks[task]()
    assert Case.objects.filter(reason=Case.Reason.PACE).count() == 1
