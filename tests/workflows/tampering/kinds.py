"""Every kind of change that somebody with the database could make, to each column of each table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.apps import apps
from django.db import connection, models
from django.db.models import Max, QuerySet

from annotation.models import Assignment, ImageWork
from workflows.core.audit_log import AUDIT
from workflows.core.record_seals import verify_records
from workflows.core.seals import verify_log
from workflows.crowd.payments.book_check import verify_books
from workflows.money.ledger_rows import LEDGER
from workflows.money.page_pay_check import wrong_caps
from workflows.pipeline.replay.verify_state import verify
from workflows.quality.correct_question import ungraded
from workflows.quality.standing_check import wrong_standings
from workflows.review.decided_rows import wrongly_decided

CHECKS: dict[str, Callable[[], list[str]]] = {
    "verify_records": lambda: verify_records().mistakes,
    "verify_audit": lambda: verify_log(AUDIT).mistakes,
    "verify_ledger": lambda: [*verify_log(LEDGER).mistakes, *verify_books(), *wrong_caps(None)],
    "verify_state": lambda: [
        *verify(list(ImageWork.objects.values_list("pk", flat=True))),
        *ungraded(),
        *wrongly_decided(),
        *wrong_standings(),
    ],
}
"""What each command compares."""


def tables() -> list[type[models.Model]]:
    return [
        model
        for app in ("annotation", "workflows")
        for model in apps.get_app_config(app).get_models()
        if model._meta.managed
    ]


@dataclass(frozen=True)
class Kind:
    """One kind of change: of a column (annotation.Image.split), or of rows (annotation.Image: delete).

    If the database refuses the first way to make it, the next one is tried.
    """

    name: str
    ways: tuple[Callable[[], None], ...]


def kinds_of(model: type[models.Model]) -> Iterator[Kind]:
    """Yield a change of each column, a removal, a row below id 1, one with a new id, and a swap of two."""
    label, rows = model._meta.label, _rows(model)
    for part in model._meta.concrete_fields:
        if not part.primary_key:
            found = _chosen(model, part)
            yield Kind(
                f"{label}.{part.name}",
                tuple(partial(_update, row, part, turn) for row in found for turn in range(3)),
            )
    some = list(rows[:40])
    yield Kind(f"{label}: delete", (partial(_delete, model, some[0].pk),))
    if model._meta.pk.name == "id" and isinstance(some[0].pk, int):
        new = _newest(model) + 7
        yield Kind(f"{label}: insert below 1", tuple(partial(_insert, model, row, -7) for row in some))
        yield Kind(f"{label}: insert", tuple(partial(_insert, model, row, new) for row in some))
    if len(some) > 1:
        yield Kind(f"{label}: swap", (partial(_swap, model),))


def _rows(model: type[models.Model]) -> QuerySet[Any]:
    """Return the rows in an order that is the same in each run: the ids of pages are random."""
    order = ("worker", "stage", "batch") if model is Assignment else ("pk",)
    return QuerySet(model).order_by(*order)


def _newest(model: type[models.Model]) -> int:
    return int(_rows(model).aggregate(newest=Max("pk"))["newest"])


def _chosen(model: type[models.Model], part: Any) -> list[Any]:
    """Return rows to change: first those in which the column has a value."""
    filled = _rows(model).filter(**{f"{part.name}__isnull": False})
    if part.get_internal_type() in ("CharField", "TextField"):
        filled = filled.exclude(**{part.name: ""})
    return [*filled[:20], *_rows(model)[:20]]


def _update(row: Any, part: Any, turn: int) -> None:
    value = _other(getattr(row, part.attname), part, turn)
    table, key = type(row)._meta.db_table, type(row)._meta.pk
    with connection.cursor() as cursor:
        cursor.execute(
            f'UPDATE "{table}" SET "{part.column}" = %s WHERE "{key.column}" = %s',  # noqa: S608
            [part.get_db_prep_save(value, connection), key.get_db_prep_value(row.pk, connection)],
        )


def _other(value: Any, part: Any, turn: int) -> Any:
    """Return another value for a column, another one for each turn."""
    kind = part.get_internal_type()
    if part.is_relation:
        there = part.related_model._base_manager.exclude(pk=value).order_by("-pk")
        targets = list(there.values_list(part.target_field.attname, flat=True)[:3])
        return targets[turn] if turn < len(targets) else 999_999 + turn if value is None else None
    if kind == "BooleanField":
        return not value
    if kind == "JSONField" and turn:
        return _other_json(_other_json(value))
    if kind in ("DateTimeField", "DateField"):
        return (value or _a_time(part)) + timedelta(days=1)
    if kind == "JSONField":
        return _other_json(value)
    if kind in ("CharField", "TextField", "SlugField", "FileField"):
        return _other_text(str(value or ""), part)
    if kind == "GenericIPAddressField":
        return "203.0.113.9"
    if kind == "UUIDField":
        return uuid4()
    return (value or 0) + (1, 40, -1)[turn]


def _a_time(part: Any) -> Any:
    from tests.factories import NOW

    return NOW.date() if part.get_internal_type() == "DateField" else NOW


def _other_json(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}x"
        case list() if value:
            return [_other_json(value[0]), *value[1:]]
        case dict() if value:
            name = sorted(value)[0]
            return {**value, name: _other_json(value[name])}
        case list():
            return [1]
        case dict():
            return {"forged": 1}
    return {"forged": 1}


def _other_text(value: str, part: Any) -> str:
    choices = [str(one) for one, _ in part.choices or () if one != value]
    if choices:
        return choices[-1]
    return "forged" if not value else value[:-1] + ("x" if value[-1] != "x" else "y")


def _delete(model: type[models.Model], pk: Any) -> None:
    rows = _rows(model).filter(pk=pk)
    rows._raw_delete(rows.db)


def _insert(model: type[models.Model], row: Any, pk: int) -> None:
    """Copy a row under another id. What has to be unique is made unique, also what it refers to."""
    unique = {name for one in model._meta.constraints for name in getattr(one, "fields", ())}
    columns, prepared = [], []
    for part in model._meta.concrete_fields:
        value = getattr(row, part.attname)
        if part.primary_key:
            value = pk
        elif part.name in unique or part.unique:
            value = _free(model, part, value)
        columns.append(f'"{part.column}"')
        prepared.append(part.get_db_prep_save(value, connection))
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(prepared))
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({marks})', prepared)  # noqa: S608


def _free(model: type[models.Model], part: Any, value: Any) -> Any:
    """Return a value of the column that no row has, if there can be one."""
    if value is None or part.choices or isinstance(value, bool):
        return value
    if part.is_relation:
        rows = part.related_model._base_manager.exclude(pk__in=_rows(model).values(part.attname))
        free = rows.order_by("pk").values_list("pk", flat=True).first()
        return value if free is None else free
    taken = {one for one in _rows(model).values_list(part.attname, flat=True) if one is not None}
    if isinstance(value, int):
        return max(taken) + 1
    if isinstance(value, str):
        return next(
            name for n in range(99) if (name := f"{value}{n}"[-(part.max_length or 99) :]) not in taken
        )
    return value


def _swap(model: type[models.Model]) -> None:
    """Let two rows exchange all columns but their ids, by way of an id that nobody has."""
    first, second = (row.pk for row in _rows(model)[:2])
    key = model._meta.pk
    free = uuid4() if isinstance(first, UUID) else -99
    with connection.cursor() as cursor:
        for old, new in ((first, free), (second, first), (free, second)):
            cursor.execute(
                f'UPDATE "{model._meta.db_table}" SET "{key.column}" = %s WHERE "{key.column}" = %s',  # noqa: S608
                [key.get_db_prep_value(one, connection) for one in (new, old)],
            )
