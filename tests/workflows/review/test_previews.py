"""Previews say what setting judgments aside would change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction

from annotation.domain.chain_states import WITHDRAWN
from annotation.models import Batch, Box, Chain, Decision, ImageWork, Item, Judgment, Worker
from tests.factories import (
    NOW,
    Answering,
    answer_page,
    claim_page,
    make_at_stage,
    make_running,
    make_worker,
    replies,
    willing,
)
from tests.selection import and_nightly
from tests.workflows.pipeline.replay.courses import Course
from tests.workflows.pipeline.replay.twins import Names, described, images
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.load_rows import Loaded, load_works
from workflows.review import set_aside_preview
from workflows.review.set_aside import ChangedSinceError, set_aside_worker, set_aside_workers
from workflows.review.set_aside_choice import Shown
from workflows.review.set_aside_preview import preview_set_aside

pytestmark = pytest.mark.django_db


def go(batch: Batch, worker: Worker | None = None, answering: Answering = willing) -> Worker:
    """Let somebody answer one page, then advance."""
    worker = worker or make_worker(batch.project)
    answer_page(worker, answering=answering)
    advance_pending(now=NOW)
    return worker


def done() -> tuple[Batch, dict[str, list[Worker]]]:
    """Return a done image of one chain with one box, and who answered what."""
    batch = make_running([["man"], ["man"]])
    workers: dict[str, list[Worker]] = {}
    while Batch.objects.get(pk=batch.pk).state == Batch.State.RUNNING:
        stage = Item.objects.get(batch=batch, state="open").stage
        workers.setdefault(stage, []).append(go(batch))
    return batch, workers


def state(batch: Batch) -> list[object]:
    return [described(image, Names()) for image in images(batch).values()]


@pytest.mark.parametrize("seed", and_nightly([2], [0, 1], "other random work"))
def test_the_preview_says_what_then_happens(seed: int) -> None:
    course = Course("greedy_plus", seed, count=3)
    course.work(250)
    course.read()
    judgments = Judgment.objects.filter(item__batch=course.batch)
    worker_id = judgments.values_list("worker_id", flat=True)[course.rng.randrange(judgments.count())]
    for unsupported_only in (True, False):
        with transaction.atomic():
            compare_preview(course, worker_id, unsupported_only=unsupported_only)
            transaction.set_rollback(True)


def compare_preview(course: Course, worker_id: int, *, unsupported_only: bool) -> None:
    """Assert that two stages of the worker are set aside as the preview says."""
    for stage in ("drawing", "link"):
        said = preview_set_aside(workers=[worker_id], stages=[stage], unsupported_only=unsupported_only)
        items = {item.pk: item for item in Item.objects.all()}
        withdrawn = counts()
        decision = set_aside_worker(
            worker_id=worker_id, stage=stage, by="ada", note="", now=NOW, unsupported_only=unsupported_only
        )
        course.read()
        asked = [
            item
            for item in Item.objects.filter(state="open")
            if item.pk not in items or items[item.pk].state != "open" or items[item.pk].judged > item.judged
        ]
        aside = Judgment.objects.filter(set_aside=decision) if decision else Judgment.objects.none()
        chains, boxes = counts()
        assert said == replace(
            said,
            judgments=aside.count(),
            images=aside.values("item__work").distinct().count(),
            items=len(asked),
            chains=chains - withdrawn[0],
            boxes=boxes - withdrawn[1],
        )
        leaning = sum(number for _, number in said.leaning)
        assert said.judgments == said.unsupported + leaning or not unsupported_only


def counts() -> tuple[int, int]:
    """Return how many chains and boxes would be withdrawn."""
    chains = Chain.objects.filter(state=WITHDRAWN)
    return chains.count(), Box.objects.filter(state=Box.State.WITHDRAWN).count()


def test_a_preview_writes_nothing() -> None:
    batch, workers = done()
    before = state(batch), Transition.objects.count()
    preview_set_aside(workers=[workers["drawing"][0].pk], stages=["drawing"], unsupported_only=False)
    assert (state(batch), Transition.objects.count()) == before
    assert not ImageWork.objects.filter(replayed=True).exists()


def test_a_preview_of_many_images_folds_some_and_estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_at_stage("quality", images=6, items_a_page={"drawing": 6})
    (worker,) = set(Judgment.objects.filter(item__stage="drawing").values_list("worker_id", flat=True))
    exact = preview_set_aside(workers=[worker], stages=["drawing"])
    assert (exact.folded, exact.estimated, exact.images, exact.boxes) == (6, False, 6, 6)
    monkeypatch.setattr(set_aside_preview, "FOLDED", 4)
    folded: list[int] = []

    def load_some(works: list[ImageWork], **more: Any) -> dict[int, Loaded]:
        folded.append(len(works))
        return load_works(works, **more)

    monkeypatch.setattr(set_aside_preview, "load_works", load_some)
    said = preview_set_aside(workers=[worker], stages=["drawing"])
    assert folded == [4]
    assert said == replace(exact, folded=4), "what is counted is exact, and all images are alike here"
    assert said.estimated
    assert preview_set_aside(workers=[worker], stages=["drawing"], batch_id=batch.pk) == said


def test_reports_are_part_of_the_preview() -> None:
    batch = make_running([["man"], ["man"]], unsure_share=0.5)
    workers = [make_worker(batch.project) for _ in range(2)]
    for worker in workers:
        page = claim_page(worker)
        unsure = [Reply(one.item, {"unsure": True}) for one in replies(page)]
        submit(worker_id=worker.pk, assignment_id=page.pk, replies=unsure, now=NOW)
        advance_pending(now=NOW)
    assert not Item.objects.filter(state="open").exists()
    careless = workers[0].pk
    said = preview_set_aside(workers=[careless], stages=["link"])
    assert (said.judgments, said.reports, said.images, said.items) == (0, 1, 1, 1)
    set_aside_worker(worker_id=careless, stage="link", by="ada", note="", now=NOW)
    assert preview_set_aside(workers=[careless], stages=["link"]).reports == 0


def test_only_what_was_shown_is_set_aside() -> None:
    _, workers = done()
    worker = workers["drawing"][0].pk
    said = preview_set_aside(workers=[worker], stages=["drawing"], unsupported_only=False)

    def aside(shown: Shown) -> list[Decision]:
        return set_aside_workers(
            workers=[worker],
            stages=["drawing"],
            by="ada",
            note="",
            now=NOW,
            unsupported_only=False,
            shown=shown,
        )

    for shown in (Shown(said.judgments + 1, said.newest), Shown(said.judgments, said.newest - 1)):
        with pytest.raises(ChangedSinceError):
            aside(shown)
    assert not Judgment.objects.filter(set_aside__isnull=False).exists()
    assert len(aside(Shown(said.judgments, said.newest))) == 1
    assert aside(Shown(said.judgments, said.newest)) == [], "a second time there is nothing to do"
