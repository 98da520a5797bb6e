"""Lets a test change what the database otherwise keeps as it was written, as somebody who owns it could."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def unguarded(tables: Collection[str] | None = None) -> Iterator[None]:
    """Run the block in a transaction without the guards of these tables, or of all."""
    with transaction.atomic():
        check_now()
        lifted = [guard for guard in _guards() if tables is None or guard[0] in tables]
        for _, lift, _ in lifted:
            _execute(lift)
        yield
        check_now()
        for _, _, restore in lifted:
            _execute(restore)


def check_now() -> None:
    """Check foreign keys now. PostgreSQL changes no trigger of a table that has checks left for later."""
    if connection.vendor == "postgresql":
        connection.check_constraints()


def _guards() -> list[tuple[str, str, str]]:
    """Return each table that has guards, with the statements that lift and restore them."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal")
            change = "ALTER TABLE {} {} TRIGGER USER"
            return [
                (table, change.format(table, "DISABLE"), change.format(table, "ENABLE"))
                for (table,) in cursor.fetchall()
            ]
        cursor.execute("SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger'")
        return [(table, f"DROP TRIGGER {name}", sql) for table, name, sql in cursor.fetchall()]


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
