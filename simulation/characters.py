"""The characters of simulated workers: people who err as often as real ones, and several careless kinds."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, log
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import CampaignStage
from simulation.answers import answer
from simulation.caption_answers import FOREIGN, PASTED, misspell, write_about_another
from simulation.carelessness import always_yes, at_random, loose_box, ticks
from simulation.profiles import PAPER, PERFECT, STAGES, ErrorProfile
from simulation.questions import Question
from simulation.truth import Truth

SECONDS_PER_ITEM: Mapping[str, float] = MappingProxyType(
    {
        "link": 75 / 10,
        "verification": 95 / 5,
        "requirement": 81 / 10,
        "drawing": 134 / 5,
        "quality": 110 / 10,
        "coverage": 91 / 10,
        "boxes": 160 / 5,
        "check": 75 / 5,
        "writing": 180 / 3,
        "caption_check": 80 / 10,
        "grading": 600 / 50,
        "relevance": 150 / 6,
    }
)
"""People's mean seconds on one item: seconds a page, divided by its items (table 3).

Those of the joint stages are what `make bench-protocols` assumes. Fifty grades take about ten minutes
(ranking task, section 4.2.1); those of the other campaign stages are [ours]."""
SPREAD = 0.5
"""Standard deviation of the logarithm of one person's times on items of a stage."""
BETWEEN = 0.25
"""Standard deviation of the logarithm of people's own tempo, since some are always quicker than others."""


def draw_tempo(rng: random.Random) -> float:
    """Return one person's own factor for all times. Its mean over people is 1."""
    return _log_normal(1.0, BETWEEN, rng)


def draw_seconds(stage: str, tempo: float, rng: random.Random) -> float:
    """Return seconds for one item, to a tenth, as pages measure it; on average `tempo` times table 3."""
    return max(0.1, round(_log_normal(tempo * SECONDS_PER_ITEM[stage], SPREAD, rng), 1))


def _log_normal(mean: float, spread: float, rng: random.Random) -> float:
    return exp(rng.gauss(log(mean) - spread**2 / 2, spread))


class Kind(StrEnum):
    """How a worker answers."""

    HONEST = "honest"  # as well as they can
    RANDOM = "random"  # any answer, unread; drawing: any box
    ALWAYS_YES = "always-yes"  # yes, box, good, complete; drawing: the same box everywhere
    HASTY = "hasty"  # reads, but far too fast
    LOOSE = "loose"  # honest but for boxes, whose edges are all far off
    SLEEPER = "sleeper"  # honest at first, then at random
    ACCEPTING = "accepting"  # honest, but accepts every box that a model suggests
    COPIER = "copier"  # honest, but writes the same caption about every photograph
    FOREIGN = "foreign"  # honest, but writes in another language
    MISSPELLER = "misspeller"  # honest, but cannot spell
    ONE_TICK = "one-tick"  # ticks one caption, unread; all else at random
    TWO_TICKS = "two-ticks"  # ticks two captions, unread; all else at random
    FIRST_CAPTION = "first-caption"  # ticks the first caption; all else at random


CARELESS = (Kind.RANDOM, Kind.ALWAYS_YES, Kind.HASTY, Kind.LOOSE, Kind.SLEEPER)
CARELESS_WRITERS = (Kind.COPIER, Kind.FOREIGN, Kind.MISSPELLER, Kind.RANDOM)
"""Those who are tried where captions are written. `RANDOM` writes about another photograph."""
TICKERS = (Kind.ONE_TICK, Kind.TWO_TICKS, Kind.FIRST_CAPTION)
CARELESS_JUDGES = (
    *(Kind.ONE_TICK, Kind.ALWAYS_YES, Kind.FIRST_CAPTION),
    *(Kind.RANDOM, Kind.TWO_TICKS, Kind.HASTY),
)
"""Those who are tried where a crowd ticks the captions that describe a photograph."""
ALIKE = 40.0
"""The sum of the two parameters of the Beta distribution of people's accuracy in a stage.

With a mean of 88%, the standard deviation is five points.
"""
HASTY_RATES = (0.30, 0.50)
"""The range of a hasty worker's error rate in a stage."""
AWAKE = 40
"""Answers in a stage after which a sleeper stops reading. It is more than the 30 of the entrance."""
MEAN_RATES = {**PAPER.rates, "drawing": 0.074}
"""People's mean error rates.

For box drawing, table 3 counts "approved annotations". If reviewers are right in 88% of cases, as in the
table, and approve 82.4% of a worker's boxes, then 92.6% of the boxes are right.
"""
_TEMPO = {Kind.RANDOM: 0.25, Kind.ALWAYS_YES: 0.15, Kind.HASTY: 0.08, **dict.fromkeys(TICKERS, 0.2)}
"""A hasty worker's share of an ordinary worker's time, in which nobody can read a question."""


@dataclass(frozen=True, slots=True)
class Character:
    """One worker's kind, error rates and tempo. Answers depend only on the arguments and `rng`."""

    kind: Kind = Kind.HONEST
    profile: ErrorProfile = field(default=PERFECT)
    tempo: float = 1.0

    @property
    def careless(self) -> bool:
        return self.kind != Kind.HONEST

    def answer(
        self, stage: str, question: Question, truth: Truth, given: int, rng: random.Random
    ) -> dict[str, Any]:
        """Return the JSON object of the answer to one item. `given` counts earlier answers in the stage."""
        if stage == CampaignStage.WRITING:
            return self._written(question, truth, rng)
        match self._kind_after(given):
            case Kind.ONE_TICK | Kind.TWO_TICKS if stage == CampaignStage.RELEVANCE:
                return ticks(1 if self.kind == Kind.ONE_TICK else 2, question, rng)
            case Kind.FIRST_CAPTION if stage == CampaignStage.RELEVANCE:
                return ticks(1, question, None)
            case Kind.RANDOM | Kind.ONE_TICK | Kind.TWO_TICKS | Kind.FIRST_CAPTION:
                return at_random(stage, question, rng)
            case Kind.ALWAYS_YES:
                return always_yes(stage, question)
            case Kind.LOOSE if stage in ("drawing", "boxes"):
                return loose_box(answer(stage, question, truth, self.profile, rng), question, rng)
        return answer(stage, question, truth, self.profile, rng)

    def seconds(self, stage: str, given: int, rng: random.Random) -> float:
        """Return the seconds that the worker takes for the item."""
        return draw_seconds(stage, self.tempo * _TEMPO.get(self._kind_after(given), 1.0), rng)

    def _written(self, question: Question, truth: Truth, rng: random.Random) -> dict[str, Any]:
        """Return a caption of the photograph, or a corrected sentence of the language test."""
        honest = answer(CampaignStage.WRITING, question, truth, self.profile, rng)
        if self.kind == Kind.MISSPELLER:
            return {"caption": misspell(honest["caption"], rng)}
        if question.correct is not None:
            return honest
        match self.kind:
            case Kind.COPIER:
                return {"caption": PASTED}
            case Kind.FOREIGN:
                return {"caption": rng.choice(FOREIGN)}
            case Kind.RANDOM:
                return write_about_another(question, truth, rng)
        return honest

    def _kind_after(self, given: int) -> Kind:
        if self.kind == Kind.SLEEPER:
            return Kind.HONEST if given < AWAKE else Kind.RANDOM
        return self.kind


def individual(rng: random.Random, kind: Kind = Kind.HONEST) -> Character:
    """Return a worker whose accuracy in each stage is drawn around the paper's (MEAN_RATES)."""
    rates = {stage: _rate(kind, MEAN_RATES[stage], rng) for stage in STAGES}
    anchoring = 1.0 if kind == Kind.ACCEPTING else PAPER.anchoring
    return Character(kind, ErrorProfile(rates, PAPER.jitter, anchoring), draw_tempo(rng))


def _rate(kind: Kind, mean: float, rng: random.Random) -> float:
    if kind == Kind.HASTY:
        return rng.uniform(*HASTY_RATES)
    return rng.betavariate(mean * ALIKE, (1 - mean) * ALIKE)


def mixed_crowd(
    workers: int, careless: float, seed: int, kinds_of: Sequence[Kind] = CARELESS
) -> list[Character]:
    """Return so many workers in random order. A share of them is careless, of these kinds equally often.

    Raise ValueError if `careless` is not between 0 and 1.
    """
    if not 0 <= careless <= 1:
        raise ValueError(f"careless is a share from 0 to 1, not {careless}")
    rng = random.Random(f"{seed}/crowd")
    bad = round(workers * careless)
    kinds: Sequence[Kind] = [kinds_of[number % len(kinds_of)] for number in range(bad)]
    kinds = [*kinds, *[Kind.HONEST] * (workers - bad)]
    return rng.sample([individual(rng, kind) for kind in kinds], workers)
