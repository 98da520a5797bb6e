"""A simulated crowd that works at the same time, in made-up time, and calls the services of this process.

`research.crew` lets one worker finish a page before the next one begins. Here everybody who is there takes
a page as soon as there is one, holds it for as long as its answers take, and submits it. So pages are partly
filled and entrances are begun by many at once, as with a real crowd.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from urllib.parse import urlsplit

from annotation.models import Assignment, Batch, ImageWork, Item, Project
from research.crew import Hand
from simulation.characters import Character
from simulation.emulators.mturk.handle import Handle, RefusedError, WorkerHandle
from simulation.truth import Truth
from simulation.turkers import PROFILE
from workflows.assignments.claim import NotAdmittedError, claim
from workflows.assignments.leases import expire_leases
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.crowd.participations.sessions import begin, claim_place
from workflows.crowd.rounds.step import round_of
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.pipeline.batch_completion import finish_if_done
from workflows.platforms.provider import Provider
from workflows.quality.page_scores import judge_idle
from workflows.workers.enrolment import enrol_worker

LOOKS_AGAIN = 20.0
"""Somebody who gets no page looks again when something has changed, after at most so many seconds."""
ROUND = 30.0
"""Seconds between two rounds with the platform."""
LONG = timedelta(hours=25)
"""If nobody gets anything, so much time passes: then sets of pages that are not full are scored."""
_SWEEP = 600.0
STANDING = 1
"""Events that belong to nobody: sweeps, and rounds with the platform."""


class StuckError(RuntimeError):
    """Work waits that nobody gets, whoever comes."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A page in somebody's hands, and what to do once its answers are in."""

    page: Assignment
    then: Callable[[], object]


@dataclass
class CrowdAtOnce:
    """`workers` people at work until nothing is asked any more. Time is made up: `clock`.

    `characters` are those who come, in this order. If work waits that nobody gets, the next one joins.
    """

    batch: Batch
    project: Project
    truth: Truth
    characters: Sequence[Character]
    workers: int
    seed: int
    clock: datetime
    tell: Callable[[int], object] = lambda done: None
    came: int = 0
    _events: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    _order: Iterator[int] = field(default_factory=count)
    _idle: list[Hand] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.seed}/crowd")

    def run(self) -> None:
        """Work until the batch asks nothing more. Raise StuckError if nobody gets what is left."""
        self._sweep()
        for _ in range(self.workers):
            self._join()
        self._at(_SWEEP, self._now_and_then)
        fruitless, since = 0, self.clock
        while self._asked():
            if self._busy():
                self._next()
                fruitless, since = 0, self.clock
            elif self.clock < since + self.waits:
                self._next()
            else:
                # Nobody has a page or will get one. First time passes, then somebody new joins.
                fruitless += 1
                if fruitless > 3 * len(self.characters):
                    raise StuckError(f"{self._asked()} items wait, and nobody of {self.came} gets them")
                if fruitless % 2:
                    self._put_off(LONG)
                elif self.came < len(self.characters):
                    self._join()
                since = self.clock
                self._sweep()
                self._wake()

    waits = timedelta()
    """How long it takes at most until somebody gets a page after everybody has looked in vain."""

    def _busy(self) -> bool:
        """Return whether anybody has a page, or is going to look for one."""
        return len(self._events) > STANDING

    def _put_off(self, term: timedelta) -> None:
        """Let time pass in which nothing happens."""
        self._events = [(at + term, number, do) for at, number, do in self._events]
        self._pass(self.clock + term)

    def _at(self, seconds: float, do: Callable[[], None]) -> None:
        heapq.heappush(self._events, (self.clock + timedelta(seconds=seconds), next(self._order), do))

    def _next(self) -> None:
        at, _, do = heapq.heappop(self._events)
        self._pass(max(at, self.clock))
        do()

    def _pass(self, to: datetime) -> None:
        self.clock = to

    def _asked(self) -> int:
        open_ = Item.objects.filter(batch=self.batch, state=Item.State.OPEN).count()
        return open_ + ImageWork.objects.filter(batch=self.batch, state=ImageWork.State.QUEUED).count()

    def _join(self) -> None:
        number = self.came
        self.came += 1
        character = self.characters[number]
        hand = Hand(self._enrol(number, character), character, (), random.Random(f"{self.seed}/{number}"))
        self._at(self.rng.uniform(0, LOOKS_AGAIN), lambda: self._look(hand))

    def _enrol(self, number: int, character: Character) -> int:
        name = f"{number:04}-{character.kind}"
        return enrol_worker(project=self.project, external_id=name).pk

    def _look(self, hand: Hand) -> None:
        taken = self._take(hand)
        if taken is None:
            self._idle.append(hand)
            return
        replies = []
        stage = taken.page.stage
        for entry in shown_page(taken.page, now=self.clock)["items"]:
            given = hand.answer(stage, entry["question"], self.truth)
            seconds = hand.character.seconds(stage, hand.given[stage], hand.rng)
            replies.append(Reply(item=entry["item"], answer=given, seconds=seconds))
            hand.given[stage] += 1
        took = sum(reply.seconds or 0 for reply in replies)
        self._at(took, lambda: self._submit(hand, taken, replies))

    def _take(self, hand: Hand) -> Taken | None:
        """Return a page for the worker, of any stage."""
        found = claim(worker_id=hand.worker_id, stage=None, now=self.clock, rng=self.rng)
        return Taken(found.assignment, lambda: None) if found else None

    def _submit(self, hand: Hand, taken: Taken, replies: Sequence[Reply]) -> None:
        submit(worker_id=hand.worker_id, assignment_id=taken.page.pk, replies=replies, now=self.clock)
        taken.then()
        self._look(hand)
        self._advance()

    def _advance(self) -> None:
        advance_pending(now=self.clock)
        if self._idle and Item.objects.waiting().filter(batch=self.batch).exists():
            self._wake()

    def _wake(self) -> None:
        idle, self._idle = self._idle, []
        for hand in idle:
            self._at(self.rng.uniform(0, LOOKS_AGAIN), lambda hand=hand: self._look(hand))  # type: ignore[misc]

    def _now_and_then(self) -> None:
        self._sweep()
        self._at(_SWEEP, self._now_and_then)

    def _sweep(self) -> None:
        expire_leases(now=self.clock)
        judge_idle(now=self.clock)
        open_queued(batch_id=self.batch.pk, now=self.clock)
        advance_pending(now=self.clock)
        finish_if_done(batch_id=self.batch.pk, now=self.clock)
        self.tell(ImageWork.objects.filter(batch=self.batch, state=ImageWork.State.DONE).count())


@dataclass
class TurkersAtOnce(CrowdAtOnce):
    """The same crowd, coming through Mechanical Turk's emulator, whose clock is moved with ours."""

    turk: Handle = field(kw_only=True)
    provider: Provider = field(kw_only=True)
    _names: dict[int, WorkerHandle] = field(default_factory=dict)
    _hopeless: set[tuple[int, str]] = field(default_factory=set)
    _changed: bool = True

    def run(self) -> None:
        self._round()
        super().run()
        for _ in range(30):  # until all is paid
            self._pass(self.clock + timedelta(minutes=20))
            if round_of(provider=self.provider, now=self.clock, patient=False).quiet:
                return

    waits = timedelta(minutes=15)

    def _busy(self) -> bool:
        return len(self._events) > STANDING + 1

    def _pass(self, to: datetime) -> None:
        self.turk.set_clock(advance=(to - self.clock).total_seconds())
        self.clock = to

    def _round(self) -> None:
        # A patient round would look at most publications later. Without a submission, nothing has changed.
        if self._changed or not self._busy():
            self._changed = False
            made = round_of(provider=self.provider, now=self.clock, patient=False)
            advance_pending(now=self.clock)
            self._changed = bool(made.submissions)  # which opened items that are published in the next round
            if made.published:
                self._wake()
        self._at(ROUND, self._round)

    def _enrol(self, number: int, character: Character) -> int:
        self._names[number] = self.turk.worker(f"A{self.seed}X{number:04}", **PROFILE)
        return number

    def _take(self, hand: Hand) -> Taken | None:
        somebody = self._names[hand.worker_id]
        offers = [group["groupId"] for group in somebody.groups()]
        offers = [offer for offer in offers if (hand.worker_id, offer) not in self._hopeless]
        hand.rng.shuffle(offers)
        for offer in offers:
            try:
                place = somebody.accept(group_id=offer)
            except RefusedError:
                continue
            try:
                if found := self._open(place, somebody):
                    return found
            except NotAdmittedError:
                self._hopeless.add((hand.worker_id, offer))
            somebody.give_back(place["assignmentId"])
        return None

    def _open(self, place: dict[str, str], somebody: WorkerHandle) -> Taken | None:
        stage, token = urlsplit(place["url"]).path.strip("/").split("/")[2:]
        session = begin(
            token=token,
            stage=stage,
            external_id=place["assignmentId"],
            worker=somebody.id,
            confirmed=False,
            submit_to="",
            now=self.clock,
        )
        one = session.participation
        found = claim_place(participation_id=one.pk, stage=None, key="", now=self.clock)
        if found is None:
            return None
        return Taken(found.assignment, lambda: somebody.submit(place["assignmentId"], token=token))

    def _submit(self, hand: Hand, taken: Taken, replies: Sequence[Reply]) -> None:
        page = taken.page
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies, now=self.clock)
        taken.then()
        self._changed = True
        self._look(hand)
