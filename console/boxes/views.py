"""The pages of all boxes and of all chains of a project."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from annotation.models import Project
from annotation.selectors import all_type_names
from annotation.transactions import snapshot
from console.boxes.chains import chains
from console.boxes.query import ORIGINS, REVIEWED, STATES, BoxesWanted
from console.boxes.wall import wall
from console.common.access import viewing
from console.common.pages import page, read_number
from console.common.reach import reach_of
from console.inspector.search_query import DISAGREEMENTS, MAX_LETTERS, Wanted
from console.inspector.search_query import STATES as IMAGE_STATES
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
        "place": "images",
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


@viewing
@require_safe
def chain_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's chains that meet the conditions."""
    project = get_object_or_404(Project, pk=pk)
    wanted = Wanted.read(request.GET)
    with snapshot():
        found = chains(project, wanted, after=read_number(request.GET, "after") or 0)
    context = {
        "project": project,
        "place": "images",
        "wanted": wanted,
        "query": wanted.query(),
        "found": found,
        "types": all_type_names(project.pk),
        "states": [(state, words) for state, words in IMAGE_STATES.items() if state.startswith("chain-")],
        "disagreements": DISAGREEMENTS.items(),
        "most_letters": MAX_LETTERS,
    }
    return page(request, "boxes/chains.html", context, title=f"Chains of {project.name}")


@viewing
@require_safe
def newest_chains(request: HttpRequest) -> HttpResponse:
    """Lead to the chains of the newest project, or to the projects if there is none."""
    newest = Project.objects.filter(reach_of(request).rows("pk"), archived_at=None).order_by("-pk").first()
    return redirect("boxes:chains", newest.pk) if newest else redirect("admin:index")
