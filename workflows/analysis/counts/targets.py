"""What figures are of: a project or one of its batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Func, IntegerField, QuerySet
from django.db.models.functions import Round

from annotation.models import Assignment, ImageWork, Item, Judgment
from workflows.analysis.outcomes import AT_ONCE


@dataclass(frozen=True, slots=True)
class Target:
    """A batch, or a project with all its batches."""

    project_id: int
    batch_id: int | None
    batch_ids: tuple[int, ...]  # whose work is counted

    def judgments(self) -> QuerySet[Judgment]:
        """Everything answered on its pages."""
        return Judgment.objects.filter(assignment__batch__in=self.batch_ids).order_by()

    def pages(self) -> QuerySet[Assignment]:
        """All, whatever became of them."""
        return Assignment.objects.filter(batch__in=self.batch_ids).order_by()

    def items(self) -> QuerySet[Item]:
        """All, withdrawn ones too."""
        return Item.objects.filter(batch__in=self.batch_ids).order_by()

    def works(self) -> QuerySet[ImageWork]:
        """All, those too whose images were let go."""
        return ImageWork.objects.filter(batch__in=self.batch_ids).order_by()


def rows_of(grouped: QuerySet[Any, Any]) -> Iterator[dict[str, Any]]:
    """Rows of `values(...).annotate(...)`, one in memory at a time; mypy knows of these only parts."""
    return iter(grouped.iterator(AT_ONCE))


def tenth() -> Round:
    """Seconds to a tenth: so many values that they can be grouped by, exact enough for a median."""
    return Round("seconds", precision=1)


class Hour(Func):
    """The hour of a time in UTC, as text: `2026-01-31 14`. Truncating is a call into Python on SQLite."""

    output_field = CharField()
    arity = 1
    template = "substr(%(expressions)s, 1, 13)"  # as SQLite stores it

    def as_postgresql(self, compiler, connection, **extra):  # type: ignore[no-untyped-def]
        """The same of a time with a zone."""
        template = "to_char(%(expressions)s AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24')"
        return self.as_sql(compiler, connection, template=template, **extra)


class Length(Func):
    """How long a JSON list is."""

    output_field = IntegerField()
    arity = 1
    function = "json_array_length"

    def as_postgresql(self, compiler, connection, **extra):  # type: ignore[no-untyped-def]
        """The same of what is stored as jsonb."""
        return self.as_sql(compiler, connection, function="jsonb_array_length", **extra)
