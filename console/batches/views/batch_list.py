"""The batches of a project, and what one would cost."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from annotation.models import Batch, Project
from console.batches import selectors
from console.batches.forecast import MAX_WORKERS, outlook
from console.batches.labels import ACTIONS, STATES
from console.common.access import viewing
from console.common.pages import page, read_number
from console.common.ranges import say_plan
from console.common.reach import reach_of
from workflows.batches.domain.knowledge import ENOUGH_TIMES
from workflows.batches.domain.plan import read_plan
from workflows.batches.judge_forecast import forecast_judge


@viewing
def batches(request: HttpRequest, pk: int) -> HttpResponse:
    """The newest first."""
    return _list(request, get_object_or_404(Project, pk=pk))


@viewing
def all_batches(request: HttpRequest) -> HttpResponse:
    """Show the batches of all projects, the newest first."""
    return _list(request, None)


def _list(request: HttpRequest, project: Project | None) -> HttpResponse:
    """Show the batches of the project, with what can be done with them, or those of all projects."""
    rows, more = selectors.batch_list(project, read_number(request.GET, "before") or 0, reach_of(request))
    context = {
        "place": "batches",
        "rows": [
            (
                row,
                STATES[row.batch.state],
                [(action, ACTIONS[action]) for action in selectors.offered(row.batch)],
            )
            for row in rows
        ],
        "more": more,
        "counted_at": max((row.kept.counted_at for row in rows if row.kept.counted_at), default=None),
    }
    if project is not None:
        context["project"] = project
    return page(request, "batches/list.html", context, title="Batches")


@viewing
def forecast(request: HttpRequest, pk: int) -> HttpResponse:
    """What the batch takes from its beginning to its end, with so many workers (`?workers=`)."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    workers = read_number(request.GET, "workers")
    workers = min(max(1, workers), MAX_WORKERS) if workers else None
    over, plan = batch.state in Batch.OVER, read_plan(batch.forecast)
    context = {
        "project": batch.project,
        "batch": batch,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[batch.project_id]))],
        "crumb": f"Forecast of {batch.name}",
        "state": STATES[batch.state],
        "draft": batch.state == Batch.State.DRAFT,
        "over": over,
        "plan": say_plan(plan) if plan else None,
        "judge": None if over else forecast_judge(batch),
        "outlook": None if over else outlook(batch, selectors.touched(batch).images, workers),
        "most_workers": MAX_WORKERS,
        "enough_times": ENOUGH_TIMES,
    }
    return page(request, "batches/forecast.html", context, title=f"Forecast of {batch.name}")
