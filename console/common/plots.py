"""From numbers to a clean SVG: pygal scales and lays out, and only shapes, words and classes are taken over.

What pygal writes besides (a style, a script, the date, ids, words for its own tooltips) is left behind: the
Content Security Policy lets neither style nor script in, and the same numbers have to give the same bytes.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree as ET

import pygal
from pygal.style import Style

# It looks for maps that are packages of their own, in a way that Python warns about at every import since.
sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, pygal.PluginImportFixer)]

WIDTH, FONT = 400, 13
"""In units of the picture: on a phone it is about 350 pixels wide, and words stay at 11 pixels or more."""
COLOURS = ("#0067a5", "#c04e00", "#007a5a", "#8a4f9e", "#7a6400", "#5f6b75")
"""Told apart by the colour-blind, and 3:1 or better against white. charts.css has the same, and dark ones."""
HATCHES = ("", "M0 6 6 0", "M0 3H6", "M0 0 6 6", "M3 0V6", "M0 6 6 0M0 0 6 6")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2")
PAPER = "#fff"
DOTTED = 31
"""Up to so many points of a line are drawn as points, too: one alone is no line."""

_NUMBER = re.compile(r"-?\d+\.\d+")
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Row:
    """A series to draw: `words` says each value, where there is one; a reference is drawn hollow."""

    name: str
    values: tuple[float | None, ...]
    words: tuple[str, ...]
    reference: bool = False


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


@lru_cache(maxsize=512)  # pygal takes 10 ms, and a dashboard with a dozen charts is looked at again and again
def draw(plot: Plot, *, alone: bool) -> str:
    """Return the SVG. With `alone`, it has its own title and colours, for a file."""
    tall = _height(plot)
    graph = _graph(plot, tall)
    name = "chart-" + hashlib.blake2s(repr(plot.title).encode() + repr(plot.rows).encode()).hexdigest()[:10]
    top = FONT * 2 if alone else 0
    key, below = _key(plot, name, top + tall)
    height = top + tall + below
    # Not "chart": the admin's script takes every .chart for a canvas.
    svg = ET.Element("svg", {"viewBox": f"0 0 {WIDTH} {height}", "role": "img", "class": "plot"})
    if alone:
        svg.attrib |= {"xmlns": "http://www.w3.org/2000/svg", "width": str(WIDTH), "height": str(height)}
    ET.SubElement(svg, "title").text = fit(plot.title)
    if alone:
        ET.SubElement(svg, "style").text = style()
        ET.SubElement(svg, "rect", {"class": "paper", "width": str(WIDTH), "height": str(height)})
        ET.SubElement(svg, "text", {"class": "heading", "x": "4", "y": str(FONT + 4)}).text = fit(plot.title)
    svg.extend(_patterns(plot, name))
    body = ET.SubElement(svg, "g", {"transform": f"translate(0 {top})"} if top else {})
    _take_over(graph.render_tree(), body, plot, name)
    svg.extend(key)
    return ET.tostring(svg, encoding="unicode")


def fit(text: str) -> str:
    """Return the words without characters that XML does not allow."""
    return _UNFIT.sub("\ufffd", text)


def style() -> str:
    """The look of a picture that stands alone: on white, in plain words of CSS that every program reads."""
    lines = [
        f".plot text {{ font: {FONT}px system-ui, sans-serif; fill: #333; }}",
        ".plot .heading { font-weight: 600; }",
        f".paper, .hatch {{ fill: {PAPER}; stroke: {PAPER}; }}",
        ".axis { fill: none; stroke: #8a8a8a; } .guide { fill: none; stroke: #e0e0e0; }",
        f".bar {{ stroke: {PAPER}; }} .reference {{ fill: {PAPER}; stroke: #333; stroke-width: 1.5; }}",
        ".line { fill: none; stroke-width: 2; }",
    ]
    for place, colour in enumerate(COLOURS):
        lines.append(f".s{place} {{ fill: {colour}; }} .line.s{place} {{ fill: none; stroke: {colour}; }}")
    return "\n".join(lines)


def _height(plot: Plot) -> int:
    beside = 1 if plot.kind == "stacked" else len(plot.rows)
    return len(plot.labels) * (10 + 14 * beside) + 40 if plot.horizontal else 200


def _largest(plot: Plot) -> float:
    return max((value for row in plot.rows for value in row.values if value is not None), default=0)


def _graph(plot: Plot, tall: int) -> Any:
    order = -1 if plot.horizontal else 1  # pygal begins at the bottom
    shape = {
        ("bars", False): pygal.Bar,
        ("bars", True): pygal.HorizontalBar,
        ("stacked", False): pygal.StackedBar,
        ("stacked", True): pygal.HorizontalStackedBar,
        ("lines", False): pygal.Line,
    }[plot.kind, plot.horizontal]
    graph = shape(
        width=WIDTH,
        height=tall,
        style=Style(label_font_size=FONT, major_label_font_size=FONT),
        css=(),
        js=(),
        no_prefix=True,
        show_legend=False,
        margin=4,
        margin_left=10,
        margin_right=26,
        margin_top=8,
        spacing=6,
        max_scale=3 if plot.horizontal and _largest(plot) >= 1e6 else 5,  # such words are wide
        min_scale=2,
        order_min=0 if plot.whole else None,
        truncate_label=-1,
        value_formatter=plot.say,
        show_dots=len(plot.labels) <= DOTTED,
        include_x_axis=True,
        allow_interruptions=True,
        show_minor_x_labels=plot.shown is None,
        x_labels_major=[str(place) for place in sorted(plot.shown or ())] or None,
    )
    labels = list(plot.labels) if plot.shown is None else [str(n) for n in range(len(plot.labels))]
    graph.x_labels = [fit(label) for label in labels][::order]
    for row in plot.rows:
        graph.add(row.name, list(row.values)[::order])
    return graph


def _take_over(tree: ET.Element, body: ET.Element, plot: Plot, name: str) -> None:
    group = next(node for node in tree.iter("g") if node.get("class") == "plot")
    plotted = ET.SubElement(body, "g", {"transform": group.get("transform", "")})
    over = next(node for node in tree.iter("g") if node.get("class") == "plot overlay")
    for node in group:
        kind = node.get("class") or ""
        if node.tag != "g":
            continue
        if kind.startswith("axis"):
            _axis(node, plotted, plot, labels=("y" if plot.horizontal else "x") in kind.split())
        elif kind.startswith("series"):
            _series(node, plotted, plot, name)
    for node in over:  # the points of lines; bars have none
        place = _place(node)
        known = (at for at, value in enumerate(plot.rows[place].values) if value is not None)
        for at, dot in zip(known, node.iter("circle"), strict=False):
            point = {"class": f"dot s{place % len(COLOURS)}", "r": "3"}
            point |= {key: _round(dot.get(key, "")) for key in ("cx", "cy")}
            ET.SubElement(ET.SubElement(plotted, "circle", point), "title").text = _words(plot, place, at)


def _axis(axis: ET.Element, plotted: ET.Element, plot: Plot, *, labels: bool) -> None:
    anchor = "middle" if "x" in axis.get("class", "").split() else "end"
    places = _places(plot) if labels else iter(())
    for node in axis.iter():
        if node.tag == "path" and not labels:
            edge = "guide" if "guide" in node.get("class", "") else "axis"
            ET.SubElement(plotted, "path", {"class": edge, "d": _round(node.get("d", ""))})
        elif node.tag == "text":
            at = {"x": _round(node.get("x", "")), "y": _round(node.get("y", "")), "text-anchor": anchor}
            text = ET.SubElement(plotted, "text", at)
            text.text = node.text
            if labels and (place := next(places, None)) is not None:
                text.text = fit(plot.labels[place])
                if plot.full[place] != plot.labels[place]:
                    ET.SubElement(text, "title").text = fit(plot.full[place])


def _places(plot: Plot) -> Iterator[int]:
    """Which label each word of the axis is, in the order of pygal."""
    if plot.shown is not None:
        return iter(sorted(plot.shown))
    count = len(plot.labels)
    return iter(range(count - 1, -1, -1) if plot.horizontal else range(count))


def _series(node: ET.Element, plotted: ET.Element, plot: Plot, name: str) -> None:
    place = _place(node)
    row = plot.rows[place]
    if plot.kind == "lines":
        for path in node.iter("path"):
            line = {"class": f"line s{place % len(COLOURS)}", "d": _round(path.get("d", ""))}
            if dash := DASHES[place % len(DASHES)]:
                line["stroke-dasharray"] = dash
            ET.SubElement(ET.SubElement(plotted, "path", line), "title").text = fit(row.name)
        return
    count = len(plot.labels)
    order: Iterable[int] = range(count - 1, -1, -1) if plot.horizontal else range(count)
    if plot.kind == "bars":  # pygal draws nothing for what is not known, unless it stacks
        order = [at for at in order if row.values[at] is not None]
    for at, rect in zip(order, node.iter("rect"), strict=True):
        if not row.values[at]:
            continue
        box = {key: _round(rect.get(key, "")) for key in ("x", "y", "width", "height")}
        bar = ET.SubElement(plotted, "rect", _look(plot, place, name) | box)
        ET.SubElement(bar, "title").text = _words(plot, place, at)


def _place(node: ET.Element) -> int:
    found = re.search(r"serie-(\d+)", node.get("class", ""))
    return int(found.group(1)) if found else 0


def _words(plot: Plot, place: int, at: int) -> str:
    row = plot.rows[place]
    return fit(f"{plot.full[at]}: {row.words[at]} ({row.name})")


def _look(plot: Plot, place: int, name: str) -> dict[str, str]:
    if plot.rows[place].reference:
        return {"class": "reference"}
    if HATCHES[place % len(HATCHES)]:
        return {"class": "bar", "fill": f"url(#{name}-{place})"}
    return {"class": f"bar s{place % len(COLOURS)}"}


def _patterns(plot: Plot, name: str) -> Iterator[ET.Element]:
    if plot.kind == "lines":
        return
    for place, row in enumerate(plot.rows):
        hatch = HATCHES[place % len(HATCHES)]
        if hatch and not row.reference:
            look = {"id": f"{name}-{place}", "patternUnits": "userSpaceOnUse", "width": "6", "height": "6"}
            pattern = ET.Element("pattern", look)
            ET.SubElement(pattern, "rect", {"class": f"s{place % len(COLOURS)}", "width": "6", "height": "6"})
            ET.SubElement(pattern, "path", {"class": "hatch", "d": hatch})
            yield pattern


def _key(plot: Plot, name: str, top: int) -> tuple[list[ET.Element], int]:
    """Which series is which, in lines below `top`; and how high that is."""
    if len(plot.rows) < 2:
        return [], 0
    x, y, found = 4.0, top + FONT, []
    for place, row in enumerate(plot.rows):
        words = row.name if len(row.name) <= 48 else row.name[:47] + "…"
        wide = 22 + len(words) * FONT * 0.56
        if x > 4 and x + wide > WIDTH - 4:
            x, y = 4.0, y + FONT + 7
        if plot.kind == "lines":
            line = {"class": f"line s{place % len(COLOURS)}", "d": f"M{x:g} {y - 4}h16"}
            if dash := DASHES[place % len(DASHES)]:
                line["stroke-dasharray"] = dash
            found.append(ET.Element("path", line))
        else:
            box = {"x": f"{x:g}", "y": f"{y - 10}", "width": "14", "height": "11"}
            found.append(ET.Element("rect", _look(plot, place, name) | box))
        text = ET.Element("text", {"x": f"{x + 20:g}", "y": str(y)})
        text.text = fit(words)
        found.append(text)
        x += wide + 12
    return found, y - top + 8


def _round(text: str) -> str:
    """Numbers of a path or an attribute to a tenth: that is below what a screen shows."""
    return _NUMBER.sub(lambda found: f"{round(float(found.group()), 1):g}", text)
