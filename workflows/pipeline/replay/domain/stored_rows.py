"""The rows of one image as plain values, which a replay compares with what follows from the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.geometry import Box
from workflows.pipeline.domain.link_strategies import Pair
from workflows.pipeline.domain.moves import Progress
from workflows.pipeline.domain.photograph_reports import Report, rests, untold_items
from workflows.pipeline.domain.verdicts import ModelWeights
from workflows.pipeline.replay.domain.chain_fold import Ruling
from workflows.pipeline.replay.domain.contexts import Asked, Context, Given, Source
from workflows.pipeline.replay.domain.decisions import ChainDecision, Regrouping
from workflows.pipeline.replay.domain.image_fold import ChainKey, Root

OPEN, DONE, WITHDRAWN = "open", "done", "withdrawn"
"""States of items, the same as in `Item.State`."""


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item with its judgments that count, in the order they were given."""

    id: int
    stage: str
    state: str
    needed: int
    judged: int
    leased: int
    settling: bool = False
    visit: int = 0
    author: int | None = None
    pair: Pair | None = None
    chain: int | None = None  # the row's id
    context: Context | None = None  # of a chain's item
    given: tuple[Given, ...] = ()
    model: ModelWeights | None = None  # None: no model has answered it, or let its time pass


@dataclass(frozen=True, slots=True)
class StoredChain:
    """A chain, withdrawn or not."""

    id: int
    key: ChainKey
    progress: Progress


@dataclass(frozen=True, slots=True)
class StoredBox:
    """A box, withdrawn or not."""

    id: int
    chain: int  # the row's id
    source: Source
    box: Box
    state: str


@dataclass(frozen=True, slots=True)
class Decided:
    """What researchers decided about an image, oldest first, as (id of the decision, its content).

    Those that were `undone` do not count. A regrouping keeps its number even then, so that no later chain is
    taken for one of its chains.
    """

    chains: Mapping[ChainKey, Sequence[tuple[int, ChainDecision]]] = field(default_factory=dict)
    regroupings: Sequence[tuple[int, Regrouping]] = ()
    undone: frozenset[int] = frozenset()

    def rulings(self) -> dict[ChainKey, list[Ruling]]:
        """Return the decisions on chains as the fold takes them."""
        found: dict[ChainKey, list[tuple[int, ChainDecision]]] = {
            key: [one for one in decisions if one[0] not in self.undone]
            for key, decisions in self.chains.items()
        }
        for _, pk, regrouping in self._standing():
            for group in regrouping.groups:
                if group.kept is not None and group.ruling is not None:
                    found.setdefault((group.kept, group.members), []).append((pk, group.ruling))
        return {
            key: [
                Ruling(
                    pk,
                    decision.state,
                    decision.flag,
                    tuple(
                        (decided.box, decided.source or Source(None, pk, place))
                        for place, decided in enumerate(decision.boxes)
                    ),
                )
                for pk, decision in sorted(decisions, key=lambda one: one[0])
            ]
            for key, decisions in found.items()
        }

    def roots(self) -> list[Root] | None:
        """Return the chains of the last regrouping that was not undone, or None if there is none."""
        standing = self._standing()
        if not standing:
            return None
        begun: dict[ChainKey, Ruling] = {}
        for number, pk, regrouping in standing:
            ordinal = 0
            for group in regrouping.groups:
                if group.kept is None:
                    boxes = tuple(
                        (decided.box, decided.source or Source(None, pk, ordinal + n))
                        for n, decided in enumerate(group.boxes)
                    )
                    ordinal += len(boxes)
                    ruling = Ruling(pk, group.state, group.flag, boxes, rule="regrouped")
                    begun[2 * number, group.members] = ruling
        last, _, regrouping = standing[-1]
        keys = [(2 * last if g.kept is None else g.kept, g.members) for g in regrouping.groups]
        return [Root(key, begun.get(key)) for key in keys]

    def _standing(self) -> list[tuple[int, int, Regrouping]]:
        """Return (number, id, content) of the regroupings that were not undone."""
        numbered = enumerate(self.regroupings, start=1)
        return [(number, pk, one) for number, (pk, one) in numbered if pk not in self.undone]


@dataclass(frozen=True, slots=True)
class StoredImage:
    """Everything stored for one image work. If it is not `active`, nothing new is asked.

    `reports` say that its photograph is unusable, or that an answer cannot be told; those `dismissed` (ids)
    do not count any more.
    """

    state: str
    items: Sequence[StoredItem]
    chains: Sequence[StoredChain]
    boxes: Sequence[StoredBox]
    decided: Decided = Decided()
    active: bool = True
    reports: Sequence[Report] = ()
    dismissed: frozenset[int] = frozenset()

    @property
    def rests(self) -> bool:
        """Whether nothing more is asked because the photograph is said to be unusable."""
        return rests(self.reports, self.dismissed)

    @property
    def untold(self) -> frozenset[int]:
        """The items (ids) whose answer workers could not tell."""
        return untold_items(self.reports, self.dismissed)

    def asked(self, chain: int | None) -> list[Asked]:
        """Return all questions that were ever asked about the chain with this id."""
        return [
            Asked(item.id, item.context, item.given, item.state == OPEN, item.model)
            for item in self.items
            if chain is not None and item.chain == chain and item.context is not None
        ]

    def rows(self) -> dict[ChainKey, StoredChain]:
        """Return the chains by key. If several have one key, the one that is not withdrawn is taken."""
        ordered = sorted(self.chains, key=lambda c: (c.progress.state == WITHDRAWN, c.id), reverse=True)
        return {chain.key: chain for chain in ordered}
