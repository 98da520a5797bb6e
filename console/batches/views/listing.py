"""The batches of a project, and what one would cost."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from annotation.models import Project
from console.access import viewing
from console.batches import listing
from console.batches.words import ACTIONS, STATES
from console.pages import page
from console.review.queue import read_number


@viewing
def batches(request: HttpRequest, pk: int) -> HttpResponse:
    """The newest first."""
    project = get_object_or_404(Project, pk=pk)
    rows, more = listing.batch_list(project, read_number(request.GET, "before") or 0)
    context = {
        "project": project,
        "place": "batches",
        "rows": [
            (
                row,
                STATES[row.batch.state],
                [(action, ACTIONS[action]) for action in listing.actions(row.batch)],
            )
            for row in rows
        ],
        "more": more,
        "counted_at": max((row.kept.counted_at for row in rows if row.kept.counted_at), default=None),
    }
    return page(request, "batches/list.html", context, title=f"Batches of {project.name}")
