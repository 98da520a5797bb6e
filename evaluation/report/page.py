"""A report as one HTML page that needs nothing else: no script, no other file, no network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files

from evaluation.report.charts import chart_svg, numbers
from evaluation.report.model import Bars, Gallery, Item, Lines, Matrix, Picture, Report, Section, Table, say

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What the page may load: nothing but what is in it."""


@cache
def style() -> str:
    """Return the style sheet of the page."""
    return (files("evaluation.report") / "style.css").read_text(encoding="utf-8")


def page(report: Report) -> str:
    """Return the whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}</title>\n<style>\n{style()}</style>\n</head>\n"
        f"<body>\n{body(report)}</body>\n</html>\n"
    )


def body(report: Report) -> str:
    """Return what is within the body. It has neither styles nor scripts of its own, only classes."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in report.facts)
    links = "".join(
        f'<li><a href="#part-{at}">{escape(section.title)}</a></li>'
        for at, section in enumerate(report.sections)
    )
    nav = f'<nav aria-label="Parts of this page"><ul>{links}</ul></nav>' if len(report.sections) > 1 else ""
    sections = "".join(_section(section, at) for at, section in enumerate(report.sections))
    return (
        f'<header><h1>{escape(report.title)}</h1><dl class="facts">{facts}</dl>{nav}</header>\n'
        f"<main>\n{sections}</main>\n"
    )


def _section(section: Section, at: int) -> str:
    text = f"<p>{escape(section.text)}</p>" if section.text else ""
    items = "".join(_item(item, f"item-{at}-{place}") for place, item in enumerate(section.items))
    return (
        f'<section aria-labelledby="part-{at}"><h2 id="part-{at}">{escape(section.title)}</h2>{text}'
        f'<div class="items">{items}</div></section>\n'
    )


def _item(item: Item, name: str) -> str:
    if isinstance(item, Table):
        wide = ' class="wide"' if len(item.columns) > 5 else ""
        table = _table(item)
        if item.folded:
            table = f"<details><summary>Show {len(item.rows):,} rows</summary>{table}</details>"
        return f"<div{wide}>{_titled(item.title, name)}{table}{_note(item.note)}</div>"
    if isinstance(item, Matrix):
        return f'<div class="wide">{_titled(item.title, name)}{_matrix(item)}{_note(item.note)}</div>'
    if isinstance(item, Gallery):
        pictures = "".join(map(_picture, item.pictures))
        key = (
            '<p class="note"><span class="key truth"></span>truth '
            '<span class="key predicted"></span>predicted</p>'
        )
        return (
            f'<div class="wide">{_titled(item.title, name)}{key}<div class="gallery">{pictures}</div></div>'
        )
    if isinstance(item, Bars):  # its bars have their numbers beside them
        return f"<div>{_titled(item.title, name)}{chart_svg(item)}</div>"
    numbers_of = f"<details><summary>Numbers</summary>{_numbers(item)}</details>"
    return f"<div>{_titled(item.title, name)}{chart_svg(item)}{numbers_of}</div>"


def _titled(title: str, name: str) -> str:
    return f'<h3 id="{name}">{escape(title)}</h3>'


def _note(note: str) -> str:
    return f'<p class="note">{escape(note)}</p>' if note else ""


def _scrolled(title: str, rows: Iterator[str]) -> str:
    # Whoever has no mouse scrolls a wide table with the arrow keys, so it takes the focus.
    region = f'<div class="scroll" role="region" aria-label="Table: {escape(title)}" tabindex="0">'
    return f"{region}<table>{''.join(rows)}</table></div>"


def _table(table: Table) -> str:
    number = ["" if column.kind == "text" else ' class="number"' for column in table.columns]

    def rows() -> Iterator[str]:
        head = "".join(
            f'<th scope="col"{kind}>{escape(column.name)}</th>'
            for column, kind in zip(table.columns, number, strict=True)
        )
        yield f"<thead><tr>{head}</tr></thead><tbody>"
        for row in table.rows:
            cells = [
                f"{kind}>{escape(say(cell, column.kind))}"
                for cell, column, kind in zip(row, table.columns, number, strict=True)
            ]
            rest = "".join(f"<td{cell}</td>" for cell in cells[1:])
            yield f'<tr><th scope="row"{cells[0]}</th>{rest}</tr>'
        yield "</tbody>"

    return _scrolled(table.title, rows())


def _matrix(matrix: Matrix) -> str:
    most = max((count for row in matrix.counts for count in row), default=0)

    def rows() -> Iterator[str]:
        head = "".join(f'<th scope="col" class="number">{escape(column)}</th>' for column in matrix.columns)
        yield f"<thead><tr><td></td>{head}</tr></thead><tbody>"
        for label, counts in zip(matrix.rows, matrix.counts, strict=True):
            cells = "".join(
                f'<td class="number heat-{0 if not most else -(-4 * count // most)}">{count:,}</td>'
                for count in counts
            )
            yield f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>'
        yield "</tbody>"

    return _scrolled(matrix.title, rows())


def _numbers(chart: Lines) -> str:
    header, *rows = numbers(chart)

    def parts() -> Iterator[str]:
        head = "".join(f'<th scope="col" class="number">{escape(one)}</th>' for one in header[1:])
        yield f'<thead><tr><th scope="col">{escape(header[0])}</th>{head}</tr></thead><tbody>'
        for row in rows:
            cells = "".join(f'<td class="number">{escape(one)}</td>' for one in row[1:])
            yield f'<tr><th scope="row">{escape(row[0])}</th>{cells}</tr>'
        yield "</tbody>"

    return _scrolled(f"Numbers: {chart.title}", parts())


def _picture(picture: Picture) -> str:
    source = f"data:image/jpeg;base64,{b64encode(picture.jpeg).decode()}"
    outlines = []
    for outline in picture.outlines:
        left, top, right, bottom = outline.box
        shape = f'x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"'
        outlines.append(f'<rect class="edge" {shape}/><rect class="{outline.kind}" {shape}/>')
        if outline.label:
            size = max(picture.width, picture.height) / 18
            place = f'x="{left + size / 4:g}" y="{top + size:g}" font-size="{size:g}"'
            outlines.append(f'<text class="{outline.kind}" {place}>{escape(outline.label)}</text>')
    return (
        f'<figure><svg viewBox="0 0 {picture.width} {picture.height}" role="img" '
        f'aria-label="{escape(f"{picture.title}: {picture.text}")}">'
        f'<image href="{source}" width="{picture.width}" height="{picture.height}"/>{"".join(outlines)}</svg>'
        f"<figcaption><strong>{escape(picture.title)}</strong>{escape(picture.text)}</figcaption></figure>"
    )
