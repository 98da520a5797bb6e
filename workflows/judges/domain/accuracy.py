"""How good the answers of a model are: estimates from answers that people did not depend on.

Only *sealed* answers may be given here: those that weighed nothing when people decided their items. (Of items
that a model may settle, people decide those that it called bad, so its answers to these would look worse than
they are.) And answers to questions about known images, whose truth is known.

People err as well: beside their verdicts a judge that is right nine times of ten looks like one that is right
eight times. So the truth of a sealed answer is never taken from people. It is estimated together with the
rates (EM, Dempster, Laird and Rubin 1977; Dawid and Skene 1979), where people are right as often as the check
rule takes for granted. That nobody is asked again once the rule is sure does not bias this, because it
depends on people's answers alone, which are in the likelihood.

Errors that people share with a model cannot be seen in this way, because both agree. Known images show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.domain.answers import BoxJudgment, CheckAnswer
from evaluation.arrays import Bools, Floats
from evaluation.audit import exact_bounds
from workflows.judges.domain.kinds import ABOUT_MISSING, about_missing
from workflows.pipeline.domain.joint_verdicts import COMPLETE, GOOD

RESAMPLES = 400
LEVEL = 0.95
"""How certain each bound is by itself."""
MIN_KNOWN = 20
"""With fewer known answers of a class, known images cannot contradict what people say [ours]."""
SENSITIVITY, SPECIFICITY, PRIOR = range(3)
MIN_SEEN, MIN_PRIOR = 0.05, 0.01
"""Known images never make of a prior more than these allow, so that it stays between 0 and 1 [ours]."""
STEPS, CLOSE, CLOSE_ENOUGH = 1000, 1e-7, 1e-5
"""EM ends after so many steps, or when no rate changes by as much: of the estimate, and of resamples."""


@dataclass(frozen=True, slots=True)
class Rated:
    """One thing that a model judged: a new box, or whether anything is missing. `kind` is one of `kinds`.

    `yes` is what the model said: *good*, or *nothing is missing*. `agreed` and `denied` count the people who
    said *yes* and *no*. `truth` is None unless the image is known.
    """

    image: int
    kind: str
    yes: bool
    agreed: int = 0
    denied: int = 0
    truth: bool | None = None


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """A model's answer to a joint check, the kind of each new box, and what people answered.

    `truth` is the right answer, if it is known.
    """

    image: int
    answer: CheckAnswer
    kinds: tuple[str, ...]
    people: tuple[CheckAnswer, ...] = ()
    truth: CheckAnswer | None = None


@dataclass(frozen=True, slots=True)
class Bounded:
    """An estimate with a lower and an upper bound, of which each holds with LEVEL."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Rates:
    """How good the answers of one kind are, and how often *yes* is true before anybody has judged.

    `accuracy` is the mean of sensitivity and specificity. `echoes` says that known images show more errors
    than people saw: then the rates are those of known images alone.
    """

    sensitivity: Bounded  # of what is good, the share that the model calls good
    specificity: Bounded  # of what is not, the share that it calls bad
    accuracy: Bounded
    prior: Bounded
    sealed: int  # answers
    known: int
    images: int
    echoes: bool = False


def rated(answers: Iterable[SealedAnswer]) -> list[Rated]:
    """Return one row for each box, and one about completeness, of each answer.

    Raises ValueError if an answer has neither judgments of people nor a known truth, or if answers are not
    about the same boxes.
    """
    found = []
    for one in answers:
        known = [] if one.truth is None else [one.truth]
        if not one.people and not known:
            raise ValueError(f"image {one.image}: nobody has decided the item, so its answer tells nothing")
        given = (one.answer, *one.people, *known)
        if {len(answer.boxes) for answer in given} != {len(one.kinds)}:
            raise ValueError(f"image {one.image}: answers are about different numbers of boxes")
        for kind, *told in zip((*one.kinds, about_missing(one.kinds)), *map(said, given), strict=True):
            yes, *votes = told[:-1] if known else told
            truth = told[-1] if known else None
            found.append(Rated(one.image, kind, yes, votes.count(True), votes.count(False), truth))
    return found


def said(answer: CheckAnswer) -> list[bool]:
    """Return whether each box is good, and then whether nothing is missing."""
    return [*(box is BoxJudgment.GOOD for box in answer.boxes), not answer.missing]


def measure(
    rows: Iterable[Rated], rng: np.random.Generator, *, resamples: int = RESAMPLES
) -> Mapping[str, Rates]:
    """Return the rates by kind. The order of the rows does not matter."""
    by_kind: dict[str, list[Rated]] = {}
    for row in rows:
        by_kind.setdefault(row.kind, []).append(row)
    return {kind: _measure(by_kind[kind], rng, resamples) for kind in sorted(by_kind)}


def right_people(kind: str) -> float:
    """Return how often one person is right, as the check rule takes for granted."""
    return (COMPLETE if kind in ABOUT_MISSING else GOOD).accuracy


def _measure(rows: Sequence[Rated], rng: np.random.Generator, resamples: int) -> Rates:
    table = _Table(rows)
    weights = _resampled(table.counts, rng, resamples)
    together, echoes = table.fit(weights, np.ones_like(table.sealed)), False
    if table.sealed.any() and not table.sealed.all():
        by_people, by_truth = table.fit(weights, table.sealed), table.fit(weights, ~table.sealed)
        for rate, yes in ((SENSITIVITY, True), (SPECIFICITY, False)):
            if by_people[0, rate] > table.highest_known(yes=yes):
                echoes = True
                together[:, rate] = by_truth[:, rate]
                if rate == SPECIFICITY:
                    # What is bad and looks good to everybody was counted as good in the prior, too.
                    seen = np.clip(by_truth[:, rate] / by_people[:, rate], MIN_SEEN, 1)
                    together[:, PRIOR] = np.maximum(1 - (1 - together[:, PRIOR]) / seen, MIN_PRIOR)
    accuracy = together[:, [SENSITIVITY, SPECIFICITY]].mean(axis=1)
    number = int(table.counts[:, table.sealed].sum())
    return Rates(
        sensitivity=_bounded(together[:, SENSITIVITY]),
        specificity=_bounded(together[:, SPECIFICITY]),
        accuracy=_bounded(accuracy),
        prior=_bounded(together[:, PRIOR]),
        sealed=number,
        known=len(rows) - number,
        images=len(table.counts),
        echoes=echoes,
    )


def _bounded(values: Floats) -> Bounded:
    """Return the first value, which is that of all rows, with bounds from the others."""
    low, high = np.quantile(values[1:], [1 - LEVEL, LEVEL])
    return Bounded(float(values[0]), float(min(low, values[0])), float(max(high, values[0])))


def _resampled(counts: Floats, rng: np.random.Generator, resamples: int) -> Floats:
    """Return how often each pattern occurs: first as it is, then with images drawn again, one row each."""
    images = len(counts)
    drawn = rng.integers(0, images, (resamples, images)) + images * np.arange(resamples)[:, None]
    times = np.bincount(drawn.ravel(), minlength=resamples * images).reshape(resamples, images)
    return np.concatenate([counts.sum(axis=0, keepdims=True), times @ counts])


class _Table:
    """Rows of one kind, counted: what was said, by images (in order of their ids) and patterns."""

    def __init__(self, rows: Sequence[Rated]) -> None:
        number = Counter(
            (row.image, (row.yes, row.agreed, row.denied, -1 if row.truth is None else row.truth))
            for row in rows
        )
        images = {image: line for line, image in enumerate(sorted({image for image, _ in number}))}
        patterns = sorted({pattern for _, pattern in number})
        column = {pattern: place for place, pattern in enumerate(patterns)}
        self.counts = np.zeros((len(images), len(patterns)))
        for (image, pattern), times in number.items():
            self.counts[images[image], column[pattern]] = times
        said = np.array(patterns, dtype=np.int64)
        right = right_people(rows[0].kind)
        self.yes: Bools = said[:, 0] == 1
        self.truth = said[:, 3]
        self.sealed: Bools = self.truth < 0
        self.if_true: Floats = right ** said[:, 1] * (1 - right) ** said[:, 2]
        self.if_false: Floats = (1 - right) ** said[:, 1] * right ** said[:, 2]

    def fit(self, weights: Floats, used: Bools) -> Floats:
        """Return sensitivity, specificity and prior by resample, from the patterns that are `used`.

        Each rate has one right and one wrong answer more than were counted, so that few answers are not sure.
        """
        estimate = self._fit(weights[:1], used, np.full((1, 3), 0.8), CLOSE)
        start = np.tile(estimate, (len(weights) - 1, 1))
        return np.concatenate([estimate, self._fit(weights[1:], used, start, CLOSE_ENOUGH)])

    def _fit(self, weights: Floats, used: Bools, rates: Floats, close: float) -> Floats:
        counts = weights * used
        natural = counts * self.sealed
        for _ in range(STEPS):
            after = self._step(rates, counts, natural)
            change = float(np.abs(after - rates).max())
            rates = after
            if change < close:
                break
        return rates

    def _step(self, rates: Floats, counts: Floats, natural: Floats) -> Floats:
        sensitivity, specificity, prior = (rates[:, [place]] for place in range(3))
        true = prior * self.if_true * np.where(self.yes, sensitivity, 1 - sensitivity)
        false = (1 - prior) * self.if_false * np.where(self.yes, 1 - specificity, specificity)
        likely = np.where(self.sealed, true / (true + false), self.truth == 1)
        good, bad = counts * likely, counts * (1 - likely)
        return np.stack(
            [
                (good[:, self.yes].sum(axis=1) + 1) / (good.sum(axis=1) + 2),
                (bad[:, ~self.yes].sum(axis=1) + 1) / (bad.sum(axis=1) + 2),
                ((natural * likely).sum(axis=1) + 1) / (natural.sum(axis=1) + 2),
            ],
            axis=1,
        )

    def highest_known(self, *, yes: bool) -> float:
        """Return the exact upper bound of a rate by known answers, or 1 if they are too few.

        Of sensitivity for *yes*, else of specificity (Clopper and Pearson 1934).
        """
        number = self.counts.sum(axis=0)
        of_class = self.truth == int(yes)
        asked = int(number[of_class].sum())
        right = int(number[of_class & (self.yes == yes)].sum())
        if asked < MIN_KNOWN or right == asked:
            return 1.0
        return exact_bounds(right, asked, tail=1 - LEVEL)[1]
