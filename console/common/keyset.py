"""Pages of a list by keyset: they cost the same however far down the list they are, and nothing is counted.

A page asks for one row more than it shows, in a single query, to know whether there is another page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[Row]):
    """The rows of a page in the order of the list, and the keys that the pages around it begin at.

    `next` is the key of the last row if more rows follow, `previous` that of the first row if rows come
    before it; otherwise they are 0.
    """

    rows: list[Row]
    next: int = 0
    previous: int = 0


def first_rows(rows: QuerySet[M, Row], size: int) -> tuple[list[Row], bool]:
    """Return at most `size` rows, and whether there are more. One query."""
    found = list(rows[: size + 1])
    return found[:size], len(found) > size


def keyset_page(
    rows: QuerySet[M, Row],
    size: int,
    *,
    before: int | None = None,
    after: int | None = None,
    key: str = "pk",
    newest_first: bool = True,
) -> KeysetPage[Row]:
    """Return the page of at most `size` rows whose keys are below `before` or above `after`. One query.

    The list is ordered by `key`, a unique positive number: descending if `newest_first`, else ascending.
    The page is the one nearest to the given key. `before` wins if both are given; without either (None or
    0) it is the first page. The rows are instances, or the keys themselves as a flat list of values.
    """
    upwards = (bool(after) and not before) or not (before or after or newest_first)
    if before:
        rows = rows.filter(**{f"{key}__lt": before})
    elif after:
        rows = rows.filter(**{f"{key}__gt": after})
    found, more = first_rows(rows.order_by(key if upwards else f"-{key}"), size)
    backwards = upwards == newest_first
    if backwards:
        found.reverse()
    follows, precedes = (True, more) if backwards else (more, bool(before or after))
    return KeysetPage(
        found,
        next=_key_of(found[-1], key) if found and follows else 0,
        previous=_key_of(found[0], key) if found and precedes else 0,
    )


def _key_of(row: Any, key: str) -> int:
    found: int = row if isinstance(row, int) else getattr(row, key)
    return found
