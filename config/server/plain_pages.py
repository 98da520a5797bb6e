"""Short pages for what goes wrong outside the console, such as a request to a host that is not ours.

They need no database and no template.
"""

from __future__ import annotations

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import get_script_prefix
from django.utils.html import escape

from config.server.request_bodies import API
from workflows.api.problem_details import problem_reply

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
START = '<p><a href="{start}">To the start</a></p>\n'


def plain_page(
    status: int, title: str, text: str, *, start: bool = False, headers: dict[str, str] | None = None
) -> HttpResponse:
    """Return a page with a heading and a sentence; with `start`, also with a link to the start."""
    link = START.format(start=get_script_prefix()) if start else ""
    page = PAGE.format(title=escape(title), text=escape(text), link=link)
    return HttpResponse(page, status=status, headers=headers)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Reply 400: as a problem to the API, as a line of text elsewhere."""
    strange = isinstance(exception, DisallowedHost)
    said = "This site has another name." if strange else "The request cannot be read. Try again."
    if request.path_info.startswith(API):
        return problem_reply(400, said)
    return HttpResponse(f"{said}\n", status=400, content_type="text/plain")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Reply 404 outside the API and the console, which have their own."""
    return plain_page(
        404, "There is nothing here", "The address may be mistyped, or what it led to is gone.", start=True
    )


def forged(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Reply 403 to a form without a valid token: most often, somebody logged in or out in another tab."""
    said = "Nothing was saved: the page was too old. Go back, load it again, and send the form once more."
    return plain_page(403, "Please send it again", said, start=True)
