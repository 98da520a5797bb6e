"""The page of the wall of boxes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.selectors import all_type_names
from annotation.transactions import snapshot
from console.boxes.query import ORIGINS, REVIEWED, STATES, BoxesWanted
from console.boxes.wall import wall
from console.common.access import viewing
from console.common.pages import page, read_number
from console.inspector.search_query import MAX_LETTERS
from workflows.jobs.domain.jobs import MAX_CHOSEN
from workflows.review.models import SavedFilter
from workflows.review.saved_filters import filters_of


@viewing
@require_safe
def boxes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's boxes that meet the conditions."""
    project = get_object_or_404(Project, pk=pk)
    wanted = BoxesWanted.read(request.GET)
    with snapshot():
        found = wall(project, wanted, after=read_number(request.GET, "after") or 0)
    context = {
        "project": project,
        "place": "boxes",
        "wanted": wanted,
        "query": wanted.query(),
        "found": found,
        "types": all_type_names(project.pk),
        "states": STATES.items(),
        "origins": ORIGINS.items(),
        "reviews": REVIEWED.items(),
        "most_letters": MAX_LETTERS,
        "most_chosen": MAX_CHOSEN,
        "filters": filters_of(project, SavedFilter.Page.BOXES),
    }
    return page(request, "boxes/wall.html", context, title=f"Boxes of {project.name}")
