"""A simulated crowd that works in this process and calls the services: no web server, no network."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, ImageWork, Item, Project, QualificationTry
from simulation.characters import Character
from simulation.questions import read_question
from simulation.truth import Truth
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.pipeline.advance import advance_pending
from workflows.qualification import try_view
from workflows.qualification.tries import TryError, answer_training, begin_try, hand_in_test
from workflows.quality.domain.stage_access import Access
from workflows.tasks import sweep
from workflows.workers.enrolment import enrol_worker

STAGES_EACH = 3
"""The number of stages one worker works in. On a platform, too, people stick to the tasks they know."""
_PAGES_PER_SWEEP, _PAGES_PER_ADVANCE = 30, 5


@dataclass
class Hand:
    """A worker: who they are, the stages they work in, and how much they answered so far."""

    worker_id: int
    character: Character
    stages: tuple[str, ...]
    rng: random.Random
    given: Counter[str] = field(default_factory=Counter)
    tested: int = 0

    def answer(self, stage: str, question: Mapping[str, Any], truth: Truth) -> dict[str, Any]:
        """Return the answer object to a question as the API shows it."""
        asked = read_question(question, truth.image_of)
        return self.character.answer(stage, asked, truth, self.given[stage], self.rng)


def hire(project: Project, characters: Sequence[Character], seed: int, each: int = STAGES_EACH) -> list[Hand]:
    """Enrol a worker for each character.

    The stages are given in turn, so that each stage has as many workers of every kind.
    """
    hands = []
    turns: Counter[str] = Counter()
    for number, character in enumerate(characters):
        worker = enrol_worker(project=project, external_id=f"{number:04}-{character.kind}")
        stages = [str(stage) for stage in Stage]
        order = [stages[(turns[character.kind] + step) % len(stages)] for step in (0, 2, 4, 1, 3, 5)]
        turns[character.kind] += 1
        hands.append(Hand(worker.pk, character, tuple(order[:each]), random.Random(f"{seed}/{number}")))
    return hands


@dataclass
class Crew:
    """Lets the hands work in random order until a batch is finished, or nobody can get the work that is left.

    Time is made up: a page takes as long as its answers say, and others work meanwhile.
    """

    batch: Batch
    hands: Sequence[Hand]
    truth: Truth
    rng: random.Random
    tell: Callable[[int], object] = lambda done: None
    """It is called now and then with the number of images that are done."""
    clock: datetime = field(default_factory=timezone.now)

    def run(self) -> None:
        at: dict[str, list[Hand]] = defaultdict(list)
        for hand in self.hands:
            for stage in hand.stages:
                at[stage].append(hand)
        fruitless = 0
        while not self._over():
            waiting = self._waiting()
            open_to_somebody = [stage for stage in waiting if at[stage]]
            if not open_to_somebody or fruitless > max(len(at[stage]) for stage in open_to_somebody):
                return
            pages = 0
            for turn in range(_PAGES_PER_SWEEP):
                if turn % _PAGES_PER_ADVANCE == 0:
                    advance_pending(now=self.clock)
                stage = self.rng.choices(open_to_somebody, [waiting[s] for s in open_to_somebody])[0]
                if at[stage]:
                    pages += self._turn(self.rng.choice(at[stage]), stage, at)
            fruitless = 0 if pages else fruitless + 1

    def _over(self) -> bool:
        sweep()
        self.batch.refresh_from_db()
        works = ImageWork.objects.filter(batch=self.batch)
        self.tell(works.filter(state=ImageWork.State.DONE).count())
        return self.batch.state != Batch.State.RUNNING

    def _waiting(self) -> dict[str, int]:
        items = Item.objects.waiting().filter(batch=self.batch)
        return dict(items.order_by("stage").values_list("stage").annotate(Count("pk")))

    def _turn(self, hand: Hand, stage: str, at: Mapping[str, list[Hand]]) -> bool:
        """Do a page or a test. Return whether one was done."""
        try:
            found = claim(worker_id=hand.worker_id, stage=stage, now=self.clock, rng=self.rng)
        except NotAdmittedError as error:
            if error.standing == Access.TEST and self._take_test(hand, stage):
                return True
            at[stage].remove(hand)
            return False
        if found is None:
            return False
        self._submit(hand, found.assignment)
        return True

    def _submit(self, hand: Hand, assignment: Assignment) -> None:
        stage = assignment.stage
        replies = []
        for entry in shown_page(assignment, now=self.clock)["items"]:
            given = hand.answer(stage, entry["question"], self.truth)
            seconds = hand.character.seconds(stage, hand.given[stage], hand.rng)
            replies.append(Reply(item=entry["item"], answer=given, seconds=seconds))
            hand.given[stage] += 1
        took = timedelta(seconds=sum(reply.seconds or 0 for reply in replies))
        submit(worker_id=hand.worker_id, assignment_id=assignment.pk, replies=replies, now=self.clock + took)
        self.clock += took / len(self.hands)

    def _take_test(self, hand: Hand, stage: str) -> bool:
        who = hand.worker_id
        try:
            held, _ = begin_try(worker_id=who, stage=stage, now=self.clock, rng=self.rng)
        except TryError:
            return False
        if held.state == QualificationTry.State.TRAINING:
            for entry in try_view.shown(held, now=self.clock)["items"]:
                answer = hand.answer(stage, entry["question"], self.truth)
                answer_training(
                    worker_id=who, stage=stage, number=held.number, item=entry["item"], answer=answer
                )
                hand.tested += 1
            held.refresh_from_db()
        given = [
            (entry["item"], hand.answer(stage, entry["question"], self.truth))
            for entry in try_view.shown(held, now=self.clock)["items"]
        ]
        hand.tested += len(given)
        hand_in_test(worker_id=who, stage=stage, number=held.number, answers=given, now=self.clock)
        return True
