"""How well a prior does on pairs of mentions of which it is known whether they are the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from annotation.domain.mentions import Mention, admissible
from workflows.priors.domain.prior import Prior, TextPrior, probability

BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs whose probabilities are near each other."""

    pairs: int
    predicted: float  # mean probability
    same: float  # the share of them that are the same thing


@dataclass(frozen=True, slots=True)
class Assessment:
    """How a prior did on known pairs."""

    pairs: int
    same: int
    auc: float | None  # None: all pairs are the same thing, or none is
    bins: tuple[Bin, ...]


def assess(prior: Prior | TextPrior, known: Iterable[tuple[Mention, Mention, bool]]) -> Assessment:
    """Compare the prior with pairs of which it is known whether they are the same thing."""
    found = [(probability(prior.log_odds(a, b)), same) for a, b, same in known]
    return Assessment(len(found), sum(same for _, same in found), auc(found), tuple(_bins(found)))


def known_pairs(
    mentions: Sequence[Mention], chain_of: Mapping[int, int]
) -> Iterator[tuple[Mention, Mention, bool]]:
    """Yield the pairs of an image that may be asked about, if it is known which chains they are in."""
    for a, b in combinations(mentions, 2):
        if admissible(a, b) and a.id in chain_of and b.id in chain_of:
            yield a, b, chain_of[a.id] == chain_of[b.id]


def auc(scored: Sequence[tuple[float, bool]]) -> float | None:
    """Return the area under the ROC curve: how often a pair that is the same scores above one that is not.

    Equal scores count half. None if all pairs are the same, or none is. For example, of the pairs (.9, same),
    (.5, different), (.4, same), one of two comparisons is right: .5.
    """
    order = sorted(scored, key=lambda one: one[0])
    same = sum(is_same for _, is_same in order)
    different = len(order) - same
    if not same or not different:
        return None
    ranks, start = 0.0, 0
    while start < len(order):
        end = start
        while end < len(order) and order[end][0] == order[start][0]:
            end += 1
        ranks += (start + end + 1) / 2 * sum(is_same for _, is_same in order[start:end])
        start = end
    return (ranks - same * (same + 1) / 2) / (same * different)


def _bins(scored: Sequence[tuple[float, bool]]) -> Iterator[Bin]:
    groups: dict[int, list[tuple[float, bool]]] = {}
    for value, same in scored:
        groups.setdefault(min(BINS - 1, int(value * BINS)), []).append((value, same))
    for _, group in sorted(groups.items()):
        n = len(group)
        yield Bin(n, round(sum(v for v, _ in group) / n, 4), round(sum(s for _, s in group) / n, 4))
