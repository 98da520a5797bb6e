"""The detector and the crowd of `research.models_world`: some accept everything, until limits find them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from annotation.domain.answers import BoxJudgment
from research.protocols_model import Drawn
from workflows.limits.domain import about_crowd, about_worker


@dataclass(frozen=True)
class Detector:
    """What a detector suggests for a chain."""

    recall: float  # the share of entities around which it has a good box
    loose: float = 0.10  # the share around which it has a bad one, however many are left
    false: float = 0.25  # boxes around something else, a chain on average


def suggested(entities: int, detector: Detector | None, rng: random.Random) -> Iterator[Drawn]:
    """Yield what a detector suggests for a chain that has so many entities to box."""
    if detector is None:
        return
    for entity in range(entities):
        drawn = rng.random()
        if drawn < detector.recall:
            yield Drawn(entity, BoxJudgment.GOOD)
        elif drawn < detector.recall + detector.loose:
            yield Drawn(entity, BoxJudgment.LOOSE)
    while rng.random() < detector.false / (1 + detector.false):
        yield Drawn(None, BoxJudgment.WRONG)


@dataclass
class Person:
    """One of the crowd. `shown` and `accepted` are bad suggestions on known images."""

    careless: bool
    shown: int = 0
    accepted: int = 0
    answers: int = 0  # about suggestions, of items and of known images
    off_after: int | None = None  # answers until suggestions were switched off


@dataclass
class Crowd:
    """Who answers where suggestions are shown: each answer is by one of the people, drawn at random.

    Before some of the answers, a share `asked`, the person answers about a known image, for which `suggest`
    draws the boxes of the detector. Without `limits` nobody is ever switched off.
    """

    people: Sequence[Person]
    suggest: Callable[[], Sequence[Drawn]]
    waved: float
    asked: float
    limits: bool
    rng: random.Random = field(default_factory=lambda: random.Random("crowd"))
    off: int | None = None  # answers until suggestions were switched off for everybody
    answers: int = 0

    def next(self) -> Person | None:
        """Return who is shown suggestions now, or None if whose turn it is has them switched off."""
        person = self.rng.choice(self.people)
        if self.off is not None or person.off_after is not None:
            return None
        if self.rng.random() < self.asked:
            self._ask(person)
        person.answers += 1
        self.answers += 1
        return person

    def share(self, person: Person) -> float:
        """Return the share of bad suggestions that a person accepts."""
        return 1.0 if person.careless else self.waved

    def _ask(self, person: Person) -> None:
        person.answers += 1
        self.answers += 1
        bad = sum(one.truth is not BoxJudgment.GOOD for one in self.suggest())
        person.shown += bad
        person.accepted += sum(self.rng.random() < self.share(person) for _ in range(bad))
        if self.limits and about_worker(person.shown, person.accepted):
            person.off_after = person.answers
        left = [(one.shown, one.accepted) for one in self.people if one.off_after is None]
        if self.limits and about_crowd(left):
            self.off = self.answers

    def course(self) -> dict[str, int]:
        """Return how many of the careless and of the careful were found, and after how many answers."""
        found = sorted(one.off_after for one in self.people if one.careless and one.off_after is not None)
        careless = sum(one.careless for one in self.people)
        told = {"careless": careless, "found": len(found)}
        if found:
            told |= {"answers_until_found": round(median(found)), "at_most": found[-1]}
        told["careful_off"] = sum(not one.careless and one.off_after is not None for one in self.people)
        return told | ({"all_off": self.off} if self.off is not None else {})
