"""Whatever workers and researchers do with a campaign, the rows follow from what counts."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import pytest

from annotation.models import Assignment, Batch, Decision, ImageWork, Item, Judgment, Worker
from tests.campaigns import CHECK, GRADING, RELEVANCE, WRITING, answer_all, make_captions, make_judged
from tests.factories import LATER, NOW, claim_maybe, make_worker, submit_page
from tests.workflows.pipeline.invariants import check_promises, check_rules
from workflows.assignments.leases import expire_leases
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import let_go_on
from workflows.review.image_withdrawals import bring_back_image, withdraw_image
from workflows.review.set_aside import reinstate, set_aside_worker
from workflows.review.written_captions import rule_on_caption

pytestmark = pytest.mark.django_db

STEPS = 60
WORDS = ("A dog runs fast .", "A cat sleeps well .", "Two men talk loudly .", "A red kite flies .", "Run !")


class Course:
    """A team of workers and a researcher who do anything they may, at random."""

    def __init__(self, batch: Batch, seed: int) -> None:
        self.batch, self.rng = batch, random.Random(seed)
        self.team = [make_worker(batch.project) for _ in range(7)]
        self.held: list[Assignment] = []
        self.by: dict[str, Any] = {"by": "rita", "note": "", "now": NOW}
        self.may_be_unsure = True

    def step(self) -> None:
        steps = (
            *([self.claim] * 8 + [self.submit] * 8 + [self.read] * 5),
            *(self.expire, self.set_aside, self.reinstate, self.rule, self.go_on, self.withdraw),
        )
        self.rng.choice(steps)()

    def claim(self) -> None:
        found = claim_maybe(self.rng.choice(self.team), stage=self.rng.choice(self.stages()))
        if found is not None and found.created:
            self.held.append(found.assignment)

    def submit(self) -> None:
        self.may_be_unsure = True  # once on a page
        if self.held:
            submit_page(self.held.pop(self.rng.randrange(len(self.held))), answering=self.answer)

    def answer(self, stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        if self.rng.random() < 0.07:
            return {"unusable": True}
        if stage != WRITING and self.may_be_unsure and self.rng.random() < 0.15:
            self.may_be_unsure = False
            return {"unsure": True}
        match stage:
            case "writing":
                return {"caption": self.rng.choice(WORDS) + " " + "x" * self.rng.randint(0, 3)}
            case "caption_check":
                return {"caption": self.rng.choice(["right", "minor", "wrong"])}
            case "grading":
                return {"grade": self.rng.randint(1, 4)}
        return {"describes": [self.rng.random() < 0.5 for _ in question["captions"]]}

    def read(self) -> None:
        advance_pending(now=NOW)

    def expire(self) -> None:
        expire_leases(now=LATER)

    def stages(self) -> list[str]:
        return sorted(self.batch.settings["regime"])

    def set_aside(self) -> None:
        worker: Worker = self.rng.choice(self.team)
        stage = self.rng.choice(self.stages())
        set_aside_worker(
            worker_id=worker.pk, stage=stage, unsupported_only=self.rng.random() < 0.5, **self.by
        )

    def reinstate(self) -> None:
        made = list(Decision.objects.filter(kind="set-aside").values_list("pk", flat=True))
        if made:
            reinstate(decision_id=self.rng.choice(made), **self.by)

    def rule(self) -> None:
        written = list(WrittenCaption.objects.values_list("judgment", flat=True))
        if written:
            text = self.rng.choice([None, "An edited caption ."])
            accept, judgment = self.rng.random() < 0.6, self.rng.choice(written)
            # Its worker's answers may have been set aside, or its image withdrawn.
            with suppress(DecisionError):
                rule_on_caption(judgment_id=judgment, accept=accept, text=text, **self.by)

    def go_on(self) -> None:
        for work in ImageWork.objects.filter(state=ImageWork.State.RESTING, active=True):
            let_go_on(work_id=work.pk, **self.by)

    def withdraw(self) -> None:
        image = self.rng.choice(list(ImageWork.objects.order_by("pk"))).image
        change = withdraw_image if image.withdrawn_at is None else bring_back_image
        change(image_id=image.pk, **self.by)


@pytest.mark.parametrize("stage", [WRITING, GRADING, RELEVANCE])
@pytest.mark.parametrize("seed", range(4))
def test_rows_follow_from_what_counts_after_any_course(stage: str, seed: int) -> None:
    settings: dict[str, Any] = {"unsure_share": 0.5}
    if stage == WRITING:
        batch = make_captions(images=3, captions={"wanted": 2, "refused": 2}, **settings)
    else:
        batch = make_judged(stage, images=3, groups=2, relevance={"judges": 2}, **settings)
    course = Course(batch, seed)
    for _ in range(STEPS):
        course.step()
        check_promises(batch.project)
    course.read()
    check_promises(batch.project)
    check_rules(batch.project)
    assert Judgment.objects.exists() and Item.objects.exists()


def test_a_batch_ends_after_everything_was_done_to_it() -> None:
    batch = make_captions(images=2, captions={"wanted": 2})
    course = Course(batch, 11)
    for _ in range(STEPS):
        course.step()
    expire_leases(now=LATER)
    course.read()
    for image in {work.image for work in ImageWork.objects.all()}:
        if image.withdrawn_at is not None:
            bring_back_image(image_id=image.pk, **course.by)
    for _ in range(20):
        course.go_on()
        for pk in WrittenCaption.objects.filter(state="flagged", work__active=True).values_list(
            "judgment", flat=True
        ):
            rule_on_caption(judgment_id=pk, accept=True, text=None, **course.by)
        answer_all(batch)
        if Batch.objects.get(pk=batch.pk).state == Batch.State.FINISHED:
            break
    assert Batch.objects.get(pk=batch.pk).state == Batch.State.FINISHED
    assert not Item.objects.filter(state="open", work__active=True).exists()
    assert CHECK in course.stages()
    check_rules(batch.project)
