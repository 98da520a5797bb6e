"""Which pairs of an image and a caption are worth a judge's time.

Of all pairs of a test set, hardly one in a hundred fits. Hodosh, Young and Hockenmaier (2013, JAIR 47,
section 4.3.2), called R below, asked only about captions that share enough words with the image's own
captions: Bleu-1 without stop words, of stems. Their 30 systems ranked 113,006 pairs among the first 10, and
the filter left 30,781 of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Bools, Floats, Ints

MIN_BLEU = 0.25
"""The least Bleu of a pair that is asked about (R, section 4.3.2)."""
THRESHOLDS = (0.20, 0.21, 0.22, 0.23, 0.24, 0.25, 0.26, 0.27, 0.28, 0.29, 0.30)
"""The thresholds that reports compare."""
PAPER_DROPPED = {0.25: 0.860, 0.26: 0.904}
"""The share of all pairs of the paper's 1,000 test images and captions below a threshold."""
PAPER_LOST = {0.25: (0.067, 0.035), 0.26: (0.123, 0.075)}
"""The shares of the paper's pairs below a threshold that experts gave 2 2/3 and 3 or more."""
_TOKENS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Captions:
    """The words of captions as codes, and of which image each caption is.

    Caption n has `codes[offsets[n] : offsets[n + 1]]`. The first time that a caption has a word is one code,
    and the second time another. So a clipped count of shared words is the size of an intersection of sets.
    """

    codes: Ints
    offsets: Ints
    owner: Ints
    kinds: int

    def __len__(self) -> int:
        return len(self.owner)


def encode(captions: Sequence[Sequence[Hashable]], owner: Ints, *, clipped: bool = True) -> Captions:
    """Return captions as codes. `owner` has the image of each caption, from 0.

    Without `clipped`, a word that a caption repeats counts each time if any reference has it.
    """
    known: dict[tuple[Hashable, int], int] = {}
    codes: list[int] = []
    offsets = [0]
    for caption in captions:
        seen: Counter[Hashable] = Counter()
        for word in caption:
            codes.append(known.setdefault((word, seen[word] if clipped else 0), len(known)))
            seen[word] += 1
        offsets.append(len(codes))
    return Captions(np.array(codes, dtype=np.int64), np.array(offsets, dtype=np.int64), owner, len(known))


def bleu_of_pairs(
    captions: Captions, images: Ints, candidates: Ints, references: Bools | None = None
) -> Floats:
    """Return Bleu-1 without its brevity penalty of candidates against the captions of images.

    Pair n is the caption `candidates[n]` for the image `images[n]`; both have the shape (pairs,), as the
    result has. `references` says which captions are references: by default all, so that a candidate of the
    image itself reaches 1. A candidate without words has 0, and so has an image without references. A word
    counts at most as often as in the reference that has it most often (R, section 4.2.2).

    >>> found = encode([["dog", "jump"], ["two", "dog", "dog"], ["man"]], np.array([0, 0, 1]))
    >>> bleu_of_pairs(found, np.array([0, 0, 1]), np.array([1, 2, 1])).tolist()
    [1.0, 0.0, 0.0]
    """
    sizes = np.diff(captions.offsets)
    order = np.argsort(images, kind="stable")
    result = np.zeros(len(images))
    wanted = np.ones(len(captions), dtype=bool) if references is None else references
    of_image = _by_image(captions, wanted)
    present = np.zeros(captions.kinds, dtype=bool)
    cuts = np.cumsum(sizes[candidates[order]])
    start = 0
    while start < len(order):
        end = int(np.searchsorted(cuts, (cuts[start - 1] if start else 0) + _TOKENS_AT_ONCE, side="right"))
        some = order[start : max(end, start + 1)]
        result[some] = _bleu_of(captions, images[some], candidates[some], of_image, present)
        start += len(some)
    return result


def _by_image(captions: Captions, wanted: Bools) -> tuple[Ints, Ints]:
    """Return the codes of all references of each image one after another, and where those of each begin."""
    sizes = np.diff(captions.offsets)
    owners = np.repeat(captions.owner, sizes)
    kept = np.repeat(wanted, sizes)
    owners, codes = owners[kept], captions.codes[kept]
    order = np.argsort(owners, kind="stable")
    number = int(captions.owner.max(initial=-1)) + 1
    starts = np.searchsorted(owners[order], np.arange(number + 1))
    return codes[order], starts.astype(np.int64)


def _bleu_of(
    captions: Captions, images: Ints, candidates: Ints, of_image: tuple[Ints, Ints], present: Bools
) -> Floats:
    """Return the Bleu of pairs that are sorted by image. `present` is all False, before and after."""
    codes, starts = of_image
    sizes = np.diff(captions.offsets)[candidates]
    ends = np.cumsum(sizes)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    tokens = captions.codes[np.repeat(captions.offsets[candidates], sizes) + within]
    shared = np.empty(len(tokens), dtype=bool)
    first = np.flatnonzero(np.diff(images, prepend=-1))
    edges = [0, *ends[first[1:] - 1].tolist(), len(tokens)] if len(first) else [0]
    for image, low, high in zip(images[first].tolist(), edges, edges[1:], strict=False):
        own = codes[starts[image] : starts[image + 1]]
        present[own] = True
        shared[low:high] = present[tokens[low:high]]
        present[own] = False
    found = np.bincount(np.repeat(np.arange(len(sizes)), sizes), weights=shared, minlength=len(sizes))
    return np.asarray(found / np.maximum(sizes, 1), dtype=np.float64)


def random_pairs(rng: np.random.Generator, images: int, captions: int, number: int) -> tuple[Ints, Ints]:
    """Return so many pairs that are drawn with replacement: images, and captions."""
    return rng.integers(images, size=number), rng.integers(captions, size=number)


def below(bleu: Floats, threshold: float) -> int:
    """Return how many pairs a threshold drops: those with a lower Bleu.

    >>> below(np.array([0.0, 0.25, 1 / 3]), 0.25)
    1
    """
    return int((bleu < threshold - 1e-9).sum())


def pooled(scores: Floats, depth: int) -> Bools:
    """Return which items a system ranks among the first `depth` of each query, of the shape of `scores`.

    A tie that reaches beyond that depth is left out, because it says nothing of its items' order [ours]. So
    the items that a short list does not have are never pooled.

    >>> pooled(np.array([[3.0, 2.0, 1.0, 1.0]]), 3).tolist()
    [[True, True, False, False]]
    """
    if scores.shape[1] <= depth:
        return np.isfinite(scores)
    edge = -np.partition(-scores, depth, axis=1)[:, depth]  # the best score that is too low
    return np.asarray(scores > edge[:, None])


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging pairs takes. `seconds` is the time of all judges together."""

    judgments: int
    seconds: float
    pay: float


def cost(pairs_of_images: Ints, *, judges: int, seconds: float, pay: float, together: int = 1) -> Cost:
    """Return the cost of so many pairs of each image, if every pair is judged by so many judges.

    `seconds` and `pay` are of one judgment. A page shows `together` captions of one image, and is filled up
    with others (R, section 4.3.2).

    >>> cost(np.array([3, 12]), judges=3, seconds=12, pay=0.003, together=10)
    Cost(judgments=90, seconds=1080.0, pay=0.27)
    """
    shown = int((-(-pairs_of_images // together) * together).sum())
    judgments = shown * judges
    return Cost(judgments, float(judgments * seconds), round(judgments * pay, 6))
