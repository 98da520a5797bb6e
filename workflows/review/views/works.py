"""An image: its chunks and chains."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from workflows.review.permissions import viewing
from workflows.review.views.common import around, page
from workflows.review.works import WorkPage, work_page


@viewing
def work(request: HttpRequest, pk: int) -> HttpResponse:
    """The image with its captions and chains."""
    found = work_page(pk)
    if found is None:
        raise Http404
    return show(request, found)


def show(request: HttpRequest, found: WorkPage, status: int = 200, **more: object) -> HttpResponse:
    """The page, with whatever form came back with errors."""
    name = found.work.image.name
    context = {"found": found, "crumb": name, **around(request, found.open_cases), **more}
    return page(request, "work", context, title=name, status=status)
