"""The chains that most answers about the pairs of an image agree with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from annotation.domain.mentions import Mention, reading_order


def agreed_chains(
    mentions: Sequence[Mention], votes: Mapping[tuple[int, int], Sequence[bool]], *, same_caption: int
) -> tuple[tuple[Mention, ...], ...]:
    """Return the chains of an image. `mentions` are in reading order, and so are the mentions of each pair.

    `votes` has the answers to each pair that was asked. A pair counts as how many more said *same* than
    *different*, and a pair of one caption as `same_caption`. Two chains are joined as long as the sum over
    all their pairs is above 0, those with the highest mean first.

    The components of what most answers join would not do [ours]: one pair of two chains about which three of
    five workers err would make one chain of them, against all other answers.
    """
    place = {mention.id: number for number, mention in enumerate(mentions)}
    # By the places of two chains' first mentions: how many more said *same*, and of how many pairs.
    net: dict[tuple[int, int], tuple[int, int]] = {}
    for a, b in combinations(mentions, 2):
        if (said := votes.get((a.id, b.id))) is not None:
            net[place[a.id], place[b.id]] = (2 * sum(said) - len(said), 1)
        elif a.caption == b.caption:
            net[place[a.id], place[b.id]] = (same_caption, 1)
    chains = {number: [mention] for number, mention in enumerate(mentions)}
    while True:
        _, one, other = min(
            ((-more / pairs, *ends) for ends, (more, pairs) in net.items()), default=(0.0, 0, 0)
        )
        if one == other or net[one, other][0] <= 0:
            return tuple(tuple(reading_order(chain)) for chain in chains.values())
        chains[one] += chains.pop(other)
        del net[one, other]
        for third in chains:
            if (ends := _in_order(other, third)) in net:
                more, pairs = net.pop(ends)
                before = net.get(_in_order(one, third), (0, 0))
                net[_in_order(one, third)] = (before[0] + more, before[1] + pairs)


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
