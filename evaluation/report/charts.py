"""The charts of a report: horizontal bars with their values beside them, and lines of shares."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evaluation.report.model import Bars, Lines, say
from evaluation.report.plots import Plot, Row, draw, shortened

_LONGEST = 19
"""Characters of a label in the picture; the whole of it is its title."""
_WRITTEN = 11
"""Up to so many numbers below lines are all written; of more, about six."""


def chart_svg(chart: Bars | Lines) -> str:
    """Return the picture of a chart. Its colours come from the page's style."""
    rows = tuple(
        Row(
            name,
            tuple(None if value is None or math.isnan(value) else value for value in values),
            tuple(say(value, "share") for value in values),
        )
        for name, values in chart.series.items()
    )
    if isinstance(chart, Bars):
        labels = tuple(shortened(label, _LONGEST) for label in chart.labels)
        plot = Plot("bars", chart.title, labels, chart.labels, rows, _percent, horizontal=True, beside=True)
    else:
        words = tuple(f"{x:g}" for x in chart.x)
        step = 1 if len(words) <= _WRITTEN else (len(words) - 1) // 5
        shown = frozenset(range(0, len(words), step))
        plot = Plot(
            *("lines", chart.title, words, words, rows, _percent),
            shown=shown,
            across=chart.x,
            below=chart.x_name,
        )
    return draw(plot, alone=False)


def _percent(share: float) -> str:
    return f"{100 * share:g}%"


def numbers(chart: Lines) -> Iterator[tuple[str, ...]]:
    """Yield the header and the rows of a chart's numbers, in words."""
    yield (chart.x_name, *chart.series)
    for at, x in enumerate(chart.x):
        yield (f"{x:g}", *(say(values[at], "share") for values in chart.series.values()))
