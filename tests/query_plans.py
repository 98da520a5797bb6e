"""How the database runs a statement."""

from __future__ import annotations

from django.db import connection


def plan_of(statement: str, *without: str) -> str:
    """Return how the database runs the statement. The constants are in its text.

    PostgreSQL reads so few rows as there are in tests without any index, so it may not read whole tables.
    `without` are other steps that it may not take, such as "sort".
    """
    sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not sqlite:
            for step in ("seqscan", *without):
                cursor.execute(f"SET LOCAL enable_{step} = off")
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' if sqlite else ''}{statement}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())
