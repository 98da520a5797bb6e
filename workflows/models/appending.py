"""Rows that are only ever added."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.db import models

Row = TypeVar("Row", bound=models.Model)


class AppendOnlyError(TypeError):
    """A row of a log was about to be changed or deleted."""

    def __init__(self, model: type[models.Model]) -> None:
        super().__init__(f"a row of {model.__name__} is written once, and neither changed nor deleted")


class AppendOnlyQuerySet(models.QuerySet[Row]):
    """Reads, and adds."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise AppendOnlyError(self.model)

    update = bulk_update = update_or_create = delete = _refuse

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        """Adds; what would change rows that are there is refused."""
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class AppendOnly(models.Model):
    """A base of models whose rows stay as they are written, whichever code asks."""

    objects = AppendOnlyManager()

    class Meta:
        abstract = True
        # Also what Django asks by itself, as in `project.audit_entries.add(entry)`.
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Once. Raises AppendOnlyError for a row that is there."""
        if not self._state.adding:
            raise AppendOnlyError(type(self))
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *_: Any, **__: Any) -> NoReturn:
        """Raises AppendOnlyError."""
        raise AppendOnlyError(type(self))
