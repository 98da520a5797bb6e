"""The context in which an item was asked: by this, a replay recognizes the item and its judgments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from annotation.domain.answers import Answer
from workflows.pipeline.domain.verdicts import ModelWeights


class Source(NamedTuple):
    """Where a box comes from: the judgment or the decision that drew it, and its place among their boxes.

    The same box may get another row in another replay, but its source stays the same.
    """

    judgment: int | None
    decision: int | None
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """A judgment that counts."""

    id: int
    worker: int
    answer: Answer


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that an item of a chain shows and rests on, besides the chain itself."""

    stage: str
    shown: tuple[Source, ...] = ()  # the accepted boxes
    new: Source | None = None  # the box to judge; of several, the first one of the judgment that drew them
    counted: int | None = None  # the earlier judgment that also counts here
    decision: int | None = None  # the last decision on the chain


@dataclass(frozen=True, slots=True)
class Asked:
    """An item with its judgments that count, in the order they were given.

    `model` is what a model adds, or None if one may still answer.
    """

    id: int | None  # None: it was never asked before
    context: Context
    given: tuple[Given, ...] = ()
    open: bool = False
    model: ModelWeights | None = None

    @property
    def evidence(self) -> list[ModelWeights]:
        return [] if self.model is None else [self.model]


class Answered:
    """The items of one chain that were ever asked, given out as a replay asks for them again.

    If several items have one context, they come in the order of their first judgments, which is the order in
    which they were asked. Items without a judgment come last; of these an open one comes first, since
    somebody may hold it.
    """

    def __init__(self, items: Sequence[Asked]) -> None:
        self._items: dict[Context, list[Asked]] = defaultdict(list)
        for item in sorted(items, key=_first, reverse=True):
            self._items[item.context].append(item)

    def __call__(self, context: Context) -> Asked:
        """Return the next item of this context, without an id if none was asked before."""
        found = self._items.get(context)
        return found.pop() if found else Asked(None, context)


def _first(item: Asked) -> tuple[bool, int, bool, int]:
    return not item.given, item.given[0].id if item.given else 0, not item.open, item.id or 0
