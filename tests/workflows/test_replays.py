"""Whatever is set aside, whenever: what stands is what would have come about without it."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from annotation.models import Assignment, Decision, Item, Judgment
from tests.factories import (
    NOW,
    claim_maybe,
    make_batch,
    make_project,
    make_random_image,
    make_worker,
    submit_page,
    unsteady,
)
from tests.workflows.invariants import check_promises, check_rules
from tests.workflows.twins import Names, described, images, same_as_its_twin
from workflows.domain.coreference import STRATEGIES
from workflows.services.advance import advance_pending
from workflows.services.leases import expire, give_back
from workflows.services.setting_aside import set_aside_worker

pytestmark = pytest.mark.django_db

STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
STEPS = 3000


class Course:
    """Workers at a batch's images, with pages in their hands, while judgments are set aside."""

    def __init__(self, strategy: str, seed: int, *, count: int = 1) -> None:
        self.rng = random.Random(f"{strategy}/{seed}")
        project = make_project()
        for _ in range(count):
            make_random_image(project, self.rng)
        pages = {"link": 2, "drawing": 1, "quality": 1, "coverage": 1}
        self.batch = make_batch(project, strategy=strategy, seed=seed, items_a_page=pages)
        self.project = project
        self.workers = [make_worker(project) for _ in range(6)]
        self.pages: list[Assignment] = []
        self.now = NOW

    def work(self, steps: int) -> bool:
        """So many steps of anybody; whether nothing is left to ask."""
        for _ in range(steps):
            self.now += timedelta(minutes=self.rng.randrange(4))
            action = self.rng.randrange(12)
            if action == 0 and self.pages:
                page = self.rng.choice(self.pages)
                give_back(worker_id=page.worker_id, assignment_id=page.pk)
            elif action == 1:
                expire(now=self.now)
            elif action <= 3:
                self.read()
                # The twins' questions stay open.
                if not Item.objects.filter(batch=self.batch, state=Item.State.OPEN).exists():
                    return True
            elif action <= 7 and self.pages:
                submit_page(self.rng.choice(self.pages[-4:]), answering=unsteady(self.rng), now=self.now)
            else:
                found = claim_maybe(self.rng.choice(self.workers), now=self.now)
                self.pages += [found.assignment] if found else []
        return False

    def read(self) -> None:
        advance_pending(now=self.now)

    def set_aside(self) -> list[Decision]:
        """Somebody's judgments of most stages; of somebody who has given some."""
        given = Judgment.objects.filter(item__batch=self.batch, set_aside__isnull=True)
        workers = sorted(set(given.values_list("worker_id", flat=True)))
        worker = self.rng.choice(workers)
        found = [
            set_aside_worker(
                worker_id=worker,
                stage=stage,
                by="somebody",
                note="",
                now=self.now,
                batch_id=self.batch.pk,
                unsupported_only=self.rng.random() < 0.4,
            )
            for stage in self.rng.sample(STAGES, 4)
        ]
        return [decision for decision in found if decision is not None]

    def check(self) -> None:
        check_promises(self.project)
        check_rules(self.project)

    def state(self) -> list[object]:
        return [described(image, Names()) for image in images(self.batch).values()]

    def finish(self) -> None:
        """Everybody answers until nothing is left to ask."""
        # Whoever answered a question before is not asked again, so new people come now and then.
        for _ in range(60):
            self.workers.append(make_worker(self.project))
            if self.work(STEPS // 60):
                return
        raise AssertionError("it never ends")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", range(3))
def test_what_was_set_aside_might_as_well_never_have_been_said(strategy: str, seed: int) -> None:
    course = Course(strategy, seed)
    for moment in range(3):
        course.work(course.rng.randrange(30, 150))
        course.set_aside()
        check_promises(course.project)
        course.read()
        course.check()
        same_as_its_twin(course.batch, f"twin-{moment}")
    course.finish()
    course.check()
    assert Judgment.objects.filter(set_aside__isnull=False).exists()
