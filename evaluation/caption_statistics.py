"""What captions are like: how long, how varied, how often repeated, and whether they have a verb.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 2.3: such figures tell captions that say
what happens from those that only name things.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

import numpy as np

from evaluation.arrays import Bools, Ints
from evaluation.retrieval import words
from evaluation.significance import ratio_intervals
from evaluation.word_tags import marked_tokens, only_static

PAPER: Mapping[str, Mapping[str, float]] = {
    "Flickr8k (paper)": {"length": 11.8, "no verb": 0.11, "only static": 0.10},
    "PASCAL (paper)": {"length": 10.8, "no verb": 0.25, "only static": 0.15},
}
MIN_WORDS = 5
"""Shorter captions are counted as short [ours]."""


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long captions are, and how many words differ.

    `words` and `spread` are mean and standard deviation of words a caption; `with_marks` also counts
    punctuation marks. `once` counts the words that occur a single time.
    """

    images: int
    captions: int
    words: float
    spread: float
    with_marks: float
    different: int
    once: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share of captions from 0 to 1, with its 95% interval over images, which is nan if it has none."""

    value: float
    low: float
    high: float


def lengths(texts: Sequence[str], owner: Sequence[int]) -> Lengths:
    """Return how long captions are. `owner` has the image of each. Raise ValueError if there is none.

    Words are those of `evaluation.retrieval.words`, which splits hyphens.

    >>> lengths(["A dog runs.", "The dog ."], [0, 0])
    Lengths(images=1, captions=2, words=2.5, spread=0.5, with_marks=3.5, different=4, once=3)
    """
    split = [words(text) for text in texts]
    sizes = list(map(len, split))
    counts = Counter(word for found in split for word in found)
    return Lengths(
        images=len(set(owner)),
        captions=len(texts),
        words=fmean(sizes),
        spread=pstdev(sizes),
        with_marks=fmean(len(marked_tokens(text)) for text in texts),
        different=len(counts),
        once=sum(1 for times in counts.values() if times == 1),
    )


def shares(
    which: Mapping[str, Bools], owner: Ints, rng: np.random.Generator, *, resamples: int
) -> dict[str, Share]:
    """Return the share of the captions that each of `which` says, with intervals over resampled images.

    All have the shape (captions,). Captions of an image are alike, so that resampling them would give
    intervals that are too narrow.
    """
    _, image = np.unique(owner, return_inverse=True)
    number = int(image.max(initial=-1)) + 1
    counts = [np.bincount(image, weights=one.astype(np.float64), minlength=number) for one in which.values()]
    parts = np.stack(counts, axis=1).astype(np.float64)
    sizes = np.repeat(np.bincount(image, minlength=number)[:, None], len(which), axis=1).astype(np.float64)
    between = ratio_intervals(parts, sizes, rng, resamples=resamples)
    found = {}
    for at, (name, one) in enumerate(which.items()):
        value = float(one.mean()) if len(one) else float("nan")
        found[name] = Share(value, float(between[at, 0]), float(between[at, 1]))
    return found


def repeated(texts: Sequence[str], owner: Sequence[int]) -> tuple[Bools, Bools]:
    """Return which captions repeat an earlier one of their image, and which one of another image has, too.

    Captions are the same if their words are.

    >>> within, across = repeated(["A dog.", "a dog", "A dog !", "A cat"], [0, 0, 1, 1])
    >>> within.tolist(), across.tolist()
    ([False, True, False, False], [True, True, True, False])
    """
    keys = [" ".join(words(text)) for text in texts]
    images: dict[str, set[int]] = {}
    within = np.zeros(len(texts), dtype=bool)
    for at, (key, image) in enumerate(zip(keys, owner, strict=True)):
        seen = images.setdefault(key, set())
        within[at] = image in seen
        seen.add(image)
    return within, np.array([len(images[key]) > 1 for key in keys], dtype=bool)


def shorter(texts: Sequence[str], least: int) -> Bools:
    """Return which captions have fewer than `least` words.

    >>> shorter(["A dog .", "A dog runs"], 3).tolist()
    [True, False]
    """
    return np.array([len(words(text)) < least for text in texts], dtype=bool)


def verb_shares(verbs: Sequence[Sequence[str]]) -> tuple[Bools, Bools]:
    """Return which captions have no verb, and which only sit, stand, wear or look, from their verbs' lemmas.

    >>> none, static = verb_shares([["be", "sit"], [], ["run"]])
    >>> none.tolist(), static.tolist()
    ([False, True, False], [True, False, False])
    """
    none = np.array([not found for found in verbs], dtype=bool)
    return none, np.array([only_static(found) for found in verbs], dtype=bool)


def length_shares(texts: Sequence[str], most: int) -> list[float]:
    """Return the share of captions with 1, 2, … `most` words; the last counts longer ones, too.

    >>> length_shares(["a dog", "a dog runs", "a big dog runs"], 3)
    [0.0, 0.3333333333333333, 0.6666666666666666]
    """
    sizes = np.array([min(len(words(text)), most) for text in texts])
    return [float((sizes == size).mean()) for size in range(1, most + 1)]
