"""Short pages for what goes wrong outside the console. They need no database and no template."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.html import escape

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<h1>{title}</h1>
<p>{text}</p>
{link}</html>
"""
START = '<p><a href="/">To the start</a></p>\n'


def plain_page(
    status: int, title: str, text: str, *, start: bool = False, headers: dict[str, str] | None = None
) -> HttpResponse:
    """Return a page with a heading and a sentence; with `start`, also with a link to the start."""
    page = PAGE.format(title=escape(title), text=escape(text), link=START if start else "")
    return HttpResponse(page, status=status, headers=headers)
