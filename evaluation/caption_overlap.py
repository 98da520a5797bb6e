"""Words that captions share: Bleu and Rouge of many pairs of an image and a caption at once.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 4.2.2, called R below. Captions are split
into words or other parts before: `evaluation.retrieval.words` for Bleu, `evaluation.caption_words` for Rouge
and for the filter of pairs, and `bigrams` for whether Bleu-2 is above zero.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.arrays import Bools, Floats, Ints

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


def bigrams(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of neighbours. Bleu-2 is above zero where two captions share one of them.

    >>> bigrams(["a", "brown", "dog"])
    [('a', 'brown'), ('brown', 'dog')]
    """
    return list(pairwise(words))


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
    sizes = np.diff(captions.offsets)[candidates]
    of_image = _by_image(captions, references)
    present = _OfImages(of_image.codes, np.ones(len(of_image.codes)), of_image.starts)
    return np.asarray(_shared(captions, images, candidates, present) / np.maximum(sizes, 1), dtype=np.float64)


def rouge_of_pairs(
    captions: Captions, images: Ints, candidates: Ints, references: Bools | None = None
) -> Floats:
    """Return Rouge-1 of candidates against the captions of images: how much of the references they have.

    Arguments are those of `bleu_of_pairs`. What a candidate shares with each reference is added up, and
    divided by the words of all references (R, section 4.2.2). An image without references has 0.

    >>> found = encode([["dog", "jump"], ["two", "dog", "dog"], ["man"]], np.array([0, 0, 1]))
    >>> rouge_of_pairs(found, np.array([0, 0]), np.array([0, 2])).tolist()
    [0.6, 0.0]
    """
    of_image = _by_image(captions, references)
    words = np.concatenate([[0.0], np.cumsum(of_image.counts)])
    words = words[of_image.starts[1:]] - words[of_image.starts[:-1]]
    shared = _shared(captions, images, candidates, of_image)
    return np.asarray(shared / np.maximum(words[images], 1), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _OfImages:
    """The codes that references of image n have, `codes[starts[n] : starts[n + 1]]`, and in how many each."""

    codes: Ints
    counts: Floats
    starts: Ints


def _by_image(captions: Captions, references: Bools | None) -> _OfImages:
    sizes = np.diff(captions.offsets)
    owners = np.repeat(captions.owner, sizes)
    codes = captions.codes
    if references is not None:
        kept = np.repeat(references, sizes)
        owners, codes = owners[kept], codes[kept]
    number = int(captions.owner.max(initial=-1)) + 1
    keys, counts = np.unique(owners * max(captions.kinds, 1) + codes, return_counts=True)
    owners, codes = np.divmod(keys, max(captions.kinds, 1))
    starts = np.searchsorted(owners, np.arange(number + 1)).astype(np.int64)
    return _OfImages(codes, counts.astype(np.float64), starts)


def _shared(captions: Captions, images: Ints, candidates: Ints, of_image: _OfImages) -> Floats:
    """Return the sum over each candidate's words of how many references of the image have them."""
    sizes = np.diff(captions.offsets)
    order = np.argsort(images, kind="stable")
    result = np.zeros(len(images))
    found = np.zeros(captions.kinds)
    cuts = np.cumsum(sizes[candidates[order]])
    start = 0
    while start < len(order):
        end = int(np.searchsorted(cuts, (cuts[start - 1] if start else 0) + _TOKENS_AT_ONCE, side="right"))
        some = order[start : max(end, start + 1)]
        result[some] = _shared_of(captions, images[some], candidates[some], of_image, found)
        start += len(some)
    return result


def _shared_of(
    captions: Captions, images: Ints, candidates: Ints, of_image: _OfImages, found: Floats
) -> Floats:
    """Return the sums of pairs that are sorted by image. `found` is all 0, before and after."""
    sizes = np.diff(captions.offsets)[candidates]
    ends = np.cumsum(sizes)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    tokens = captions.codes[np.repeat(captions.offsets[candidates], sizes) + within]
    shared = np.empty(len(tokens))
    first = np.flatnonzero(np.diff(images, prepend=-1))
    edges = [0, *ends[first[1:] - 1].tolist(), len(tokens)] if len(first) else [0]
    for image, low, high in zip(images[first].tolist(), edges, edges[1:], strict=False):
        part = slice(of_image.starts[image], of_image.starts[image + 1])
        found[of_image.codes[part]] = of_image.counts[part]
        shared[low:high] = found[tokens[low:high]]
        found[of_image.codes[part]] = 0
    pairs = np.repeat(np.arange(len(sizes)), sizes)
    return np.bincount(pairs, weights=shared, minlength=len(sizes)).astype(np.float64)
