"""What the query planner knows of tables. After a bulk load it knows nothing, and picks slow plans."""

from __future__ import annotations

from django.db import connection, models

from annotation.transactions import write_transaction

_SQLITE_ROWS = 2000  # read of each index: a full pass would keep others from writing


def analyze(*tables: type[models.Model]) -> None:
    """Refresh the planner's statistics of these tables; at the end of every bulk load."""
    with write_transaction(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA analysis_limit = {_SQLITE_ROWS}")
        for table in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table._meta.db_table)}")
