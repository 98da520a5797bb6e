"""Images, mentions and answers for tests of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from hypothesis import strategies as st

from annotation.domain.mentions import Mention
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, Pair, Step, Strategy

Same = Callable[[Mention, Mention], bool]
"""What a worker answers about a pair."""

KINDS = (("people",), ("clothing",), ("other",), ("people", "animals"), ("animals",))


def mention(
    number: int, caption: int, types: str = "other", text: str = "a thing", start: int = -1
) -> Mention:
    """Return the mention with this id.

    `types` are written like "people/animals". Without a `start`, the mention starts at its id.
    """
    begin = number if start < 0 else start
    return Mention(number, caption, begin, begin + len(text.split()), text, tuple(types.split("/")))


def by_truth(truth: Mapping[int, int]) -> Same:
    """Return the answers of a worker who never errs. `truth` has the entity by mention id."""
    return lambda a, b: truth[a.id] == truth[b.id]


def by_pairs(*yes: Pair) -> Same:
    """Return answers that say yes to these pairs and no to all others."""
    return lambda a, b: (a.id, b.id) in yes


def run(
    strategy: Strategy, mentions: Sequence[Mention], first: Same, settled: Same | None = None, seed: str = "0"
) -> tuple[list[Step], dict[Pair, Link]]:
    """Run a strategy to its end. Return all steps, the last of which has the chains, and the links.

    `settled` gives the best of three.
    """
    by_id = {m.id: m for m in mentions}
    answers: dict[Pair, Link] = {}
    steps: list[Step] = []
    while True:
        step = strategy(ImageLinks(mentions, answers, seed))
        steps.append(step)
        assert not (step.ask and step.settle), "questions and links to settle in one step"
        assert not (step.chains and step.asks), "chains before the end"
        for a, b in step.ask:
            assert (a, b) not in answers and (b, a) not in answers, "a pair asked twice"
            answers[a, b] = Link(first(by_id[a], by_id[b]))
        for a, b in step.again:
            link = answers[a, b]
            answers[a, b] = Link(link.first, later=(*link.later, first(by_id[a], by_id[b])))
        for a, b in step.settle:
            link = answers[a, b]
            assert link.settled is None, "a link settled twice"
            answers[a, b] = Link(link.first, settled=(settled or first)(by_id[a], by_id[b]))
        if not step.asks:
            return steps, answers


def ids(chains: Iterable[Iterable[Mention]]) -> list[list[int]]:
    """Return chains as lists of mention ids."""
    return [[m.id for m in chain] for chain in chains]


def true_chains(mentions: Sequence[Mention], truth: Mapping[int, int]) -> set[frozenset[int]]:
    """Return the partition of the truth."""
    entities: dict[int, set[int]] = {}
    for m in mentions:
        entities.setdefault(truth[m.id], set()).add(m.id)
    return {frozenset(members) for members in entities.values()}


@st.composite
def images(draw: st.DrawFn, most: int = 9) -> list[Mention]:
    """Draw up to `most` mentions in five captions, in reading order, with ids in any order."""
    count = draw(st.integers(0, most))
    numbers = draw(st.permutations(range(1, count + 1)))
    found = [
        Mention(n, draw(st.integers(0, 4)), place, place + 1, "thing", draw(st.sampled_from(KINDS)))
        for place, n in enumerate(numbers)
    ]
    return sorted(found, key=lambda m: (m.caption, m.start))


@st.composite
def lawful_images(draw: st.DrawFn, most: int = 10) -> tuple[list[Mention], dict[int, int]]:
    """Draw an image and its truth that keep the protocol's assumptions.

    No two mentions of one caption are the same entity, and all mentions of an entity have its types.
    """
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5))
    places = draw(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, len(kinds) - 1)), unique=True, max_size=most)
    )
    found = [
        Mention(number, caption, number, number + 1, "thing", kinds[entity])
        for number, (caption, entity) in enumerate(places)
    ]
    truth = {number: entity for number, (_, entity) in enumerate(places)}
    return sorted(found, key=lambda m: (m.caption, m.start)), truth
