"""Makes questions of the first three stages from what is known of an image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from annotation.domain.answers import Requirement, Stage
from annotation.domain.mentions import Mention, admissible, reading_order
from workflows.questions.domain.known_images import KnownChain, KnownImage, Question

HARD = 0.5
"""How often a question about different things has mentions with one head, if there are any [ours]."""


def same_links(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about two mentions of one chain that a link may join."""
    pairs = [
        (chain, a, b)
        for chain in known.chains
        for a, b in combinations(reading_order(chain.mentions), 2)
        if admissible(a, b)
    ]
    for chain, a, b in rng.sample(pairs, len(pairs)):
        why = f"“{a.text}” and “{b.text}” refer to the same thing or things in this image."
        yield Question(Stage.LINK, "same", chain.id, (a.id, b.id), {"same": True}, why)


def different_links(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about two mentions of different chains that a link may join, often with one head."""
    pairs = [
        (chain, mine, other)
        for chain, another in combinations(known.chains, 2)
        for mine in chain.mentions
        for other in another.mentions
        if admissible(mine, other)
    ]
    for chain, *mentions in _hard_first(pairs, rng):
        a, b = reading_order(mentions)
        why = f"“{a.text}” and “{b.text}” refer to different things in this image."
        yield Question(Stage.LINK, "different", chain.id, (a.id, b.id), {"same": False}, why)


def whole_chains(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about chains of two or more mentions as they are."""
    chains = [chain for chain in known.chains if len(chain.mentions) > 1]
    for chain in rng.sample(chains, len(chains)):
        ids = tuple(mention.id for mention in reading_order(chain.mentions))
        why = f"{_listed(chain.mentions)} all refer to the same thing or things in this image."
        yield Question(Stage.VERIFICATION, "whole", chain.id, ids, {"same": True}, why)


def mixed_chains(known: KnownImage, rng: Random) -> Iterator[Question]:
    """Yield questions about chains with a mention of another chain, which workers could have linked to it."""
    pairs = [
        (chain, mine, other)
        for chain in known.chains
        for another in known.chains
        if another is not chain
        for other in another.mentions
        for mine in [next((one for one in chain.mentions if admissible(one, other)), None)]
        if mine is not None
    ]
    for chain, _, other in _hard_first(pairs, rng):
        ids = tuple(mention.id for mention in reading_order([*chain.mentions, other]))
        why = f"“{other.text}” refers to something else in this image than {_listed(chain.mentions)}."
        yield Question(Stage.VERIFICATION, "mixed", chain.id, ids, {"same": False}, why)


WITHOUT_BOX = {
    Requirement.SCENE: "“{}” is the scene or place that the image shows as a whole.",
    Requirement.NOBOX: "“{}” is nothing that a box could be drawn round in this image.",
}
"""Why a chain needs no box, for whoever reads the explanation of a question. {} is its text."""
_REQUIREMENTS = {
    Requirement.BOX: "“{}” can be seen, and at least one box can be drawn round it.",
    **WITHOUT_BOX,
}


def required(answer: Requirement, known: KnownImage, rng: Random, skip: Sequence[str]) -> Iterator[Question]:
    """Yield questions of box requirement with this answer, about chains that have no type in `skip`."""
    chains = [one for one in known.chains if one.requirement == answer and one.types.isdisjoint(skip)]
    for chain in rng.sample(chains, len(chains)):
        why = _REQUIREMENTS[answer].format(chain.shown.text)
        right = {"requirement": answer.value}
        yield Question(Stage.REQUIREMENT, answer.value, chain.id, (chain.shown.id,), right, why)


Pairing = tuple[KnownChain, Mention, Mention]


def _hard_first(pairs: Sequence[Pairing], rng: Random) -> list[Pairing]:
    """Return the pairs in random order; with a chance of HARD the next one's mentions have one head."""
    shuffled = rng.sample(pairs, len(pairs))
    hard = [pair for pair in shuffled if pair[1].head == pair[2].head]
    easy = [pair for pair in shuffled if pair[1].head != pair[2].head]
    ordered = []
    while hard and easy:
        ordered.append((hard if rng.random() < HARD else easy).pop())
    return ordered + hard + easy


def _listed(mentions: Sequence[Mention]) -> str:
    names = list(dict.fromkeys(f"“{mention.text}”" for mention in reading_order(mentions)))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
