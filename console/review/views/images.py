"""The page of an image: its photograph, captions, chains, and what was decided about it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from annotation.models import Batch
from console.common.access import viewing
from console.review.image_page import work_page
from console.review.views.common import around, page


@viewing
@require_safe
def work(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the image with its captions, chains, decisions and cases."""
    found = work_page(pk)
    if found is None:
        raise Http404
    name = found.work.image.name
    context = {
        "found": found,
        "place": "review",
        "project": found.work.batch.project,
        "crumb": name,
        "open": found.work.active and found.work.batch.state != Batch.State.DRAFT,
        **around(request, found.open_cases),
    }
    return page(request, "work", context, title=name)
