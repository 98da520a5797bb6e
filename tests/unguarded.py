"""Lets a test change what the database otherwise keeps as it was written, as somebody who owns it could."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from workflows.core.guards import keep_guards, remove_guards


@contextmanager
def unguarded(tables: Collection[str] | None = None) -> Iterator[None]:
    """Run the block in a transaction without the guards of these tables, or of all."""
    with transaction.atomic():
        check_now()
        remove_guards(tables)
        yield
        check_now()
        keep_guards()


def check_now() -> None:
    """Check foreign keys now. PostgreSQL changes no trigger of a table that has checks left for later."""
    if connection.vendor == "postgresql":
        connection.check_constraints()
