"""The elements that dashboards consist of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from console.common.charts import Chart

NOT_YET = "Not counted yet."


@dataclass(frozen=True, slots=True)
class Section:
    """A part with a heading; `header` and `rows` are a table of what needs no chart. `name` is its anchor."""

    name: str
    title: str
    charts: Sequence[Chart] = ()
    note: str = ""
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure at the head of a dashboard. `part` of `whole` draws a bar where there is a whole."""

    title: str
    value: str
    note: str = ""
    address: str = ""
    part: int = 0
    whole: int = 0
