"""The project or batch whose figures are counted, and expressions for grouping rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Func, IntegerField, QuerySet
from django.db.models.functions import Round

from annotation.domain.protocols import DEFAULT_PROTOCOL, stages_of
from annotation.models import Assignment, Batch, ImageWork, Item, Judgment
from annotation.models.work import ImageWorkQuerySet
from workflows.analysis.outcomes import AT_ONCE


@dataclass(frozen=True, slots=True)
class Target:
    """A batch, or a project with all its batches."""

    project_id: int
    batch_id: int | None
    batch_ids: tuple[int, ...]  # the batches whose work is counted

    def stages(self) -> tuple[str, ...]:
        """Return the stages of the protocols of its batches. One query."""
        return stages_in(Batch.objects.filter(pk__in=self.batch_ids))

    def judgments(self) -> QuerySet[Judgment]:
        """Return all judgments given on its pages."""
        return Judgment.objects.filter(assignment__batch__in=self.batch_ids).order_by()

    def pages(self) -> QuerySet[Assignment]:
        """Return all its pages, whatever their state."""
        return Assignment.objects.filter(batch__in=self.batch_ids).order_by()

    def items(self) -> QuerySet[Item]:
        """Return all its items, withdrawn ones too."""
        return Item.objects.filter(batch__in=self.batch_ids).order_by()

    def works(self) -> ImageWorkQuerySet:
        """Return all its works, also those whose images were released."""
        return ImageWork.objects.filter(batch__in=self.batch_ids).order_by()


def stages_in(batches: QuerySet[Batch]) -> tuple[str, ...]:
    """Return the stages of the protocols of these batches. One query."""
    protocols = batches.order_by().values_list("settings__protocol", flat=True).distinct()
    return stages_of(name or DEFAULT_PROTOCOL for name in protocols)


def stages_used(*, project_id: int, batch_id: int | None = None) -> tuple[str, ...]:
    """Return the stages of the protocols of a project's batches, or of one of them. One query."""
    batches = Batch.objects.filter(project=project_id)
    return stages_in(batches if batch_id is None else batches.filter(pk=batch_id))


def rows_of(grouped: QuerySet[Any, Any]) -> Iterator[dict[str, Any]]:
    """Iterate over rows of `values(...).annotate(...)`. mypy knows only parts of their type."""
    return iter(grouped.iterator(AT_ONCE))


def tenth() -> Round:
    """Return seconds rounded to a tenth: few enough values to group by, exact enough for a median."""
    return Round("seconds", precision=1)


class Hour(Func):
    """The hour of a time in UTC as text, like `2026-01-31 14`. On SQLite, truncating would call Python."""

    output_field = CharField()
    arity = 1
    template = "substr(%(expressions)s, 1, 13)"  # as SQLite stores it

    def as_postgresql(self, compiler, connection, **extra):  # type: ignore[no-untyped-def]
        """Return the same for a PostgreSQL time with a zone."""
        template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24')"
        return self.as_sql(compiler, connection, template=template, **extra)


class Length(Func):
    """The length of a JSON list."""

    output_field = IntegerField()
    arity = 1
    function = "json_array_length"

    def as_postgresql(self, compiler, connection, **extra):  # type: ignore[no-untyped-def]
        """Return the same for jsonb."""
        return self.as_sql(compiler, connection, function="jsonb_array_length", **extra)
