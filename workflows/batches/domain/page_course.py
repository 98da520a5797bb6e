"""How many pages a batch takes, and how full they are: people who are there at once share out the work.

A page pays its whole reward, however few items waited when it was claimed, and an entrance is paid for
everybody who begins it. Both depend on how many people there are for how much work, so some images are played
through: every chain goes its way through the rules, and everybody takes a page as soon as there is one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from heapq import heappop, heappush
from random import Random
from typing import TypeVar

from annotation.domain.answers import DRAWS_BOXES, Answer, Stage
from annotation.domain.mentions import Mention
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.paper import BOXES, WITHOUT_BOX
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import PAGE_VISIT, BatchSettings
from workflows.batches.domain.chain_course import MAX_VISITS, Crowd, answer_chances, prior_of, truths
from workflows.pipeline.domain.moves import PROTOCOLS, Progress
from workflows.questions.domain.supply import entrance_length, question_share

_T = TypeVar("_T")

COURSES = 40
"""So many ways through the rules are drawn for each kind of chain. Every chain takes one of them."""
LOOKS_AGAIN = 20.0
"""Somebody who got no page looks again within so many seconds after something has changed [ours]."""
ROUND = 30.0
"""On a platform, answers are read and places are published about every so many seconds."""
LINK_ROUNDS = 7
"""An image's links are asked in about so many rounds, each of which waits for the one before [ours]."""
MAX_NEWCOMERS = 200


@dataclass(frozen=True, slots=True)
class Work:
    """What the images are like: means of an image."""

    links: float  # judgments on links
    alone: Mapping[str, float]  # chains of one mention, by type
    several: Mapping[str, float]  # chains of more


@dataclass(frozen=True, slots=True)
class Played:
    """What one play of some images took, by stage."""

    judgments: Mapping[str, int]
    pages: Mapping[str, int]  # with items
    entrances: Mapping[str, int]  # pages of an entrance
    further: Mapping[str, int] = field(default_factory=dict)  # judgments whose photograph was there already


@dataclass(slots=True)
class _Token:
    """A chain on its way, or the links of an image. It waits for one judgment or, if links, for several."""

    steps: Sequence[tuple[str, bool]]
    place: int = 0
    image: int = 0
    links: int = 0  # links still to ask, this round included
    open: int = 0  # of this round
    barred: set[int] = field(default_factory=set)
    author: int = -1


@dataclass(slots=True)
class _Person:
    number: int
    tempo: float
    answered: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    closed: set[str] = field(default_factory=set)
    entered: set[str] = field(default_factory=set)
    visited: set[tuple[str, int]] = field(default_factory=set)  # stages and images


@lru_cache(maxsize=512)
def courses(
    protocol: str, limits: Limits, boxes: int, opening: str, verified: bool, prior: float | None = None
) -> Sequence[Sequence[tuple[str, bool]]]:
    """Return ways of a chain through the rules: stages, each with whether it is the same item again.

    `prior` is as in `chain_course`.
    """
    rng = Random(f"{protocol}/{boxes}/{opening}")
    rules, settings = PROTOCOLS[protocol], BatchSettings(limits=limits)
    found = []
    for _ in range(COURSES):
        steps: list[tuple[str, bool]] = [] if verified else [(str(Stage.VERIFICATION), False)]
        progress = Progress(state=opening)
        before: tuple[Answer, ...] = ()
        new = 0
        for _ in range(MAX_VISITS):
            if progress.state not in rules.decide:
                break
            missing = max(0, boxes - progress.boxes_accepted)
            truth = _drawn_from(truths(progress.state, boxes > 0, missing, new, Crowd()), rng)
            chances = answer_chances(progress.state, truth, Crowd())
            known = prior_of(rules, progress.state, prior)
            answers, verdict = before, rules.verdict_with(known, progress.state, before)
            while verdict is None:
                steps.append((str(progress.state), len(answers) > len(before)))
                answers = (*answers, _drawn_from(chances, rng))
                verdict = rules.verdict_with(known, progress.state, answers)
            after, rule = rules.step(progress, verdict, (), settings)
            before, new = answers[-1:] if rule in rules.counts_next else (), len(verdict.boxes)
            progress = replace(after, visits=0)
        found.append(tuple(steps))
    return found


def _drawn_from(chances: Sequence[tuple[_T, float]], rng: Random) -> _T:
    if len(chances) == 1:
        return chances[0][0]
    return rng.choices([one for one, _ in chances], [chance for _, chance in chances])[0]


def play(
    work: Work,
    images: int,
    settings: BatchSettings,
    *,
    workers: int,
    seconds: Mapping[str, float],
    rejected: Mapping[str, float],
    rng: Random,
) -> Played:
    """Play so many images through with so many people at work, and count the pages.

    `seconds` is what an item takes, and `rejected` the share of people who fail a stage's entrance or, under
    `verification`, of pages that are asked again. If nobody who is there may do what waits, somebody joins.
    """
    return _Play(work, images, settings, workers, seconds, rejected, rng).run()


class _Play:
    def __init__(
        self,
        work: Work,
        images: int,
        settings: BatchSettings,
        workers: int,
        seconds: Mapping[str, float],
        rejected: Mapping[str, float],
        rng: Random,
    ) -> None:
        self.settings, self.seconds, self.rejected, self.rng = settings, seconds, rejected, rng
        self.platform = settings.crowd.provider != DIRECT
        self.now = 0.0
        self.events: list[tuple[float, int, str, object]] = []
        self.number = 0
        self.rules = PROTOCOLS[settings.protocol]
        self.queues: dict[str, deque[_Token]] = {stage: deque() for stage in settings.stages}
        self.idle: list[_Person] = []
        self.people = 0
        self.judgments: dict[str, int] = defaultdict(int)
        self.pages: dict[str, int] = defaultdict(int)
        self.entrances: dict[str, int] = defaultdict(int)
        self.further: dict[str, int] = defaultdict(int)
        self.back: list[tuple[_Token, str, int]] = []  # answered, and not read before the next round
        self.order = list(reversed(settings.stages))
        self.chains = [self._chains(work, image) for image in range(images)]
        for image in range(images):
            links = self._whole(work.links)
            self._open_links(_Token((), image=image, links=links))
        for _ in range(max(1, workers)):
            self._join()

    def run(self) -> Played:
        while True:
            if self.events:
                self.now, _, kind, what = heappop(self.events)
                if kind == "looks":
                    self._look(what)  # type: ignore[arg-type]
                elif kind == "round":
                    self._read()
                else:
                    self._submit(*what)  # type: ignore[misc]
            elif any(self.queues.values()) and self.people < MAX_NEWCOMERS:
                self._join()
            else:
                return Played(self.judgments, self.pages, self.entrances, self.further)

    def _chains(self, work: Work, image: int) -> list[_Token]:
        tokens = []
        for alone, group in ((True, work.alone), (False, work.several)):
            for kind, mean in group.items():
                for _ in range(self._whole(mean)):
                    without = self.rng.random() < WITHOUT_BOX[kind]
                    more = max(0.0, BOXES[kind] - (1 - WITHOUT_BOX[kind]))
                    boxes = 0 if without else 1 + (self.rng.random() < more / (1 - WITHOUT_BOX[kind]))
                    mentions = [Mention(0, 0, 0, 1, kind, (kind,))]
                    opening = self.rules.opening(mentions, self.settings, verified=True)
                    prior = self.rules.prior(Stage.REQUIREMENT, mentions, self.settings)
                    verified = alone or not self.rules.verifies(self.settings)
                    ways = courses(
                        self.settings.protocol, self.settings.limits, boxes, opening, verified, prior
                    )
                    tokens.append(_Token(self.rng.choice(ways), image=image))
        return tokens

    def _whole(self, mean: float) -> int:
        return int(mean) + (self.rng.random() < mean % 1)

    def _event(self, after: float, kind: str, what: object = None) -> None:
        self.number += 1
        heappush(self.events, (self.now + after, self.number, kind, what))

    def _join(self) -> None:
        person = _Person(self.people, self.rng.lognormvariate(0.0, 0.25))
        self.people += 1
        self._event(self.rng.uniform(0, LOOKS_AGAIN), "looks", person)

    def _open_links(self, token: _Token) -> None:
        if not token.links:
            for chain in self.chains[token.image]:
                self._open(chain)
            return
        left = max(1, LINK_ROUNDS - token.place)
        token.open = -(-token.links // left)
        token.place += 1
        self.queues[Stage.LINK].extend([token] * token.open)

    def _open(self, token: _Token) -> None:
        if token.place < len(token.steps):
            stage, again = token.steps[token.place]
            if not again:
                token.barred.clear()
            self.queues[stage].append(token)

    def _look(self, person: _Person) -> None:
        for stage in self._wanted(person):
            if self._take(person, stage):
                return
        self.idle.append(person)

    def _wanted(self, person: _Person) -> list[str]:
        """Return the stages with work that are open to the person, in the order of their choice."""
        waiting = [one for one in self.order if self.queues[one] and one not in person.closed]
        if self.platform:
            self.rng.shuffle(waiting)
            return waiting
        a_page = self.settings.items_a_page
        return sorted(waiting, key=lambda stage: len(self.queues[stage]) < a_page[stage])

    def _take(self, person: _Person, stage: str) -> bool:
        size, length = self.settings.items_a_page[stage], entrance_length(self.settings, stage)
        if person.answered[stage] < length:
            person.answered[stage] += size
            self.entrances[stage] += 1
            if person.answered[stage] >= length and self.rng.random() < self.rejected[stage]:
                person.closed.add(stage)
            self._event(size * self.seconds[stage] * person.tempo, "submits", (person, stage, ()))
            return True
        share = question_share(self.settings, stage)
        room = self._whole(size * (1 - share)) or 1
        taken: list[_Token] = []
        others: list[_Token] = []
        if visits := self.settings.page == PAGE_VISIT:
            self._gather(person, stage)
        queue = self.queues[stage]
        while queue and len(taken) < room:
            token = queue.popleft()
            barred = stage in self.rules.not_by_author and token.author == person.number
            mine = barred or person.number in token.barred
            (others if mine else taken).append(token)
        queue.extendleft(reversed(others))
        if not taken:
            return False
        if visits:
            images = {token.image for token in taken}
            person.visited.update((stage, image) for image in images)
            self.further[stage] += len(taken) - len(images)
        self.pages[stage] += 1
        self.judgments[stage] += len(taken)
        seconds = len(taken) / (1 - share) * self.seconds[stage] * person.tempo
        self._event(seconds, "submits", (person, stage, tuple(taken)))
        return True

    def _gather(self, person: _Person, stage: str) -> None:
        """Bring together what waits about an image. Those that the person has seen in the stage come last."""
        first: dict[int, int] = {}
        for place, token in enumerate(self.queues[stage]):
            first.setdefault(token.image, place)

        def turn(token: _Token) -> tuple[bool, int]:
            return (stage, token.image) in person.visited, first[token.image]

        self.queues[stage] = deque(sorted(self.queues[stage], key=turn))

    def _submit(self, person: _Person, stage: str, taken: Sequence[_Token]) -> None:
        answered = [(token, stage, person.number) for token in taken]
        if self.settings.regime[stage] == Regime.VERIFICATION and (self.rng.random() < self.rejected[stage]):
            for token in taken:  # the page is rejected, and its items are asked again
                token.barred.add(person.number)
                self.queues[stage].append(token)
        elif self.platform:
            if not self.back:
                self._event(ROUND, "round")
            self.back += answered
        else:
            self._step(answered)
        if self.idle and any(self.queues.values()):
            self._wake()
        self._look(person)

    def _read(self) -> None:
        back, self.back = self.back, []
        self._step(back)
        self._wake()

    def _wake(self) -> None:
        idle, self.idle = self.idle, []
        for person in idle:
            self._event(self.rng.uniform(0, LOOKS_AGAIN), "looks", person)

    def _step(self, answered: Sequence[tuple[_Token, str, int]]) -> None:
        for token, stage, person in answered:
            if stage == Stage.LINK:
                token.open -= 1
                token.links -= 1
                if not token.open:
                    self._open_links(token)
                continue
            token.barred.add(person)
            if stage in DRAWS_BOXES:
                token.author = person
            token.place += 1
            self._open(token)
