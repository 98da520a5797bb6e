"""What a worker was asked in, and why: by this, not by its place, a judgment is known again in a replay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from annotation.domain.answers import Answer


class Source(NamedTuple):
    """Where a box comes from: the judgment or the decision that drew it, and its place among theirs.

    Two replays of an image make different rows of the same box; its source stays.
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
    """All that a chain's item shows and rests on, besides the chain itself."""

    stage: str
    shown: tuple[Source, ...] = ()  # the accepted boxes
    new: Source | None = None  # the box to judge
    counted: int | None = None  # the judgment that counts here, too
    decision: int | None = None  # the last decision on the chain


@dataclass(frozen=True, slots=True)
class Asked:
    """An item that was asked before, with its judgments that count, in the order they were given."""

    id: int
    context: Context
    given: tuple[Given, ...] = ()
    open: bool = False


class Answered:
    """The items of one chain that were ever asked, handed out as a replay asks for them again.

    Of several with one context, the one whose judgments came first comes first, since it was asked first;
    those without a judgment come last, and of them one that is open already, since somebody may hold it.
    """

    def __init__(self, items: Sequence[Asked]) -> None:
        self._items: dict[Context, list[Asked]] = defaultdict(list)
        for item in sorted(items, key=_first, reverse=True):
            self._items[item.context].append(item)

    def __call__(self, context: Context) -> tuple[int | None, tuple[Given, ...]]:
        """The next item of this context and its judgments; (None, ()) where there is none."""
        found = self._items.get(context)
        if not found:
            return None, ()
        item = found.pop()
        return item.id, item.given


def _first(item: Asked) -> tuple[bool, int, bool, int]:
    return not item.given, item.given[0].id if item.given else 0, not item.open, item.id
