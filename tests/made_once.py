"""Rows that many tests begin with: the first test of a process makes them, and the others write them again.

To bring one chain to its last stage takes a dozen pages, and about half a second. Hundreds of tests begin so,
and what they test comes afterwards. How these rows are made has tests of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from typing import Generic, ParamSpec, TypeVar

from django.db import connection, transaction
from django.db.models import Model

from tests.databases import Rows, filled, rows_of, write_rows
from workflows.core.guards import missing_guards

REUSED = True
"""A test that changes how rows are made sets this to False."""

P = ParamSpec("P")
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Made(Generic[M]):
    """What a call left: the row that it returned, and the rows of each table."""

    row: M
    rows: Mapping[str, Rows]


def made_once(make: Callable[P, M]) -> Callable[P, M]:
    """Let calls with the same arguments make their rows once in a process.

    This is only for calls in a test's transaction that write to empty tables. Any other call makes its rows.
    In a test with transactions of its own, services and tasks may see the rows come one after the other.
    Nothing but the arguments may change the rows. What is made without guards is not kept: it might be what
    the guards refuse, and later tests would not notice.
    """
    kept: dict[str, Made[M]] = {}

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> M:
        if not (REUSED and connection.in_atomic_block):
            return make(*args, **kwargs)
        key = repr((args, sorted(kwargs.items())))
        before = filled(tables())
        if key not in kept:
            others = {table: rows_of(table) for table in before}
            row = make(*args, **kwargs)
            if all(rows_of(table) == rows for table, rows in others.items()) and not missing_guards():
                written = [table for table in filled(tables()) if table not in others]
                kept[key] = Made(row, {table: rows_of(table) for table in written})
        elif kept[key].rows.keys().isdisjoint(before):
            row = kept[key].row
            with transaction.atomic():
                for table, rows in kept[key].rows.items():
                    write_rows(table, rows)
        else:
            row = make(*args, **kwargs)
        return type(row)._base_manager.get(pk=row.pk)

    return made


@cache
def tables() -> Sequence[str]:
    """Return the names of all tables. They stay the same in a run."""
    return connection.introspection.django_table_names(only_existing=True, include_views=False)
