"""Charts for the pages and for files: from numbers to a picture and the table of the same numbers.

Pure: the same numbers give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.safestring import SafeString, mark_safe

from console.common.numbers import UNKNOWN, say
from evaluation.report.plots import FONT, WIDTH, Plot, Row, draw, fit, shortened

MAX_LABEL_LENGTH = 24
"""Characters of a label in the picture; the whole of it is its title, and in the table."""
EMPTY = "Nothing to show yet."

Series = Mapping[str, Sequence[float | None]]
Span = tuple[float, float]
"""The ends of a value's interval."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture and its numbers. `svg` is empty where there is nothing to draw, and `empty` says so."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    plot: Plot | None
    empty: str = EMPTY

    @property
    def svg(self) -> SafeString:
        """Return the picture for a page, coloured by charts.css. Every word in it is escaped."""
        return mark_safe(draw(self.plot, alone=False) if self.plot else "")  # noqa: S308 - `draw` escapes it

    def standalone(self) -> bytes:
        """Return an SVG file in colours for white paper; without numbers, it says so."""
        if self.plot:
            return draw(self.plot, alone=True).encode()
        nothing = Plot("bars", f"{self.title}: {self.empty}", (), (), (), str)
        return draw(nothing, alone=True).encode()


def bars(
    title: str,
    labels: Sequence[str],
    series: Series,
    *,
    stacked: bool = False,
    horizontal: bool = False,
    unit: str = "",
    references: Series | None = None,
    spans: Mapping[str, Sequence[Span | None]] | None = None,
) -> Chart:
    """Return a chart of bars by label, without missing values. Bars are horizontal if labels are long.

    `spans` are the intervals of a series by its name. They are drawn over its bars and written after numbers.

    `references` stand beside them, hollow: what the paper found. `unit` is written after a number, "%"
    close to it. Raises ValueError, naming the series, for one that is not as long as the labels, and for
    references on stacked bars.
    """
    if stacked and references:
        raise ValueError("references: stand beside bars, not on stacked ones")
    rows = [_row(name, values, labels, unit, (spans or {}).get(name)) for name, values in series.items()]
    rows += [_row(name, values, labels, unit, reference=True) for name, values in (references or {}).items()]
    short = [shortened(label, MAX_LABEL_LENGTH) for label in labels]
    room = (WIDTH - 70) / max(len(labels), 1)
    plot = Plot(
        kind="stacked" if stacked else "bars",
        title=title,
        labels=tuple(short),
        full=tuple(labels),
        rows=tuple(rows),
        say=_axis_percent if unit == "%" else _axis_number,
        horizontal=horizontal or any(len(label) * FONT * 0.56 > room for label in short),
        whole=_whole(rows),
    )
    return _chart(plot, "")


def lines(title: str, times: Sequence[datetime | date], series: Series, *, unit: str = "") -> Chart:
    """Return a chart of lines over evenly spaced times. A missing value interrupts its line.

    Raises ValueError, naming the series, for one that is not as long as the times.
    """
    last = len(times) - 1
    shown = frozenset(round(n * last / 4) for n in range(5)) if last > 0 else frozenset[int]()
    full, ticks = _say_times(times), _ticks(times)
    return steps(title, full, series, ticks=ticks, corner="time", unit=unit, shown=shown)


def steps(
    title: str,
    labels: Sequence[str],
    series: Series,
    *,
    ticks: Sequence[str],
    corner: str,
    below: str = "",
    unit: str = "",
    shown: frozenset[int] | None = None,
) -> Chart:
    """Return a chart of lines over evenly spaced steps. A missing value interrupts its line.

    `ticks` are the labels for the axis, in short, and `below` is its name. Those at `shown` are written out;
    None: all. `corner` is above the labels in the table.

    Raises ValueError, naming the series, for one that is not as long as the labels.
    """
    rows = [_row(name, values, labels, unit) for name, values in series.items()]
    plot = Plot(
        kind="lines",
        title=title,
        labels=tuple(ticks),
        full=tuple(labels),
        rows=tuple(rows),
        say=_axis_percent if unit == "%" else _axis_number,
        shown=shown,
        whole=_whole(rows),
        below=below,
    )
    return _chart(plot, corner)


def _chart(plot: Plot, corner: str) -> Chart:
    found = any(value for row in plot.rows if not row.reference for value in row.values)
    return Chart(
        title=plot.title,
        header=(corner, *(row.name for row in plot.rows)),
        rows=tuple(
            (label, *(row.words[place] for row in plot.rows)) for place, label in enumerate(plot.full)
        ),
        plot=plot if found else None,
    )


def _row(
    name: str,
    values: Sequence[float | None],
    labels: Sequence[str],
    unit: str,
    spans: Sequence[Span | None] | None = None,
    *,
    reference: bool = False,
) -> Row:
    for of in (values, spans):
        if of is not None and len(of) != len(labels):
            raise ValueError(f"{name}: has {len(of)} values for {len(labels)} labels")
    known = tuple(None if value is None or not math.isfinite(value) else value for value in values)
    words = _words(known, unit)
    if spans is not None:
        words = tuple(_with_span(word, span, unit) for word, span in zip(words, spans, strict=True))
    return Row(fit(name), known, words, reference, tuple(spans or ()))


def _with_span(word: str, span: Span | None, unit: str) -> str:
    if span is None:
        return word
    low, high = _words(span, unit)
    return f"{word} ({low.removesuffix(unit).strip()} to {high})"


def _words(values: Sequence[float | None], unit: str) -> tuple[str, ...]:
    """What stands below one another has as many decimals: 3.00 above 3.20."""
    known = [value for value in values if value is not None]
    if unit == "%" or all(value == int(value) for value in known):
        return tuple(say(value, unit) for value in values)
    if any(0 < abs(value) < 0.01 for value in known):  # two decimals would make it nothing
        return tuple(say(value, unit) for value in values)
    after = f" {unit}" if unit else ""
    return tuple(UNKNOWN if value is None else f"{value:,.2f}{after}" for value in values)


def _axis_number(value: float) -> str:
    return say(value, exact=False)


def _axis_percent(value: float) -> str:
    return say(value, "%", exact=False)


def _whole(rows: Sequence[Row]) -> bool:
    whole = all(value is None or value == int(value) for row in rows for value in row.values)
    return whole and not any(row.spans for row in rows)


def _say_times(times: Sequence[datetime | date]) -> list[str]:
    days = all(not isinstance(time, datetime) or (time.hour, time.minute) == (0, 0) for time in times)
    return [f"{time:%-d %b %Y}" if days else f"{time:%-d %b %Y, %H:%M}" for time in times]


def _ticks(times: Sequence[datetime | date]) -> list[str]:
    """Short, for the axis: the hour within a day and a half, else the day; with the year over New Year."""
    if not times:
        return []
    first, last = times[0], times[-1]
    if isinstance(first, datetime) and isinstance(last, datetime) and last - first < timedelta(hours=36):
        return [f"{time:%H:%M}" for time in times]
    years = first.year != last.year
    return [f"{time:%b %Y}" if years else f"{time:%-d %b}" for time in times]
