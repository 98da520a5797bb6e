"""Phrase localization: how often a system's best boxes for a phrase hit the truth.

The source is Flickr30k Entities (Plummer et al. 2017, IJCV), section 4.1. A query is a mention that has at
least one true box. A system predicts boxes for it, the best first. Overlapping ones are suppressed, and
recall at K (R@K) is the share of the queries for which one of the first K boxes that are left is a hit.
Average precision is not reported, for the paper's reason: many things that fit a phrase have no true box.

Work through many queries in parts, so that memory stays small: call `localize` with some rows and their
predictions at a time, join what it returns with `join`, and give that to `summarize`.

The first box below covers four tenths of a dog, and the second nine tenths:

>>> from evaluation.dataset import Caption, Chain, Image, Mention
>>> dog = Chain("7", ("animals",), np.array([[0.0, 0.0, 10.0, 10.0]]))
>>> mention = Mention(MentionKey("1.jpg", 0, 0, 2), ("a", "dog"), ("animals",), "7")
>>> caption = Caption(0, ("a", "dog"), (mention,))
>>> asked = queries(Dataset("one dog", (Image("1.jpg", 100, 100, "test", (caption,), {"7": dog}),)))
>>> boxes = RaggedBoxes.of([np.array([[0, 0, 10, 4], [0, 0, 10, 9]])])
>>> found = localize(asked, np.array([0]), RankedBoxes(boxes, np.array([0.9, 0.4])))
>>> found.rank.tolist(), found.overlap.tolist(), found.reachable.tolist()
([2], [0.4], [True])
>>> summarize(asked, found, np.random.default_rng(1)).total.hits
(0, 1, 1)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from evaluation.arrays import Bools, Floats, Ints
from evaluation.boxes import (
    SUPPRESSION,
    areas,
    disjoint,
    enclosing_boxes,
    paired_intersections,
    paired_iou,
    share_of_union,
    suppress_lists,
)
from evaluation.dataset import TYPES, Boxes, Dataset, MentionKey, types_in_order
from evaluation.plurals import is_plural
from evaluation.ragged import RaggedBoxes, RankedBoxes
from evaluation.significance import ratio_intervals

Rule = Literal["merged", "any", "component"]
RULES: tuple[Rule, ...] = ("merged", "any", "component")
"""What a box must overlap if a phrase has several true boxes. See `localize`."""
HIT = 0.5
"""The least overlap of a hit (section 4.1.2)."""
RANKS = (1, 5, 10)
"""The ranks that recall is reported at (table 5)."""
COMMONEST = 25
"""How many of the commonest phrases have a row of their own (figure 10)."""
SIDES = (32, 64, 128, 256)
"""Bounds between the rows by size: the root of the area of the true enclosing box in pixels [ours]."""
POOR = 0.1
"""A first box that overlaps the truth at least so far, and hits nothing, is poorly localized [ours]."""


@dataclass(frozen=True, slots=True)
class Queries:
    """The mentions of a data set that have boxes, in the order of its images, captions and mentions.

    Everything below has one entry a query, except for `sizes`.
    """

    keys: tuple[MentionKey, ...]
    phrases: tuple[str, ...]
    """The words of each mention in lower case."""
    image: Ints
    """The place of its image in the data set, of shape (queries,). It does not decrease."""
    chain: Ints
    """A number for its chain, of shape (queries,). Mentions of one chain have the same."""
    truth: RaggedBoxes
    """Its true boxes, at least one."""
    enclosing: Boxes
    """The smallest box around its true boxes, of shape (queries, 4)."""
    types: Bools
    """Which of `type_names` it has, of shape (queries, types)."""
    plural: Bools
    """Whether the phrase is a plural one (`plurals.is_plural`), of shape (queries,).

    In other languages than English, nothing is known of that, and no phrase is.
    """
    sizes: Floats
    """Width and height of each image of the data set in pixels, 0 if unknown: of shape (images, 2)."""
    is_english: bool = True
    """Whether plural phrases are recognised."""
    type_names: tuple[str, ...] = TYPES
    """The eight TYPES, and then the types of a project's own that a query has, by name."""

    def __len__(self) -> int:
        """Return how many queries there are."""
        return len(self.keys)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a system reached on some queries. Every array has one entry a query."""

    rows: Ints
    """Which queries these are: places in `Queries`."""
    rank: Ints
    """The rank of the first hit from 1, counted after suppression; 0 if none of the first ten is one."""
    reachable: Bools
    """Whether any box that was predicted is a hit, also one that was suppressed: the upper bound."""
    overlap: Floats
    """How far the first box overlaps the truth by the rule, from 0 to 1; 0 without a box."""
    instead: Ints
    """The query of another chain whose truth a first box that misses hits instead, or -1."""
    first: Boxes
    """The first box, nan without one: of shape (n, 4)."""

    def __len__(self) -> int:
        """Return how many queries these are."""
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Recall:
    """A row of a table: recall of some queries. Shares are from 0 to 1, and nan without queries."""

    name: str
    queries: int
    hits: tuple[int, ...]
    """How many queries have a hit within each of RANKS."""
    reachable: int
    """How many queries any box satisfies."""
    intervals: tuple[tuple[float, float], ...] = ()
    """The 95% interval of the share at each of RANKS and, last, of the upper bound; nan if there is none."""

    def share(self, place: int) -> float:
        """Return R@K for the rank at this place of RANKS.

        >>> round(100 * Recall("people", 5656, (3661, 4000, 4500), 5459).share(0), 2)
        64.73
        """
        return self.hits[place] / self.queries if self.queries else math.nan

    @property
    def bound(self) -> float:
        """Return the upper bound: the share of queries that any box satisfies."""
        return self.reachable / self.queries if self.queries else math.nan


@dataclass(frozen=True, slots=True)
class Errors:
    """Where the first boxes went (figure 9). The five counts add up to the queries."""

    hits: int
    other_phrase: int
    """Misses that hit the truth of another phrase of the image, with an IoU of HIT or more."""
    poor: int
    """Other misses that overlap the truth by POOR or more."""
    background: int
    """Other misses."""
    without_box: int
    """Queries for which nothing was predicted."""
    confusion: Ints
    """How often a query of the row's type hit a phrase of the column's type instead: (types, types).

    The types are the queries' `type_names`. A mention of several types counts in each of its rows and
    columns.
    """


@dataclass(frozen=True, slots=True)
class Localization:
    """The tables of one system. `by_type` has a row for each of the queries' `type_names`."""

    total: Recall
    by_type: tuple[Recall, ...]
    by_phrase: tuple[Recall, ...]
    """The commonest phrases, the most frequent first."""
    by_number: tuple[Recall, ...]
    """Singular, then plural phrases."""
    by_size: tuple[Recall, ...]
    """From small to large."""
    errors: Errors


def queries(dataset: Dataset, *, split: str = "") -> Queries:
    """Return the queries of a data set, or of one of its splits.

    Mentions that are not visual, and mentions whose chain has no box, are none.
    """
    keys: list[MentionKey] = []
    phrases: list[str] = []
    images: list[int] = []
    chains: list[int] = []
    boxes: list[Boxes] = []
    types: list[tuple[str, ...]] = []
    plural: list[bool] = []
    numbers: dict[tuple[int, str], int] = {}
    for place, image in enumerate(dataset.images):
        if split and image.split != split:
            continue
        for mention in image.mentions():
            chain = image.chains.get(mention.chain) if mention.chain else None
            if chain is None or not len(chain.boxes):
                continue
            keys.append(mention.key)
            phrases.append(mention.phrase.lower())
            images.append(place)
            chains.append(numbers.setdefault((place, chain.id), len(numbers)))
            boxes.append(chain.boxes)
            types.append(mention.types)
            plural.append(dataset.is_english and is_plural(mention.tokens))
    truth = RaggedBoxes.of(boxes)
    names = types_in_order([*TYPES, *(name for own in types for name in own)])
    return Queries(
        keys=tuple(keys),
        phrases=tuple(phrases),
        image=np.array(images, dtype=np.int64),
        chain=np.array(chains, dtype=np.int64),
        truth=truth,
        enclosing=enclosing_boxes(truth),
        types=np.array([[name in own for name in names] for own in types], bool).reshape(-1, len(names)),
        plural=np.array(plural, dtype=bool),
        sizes=np.array([(image.width, image.height) for image in dataset.images], float).reshape(-1, 2),
        is_english=dataset.is_english,
        type_names=names,
    )


def localize(
    queries: Queries,
    rows: Ints,
    predicted: RankedBoxes,
    *,
    rule: Rule = "merged",
    iou: float = HIT,
    suppression: float | None = SUPPRESSION,
) -> Outcomes:
    """Return what a system reached on some queries: `predicted` has the boxes of each of `rows`.

    A query without boxes is a miss. `iou` is the least overlap of a hit. `suppression` is the IoU above which
    the worse of two boxes is suppressed, or None to keep all. `rule` says what a box must overlap if the
    phrase has several true boxes:

    - merged: their one enclosing box (section 4.1; MDETR's evaluation calls this "merged boxes");
    - any: one of them (MDETR's and GLIP's "any box");
    - component: all that they cover together. The overlap is the component IoU of this one box; sets of boxes
      are compared in `component_iou`.

    Raises ValueError if `predicted` is not as long as `rows`.
    """
    if len(predicted) != len(rows):
        raise ValueError(f"there are predictions for {len(predicted)} queries, and {len(rows)} queries")
    overlap_of = _overlap(queries, rows, rule)
    lists = predicted.lists
    reachable = np.zeros(len(rows), dtype=bool)
    for begin, end in _blocks(lists):
        owner = np.repeat(np.arange(begin, end), np.diff(lists.offsets[begin : end + 1]))
        boxes = lists.boxes[lists.offsets[begin] : lists.offsets[end]]
        reachable[owner[overlap_of(owner, boxes) >= iou]] = True
    kept = suppress_lists(lists, threshold=suppression)
    place, nth = np.nonzero(kept >= 0)  # in the order of places and ranks
    boxes = lists.boxes[lists.offsets[place] + kept[place, nth]]
    overlaps = np.zeros(kept.shape)
    overlaps[place, nth] = overlap_of(place, boxes)
    hits = (overlaps >= iou) & (kept >= 0)
    first = np.full((len(rows), 4), np.nan)
    first[place[nth == 0]] = boxes[nth == 0]
    return Outcomes(
        rows=np.asarray(rows, dtype=np.int64),
        rank=np.where(hits.any(axis=1), hits.argmax(axis=1) + 1, 0),
        reachable=reachable,
        overlap=overlaps[:, 0],
        instead=_hit_instead(queries, rows, first, ~hits[:, 0], iou),
        first=first,
    )


def join(parts: Sequence[Outcomes]) -> Outcomes:
    """Return the outcomes of several parts as one. Raises ValueError without parts."""
    if not parts:
        raise ValueError("there are no outcomes to join")
    return Outcomes(
        rows=np.concatenate([part.rows for part in parts]),
        rank=np.concatenate([part.rank for part in parts]),
        reachable=np.concatenate([part.reachable for part in parts]),
        overlap=np.concatenate([part.overlap for part in parts]),
        instead=np.concatenate([part.instead for part in parts]),
        first=np.concatenate([part.first for part in parts]),
    )


def summarize(
    queries: Queries,
    outcomes: Outcomes,
    rng: np.random.Generator,
    *,
    resamples: int = 1000,
    level: float = 0.95,
) -> Localization:
    """Return the tables for these outcomes: in all, by type, by phrase, by number, by size, and the errors.

    Intervals are percentiles over `resamples` resampled images; all rows see the same resamples. With 0 there
    are no intervals.
    """
    rows = outcomes.rows
    groups: list[tuple[str, Bools]] = [("all", np.ones(len(rows), dtype=bool))]
    groups += [(name, queries.types[rows, place]) for place, name in enumerate(queries.type_names)]
    phrases = np.array([queries.phrases[row] for row in rows.tolist()], dtype=object)
    # Equally common phrases are in the order of the alphabet, whatever the order of the queries is.
    common = sorted(Counter(phrases.tolist()).items(), key=lambda item: (-item[1], item[0]))[:COMMONEST]
    groups += [(phrase, np.asarray(phrases == phrase, dtype=bool)) for phrase, _ in common]
    groups += [("singular", queries.is_english & ~queries.plural[rows]), ("plural", queries.plural[rows])]
    size = np.searchsorted(np.square(SIDES), areas(queries.enclosing[rows]), side="right")
    groups += [(name, size == place) for place, name in enumerate(_size_names())]
    found = _recalls(queries.image[rows], outcomes, groups, rng, resamples, level)
    ends = np.cumsum([1, len(queries.type_names), len(common), 2]).tolist()
    total, by_type, by_phrase, by_number, by_size = (
        tuple(found[begin:end]) for begin, end in zip([0, *ends], [*ends, len(found)], strict=True)
    )
    return Localization(total[0], by_type, by_phrase, by_number, by_size, errors(queries, outcomes))


def errors(queries: Queries, outcomes: Outcomes) -> Errors:
    """Return where the first boxes went."""
    hit = outcomes.rank == 1
    other = outcomes.instead >= 0
    without = np.isnan(outcomes.first[:, 0])
    poor = ~hit & ~other & ~without & (outcomes.overlap >= POOR)
    of_type = queries.types[outcomes.rows[other]].astype(np.int64)
    return Errors(
        hits=int(hit.sum()),
        other_phrase=int(other.sum()),
        poor=int(poor.sum()),
        background=int((~hit & ~other & ~without & ~poor).sum()),
        without_box=int(without.sum()),
        confusion=of_type.T @ queries.types[outcomes.instead[other]].astype(np.int64),
    )


def _size_names() -> list[str]:
    between = [f"{low} to {high} px" for low, high in pairwise(SIDES)]
    return [f"below {SIDES[0]} px", *between, f"{SIDES[-1]} px and more"]


def _recalls(
    image: Ints,
    outcomes: Outcomes,
    groups: Sequence[tuple[str, Bools]],
    rng: np.random.Generator,
    resamples: int,
    level: float,
) -> list[Recall]:
    reached = [(outcomes.rank > 0) & (outcomes.rank <= rank) for rank in RANKS]
    reached.append(outcomes.reachable)
    images, place = np.unique(image, return_inverse=True)
    wide = len(reached)
    hits = np.zeros((len(images), len(groups) * wide))
    sizes = np.zeros_like(hits)
    for group, (_, members) in enumerate(groups):
        sizes[:, group * wide : (group + 1) * wide] = np.bincount(place[members], minlength=len(images))[
            :, None
        ]
        for column, one in enumerate(reached):
            hits[:, group * wide + column] = np.bincount(place[members & one], minlength=len(images))
    intervals = ratio_intervals(hits, sizes, rng, resamples=resamples, level=level)
    found = []
    for group, (name, members) in enumerate(groups):
        counts = hits[:, group * wide : (group + 1) * wide].sum(axis=0).astype(np.int64).tolist()
        own = intervals[group * wide : (group + 1) * wide].tolist()
        found.append(
            Recall(
                name=name,
                queries=int(members.sum()),
                hits=tuple(counts[:-1]),
                reachable=counts[-1],
                intervals=tuple((low, high) for low, high in own),
            )
        )
    return found


def _overlap(queries: Queries, rows: Ints, rule: Rule) -> Callable[[Ints, Boxes], Floats]:
    """Return the function that says how far each box overlaps the truth of its owner, a place in `rows`."""
    if rule == "merged":
        enclosing = queries.enclosing[rows]
        return lambda owner, boxes: paired_iou(boxes, enclosing[owner])
    if rule == "any":
        truth = RaggedBoxes.of(queries.truth[int(row)] for row in rows)

        def best(owner: Ints, boxes: Boxes) -> Floats:
            found = np.zeros(len(boxes))
            for which, true in _each_part(truth, owner):
                found[which] = np.maximum(found[which], paired_iou(boxes[which], true))
            return found

        return best
    if rule != "component":
        raise ValueError(f"{rule!r} is not a rule: use one of {', '.join(RULES)}")
    parts = RaggedBoxes.of(disjoint(queries.truth[int(row)]) for row in rows)
    sums = np.concatenate([[0.0], np.cumsum(areas(parts.boxes))])
    covered = sums[parts.offsets[1:]] - sums[parts.offsets[:-1]]

    def component(owner: Ints, boxes: Boxes) -> Floats:
        shared = np.zeros(len(boxes))
        for which, part in _each_part(parts, owner):
            shared[which] += paired_intersections(boxes[which], part)
        return share_of_union(shared, areas(boxes), covered[owner])

    return component


def _each_part(lists: RaggedBoxes, owner: Ints) -> Iterator[tuple[Ints, Boxes]]:
    """Yield the first box of each owner's list, then the second, … with the places of those that have one."""
    sizes = np.diff(lists.offsets)[owner]
    for nth in range(int(sizes.max(initial=0))):
        which = np.flatnonzero(sizes > nth)
        yield which, lists.boxes[lists.offsets[owner[which]] + nth]


BLOCK = 16_384
"""Boxes that are compared at a time: they fit into the processor's cache."""


def _blocks(lists: RaggedBoxes) -> Iterator[tuple[int, int]]:
    """Yield ranges of lists with about BLOCK boxes each."""
    begin = 0
    while begin < len(lists):
        end = int(np.searchsorted(lists.offsets, lists.offsets[begin] + BLOCK, side="right")) - 1
        end = min(max(end, begin + 1), len(lists))
        yield begin, end
        begin = end


def _hit_instead(queries: Queries, rows: Ints, first: Boxes, missed: Bools, iou: float) -> Ints:
    """Return which other chain's phrase each first box that missed hits, as the place of a query, or -1.

    Truths are their enclosing boxes. The largest IoU wins, then the earlier query.
    """
    found = np.full(len(rows), -1, dtype=np.int64)
    places = np.flatnonzero(missed & ~np.isnan(first[:, 0]))
    own, boxes, best = queries.chain[rows[places]], first[places], np.zeros(len(places))
    other = np.searchsorted(queries.image, queries.image[rows[places]])  # the first query of the image
    end = np.searchsorted(queries.image, queries.image[rows[places]], side="right")
    while (going := other < end).any():
        at, which = other[going], np.flatnonzero(going)
        overlaps = paired_iou(boxes[which], queries.enclosing[at])
        better = (overlaps >= iou) & (overlaps > best[which]) & (queries.chain[at] != own[which])
        best[which[better]] = overlaps[better]
        found[places[which[better]]] = at[better]
        other += 1
    return found
