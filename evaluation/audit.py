"""Audits of a data set, and the experiment on link strategies with one's own answers.

An audit draws mentions, chains and boxes for a researcher's verdicts, and gives the rates of errors with
their intervals (Flickr30k Entities, section 3.3.3). The experiment on link strategies (section 3.1.1) asks
about all pairs of some images several times, which gives gold chains, and then counts how far each strategy's
answers and chains agree with them: the rows of table 2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from statistics import NormalDist
from types import MappingProxyType

import numpy as np

from evaluation.arrays import Bools, Ints
from evaluation.dataset import Dataset, MentionKey

# Error rates ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """How many of the things that were judged are wrong, and Wilson's interval of their share.

    The interval is nan if none was judged.
    """

    wrong: int
    judged: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """Return the share that is wrong, from 0 to 1; nan if none was judged."""
        return _share(self.wrong, self.judged)


def error_rate(wrong: int, judged: int, *, level: float = 0.95) -> ErrorRate:
    """Return the rate of errors with Wilson's score interval (Wilson 1927, JASA 22:209-212).

    The interval is sound for small samples and rare errors, and never leaves 0 to 1. Raises ValueError if
    `wrong` is not between 0 and `judged`, or `level` not between 0 and 1.

    >>> rate = error_rate(2, 100)
    >>> round(rate.low, 4), round(rate.high, 4)
    (0.0055, 0.07)
    """
    if not 0 <= wrong <= judged or not 0 < level < 1:
        raise ValueError(f"{wrong} of {judged} at level {level} is no rate of errors")
    if not judged:
        return ErrorRate(0, 0, math.nan, math.nan)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = wrong / judged
    middle = (share + z**2 / (2 * judged)) / (1 + z**2 / judged)
    half = z / (1 + z**2 / judged) * math.sqrt(share * (1 - share) / judged + z**2 / (4 * judged**2))
    # At the ends, sums in floating point may miss 0 or 1 by the last digit.
    low = 0.0 if wrong == 0 else max(0.0, middle - half)
    high = 1.0 if wrong == judged else min(1.0, middle + half)
    return ErrorRate(wrong, judged, low, high)


def exact_bounds(part: int, of: int, *, tail: float = 0.025) -> tuple[float, float]:
    """Return the exact bounds of a share (Clopper and Pearson 1934), each left with probability `tail`.

    Raises ValueError if `part` is not between 0 and `of`, `of` is 0, or `tail` is not between 0 and .5.

    >>> [round(bound, 3) for bound in exact_bounds(1, 4)]
    [0.006, 0.806]
    """
    if not 0 <= part <= of or not of or not 0 < tail < 0.5:
        raise ValueError(f"{part} of {of} with tails of {tail} is no share")
    if not part:
        return 0.0, _highest(0, of, tail)
    return 1 - _highest(of - part, of, tail), _highest(part, of, tail) if part < of else 1.0


def _highest(part: int, of: int, tail: float) -> float:
    """Return the share of which so few are found with probability `tail`: it is halved until it stays."""
    low, high = part / of, 1.0
    while low < (share := (low + high) / 2) < high:
        if _at_most(part, of, share) > tail:
            low = share
        else:
            high = share
    return low


def _at_most(part: int, of: int, share: float) -> float:
    """Return the probability that at most `part` of `of` things count, each with probability `share`."""
    odds = math.log(share) - math.log1p(-share)
    log, total = of * math.log1p(-share), 0.0
    for found in range(part + 1):
        total += math.exp(log)
        log += odds + math.log((of - found) / (found + 1)) if found < of else 0.0
    return total


def images_with_an_error(
    mentions: float, chains: float, *, mentions_an_image: float = 16.6, chains_an_image: float = 7.8
) -> float:
    """Return the share of images with an error that these rates of errors lead to, from 0 to 1.

    `mentions` and `chains` are the shares of wrong mentions and chains. Errors are taken to be independent
    [ours]. The paper says: below 1% of both, and about 8% of the images.

    >>> round(images_with_an_error(0.0034, 0.0034), 2)
    0.08
    """
    return float(1 - (1 - mentions) ** mentions_an_image * (1 - chains) ** chains_an_image)


# Samples ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """What was drawn for an audit, in the order of the data set."""

    mentions: tuple[MentionKey, ...]
    chains: tuple[tuple[str, str], ...]
    """The image and the id of each chain."""
    boxes: tuple[tuple[str, str, int], ...]
    """The image of each box, the id of its chain, and its place among the chain's boxes."""


def draw(dataset: Dataset, rng: np.random.Generator, *, mentions: int, chains: int, boxes: int) -> Sample:
    """Return a simple random sample without replacement of each kind, or all of it if there are no more."""
    keys = [mention.key for image in dataset.images for mention in image.mentions()]
    ids = [(image.name, chain.id) for image in dataset.images for chain in image.chains.values()]
    drawn = [
        (image.name, chain.id, place)
        for image in dataset.images
        for chain in image.chains.values()
        for place in range(len(chain.boxes))
    ]
    return Sample(
        mentions=tuple(keys[n] for n in draw_places(len(keys), mentions, rng)),
        chains=tuple(ids[n] for n in draw_places(len(ids), chains, rng)),
        boxes=tuple(drawn[n] for n in draw_places(len(drawn), boxes, rng)),
    )


def draw_places(population: int, number: int, rng: np.random.Generator) -> list[int]:
    """Return `number` different places below `population` in ascending order, or all if there are no more."""
    drawn: list[int] = np.sort(rng.choice(population, min(number, population), replace=False)).tolist()
    return drawn


# Link strategies: table 2 -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """What a strategy's answers and chains were worth. Add those of several images together.

    Pairs are those that may be linked. A pair is the same if its two mentions are in one gold chain.
    """

    pairs: int = 0
    right: int = 0
    """Pairs that are as in the gold: by their answer, or by the chains if they were not asked."""
    same: int = 0
    """Asked pairs that are the same."""
    different: int = 0
    """Asked pairs that are not."""
    missed: int = 0
    """Asked pairs that are the same, and whose answer is no."""
    invented: int = 0
    """Asked pairs that are not the same, and whose answer is yes."""
    chains: int = 0
    """Gold chains, also those of one mention."""
    matched: int = 0
    """Gold chains that the strategy found with exactly their mentions."""
    questions: int = 0
    """Judgments that were asked for."""
    together: int = 0
    """All pairs that are the same."""
    apart: int = 0
    """Of these, the pairs that the strategy's chains keep apart."""
    joined: int = 0
    """Pairs that are not the same, and that the strategy's chains join."""

    def __add__(self, other: LinkCounts) -> LinkCounts:
        """Return the counts of both."""
        return LinkCounts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def asked(self) -> int:
        """Return how many pairs were asked about, however often."""
        return self.same + self.different

    def row(self) -> StrategyRow:
        """Return the column of table 2 for these counts."""
        found = self.together - self.apart
        precision, recall = _share(found, found + self.joined), _share(found, self.together)
        return StrategyRow(
            matched_links=1 - _share(self.missed + self.invented, self.asked),
            matched_chains=_share(self.matched, self.chains),
            false_positives=_share(self.invented, self.different),
            false_negatives=_share(self.missed, self.same),
            asked=_share(self.questions, self.pairs),
            questions=self.questions,
            precision=precision,
            recall=recall,
            f=_share(2 * found, 2 * found + self.joined + self.apart),
        )


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """A column of table 2 and what the project adds to it. Shares are from 0 to 1, or nan of nothing."""

    matched_links: float
    """Answers that are right, of the links that were asked."""
    matched_chains: float
    """Gold chains that were found exactly."""
    false_positives: float
    """Wrong answers, of those about pairs that are not the same."""
    false_negatives: float
    """Wrong answers, of those about pairs that are the same."""
    asked: float
    """Judgments, of those that `exhaustive` asks for: it asks about every pair once."""
    questions: int
    precision: float
    """Pairs within one of the strategy's chains that are the same."""
    recall: float
    """Pairs that are the same, and that are within one of the strategy's chains."""
    f: float


TABLE_2: Mapping[str, tuple[float, float, float, float, float]] = MappingProxyType(
    {
        "exhaustive": (0.9503, 0.8184, 0.0492, 0.0470, 1.0000),
        "greedy": (0.9446, 0.8155, 0.0574, 0.0499, 0.5700),
        "exhaustive_plus": (0.9833, 0.9067, 0.0104, 0.0228, 1.1974),
        "greedy_plus": (0.9640, 0.8607, 0.0314, 0.0405, 0.6694),
    }
)
"""The paper's table 2: the first five figures of a `StrategyRow` by strategy."""


def gold_chains(mentions: int, pairs: Ints, yes: Ints, no: Ints) -> Ints:
    """Return the number of each mention's gold chain, of shape (mentions,), from several answers a pair.

    `pairs` has the places of the mentions of every pair that was asked, of shape (pairs, 2); `yes` and `no`
    count its answers. Two mentions are linked if more answers say yes than no, and linked mentions are one
    chain, also through others [ours]. Chains are numbered by their first mention.

    >>> gold_chains(4, np.array([[0, 1], [1, 2], [0, 2]]), np.array([3, 2, 0]), np.array([0, 1, 3])).tolist()
    [0, 0, 0, 1]
    """
    first = np.arange(mentions)
    linked = pairs[yes > no]
    while True:
        lowest = first.copy()
        for one, other in (linked.T, linked.T[::-1]):
            np.minimum.at(lowest, one, first[other])
        if (lowest == first).all():
            break
        first = lowest
    return np.asarray(np.unique(first, return_inverse=True)[1], dtype=np.int64)


def count_links(gold: Ints, chains: Ints, pairs: Ints, answers: Ints, *, questions: int) -> LinkCounts:
    """Return the counts of one image.

    `gold` and `chains` have the number of each mention's chain, of shape (mentions,): the gold one and the
    strategy's. `pairs` has the places of the mentions of every pair that may be linked, of shape (pairs, 2),
    and `answers` what the strategy made of each: 1 for yes, 0 for no, -1 if it did not ask. `questions` is
    the number of judgments that it asked for.

    >>> gold, chains = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> pairs = np.array([[0, 1], [0, 2], [1, 2]])
    >>> row = count_links(gold, chains, pairs, np.array([0, -1, 1]), questions=4).row()
    >>> row.matched_links, row.false_negatives, row.false_positives, row.matched_chains
    (0.0, 1.0, 1.0, 0.0)
    """
    same: Bools = gold[pairs[:, 0]] == gold[pairs[:, 1]]
    together: Bools = chains[pairs[:, 0]] == chains[pairs[:, 1]]
    asked, yes = answers >= 0, answers == 1
    said = np.where(asked, yes, together)
    return LinkCounts(
        pairs=len(pairs),
        right=int((said == same).sum()),
        same=int((asked & same).sum()),
        different=int((asked & ~same).sum()),
        missed=int((asked & same & ~yes).sum()),
        invented=int((yes & ~same).sum()),
        chains=len(np.unique(gold)),
        matched=_exactly_found(gold, chains),
        questions=questions,
        together=int(same.sum()),
        apart=int((same & ~together).sum()),
        joined=int((together & ~same).sum()),
    )


def _exactly_found(gold: Ints, chains: Ints) -> int:
    """Return how many gold chains have exactly the mentions of one of the other chains."""
    _, true, sizes = np.unique(gold, return_inverse=True, return_counts=True)
    _, found, others = np.unique(chains, return_inverse=True, return_counts=True)
    if not len(true):
        return 0
    met, times = np.unique(np.stack([true, found]), axis=1, return_counts=True)
    return int(((times == sizes[met[0]]) & (times == others[met[1]])).sum())


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
