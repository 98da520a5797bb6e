"""Measures what the database alone needs for the rows of an import: no reading, no chunking, no models."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from django.db import connection, models
from django.db.models import Max

from annotation.importing.stream import IMAGES_AT_ONCE
from annotation.models import Caption, Image, Mention, Project
from annotation.transactions import write_transaction


def raw_insert_seconds(project: Project) -> float:
    """Insert the images, captions and mentions of a project once more, in transactions of the same size.

    Each transaction has one bulk statement for each table: `executemany` on SQLite, `execute_values` on
    PostgreSQL.
    """
    copy = Project.objects.create(name=f"{project.name}-raw")
    shift = {model: _largest(model) for model in (Image, Caption, Mention)}
    images = list(Image.objects.filter(project=project).order_by("pk").values_list("pk", flat=True))
    seconds = 0.0
    for place in range(0, len(images), IMAGES_AT_ONCE):
        chunk = images[place : place + IMAGES_AT_ONCE]
        tables = [
            _rows(Image, {"id": shift[Image], "project_id": copy.pk - project.pk}, id__in=chunk),
            _rows(Caption, {"id": shift[Caption], "image_id": shift[Image]}, image__in=chunk),
            _rows(
                Mention,
                {"id": shift[Mention], "image_id": shift[Image], "caption_id": shift[Caption]},
                image__in=chunk,
            ),
        ]
        begin = time.perf_counter()
        with write_transaction():
            for table, columns, rows in tables:
                _insert(table, columns, rows)
        seconds += time.perf_counter() - begin
    return seconds


def _largest(model: type[models.Model]) -> int:
    largest: int = model._default_manager.aggregate(largest=Max("pk"))["largest"] or 0
    return largest


def _rows(
    model: type[models.Model], shift: dict[str, int], **where: Any
) -> tuple[str, list[str], list[tuple[Any, ...]]]:
    """Return the table, its columns and its rows, with numbers added to the columns of `shift`."""
    columns = [field.attname for field in model._meta.concrete_fields]
    added = [shift.get(column, 0) for column in columns]
    rows = [
        tuple(value + more if more else value for value, more in zip(row, added, strict=True))
        for row in model._default_manager.filter(**where).order_by("pk").values_list(*columns)
    ]
    return model._meta.db_table, columns, rows


def _insert(table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
        else:
            from psycopg2.extras import execute_values

            execute_values(
                cursor.cursor, f"INSERT INTO {table} ({names}) VALUES %s", rows, page_size=len(rows) or 1
            )
