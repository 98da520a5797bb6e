"""Statistics for the query planner. Without them, it picks slow plans after a bulk load."""

from __future__ import annotations

from django.db import connection, models

from annotation.transactions import write_transaction

_SQLITE_ROWS = 2000  # read of each index: a full pass would keep others from writing


def analyze(*tables: type[models.Model]) -> None:
    """Refresh the planner's statistics of these tables. Every bulk load ends with this."""
    with write_transaction(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA analysis_limit = {_SQLITE_ROWS}")
        for table in tables:
            cursor.execute(f"ANALYZE {connection.ops.quote_name(table._meta.db_table)}")
