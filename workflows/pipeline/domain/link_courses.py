"""The link strategies that ask one question after the other: `likely_first` and `posterior`.

A course is written as it runs: it yields the pair to ask about, receives the answer, and returns the chains.
`play` runs it on the answers that there are, in the order in which they were given, until one is missing.
Mentions that share no type, not even by way of others, have nothing to do with each other. Each such group
has a course of its own, so that several questions about an image can be open at once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, fsum
from types import MappingProxyType

from annotation.domain.mentions import Mention, admissible, reading_order
from workflows.priors.domain.prior import ErrorRates, Prior, probability
from workflows.priors.domain.words import similarity, words_of

Pair = tuple[int, int]
"""Two mention ids, in reading order."""
Group = list[Mention]
Course = Generator[Pair, bool, list[Group]]
"""Yields a pair to ask about, receives whether it is the same thing, and returns the chains."""
MAX_TIMES = 4
"""How often one pair is asked about at most."""


def play(
    mentions: Sequence[Mention],
    votes: Mapping[Pair, Sequence[bool]],
    course: Callable[[Sequence[Mention]], Course],
) -> tuple[list[Pair], list[Group]]:
    """Return the pairs to ask about now, or none and the final chains."""
    asked: list[Pair] = []
    chains: list[Group] = []
    for group in groups_by_type(mentions):
        end = _play_one(course(group), votes)
        if isinstance(end, tuple):
            asked.append(end)
        else:
            chains += (reading_order(chain) for chain in end)
    if asked:
        return asked, []
    place = {m.id: n for n, m in enumerate(reading_order(mentions))}
    return [], sorted(chains, key=lambda chain: place[chain[0].id])


def _play_one(course: Course, votes: Mapping[Pair, Sequence[bool]]) -> Pair | list[Group]:
    used: Counter[Pair] = Counter()
    try:
        pair = next(course)
        while used[pair] < len(votes.get(pair, ())):
            used[pair] += 1
            pair = course.send(votes[pair][used[pair] - 1])
    except StopIteration as end:
        chains: list[Group] = end.value
        return chains
    course.close()
    return pair


def groups_by_type(mentions: Sequence[Mention]) -> list[list[Mention]]:
    """Return the mentions that are connected by shared types, each group in reading order."""
    groups: list[tuple[set[str], list[Mention]]] = []
    for mention in reading_order(mentions):
        own = [group for group in groups if not group[0].isdisjoint(mention.types)]
        types = set(mention.types).union(*(group[0] for group in own))
        members = [one for group in own for one in group[1]] + [mention]
        groups = [group for group in groups if group not in own] + [(types, members)]
    return [reading_order(members) for _, members in groups]


class _Answers:
    """The answers that a course has had so far."""

    def __init__(self, mentions: Sequence[Mention]) -> None:
        self._place = {m.id: n for n, m in enumerate(mentions)}
        self._said: dict[Pair, list[bool]] = defaultdict(list)

    def pair(self, a: Mention, b: Mention) -> Pair:
        return (a.id, b.id) if self._place[a.id] < self._place[b.id] else (b.id, a.id)

    def add(self, pair: Pair, same: bool) -> None:
        self._said[pair].append(same)

    def times(self, pair: Pair) -> int:
        return len(self._said.get(pair, ()))

    def between(self, one: Iterable[Mention], other: Sequence[Mention]) -> tuple[int, int]:
        """Return how many answers about two mentions of these say *same*, and how many *different*."""
        said = [same for a in one for b in other for same in self._said.get(self.pair(a, b), ())]
        return sum(said), len(said) - sum(said)

    def next_pair(
        self, one: Sequence[Mention], other: Sequence[Mention], likeness: Callable[[Mention, Mention], float]
    ) -> Pair | None:
        """Return the pair that was asked least, the likeliest of several. None: all were asked to the end."""
        pairs = [(self.pair(a, b), likeness(a, b)) for a in one for b in other if admissible(a, b)]
        pairs = [(pair, alike) for pair, alike in pairs if self.times(pair) < MAX_TIMES]
        if not pairs:
            return None
        found, _ = min(pairs, key=lambda o: (self.times(o[0]), -o[1], [self._place[m] for m in o[0]]))
        return found


def _may_join(one: Sequence[Mention], other: Sequence[Mention]) -> bool:
    """Return whether two chains share no caption, and have a pair that may be asked about."""
    captions = {m.caption for m in one}
    return captions.isdisjoint(m.caption for m in other) and any(admissible(a, b) for a in one for b in other)


def _alike(a: Mention, b: Mention) -> float:
    return similarity(a.text, b.text)


def _heads(chain: Iterable[Mention]) -> set[str]:
    return {words_of(m.text).head for m in chain}


def likely_first(group: Sequence[Mention]) -> Course:
    """Compare each mention with the chains, the most similar one first, and look at each doubt again."""
    answers = _Answers(group)
    chains: list[Group] = []
    for mention in group:
        for chain in _by_similarity(mention, chains):
            if (yield from _same_thing(mention, chain, answers)):
                chain.append(mention)
                break
        else:
            chains.append([mention])
    while True:
        merged = yield from _second_look(chains, answers)
        if merged is None:
            return chains
        one, other = merged
        one += other
        chains.remove(other)


def _by_similarity(mention: Mention, chains: Sequence[Group]) -> list[Group]:
    """Return the chains that the mention may join, by the similarity of their most similar member."""
    scored = [
        (max(_alike(mention, m) for m in chain if admissible(m, mention)), chain)
        for chain in chains
        if _may_join([mention], chain)
    ]
    return [chain for _, chain in sorted(scored, key=lambda one: -one[0])]


def _same_thing(mention: Mention, chain: Group, answers: _Answers) -> Generator[Pair, bool, bool]:
    """Ask whether a mention belongs to a chain.

    A first *no* is believed. A first *yes* is believed if a member has the same head noun; otherwise two
    answers must agree, about different members if possible.
    """
    enough = 1 if _heads([mention]) & _heads(chain) else 2
    yes = no = 0
    while yes < enough and no < 2:
        pair = answers.next_pair([mention], chain, _alike)
        if pair is None:
            break
        same = yield pair
        answers.add(pair, same)
        yes, no = yes + same, no + (not same)
        if not yes:
            break
    return yes >= enough


def _second_look(
    chains: Sequence[Group], answers: _Answers
) -> Generator[Pair, bool, tuple[Group, Group] | None]:
    """Return the first two chains that answers say are one, or None if there are none any more."""
    for one, other in combinations(chains, 2):
        if not _may_join(one, other) or not _heads(one) & _heads(other):
            continue
        yes, no = answers.between(one, other)
        while abs(yes - no) < 2:
            pair = answers.next_pair(one, other, _alike)
            if pair is None:
                break
            same = yield pair
            answers.add(pair, same)
            yes, no = yes + same, no + (not same)
        if yes - no >= 2:
            return one, other
    return None


@dataclass(frozen=True, slots=True)
class Certainty:
    """How probable something must be before nothing more is asked about it."""

    join: float  # that a mention belongs to a chain, to go on with the next mention
    new: float  # that a mention begins a new chain, to go on with the next mention
    membership: float  # that a mention belongs to its chain, at the end
    separation: float  # that two chains are two things, at the end


CERTAINTIES: Mapping[str, Certainty] = MappingProxyType(
    {"careful": Certainty(0.95, 0.6, 0.99, 0.8), "balanced": Certainty(0.9, 0.8, 0.98, 0.8)}
)
"""What a batch can choose."""


def posterior(
    prior: Prior, certainty: Certainty, *, human_yes: bool
) -> Callable[[Sequence[Mention]], Course]:
    """Return the course that asks only what is not probable enough. It may be used for many images.

    With a prior that adds a model's scores, workers' *same* answers hold every chain together, whatever the
    scores are. Raises ValueError for such a prior without `human_yes`.
    """
    if prior.scores is not None and not human_yes:
        raise ValueError("a prior with a model's scores needs human_yes: no score alone joins mentions")

    known: dict[tuple[str, tuple[str, ...], str, tuple[str, ...]], float] = {}

    def log_odds(a: Mention, b: Mention) -> float:
        # Every step plays a course from its beginning, so that the same pairs come again and again. A score
        # is of two mentions, and not of their words.
        key = (a.text, a.types, b.text, b.types)
        if key not in known:
            known[key] = prior.text.log_odds(a, b)
        return prior.with_score(known[key], a, b)

    def course(group: Sequence[Mention]) -> Course:
        held = prior.scores is not None
        return _Reckoning(prior.errors, log_odds, certainty, group, human_yes=human_yes, held=held).course()

    return course


class _Reckoning:
    """The probabilities of a group of mentions, given the answers so far."""

    def __init__(
        self,
        errors: ErrorRates,
        log_odds: Callable[[Mention, Mention], float],
        certainty: Certainty,
        group: Sequence[Mention],
        *,
        human_yes: bool,
        held: bool,
    ) -> None:
        self.certainty, self.group, self.human_yes, self.held = certainty, group, human_yes, held
        self.answers = _Answers(group)
        self.chains: list[Group] = []
        self._for_yes, self._for_no = errors.for_yes, errors.for_no
        self._place_of = {mention.id: place for place, mention in enumerate(group)}
        self._text = {(a.id, b.id): log_odds(a, b) for a, b in combinations(group, 2) if admissible(a, b)}

    def course(self) -> Course:
        for mention in self.group:
            yield from self._place(mention)
        while True:
            self._improve()
            pair = self._least_certain()
            if pair is None:
                break
            self.answers.add(pair, (yield pair))
        if not self.held:
            return self.chains
        # What is left apart here has been asked to the end, and nobody said *same*.
        return [part for chain in self.chains for part in self._parts(chain)]

    def _place(self, mention: Mention) -> Generator[Pair, bool, None]:
        """Ask about the most probable chain until the mention is in one, or begins a new one."""
        chains = [chain for chain in self.chains if _may_join([mention], chain)]
        while True:
            scored = sorted(((self._score([mention], c), n) for n, c in enumerate(chains)), reverse=True)
            shares = _shares([score for score, _ in scored])
            if scored and shares[0] >= self.certainty.join:
                chains[scored[0][1]].append(mention)
                return
            open_pairs = (self._next([mention], chains[n]) for _, n in scored)
            pair = next((pair for pair in open_pairs if pair is not None), None)
            if shares[-1] >= self.certainty.new or (pair is None and shares[-1] >= max(shares)):
                self.chains.append([mention])
                return
            if pair is None:
                chains[scored[0][1]].append(mention)
                return
            self.answers.add(pair, (yield pair))

    def _score(self, one: Sequence[Mention], other: Sequence[Mention]) -> float:
        """Return the log odds that two chains are one thing, by their likeliest words and by the answers."""
        text = max(self._likeness(a, b) for a in one for b in other if admissible(a, b))
        yes, no = self.answers.between(one, other)
        return text + yes * self._for_yes + no * self._for_no

    def _likeness(self, a: Mention, b: Mention) -> float:
        return self._text[self.answers.pair(a, b)]

    def _next(self, one: Sequence[Mention], other: Sequence[Mention]) -> Pair | None:
        return self.answers.next_pair(one, other, self._likeness)

    def _improve(self) -> None:
        """Merge chains, and move mentions, as long as that is more probable.

        The most probable change comes first. It ends where a grouping comes back.
        """
        seen: set[frozenset[frozenset[int]]] = set()
        while (state := frozenset(frozenset(m.id for m in c) for c in self.chains)) not in seen:
            seen.add(state)
            best = max(self._changes(), key=lambda change: change[0], default=None)
            if best is None:
                return
            _, mentions, source, target = best
            for mention in mentions:
                source.remove(mention)
            if target is None:
                self.chains.append(mentions)
            else:
                target += mentions
            # What stays may have been connected by a mention that left, such as *a man 's arm*.
            others = [chain for chain in self.chains if chain is not source]
            self.chains = sorted([*others, *groups_by_type(source)], key=self._first)

    def _first(self, chain: Group) -> int:
        return min(self._place_of[mention.id] for mention in chain)

    def _changes(self) -> Iterator[tuple[float, Group, Group, Group | None]]:
        """Yield what makes the grouping more probable: the gain, the mentions, and from where to where."""
        for one, other in combinations(self.chains, 2):
            if _may_join(one, other) and (gain := self._score(one, other)) > 0:
                yield gain, list(other), other, one
        for mention, chain, own, others in self._memberships():
            better: list[tuple[float, Group | None]] = [(score - own, target) for score, target in others]
            for gain, target in [*better, (-own, None)]:
                if gain > 0:
                    yield gain, [mention], chain, target

    def _memberships(self) -> Iterator[tuple[Mention, Group, float, list[tuple[float, Group]]]]:
        """Yield each mention of a chain of several, with its score there and in the chains it might join."""
        for chain in self.chains:
            for mention in chain:
                rest = [m for m in chain if m is not mention]
                if not any(admissible(mention, m) for m in rest):
                    continue
                others = [
                    (self._score([mention], other), other)
                    for other in self.chains
                    if other is not chain and _may_join([mention], other)
                ]
                yield mention, chain, self._score([mention], rest), others

    def _parts(self, chain: Group) -> list[Group]:
        """Return the parts of a chain that workers' *same* answers hold together."""
        parts: list[Group] = []
        for mention in chain:
            own = [part for part in parts if self.answers.between([mention], part)[0]]
            parts = [part for part in parts if part not in own]
            parts.append([*(one for part in own for one in part), mention])
        return parts

    def _joins(self) -> Iterator[tuple[float, Pair]]:
        """Yield what holds parts of chains together without a worker's *same*: how probable, and the pair."""
        for chain in self.chains:
            for one, other in combinations(self._parts(chain), 2):
                if any(admissible(a, b) for a in one for b in other) and (pair := self._next(one, other)):
                    yield probability(self._score(one, other)), pair

    def _least_certain(self) -> Pair | None:
        """Return the pair to ask about what is least certain, or None if everything is certain enough."""
        doubts: list[tuple[float, Pair]] = [*self._joins()] if self.held else []
        for mention, chain, own, others in self._memberships():
            rest = [m for m in chain if m is not mention]
            share = _shares([own, *(score for score, _ in others)])[0]
            alone = self.human_yes and not self.answers.between([mention], rest)[0]
            if share < self.certainty.membership or alone:
                pair = self._next([mention], rest)
                doubts += [(share, pair)] if pair else []
        for one, other in combinations(self.chains, 2):
            if _may_join(one, other):
                different = 1 - probability(self._score(one, other))
                if different < self.certainty.separation:
                    pair = self._next(one, other)
                    doubts += [(different, pair)] if pair else []
        return min(doubts, key=lambda doubt: doubt[0])[1] if doubts else None


def _shares(scores: Sequence[float]) -> list[float]:
    """Return the probability of each option and, last, of a new chain, whose score is 0."""
    most = max([0.0, *scores])
    weights = [exp(score - most) for score in [*scores, 0.0]]
    total = fsum(weights)  # `sum` adds in another way since Python 3.12
    return [weight / total for weight in weights]
