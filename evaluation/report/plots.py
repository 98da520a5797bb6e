"""From numbers to an SVG: bars and lines. Pure: the same numbers give the same bytes.

A picture has classes and neither styles nor scripts, so that a strict policy allows it. The style sheet of
its page colours it; a picture that stands alone has colours of its own.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

WIDTH, FONT = 400, 13
"""In units of the picture: on a phone it is about 350 pixels wide, and words stay at 11 pixels or more."""
COLOURS = ("#0067a5", "#c04e00", "#007a5a", "#8a4f9e", "#7a6400", "#5f6b75")
"""Told apart by the colour-blind, and 3:1 or better against white. Style sheets have them, and dark ones."""
HATCHES = ("", "M0 6 6 0", "M0 3H6", "M0 0 6 6", "M3 0V6", "M0 6 6 0M0 0 6 6")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
PAPER = "#fff"
DOTTED = 31
"""Up to so many points of a line are drawn as points, too: one alone is no line."""
_TALL = 200
_WORD = 0.56 * FONT  # how wide a character is
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Row:
    """A series to draw: `words` says each value, where there is one; a reference is drawn hollow.

    `spans` are the intervals of values, drawn over bars; empty: the series has none.
    """

    name: str
    values: tuple[float | None, ...]
    words: tuple[str, ...]
    reference: bool = False
    spans: tuple[tuple[float, float] | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """What is drawn: hashable. `labels` are the short ones, `full` the whole words behind them."""

    kind: str  # "bars", "stacked" or "lines"
    title: str
    labels: tuple[str, ...]
    full: tuple[str, ...]
    rows: tuple[Row, ...]
    say: Callable[[float], str]
    horizontal: bool = False
    shown: frozenset[int] | None = None  # the labels below a line that are written out
    whole: bool = False  # whole numbers only
    beside: bool = False  # each horizontal bar has its value beside it, instead of an axis of values
    across: tuple[float, ...] = ()  # where the points of lines are; empty: evenly spaced
    below: str = ""  # the name of the axis below lines


@dataclass(frozen=True, slots=True)
class _Area:
    """Where the plot is in the picture, and from which value to which it goes."""

    left: float
    top: float
    wide: float
    tall: float
    low: float
    high: float
    horizontal: bool

    def at(self, value: float) -> float:
        """Return the place of a value: from the left for horizontal bars, otherwise from the top."""
        part = (value - self.low) / (self.high - self.low)
        return self.left + self.wide * part if self.horizontal else self.top + self.tall * (1 - part)


def draw(plot: Plot, *, alone: bool) -> str:
    """Return the SVG. With `alone`, it has its own title and colours, for a file."""
    top = FONT * 2 if alone else 0
    tall = _height(plot)
    name = "chart-" + hashlib.blake2s(repr((plot.title, plot.rows)).encode()).hexdigest()[:10]
    key, below = _key(plot, name, top + tall)
    height = top + tall + below
    title = escape(fit(plot.title))
    file = head = ""
    if alone:
        file = f' xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:g}"'
        head = (
            f'<style>{style()}</style><rect class="paper" width="{WIDTH}" height="{height:g}"/>'
            f'<text class="heading" x="4" y="{FONT + 4}">{title}</text>'
        )
    # Not "chart": the admin's script takes every .chart for a canvas.
    parts = (*_patterns(plot, name), *_body(plot, name, top, tall), *key)
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height:g}" role="img"{file}><title>{title}</title>'
        f"{head}{''.join(parts)}</svg>"
    )


def fit(text: str) -> str:
    """Return the words without characters that XML does not allow."""
    return _UNFIT.sub("\ufffd", text)


def shortened(label: str, most: int) -> str:
    """Return a label of at most so many characters."""
    return label if len(label) <= most else label[: most - 1].rstrip() + "…"


def style() -> str:
    """The look of a picture that stands alone: on white, in plain words of CSS that every program reads."""
    lines = [
        f".plot text {{ font: {FONT}px system-ui, sans-serif; fill: #333; }}",
        ".plot .heading { font-weight: 600; }",
        f".paper, .hatch {{ fill: {PAPER}; stroke: {PAPER}; }}",
        ".axis { fill: none; stroke: #8a8a8a; } .guide { fill: none; stroke: #e0e0e0; }",
        f".bar {{ stroke: {PAPER}; }} .reference {{ fill: {PAPER}; stroke: #333; stroke-width: 1.5; }}",
        ".line { fill: none; stroke-width: 2; } .span { fill: none; stroke: #333; stroke-width: 1.5; }",
    ]
    for place, colour in enumerate(COLOURS):
        lines.append(f".s{place} {{ fill: {colour}; }} .line.s{place} {{ fill: none; stroke: {colour}; }}")
    return "\n".join(lines)


def _height(plot: Plot) -> int:
    beside = 1 if plot.kind == "stacked" else len(plot.rows)
    axis = 12 if plot.beside else 40
    return len(plot.labels) * (10 + 14 * beside) + axis if plot.horizontal else _TALL + 18 * bool(plot.below)


def _body(plot: Plot, name: str, top: float, tall: float) -> Iterator[str]:
    ticks = _ticks(plot)
    words = [plot.say(tick) for tick in ticks]
    left = 16 + _WORD * max(map(len, plot.labels if plot.horizontal else words), default=0)
    right = 54 if plot.beside else 26
    foot = (6 if plot.beside else 24) + 18 * bool(plot.below)
    area = _Area(left, top + 8, WIDTH - left - right, tall - 8 - foot, ticks[0], ticks[-1], plot.horizontal)
    bottom = area.top + area.tall
    for tick, word in zip(ticks, words, strict=True):
        at, kind = area.at(tick), "guide" if tick else "axis"
        if plot.beside and tick:
            continue
        yield f'<path class="{kind}" d="' + (
            f'M{at:.1f} {area.top:g}V{bottom:g}"/>'
            if plot.horizontal
            else f'M{left:.1f} {at:.1f}H{WIDTH - right}"/>'
        )
        if not plot.beside:
            yield (
                _text(at, bottom + 16, "middle", word)
                if plot.horizontal
                else _text(left - 6, at + 4, "end", word)
            )
    places = _places(plot, area)
    for at, place in enumerate(places):
        if plot.shown is None or at in plot.shown:
            x, y, anchor = (left - 6, place + 4, "end") if plot.horizontal else (place, bottom + 16, "middle")
            yield _text(x, y, anchor, plot.labels[at], plot.full[at])
    if plot.below:
        yield _text(left + area.wide / 2, bottom + 34, "middle", plot.below)
    yield from _lines(plot, area, places) if plot.kind == "lines" else _bars(plot, area, places, name)


def _ticks(plot: Plot) -> list[float]:
    """Return round values from the lowest (at most 0) to the highest."""
    known = [value for row in plot.rows for value in row.values if value is not None]
    known += [end for row in plot.rows for span in row.spans for end in span or ()]
    low, high = min([0.0, *known]), max([0.0, *known])
    if plot.kind == "stacked":
        columns = zip(*(row.values for row in plot.rows), strict=True)
        high = max([0.0, *(sum(value or 0 for value in column) for column in columns)])
    most = 3 if plot.horizontal and high >= 1e6 else 5  # such words are wide
    span = (high - low) or 1
    unit = 10 ** math.floor(math.log10(span / most))
    step = next(unit * one for one in (1, 2, 5, 10) if span / (unit * one) <= most + 1e-9)
    if plot.whole:
        step = max(step, 1)
    first, last = math.floor(low / step + 1e-9), max(math.ceil(high / step - 1e-9), 1)
    return [round(at * step, 12) for at in range(first, last + 1)]


def _places(plot: Plot, area: _Area) -> list[float]:
    """Return where each label is: the middle of its bars, or its point on a line."""
    count = len(plot.labels)
    if plot.kind == "lines":
        xs = plot.across or tuple(range(count))
        span = (xs[-1] - xs[0]) if count > 1 else 0
        return [area.left + area.wide * ((x - xs[0]) / span if span else 0.5) for x in xs]
    start, room = (area.top, area.tall) if plot.horizontal else (area.left, area.wide)
    return [start + room * (at + 0.5) / count for at in range(count)]


def _lines(plot: Plot, area: _Area, places: list[float]) -> Iterator[str]:
    for at, row in enumerate(plot.rows):
        title = f"<title>{escape(fit(row.name))}</title>"
        points = list(zip(places, row.values, strict=True))
        for known, run in groupby(points, key=lambda point: point[1] is not None):
            if known:
                path = "L".join(f"{x:.1f} {area.at(y or 0):.1f}" for x, y in run)
                yield f'<path class="line s{at % len(COLOURS)}"{_dash(at)} d="M{path}">{title}</path>'
        if len(places) <= DOTTED:
            for place, (x, y) in enumerate(points):
                if y is not None:
                    yield (
                        f'<circle class="dot s{at % len(COLOURS)}" r="3" cx="{x:.1f}" cy="{area.at(y):.1f}">'
                        f"{_words(plot, row, place)}</circle>"
                    )


def _bars(plot: Plot, area: _Area, places: list[float], name: str) -> Iterator[str]:
    group = (area.tall if plot.horizontal else area.wide) / max(len(places), 1)
    thick = 0.8 * group / (1 if plot.kind == "stacked" else len(plot.rows) or 1)
    thin = thick - 2  # so that bars do not touch
    spans: list[str] = []  # over all bars
    for place, middle in enumerate(places):
        reached = 0.0
        for at, row in enumerate(plot.rows):
            value, side = row.values[place], middle - 0.4 * group
            if plot.kind != "stacked":
                side += at * thick
            begin, end = area.at(reached), area.at(reached + (value or 0))
            if plot.kind == "stacked":
                reached += value or 0
            if plot.beside:
                yield _text(max(begin, end) + 5, side + thick / 2 + 4, "start", row.words[place])
            if value is not None and row.spans and (span := row.spans[place]):
                spans.append(_span(area, span, side + thin / 2))
            if not value:
                continue
            low, long = min(begin, end), abs(end - begin)
            x, y, wide, high = (low, side, long, thin) if plot.horizontal else (side, low, thin, long)
            yield (
                f'<rect {_look(row, at, name)} x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" '
                f'height="{high:.1f}">{_words(plot, row, place)}</rect>'
            )
    yield from spans


def _span(area: _Area, span: tuple[float, float], middle: float) -> str:
    """Return an interval as a line with its ends, across the middle of a bar."""
    low, high = (area.at(end) for end in span)
    if area.horizontal:
        d = f"M{low:.1f} {middle - 4:.1f}v8m0-4H{high:.1f}m0-4v8"
    else:
        d = f"M{middle - 4:.1f} {low:.1f}h8m-4 0V{high:.1f}m-4 0h8"
    return f'<path class="span" d="{d}"/>'


def _text(x: float, y: float, anchor: str, words: str, full: str = "") -> str:
    title = f"<title>{escape(fit(full))}</title>" if full and full != words else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(fit(words))}{title}</text>'


def _words(plot: Plot, row: Row, at: int) -> str:
    return f"<title>{escape(fit(f'{plot.full[at]}: {row.words[at]} ({row.name})'))}</title>"


def _dash(place: int) -> str:
    # Where a colour comes again, its dashes are others.
    dash = DASHES[(place + place // len(COLOURS)) % len(DASHES)]
    return f' stroke-dasharray="{dash}"' if dash else ""


def _look(row: Row, place: int, name: str) -> str:
    if row.reference:
        return 'class="reference"'
    if HATCHES[place % len(HATCHES)]:
        return f'class="bar" fill="url(#{name}-{place})"'
    return f'class="bar s{place % len(COLOURS)}"'


def _patterns(plot: Plot, name: str) -> Iterator[str]:
    for place, row in enumerate(plot.rows):
        hatch = HATCHES[place % len(HATCHES)]
        if hatch and not row.reference and plot.kind != "lines":
            yield (
                f'<pattern id="{name}-{place}" patternUnits="userSpaceOnUse" width="6" height="6">'
                f'<rect class="s{place % len(COLOURS)}" width="6" height="6"/>'
                f'<path class="hatch" d="{hatch}"/></pattern>'
            )


def _key(plot: Plot, name: str, top: float) -> tuple[list[str], float]:
    """Which series is which, in lines below `top`; and how high that is."""
    if len(plot.rows) < 2:
        return [], 0
    x, y, found = 4.0, top + FONT, []
    for place, row in enumerate(plot.rows):
        words = shortened(row.name, 48)
        wide = 22 + len(words) * _WORD
        if x > 4 and x + wide > WIDTH - 4:
            x, y = 4.0, y + FONT + 7
        if plot.kind == "lines":
            mark = f'<path class="line s{place % len(COLOURS)}"{_dash(place)} d="M{x:g} {y - 4:g}h16"/>'
        else:
            mark = f'<rect {_look(row, place, name)} x="{x:g}" y="{y - 10:g}" width="14" height="11"/>'
        found.append(mark + _text(x + 20, y, "start", words, row.name))
        x += wide + 12
    return found, y - top + 8
