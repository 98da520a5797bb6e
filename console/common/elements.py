"""The elements that dashboards consist of."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from annotation.domain.protocols import ALL_STAGES, stages_of
from console.common.charts import Chart

NOT_YET = "Not counted yet."
COLUMNS_ON_A_PHONE = 3
"""A table of more columns is a list on a phone."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part with a heading; `header` and `rows` are a table of what needs no chart. `name` is its anchor."""

    name: str
    title: str
    charts: Sequence[Chart] = ()
    note: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()

    @property
    def wide(self) -> bool:
        """Whether a phone has no room for all columns side by side."""
        return len(self.header) > COLUMNS_ON_A_PHONE

    @property
    def named_rows(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return what each row is about, and its other cells as pairs of the column's name and a word."""
        return [(row[0], list(zip(self.header[1:], row[1:], strict=True))) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure at the head of a dashboard. `part` of `whole` draws a bar where there is a whole."""

    title: str
    value: str
    note: str = ""
    address: str = ""
    part: int = 0
    whole: int = 0


def in_order(stages: Collection[str]) -> list[str]:
    """Return the stages of kept counts in the order of the pipeline; those of the default without any."""
    return [stage for stage in ALL_STAGES if stage in (stages or stages_of(()))]
