"""Charts as SVG: horizontal bars and lines of shares. Their colours come from the page's style."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TypeGuard

from evaluation.report.model import Bars, Lines, say

WIDTH, FONT = 460, 13
"""In units of the picture: words stay at 10 pixels or more on a phone."""
COLOURS = 6
"""How many colours there are, each with a pattern of dashes of its own."""
_LABEL = 138
_BAR = 15
_DASHES = ("", "7 4", "2 4", "10 4 2 4", "14 4", "4 3 1 3")


def bars_svg(chart: Bars) -> str:
    """Return the bars, each with its value beside it. The longest takes most of the width."""
    beside = max(len(chart.series), 1)
    row = _BAR * beside + 10
    room = (WIDTH - _LABEL - 62) / _most(chart.series)
    parts = []
    for at, label in enumerate(chart.labels):
        y = 6 + at * row
        parts.append(
            f'<text x="{_LABEL - 8}" y="{y + _BAR * beside / 2 + 4:g}" text-anchor="end">'
            f"{escape(_short(label, 19))}{_full(label, 19)}</text>"
        )
        for place, (name, values) in enumerate(chart.series.items()):
            value, top = values[at], y + place * _BAR
            if value is None or math.isnan(value):
                parts.append(f'<text class="value" x="{_LABEL + 5}" y="{top + 11}">–</text>')
                continue
            wide = max(room * value, 0.5)
            title = f"<title>{escape(f'{label}, {name}: ')}{say(value, 'share')}</title>"
            parts.append(
                f'<rect class="fill-{place % COLOURS}" x="{_LABEL}" y="{top + 1}" width="{wide:.1f}" '
                f'height="{_BAR - 2}">{title}</rect>'
                f'<text class="value" x="{_LABEL + wide + 5:.1f}" y="{top + 12}">{100 * value:.1f}%</text>'
            )
    tall = 12 + len(chart.labels) * row
    parts.append(f'<path class="axis" d="M{_LABEL} 2V{tall - 4}"/>')
    return _svg(chart.title, tall, parts, list(chart.series), lines=False)


def lines_svg(chart: Lines) -> str:
    """Return the lines over a grid of quarters, in a range that begins at 0."""
    left, top, tall, wide = 44, 10, 190, WIDTH - 44 - 14
    most = _most(chart.series)
    first, last = chart.x[0], chart.x[-1]
    across = [left + wide * (x - first) / ((last - first) or 1) for x in chart.x]
    parts = []
    for step in range(5):
        y = top + tall * (1 - step / 4)
        parts.append(
            f'<path class="{"guide" if step else "axis"}" d="M{left} {y:g}H{left + wide}"/>'
            f'<text x="{left - 6}" y="{y + 4:g}" text-anchor="end">{100 * most * step / 4:g}%</text>'
        )
    shown = (
        range(len(chart.x)) if len(chart.x) <= 11 else range(0, len(chart.x), (len(chart.x) - 1) // 5 or 1)
    )
    parts += [
        f'<text x="{across[at]:.1f}" y="{top + tall + 17}" text-anchor="middle">{chart.x[at]:g}</text>'
        for at in shown
    ]
    middle = left + wide / 2
    parts.append(
        f'<text x="{middle:g}" y="{top + tall + 35}" text-anchor="middle">{escape(chart.x_name)}</text>'
    )
    for place, (name, values) in enumerate(chart.series.items()):
        points = [(x, top + tall * (1 - y / most)) for x, y in zip(across, values, strict=True) if _known(y)]
        if points:
            path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
            dash = _dash(place)
            title = f"<title>{escape(name)}</title>"
            parts.append(f'<path class="stroke-{place % COLOURS}"{dash} d="{path}">{title}</path>')
    return _svg(chart.title, top + tall + 42, parts, list(chart.series), lines=True)


def _most(series: Mapping[str, Sequence[float | None]]) -> float:
    """Return where the axis ends: a round share that no value is above."""
    most = max((one for values in series.values() for one in values if _known(one)), default=0.0)
    return next(step for step in (0.1, 0.2, 0.4, 0.6, 0.8, 1.0) if most <= step + 1e-9)


def _known(value: float | None) -> TypeGuard[float]:
    return value is not None and not math.isnan(value)


def _svg(title: str, tall: float, parts: Sequence[str], names: Sequence[str], *, lines: bool) -> str:
    key, below = ("", 0.0) if len(names) < 2 else _key(names, tall, lines)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {tall + below:g}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}{key}</svg>"
    )


def _key(names: Sequence[str], top: float, lines: bool) -> tuple[str, float]:
    x, y, parts = 4.0, top + FONT, []
    for place, name in enumerate(names):
        words = _short(name, 44)
        wide = 28 + len(words) * FONT * 0.57
        if x > 4 and x + wide > WIDTH:
            x, y = 4.0, y + 20
        if lines:
            mark = f'<path class="stroke-{place % COLOURS}"{_dash(place)} d="M{x:g} {y - 4:g}h20"/>'
        else:
            mark = f'<rect class="fill-{place % COLOURS}" x="{x:g}" y="{y - 10:g}" width="14" height="11"/>'
        parts.append(f'{mark}<text x="{x + 25:g}" y="{y:g}">{escape(words)}{_full(name, 44)}</text>')
        x += wide + 10
    return "".join(parts), y - top + 8


def _dash(place: int) -> str:
    # Where a colour comes again, its dashes are others.
    dash = _DASHES[(place + place // COLOURS) % len(_DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _short(label: str, most: int) -> str:
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"


def _full(label: str, most: int) -> str:
    return f"<title>{escape(label)}</title>" if len(label) > most else ""


def numbers(chart: Lines) -> Iterator[tuple[str, ...]]:
    """Yield the header and the rows of a chart's numbers, in words."""
    yield (chart.x_name, *chart.series)
    for at, x in enumerate(chart.x):
        yield (f"{x:g}", *(say(values[at], "share") for values in chart.series.values()))
