"""Multiplies what a PostgreSQL database holds: copies of all rows of a project under ids of their own.

A copy of a row refers to the copies of the rows that the row refers to, so every image of a copy has the
captions, items, judgments and boxes that its original has. The copies happened one before the other: each is
as much older than the one before as the work on the original took. Their ids are lower in the same way, since
what is newer has higher ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection, models

from annotation.models import (
    Assignment,
    Box,
    Caption,
    Case,
    Chain,
    Decision,
    Exposure,
    Image,
    ImageWork,
    Item,
    Judgment,
    Mention,
    Standing,
    VerificationQuestion,
    Worker,
)
from workflows.core.models import AuditEntry
from workflows.crowd.models import Payment, Problem, Publication
from workflows.money.models import Budget, Earned, LedgerEntry, LedgerLine
from workflows.pipeline.models import Transition
from workflows.platforms.models import ProviderCall
from workflows.workers.models import Participation, WorkerNote

COPIED: tuple[type[models.Model], ...] = (
    *(Image, Caption, Mention, Worker, ImageWork, Chain, Item, Assignment, Judgment, Box, Transition),
    *(VerificationQuestion, Exposure, Standing, Case, Decision, WorkerNote, AuditEntry),
    *(Publication, Participation, Payment, Problem, ProviderCall, LedgerEntry, LedgerLine, Earned),
)
"""What grows with a project. Batches, jobs, versions and accounts of researchers do not."""
NAMES = {
    Image: ("name",),
    Worker: ("external_id",),
    VerificationQuestion: ("content",),
    Publication: ("token", "external_id"),
    Participation: ("external_id",),
    Payment: ("token",),
    Problem: ("key",),
    ProviderCall: ("subject",),
    LedgerEntry: ("token", "under"),
    AuditEntry: ("object_id",),
}
"""Texts that are unique, or name what is copied. A copy has its number after them."""
LISTS: Mapping[type[models.Model], Mapping[str, type[models.Model]]] = {
    Chain: {"members": Mention},
    Item: {"shown": Box},
    Assignment: {"items": Item, "images": Image},
    VerificationQuestion: {"mentions": Mention},
}
"""Columns with a JSON list of ids, and whose ids they are."""
FIRST_ID = 1_000_000_000
"""The ids of the originals are higher than this, which leaves room for the copies below."""
SETTINGS = {
    # Neither foreign keys nor the guards of append-only tables look at rows that are written in this role.
    "session_replication_role": "replica",
    "maintenance_work_mem": "'1GB'",
    "jit": "off",
}


def leave_room() -> None:
    """Have the ids of the originals begin at FIRST_ID."""
    with connection.cursor() as cursor:
        for model in COPIED:
            if not isinstance(model._meta.pk, models.UUIDField):
                table = (model._meta.db_table, model._meta.pk.column, FIRST_ID)
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", table)


def multiply(times: int, *, apart: timedelta) -> None:
    """Make `times` of everything out of one. `apart` is by how much each copy is older than the one before.

    Indexes are dropped meanwhile, and made again at the end: that takes a fraction of the time.
    """
    with connection.cursor() as cursor:
        spans = {model: _span(cursor, model) for model in COPIED}
        parameters: dict[str, int | str] = {"last": times - 1, "apart": f"{apart.total_seconds()} seconds"}
        for name, value in SETTINGS.items():
            cursor.execute(f"SET {name} = {value}")
        with _without_indexes(cursor):
            for model in COPIED:
                cursor.execute(_statement(model, spans), parameters)
        for name in SETTINGS:
            cursor.execute(f"RESET {name}")
        # Hint bits, visibility and statistics, as in a database at rest.
        cursor.execute("VACUUM (ANALYZE)")
    Budget.objects.update(reserved=models.F("reserved") * times, spent=models.F("spent") * times)


def _span(cursor: Any, model: type[models.Model]) -> int:
    """Return by how much the ids of each copy are lower than those of the one before."""
    if isinstance(model._meta.pk, models.UUIDField):
        return 0
    key = f'"{model._meta.pk.column}"'
    cursor.execute(f'SELECT max({key}) - min({key}) + 1 FROM "{model._meta.db_table}"')
    return int(cursor.fetchone()[0] or 1)


def _statement(model: type[models.Model], spans: Mapping[type[models.Model], int]) -> str:
    """Return the statement that writes all copies of a table, one copy after the other.

    OFFSET keeps the planner from turning the two loops around. Then the rows of an image would lie apart.
    MATERIALIZED keeps it from passing over the new rows again for each copy.
    """
    table, fields = model._meta.db_table, model._meta.concrete_fields
    names = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(model, field, spans) for field in fields)
    return (
        f'WITH everything AS MATERIALIZED (SELECT * FROM "{table}") INSERT INTO "{table}" ({names})'
        f" SELECT {values} FROM generate_series(1, %(last)s) AS number,"
        " LATERAL (SELECT * FROM everything OFFSET number - number) AS original"
    )


def _value(
    model: type[models.Model], field: models.Field[Any, Any], spans: Mapping[type[models.Model], int]
) -> str:
    """Return the expression for a column of a copy."""
    column, target = f'original."{field.column}"', field.related_model
    if field.primary_key and not field.is_relation:
        target = model
    if isinstance(target, type) and target in spans:
        return _key(column, target, spans)
    if of := LISTS.get(model, {}).get(field.name):
        key = _key("entry::bigint", of, spans)
        listed = f"jsonb_array_elements_text({column}) WITH ORDINALITY AS listed (entry, place)"
        copied = f"(SELECT jsonb_agg({key} ORDER BY place) FROM {listed})"
        return f"CASE WHEN {column} = '[]' THEN {column} ELSE {copied} END"
    if field.name in NAMES.get(model, ()):
        return f"CASE WHEN {column} = '' THEN '' ELSE {column} || {_suffix(spans)} END"
    if isinstance(field, models.DateTimeField):
        return f"{column} - number * %(apart)s::interval"
    if isinstance(field, models.DateField):
        return f"({column} - number * %(apart)s::interval)::date"
    return column


def _key(column: str, model: type[models.Model], spans: Mapping[type[models.Model], int]) -> str:
    if isinstance(model._meta.pk, models.UUIDField):
        return f"md5({column}::text || {_suffix(spans)})::uuid"
    return f"{column} - number * {spans[model]}"


def _suffix(spans: Mapping[type[models.Model], int]) -> str:
    """Return what names the copy. The span is of this call alone: copies of copies have other names."""
    return f"'~{spans[Image]}.' || number"


@contextmanager
def _without_indexes(cursor: Any) -> Iterator[None]:
    """Run the block without the indexes of the tables, but for their primary keys."""
    cursor.execute(
        """
        SELECT i.indrelid::regclass::text, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid),
               c.conname, pg_get_constraintdef(c.oid)
        FROM pg_index i LEFT JOIN pg_constraint c ON c.conindid = i.indexrelid AND c.contype = 'u'
        WHERE NOT i.indisprimary AND i.indrelid::regclass::text = ANY(%s)
        """,
        [[model._meta.db_table for model in COPIED]],
    )
    found = cursor.fetchall()
    for table, index, _, constraint, _ in found:
        if constraint:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{constraint}"')
        else:
            cursor.execute(f"DROP INDEX {index}")
    yield
    for table, _, definition, constraint, rule in found:
        if constraint:
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{constraint}" {rule}')
        else:
            cursor.execute(definition)
