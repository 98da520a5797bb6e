"""Weights that validation images choose: the scaling of the CCA, and those of the cues.

Flickr30k Entities chooses w_size by type and w_color on its validation images (section 4.1.3). It does not
say by which measure; here it is recall at 1 [ours]. Of each image, only distances and scores are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from baselines.cca import SCALINGS, Scaling, scaled_cosines
from baselines.cues import COLOUR, DETECTOR, SIZE, Evidence, Phrase, distances
from baselines.localization import PhraseLocalizer
from baselines.localize import queried
from baselines.regions import RegionSource
from evaluation.arrays import Floats, Ints
from evaluation.boxes import enclosing, iou_matrix
from evaluation.dataset import Dataset, Image
from evaluation.localization import HIT

T = TypeVar("T")
WEIGHTS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
"""The weights of size and colour that are tried [ours]."""
LEAST_OF_TYPE = 20
"""A type with fewer validation phrases keeps its weight [ours]: so few cannot tell weights apart."""


@dataclass(frozen=True, slots=True)
class Validated:
    """What is known of the phrases and regions of a validation image."""

    phrases: tuple[Phrase, ...]
    asked: Ints
    """How many mentions each phrase has, of shape (phrases,)."""
    hits: Ints
    """How many mentions of each phrase each region is a hit for, of shape (phrases, regions)."""
    cca: Floats
    """The distances by CCA with each scaling, of shape (scalings, phrases, regions)."""
    evidence: Evidence

    def reached(self, found: Floats, which: Sequence[int] | None = None) -> int:
        """Return for how many mentions the nearest region is a hit: by distances, of all or some phrases."""
        rows = np.arange(len(self.phrases)) if which is None else np.array(which, dtype=np.int64)
        if not found.shape[1]:
            return 0
        return int(self.hits[rows, found[rows].argmin(axis=1)].sum())


@dataclass(frozen=True, slots=True)
class Tuned:
    """How many validation mentions each choice hits. A choice that was not made has no entry."""

    mentions: int
    scalings: Mapping[Scaling, int] = field(default_factory=dict)
    sizes: Mapping[str, Mapping[float, int]] = field(default_factory=dict)
    """By type."""
    colours: Mapping[float, int] = field(default_factory=dict)


def validate(
    model: PhraseLocalizer, images: Iterable[Image], source: RegionSource, scalings: Sequence[Scaling]
) -> Iterator[Validated]:
    """Yield what is known of each image that has a mention with a box."""
    factors = [scaling.factors(model.cca_.correlations_) for scaling in scalings]
    for image in images:
        mentions = queried(image)
        if not mentions:
            continue
        phrases = tuple(dict.fromkeys(Phrase.of(one) for one in mentions))
        regions = model.regions(image, source, scaled=False)
        embedded = model.embed(phrases, scaled=False)
        cca = np.stack([1 - scaled_cosines(embedded, regions.embedded, one) for one in factors])
        truth = np.stack([enclosing(image.chains[one.chain].boxes) for one in mentions])
        hits = np.zeros((len(phrases), len(regions.boxes)), dtype=np.int64)
        places = np.array([phrases.index(Phrase.of(one)) for one in mentions], dtype=np.int64)
        np.add.at(hits, places, iou_matrix(truth, regions.boxes) >= HIT)
        asked = np.bincount(places, minlength=len(phrases))
        yield Validated(phrases, asked, hits, cca.astype(np.float32), model.evidence(phrases, regions))


def tune(
    model: PhraseLocalizer,
    validation: Dataset,
    source: RegionSource,
    *,
    scalings: Sequence[Scaling] = SCALINGS,
    size: bool = True,
    colour: bool = True,
    progress: Callable[[Iterable[Image]], Iterable[Image]] = iter,
) -> Tuned:
    """Choose what the model counts by, and set it. Return what each choice reached.

    First the scaling, by CCA alone; then w_size of each type, with the detector; then w_color with all cues.
    A cue that the model does not have is not chosen for, and what is not asked for stays. One scaling is
    taken as it is. Without a validation mention that has a box, nothing changes.
    """
    every = list(validate(model, progress(validation.images), source, scalings))
    mentions = sum(int(one.asked.sum()) for one in every)
    if not mentions:
        return Tuned(0)
    by_scaling = {
        scaling: sum(one.reached(one.cca[at]) for one in every) for at, scaling in enumerate(scalings)
    }
    chosen = first_best(by_scaling)
    place = list(scalings).index(chosen)
    model.rescale(chosen)
    sizes = choose_sizes(model, every, place) if size and SIZE in model.cues else {}
    model.size_weights = {**model.size_weights, **{name: first_best(one) for name, one in sizes.items()}}
    colours = choose_colour(model, every, place) if colour and COLOUR in model.cues else {}
    model.colour_weight = first_best(colours) if colours else model.colour_weight
    return Tuned(mentions, by_scaling if len(scalings) > 1 else {}, sizes, colours)


def choose_sizes(
    model: PhraseLocalizer, every: Sequence[Validated], place: int
) -> dict[str, dict[float, int]]:
    """Return how many mentions of each type each w_size hits, with the detector if the model has one (2).

    A mention of several types counts for each of them. The weight that the model has comes first, so that it
    is kept if no other is better.
    """
    cues = [cue for cue in model.cues if cue in (DETECTOR, SIZE)]
    found: dict[str, dict[float, int]] = {}
    asked: Counter[str] = Counter()
    for one in every:
        near = {
            weight: distances(
                one.cca[place],
                one.phrases,
                one.evidence,
                replace(model.weights, size_weight=weight, size_weights={}),
                cues,
            )
            for weight in {*WEIGHTS, *model.size_weights.values(), model.size_weight}
        }
        for name in {name for phrase in one.phrases for name in phrase.types}:
            which = [at for at, phrase in enumerate(one.phrases) if name in phrase.types]
            asked[name] += int(one.asked[which].sum())
            of_type = found.setdefault(name, dict.fromkeys((model.weights.size_of([name]), *WEIGHTS), 0))
            for weight in of_type:
                of_type[weight] += one.reached(near[weight], which)
    return {name: found[name] for name in sorted(found) if asked[name] >= LEAST_OF_TYPE}


def choose_colour(model: PhraseLocalizer, every: Sequence[Validated], place: int) -> dict[float, int]:
    """Return how many mentions each w_color hits, with all cues of the model (3)."""
    found = {}
    for weight in WEIGHTS:
        weights = replace(model.weights, colour_weight=weight)
        found[weight] = sum(
            one.reached(distances(one.cca[place], one.phrases, one.evidence, weights, model.cues))
            for one in every
        )
    return found


def first_best(reached: Mapping[T, float]) -> T:
    """Return the choice that reached most; of equally good ones, the first.

    >>> first_best({0.0: 3, 0.1: 7, 0.2: 7})
    0.1
    """
    return max(reached, key=lambda choice: reached[choice])
