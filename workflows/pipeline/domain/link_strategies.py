"""Link strategies: from the answered links of an image to the next questions, or to the final chains.

Four are those of section 3.1.1 and table 2 of the paper, as docs/protocol.md, "Stage 1", defines them; two
are ours (`link_courses`). A strategy keeps nothing between calls. It works out its whole course from the
answers each time, so that any process can take the next step, and a replay takes the same steps.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations, pairwise
from types import MappingProxyType

from annotation.domain.answers import Answer, LinkAnswer
from annotation.domain.mentions import Mention, admissible, of_one_caption, reading_order
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain import link_courses, verdicts
from workflows.pipeline.domain.link_consensus import agreed_chains
from workflows.priors.domain.prior import Prior

Pair = tuple[int, int]
"""Two mention ids, in reading order."""


@dataclass(frozen=True, slots=True)
class Link:
    """An answered link: what its judgments said, in their order, and what was settled, if it was."""

    first: bool
    settled: bool | None = None  # two of three judgments, if the link contradicted others
    later: tuple[bool, ...] = ()  # after the first, if the strategy asked again

    @property
    def votes(self) -> tuple[bool, ...]:
        return (self.first, *self.later)

    @property
    def same(self) -> bool:
        return self.first if self.settled is None else self.settled


@dataclass(frozen=True, slots=True)
class ImageLinks:
    """One image as a strategy sees it: its annotatable mentions in reading order, and its answers."""

    mentions: Sequence[Mention]
    answers: Mapping[Pair, Link]
    seed: str = ""  # of the batch; only what is asked next depends on it


@dataclass(frozen=True, slots=True)
class Step:
    """New questions, links to ask again or to settle, or (all empty) the final chains in reading order."""

    ask: tuple[Pair, ...] = ()
    again: tuple[Pair, ...] = ()  # answered links that get one more judgment
    settle: tuple[Pair, ...] = ()  # answered links that get as many as settle them
    chains: tuple[tuple[Mention, ...], ...] = field(default=())
    contradictions: tuple[Pair, ...] = ()  # pairs of one chain that are not the same; they open cases

    @property
    def asks(self) -> bool:
        return bool(self.ask or self.again or self.settle)


Strategy = Callable[[ImageLinks], Step]
"""A strategy is called when every question asked so far is answered, never while one is open."""


def components(mentions: Sequence[Mention], links: Iterable[Pair]) -> list[tuple[Mention, ...]]:
    """Return the connected components of the links.

    Each is in reading order, and they are ordered by their first mention.
    """
    parent = {m.id: m.id for m in mentions}

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for a, b in links:
        parent[root(a)] = root(b)
    groups: dict[int, list[Mention]] = {}
    for mention in reading_order(mentions):
        groups.setdefault(root(mention.id), []).append(mention)
    return [tuple(group) for group in groups.values()]


def exhaustive(image: ImageLinks) -> Step:
    """Asks once about every pair of mentions that are in different captions and share a type.

    Mentions that links join, directly or through other mentions, form a chain.
    """
    pairs = ((a, b) for a, b in combinations(reading_order(image.mentions), 2) if admissible(a, b))
    ask = tuple((a.id, b.id) for a, b in pairs if (a.id, b.id) not in image.answers)
    return Step(ask=ask) if ask else _final(image)


def greedy(image: ImageLinks) -> Step:
    """Asks caption by caption about each mention and one mention of every earlier chain that shares its type.

    The seed of the batch decides which mention of the chain this is. The chains are fixed at the start of a
    caption, so that all its questions can be open at once. Only the first answer to each link decides about
    the next questions, so that settling a link later does not change earlier questions.
    """
    seen: list[Mention] = []
    yes: list[Pair] = []
    by_caption: dict[int, list[Mention]] = {}
    for mention in reading_order(image.mentions):
        by_caption.setdefault(mention.caption, []).append(mention)
    for caption in by_caption.values():
        chains = components(seen, yes)
        asked = [pair for mention in caption for pair in _against_each(mention, chains, image.seed)]
        missing = tuple(pair for pair in asked if pair not in image.answers)
        if missing:
            return Step(ask=missing)
        yes += [pair for pair in asked if image.answers[pair].first]
        seen += caption
    return _final(image)


def plus(strategy: Strategy, next_to_settle: Callable[[ImageLinks], tuple[Pair, ...]]) -> Strategy:
    """Return the strategy followed by settling what contradicts itself, a few links at a time."""

    def with_settling(image: ImageLinks) -> Step:
        """Asks as the strategy without `_plus` does, then settles links that contradict each other."""
        step = strategy(image)
        if step.ask:
            return step
        unsettled = next_to_settle(image)
        if unsettled:
            return Step(settle=unsettled)
        return replace(step, contradictions=tuple(_left(image, every=next_to_settle is next_cycle)))

    return with_settling


def next_triangle(image: ImageLinks) -> tuple[Pair, ...]:
    """Return the unsettled links of the first violated triangle that has any, or nothing."""
    for triangle in violations(image):
        unsettled = _unsettled(triangle, image)
        if unsettled:
            return unsettled
    return ()


def next_of_caption(image: ImageLinks) -> tuple[Pair, ...]:
    """Return what `next_triangle` returns or, once all triangles are settled, the unsettled links of the
    shortest path of *yes* links between two mentions of one caption.

    In the paper, two mentions of one caption are never coreferent (section 3.1.1). Triangles alone leave
    longer paths between them, which would make them one chain.
    """
    return next_triangle(image) or next_cycle(image, of_caption=True)


def violations(image: ImageLinks) -> Iterable[tuple[Pair, ...]]:
    """Return the triangles of two yes and one no, each as those of its pairs that were asked.

    Both are in reading order. Two mentions of one caption count as a no. If the third pair was never asked
    for another reason, the triangle does not count.
    """
    mentions = reading_order(image.mentions)
    place = {m.id: n for n, m in enumerate(mentions)}
    found = []
    for middle, ends in _neighbours(_yes(image), place).items():
        for one, other in combinations(ends, 2):
            third = image.answers.get((one, other))
            no = not third.same if third else mentions[place[one]].caption == mentions[place[other]].caption
            if no:
                sides = [_ordered(one, middle, place), _ordered(middle, other, place)]
                found.append(
                    sorted(sides + ([(one, other)] if third else []), key=lambda p: _places(p, place))
                )
    found.sort(key=lambda pairs: [_places(pair, place) for pair in pairs])
    return [tuple(pairs) for pairs in found]


def _left(image: ImageLinks, *, every: bool) -> list[Pair]:
    """Return the contradictions that open a case, once settling can settle no more.

    These are two mentions of one caption in one chain, and the *no* of a settled triangle, or `every`
    contradiction.
    """
    found = contradictions(image)
    if every:
        return found
    of_caption = {*contradictions(image, of_caption=True)}
    of_triangles = {pair for triangle in violations(image) for pair in triangle}
    return [pair for pair in found if pair in of_caption | of_triangles]


def contradictions(image: ImageLinks, *, of_caption: bool = False) -> list[Pair]:
    """Return the pairs that are not the same, and yet are in one component of the *yes* links.

    Those are links that were answered *no*, and two mentions of one caption; with `of_caption`, the latter
    alone. They are in reading order.
    Links of mentions that are not there any more, because a caption was chunked anew, do not count.
    """
    mentions = reading_order(image.mentions)
    known = {m.id for m in mentions}
    yes = [pair for pair in _yes(image) if known.issuperset(pair)]
    component = {m.id: number for number, chain in enumerate(components(mentions, yes)) for m in chain}
    found = []
    for a, b in combinations(mentions, 2):
        link = image.answers.get((a.id, b.id))
        no = not link.same if link and not of_caption else a.caption == b.caption
        if no and component[a.id] == component[b.id]:
            found.append((a.id, b.id))
    return found


def outvoted(chains: Iterable[Iterable[int]], answers: Mapping[Pair, Link]) -> list[Pair]:
    """Return the pairs of one chain (mention ids) that most of their answers call different.

    For strategies that make chains of all answers, and ask a link several times.
    """
    chain_of = {mention: number for number, chain in enumerate(chains) for mention in chain}
    return [
        pair
        for pair, link in answers.items()
        if 2 * sum(link.votes) < len(link.votes)
        and pair[0] in chain_of
        and chain_of[pair[0]] == chain_of.get(pair[1])
    ]


def next_cycle(image: ImageLinks, *, of_caption: bool = False) -> tuple[Pair, ...]:
    """Return the unsettled links of the shortest cycle that contradicts itself, or nothing.

    A cycle is a contradiction with the shortest path of *yes* links between its two mentions; if there are
    several, it is the first in reading order. A contradiction that rests on settled links alone cannot be
    settled any more, so nothing more is asked because of it. With `of_caption`, only the contradictions
    between two mentions of one caption count.
    """
    mentions = reading_order(image.mentions)
    place = {m.id: n for n, m in enumerate(mentions)}
    neighbours = _neighbours(_yes(image), place)
    certain = [pair for pair in _yes(image) if image.answers[pair].settled is not None]
    settled_chains = {m.id: n for n, chain in enumerate(components(mentions, certain)) for m in chain}
    best: tuple[int, list[tuple[int, int]], tuple[Pair, ...]] | None = None
    for a, b in contradictions(image, of_caption=of_caption):
        link = image.answers.get((a, b))
        if (link is None or link.settled is not None) and settled_chains[a] == settled_chains[b]:
            continue
        path = _shortest_path(a, b, neighbours)
        cycle = [_ordered(one, other, place) for one, other in pairwise(path)] + ([(a, b)] if link else [])
        cycle.sort(key=lambda pair: _places(pair, place))
        found = (len(path), [_places(pair, place) for pair in cycle], _unsettled(cycle, image))
        if best is None or found < best:
            best = found
    return best[2] if best else ()


def _shortest_path(start: int, end: int, neighbours: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the ids from `start` to `end`, which are connected. Neighbours are tried in their order."""
    came_from = {start: start}
    queue = deque([start])
    while end not in came_from:
        one = queue.popleft()
        for other in neighbours[one]:
            if other not in came_from:
                came_from[other] = one
                queue.append(other)
    path = [end]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]


def _neighbours(links: Iterable[Pair], place: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for a, b in links:
        found.setdefault(a, []).append(b)
        found.setdefault(b, []).append(a)
    for others in found.values():
        others.sort(key=place.__getitem__)
    return found


def _yes(image: ImageLinks) -> list[Pair]:
    return [pair for pair, link in image.answers.items() if link.same]


def _unsettled(pairs: Iterable[Pair], image: ImageLinks) -> tuple[Pair, ...]:
    return tuple(pair for pair in pairs if image.answers[pair].settled is None)


def likely_first(image: ImageLinks) -> Step:
    """Asks mention by mention about the most similar chain first, and then looks at doubts again.

    A *no* goes on to the next chain. A *yes* is enough if the chain has a mention with the same head noun;
    otherwise two answers must agree. If no chain is left, the mention begins a new one. At the end, two
    chains that share a type and a head noun, but no caption, are asked about until *yes* or *no* leads by
    two answers. No pair is asked more than four times. Nothing is settled afterwards.
    """
    return _course_step(image, link_courses.likely_first)


ANSWERS = 5
"""How many workers `every_pair` asks about a link: an odd number, and no strategy asks more."""


def every_pair(image: ImageLinks) -> Step:
    """Asks five workers about every pair of mentions that are in different captions and share a type.

    Chains are joined as long as more answers about their mentions say *same* than *different*, the clearest
    ones first. Two mentions of one caption count as five *different*. This gives the gold chains with which
    link strategies are compared.
    """
    step = exhaustive(image)
    if step.ask:
        return step
    mentions = reading_order(image.mentions)
    pairs = [(a.id, b.id) for a, b in combinations(mentions, 2) if admissible(a, b)]
    again = tuple(pair for pair in pairs if len(image.answers[pair].votes) < ANSWERS)
    if again:
        return Step(again=again)
    votes = {pair: image.answers[pair].votes for pair in pairs}
    chains = agreed_chains(mentions, votes, same_caption=-ANSWERS)
    return Step(chains=chains, contradictions=tuple(p for chain in chains for p in of_one_caption(chain)))


def posterior(prior: Prior, certainty: str, *, human_yes: bool) -> Strategy:
    """Asks about the least certain pairs, given the words of the mentions and the answers so far.

    A prior that was fitted on the project's captions says how probable it is that two mentions are the same
    thing, and each answer changes that as much as the error rates allow. Mention by mention, the most
    probable chain is asked about, until the mention is in one or begins a new one. Then the least certain
    membership or pair of chains is asked about, until all are certain enough. No pair is asked more than four
    times. Nothing is settled afterwards.
    """
    course = link_courses.posterior(prior, link_courses.CERTAINTIES[certainty], human_yes=human_yes)
    return lambda image: _course_step(image, course)


def _course_step(image: ImageLinks, course: Callable[[Sequence[Mention]], link_courses.Course]) -> Step:
    votes = {pair: link.votes for pair, link in image.answers.items()}
    pairs, chains = link_courses.play(image.mentions, votes, course)
    return Step(
        ask=tuple(pair for pair in pairs if pair not in image.answers),
        again=tuple(pair for pair in pairs if pair in image.answers),
        chains=tuple(map(tuple, chains)),
    )


SETTLING: Mapping[str, Callable[[ImageLinks], tuple[Pair, ...]]] = MappingProxyType(
    {"captions": next_of_caption, "triangles": next_triangle, "cycles": next_cycle}
)
"""What a batch can choose to settle: what would join two mentions of one caption, too [ours], the paper's
triangles alone, or every contradiction [ours]."""

STRATEGIES: Mapping[str, Mapping[str, Strategy]] = MappingProxyType(
    {
        "exhaustive": dict.fromkeys(SETTLING, exhaustive),
        "greedy": dict.fromkeys(SETTLING, greedy),
        "exhaustive_plus": {name: plus(exhaustive, rule) for name, rule in SETTLING.items()},
        "greedy_plus": {name: plus(greedy, rule) for name, rule in SETTLING.items()},
        "likely_first": dict.fromkeys(SETTLING, likely_first),
        "every_pair": dict.fromkeys(SETTLING, every_pair),
    }
)
"""The strategies that need no prior, by name and by what they settle. Those without *plus* settle nothing."""


def strategy_of(settings: BatchSettings, prior: Prior | None = None) -> Strategy:
    """Return the link strategy of a batch with these settings, and with the prior that it has pinned.

    Raises LookupError if the strategy needs a prior and there is none.
    """
    if not settings.needs_prior:
        return STRATEGIES[settings.strategy][settings.settle]
    if prior is None:
        raise LookupError(f"the strategy {settings.strategy} needs a prior, and none is pinned")
    return posterior(prior, settings.certainty, human_yes=settings.human_yes)


class Source(StrEnum):
    """Where the link between two mentions of an image came from (the paper's figure 3)."""

    ASKED = "asked"
    TRANSITIVITY = "transitivity"
    TYPE = "type"
    CAPTION = "caption"


def sources(mentions: Sequence[Mention], answers: Mapping[Pair, Link]) -> dict[Pair, Source]:
    """Return how the link of every pair of an image's mentions is known, once all its links are settled."""
    result = {}
    for a, b in combinations(reading_order(mentions), 2):
        if (a.id, b.id) in answers:
            result[a.id, b.id] = Source.ASKED
        elif a.caption == b.caption:
            result[a.id, b.id] = Source.CAPTION
        elif not admissible(a, b):
            result[a.id, b.id] = Source.TYPE
        else:
            result[a.id, b.id] = Source.TRANSITIVITY
    return result


def _final(image: ImageLinks) -> Step:
    left = tuple(contradictions(image, of_caption=True))
    return Step(chains=tuple(components(image.mentions, _yes(image))), contradictions=left)


def _against_each(mention: Mention, chains: Iterable[tuple[Mention, ...]], seed: str) -> Iterable[Pair]:
    for chain in chains:
        choice = [other for other in chain if admissible(mention, other)]
        if choice:
            # Seeded by what is asked, not by when: the draw is the same in every process and replay.
            rng = random.Random(f"{seed}/{mention.id}/{chain[0].id}/{len(chain)}")
            yield rng.choice(choice).id, mention.id


def _ordered(a: int, b: int, place: Mapping[int, int]) -> Pair:
    return (a, b) if place[a] < place[b] else (b, a)


def _places(pair: Pair, place: Mapping[int, int]) -> tuple[int, int]:
    return place[pair[0]], place[pair[1]]


def read_link(answers: Sequence[Answer], *, settling: bool) -> Link:
    """Return a link from its judgments. If it is being settled, two of three of them settle it.

    Raises ValueError if they do not decide it yet.
    """
    verdict = verdicts.decide_link(answers, settling=settling)
    if verdict is None:
        raise ValueError("an open link cannot be read")
    first, *later = (answer.same for answer in answers if isinstance(answer, LinkAnswer))
    if settling:
        return Link(first, settled=verdict.name == "same")
    return Link(first, later=tuple(later))
