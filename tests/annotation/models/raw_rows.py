"""Rows that are written past all services, to see what the database itself refuses."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db import models


def insert_again(row: models.Model, **changed: object) -> None:
    """Insert a copy of the row under another key."""
    kept = {field.attname: getattr(row, field.attname) for field in type(row)._meta.concrete_fields}
    kept["id"] = uuid4() if isinstance(row.pk, UUID) else None
    type(row)._default_manager.bulk_create([type(row)(**{**kept, **changed})])
