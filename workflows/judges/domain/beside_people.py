"""How a model's answers compare with people's: their agreement beyond chance, and whether both err together.

Both are of tables of what two sides said of things, yes or no, and intervals come from resampling images.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Floats
from evaluation.significance import Estimate, estimate

RESAMPLES = 400
_CERTAIN = 1 - 1e-12
_OfTables = Callable[[Floats], Floats]
ALIKE = "one side says the same of everything"


@dataclass(frozen=True, slots=True)
class Pair:
    """What a model and a person said of one thing in an image, or whether each erred about it.

    `weight` is 1, or the part of 1 that this person has of all who judged the thing.
    """

    image: int
    model: bool
    person: bool
    weight: float = 1.0


def kappa(pairs: Sequence[Pair], rng: np.random.Generator, *, resamples: int = RESAMPLES) -> Estimate:
    """Return the agreement beyond chance (Cohen 1960), from -1 to 1."""
    return _estimate(pairs, _kappas, rng, resamples)


def correlation(pairs: Sequence[Pair], rng: np.random.Generator, *, resamples: int = RESAMPLES) -> Estimate:
    """Return the correlation of what both say (phi, Pearson 1900), from -1 to 1.

    Of errors, 0 says that the model errs where people do no more often than elsewhere. Then both together
    find more than either. 1 says that a model only repeats what people get wrong.
    """
    return _estimate(pairs, _phis, rng, resamples)


def share(pairs: Iterable[Pair], *, model: bool) -> float | None:
    """Return the share of things of which the model (or people) said yes, or None without any."""
    some = list(pairs)
    total = sum(one.weight for one in some)
    yes = sum(one.weight for one in some if (one.model if model else one.person))
    return yes / total if total else None


def _estimate(
    pairs: Sequence[Pair], statistic: _OfTables, rng: np.random.Generator, resamples: int
) -> Estimate:
    images = {image: row for row, image in enumerate(sorted({one.image for one in pairs}))}
    tables = np.zeros((len(images), 4))
    for one in pairs:
        tables[images[one.image], 2 * one.model + one.person] += one.weight
    return estimate(
        lambda weights: statistic(weights @ tables),
        np.ones(len(images), dtype=np.int64),
        rng,
        undefined=ALIKE,
        resamples=resamples,
    )


def _kappas(tables: Floats) -> Floats:
    """Return Cohen's kappa of each row: neither, the person alone, the model alone, both."""
    neither, person, model, both = (tables / tables.sum(axis=1, keepdims=True)).T
    by_chance = (model + both) * (person + both) + (neither + person) * (neither + model)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(by_chance < _CERTAIN, (neither + both - by_chance) / (1 - by_chance), np.nan)


def _phis(tables: Floats) -> Floats:
    neither, person, model, both = tables.T
    spread = (neither + person) * (model + both) * (neither + model) * (person + both)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, (neither * both - person * model) / np.sqrt(spread), np.nan)
