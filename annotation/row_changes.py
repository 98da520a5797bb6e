"""Change rows that are sealed, and keep as a RowChange what they were before.

The corpus and the settings of batches are sealed as they were added (workflows.core.record_seals). Whoever
changes them in another way than by these functions is found, since no RowChange says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import QuerySet

from annotation.models import RowChange
from annotation.transactions import write_transaction

ROWS_AT_ONCE = 500
PROJECT_OF: Mapping[str, str] = {
    "annotation.Batch": "project_id",
    "annotation.Caption": "image__project_id",
    "annotation.Exposure": "worker__project_id",
    "annotation.GoldChain": "image__project_id",
    "annotation.Image": "project_id",
    "annotation.Mention": "image__project_id",
    "annotation.VerificationQuestion": "project_id",
}
"""The models that are changed by these functions, with the path to the project of a row."""


def change_rows(rows: QuerySet[Any], **values: Any) -> int:
    """Update these rows in one statement, and keep what changed. Return how many rows there were.

    Call it in the transaction that gives the reason, with the rows locked if others may change them.
    """
    names = [rows.model._meta.get_field(name).attname for name in values]
    with write_transaction():
        before = _read(rows, names)
        count = len(before)
        if before:
            these = rows.model._default_manager.filter(pk__in=list(before))
            these.update(**values)
            _keep(rows.model, before, names)
    return count


@contextmanager
def changing(row: Any, *names: str) -> Iterator[None]:
    """Keep what the block saves of these fields of a row, in a transaction of the caller or its own."""
    model = type(row)
    columns = [model._meta.get_field(name).attname for name in names]
    with write_transaction():
        before = _read(model._default_manager.filter(pk=row.pk), columns)
        yield
        _keep(model, before, columns)


def record_deletions(rows: QuerySet[Any]) -> None:
    """Keep all of these rows, which are about to be deleted, in the caller's transaction."""
    model = rows.model
    names = [part.attname for part in model._meta.concrete_fields]
    RowChange.objects.bulk_create(
        (
            RowChange(project_id=of, table=model._meta.label, key=key, before=before, after=None)
            for key, (of, before) in _read(rows, names).items()
        ),
        batch_size=ROWS_AT_ONCE,
    )


def plain(value: Any) -> Any:
    """Return a column's value as JSON keeps it, the same on every database."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return str(value) if isinstance(value, UUID) else value


_Rows = dict[int, tuple[int, dict[str, Any]]]
"""(project, columns) by id."""


def _read(rows: QuerySet[Any], names: Collection[str]) -> _Rows:
    path = PROJECT_OF[rows.model._meta.label]
    found = rows.order_by("pk").values_list("pk", path, *names)
    return {pk: (of, dict(zip(names, map(plain, given), strict=True))) for pk, of, *given in found}


def _keep(model: type[models.Model], before: _Rows, names: Collection[str]) -> None:
    after = _read(model._default_manager.filter(pk__in=list(before)), names)
    RowChange.objects.bulk_create(
        (
            RowChange(project_id=of, table=model._meta.label, key=pk, before=was, after=now)
            for pk, (of, was) in before.items()
            if (now := after[pk][1]) != was
        ),
        batch_size=ROWS_AT_ONCE,
    )
