"""Serves photographs from local folders to workers, by links that are for one worker and expire.

An `<img>` cannot send a worker's token, and there are no cookies in the frames of crowd platforms. So whoever
has a link sees its photograph, as with presigned links of S3.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.image_names import read_link
from workflows.core.byte_ranges import part_of
from workflows.core.photographs import photograph_reply

NOTHING = "There is no photograph here. Its link was changed, or has expired: load the page again.\n"


@require_safe
def photograph(request: HttpRequest, link: str, width: int | None = None) -> HttpResponseBase:
    """Return the photograph that a link leads to, or its rendition of this width. This takes no query."""
    found = read_link(link, now=timezone.now())
    reply = found and photograph_reply(found.file, width=width, seconds=found.seconds)
    if reply:
        return part_of(request, reply)
    return HttpResponse(
        NOTHING,
        status=404,
        content_type="text/plain; charset=utf-8",
        headers={"Cache-Control": "no-store"},
    )
