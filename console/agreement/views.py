"""The page that says how far workers agree, at the last count."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from console.agreement.report import read_report
from console.common.access import viewing
from console.common.labels import STAGES
from console.common.pages import acted, page, read_number
from workflows.analysis.dataset_statistics import AGREEMENT, KINDS, want_statistics
from workflows.analysis.models import KeptCounts
from workflows.tasks import hint_statistics

BATCHES_SHOWN = 50


@viewing
def project(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the agreement of the stages, and of one stage's workers and questions. A POST counts it again."""
    found = get_object_or_404(Project, pk=pk)
    batch = _batch(request, found)
    stage = request.GET.get("stage", "")
    if stage not in ("", *ALL_STAGES):
        raise Http404
    if request.method == "POST":
        return _count(request, found, batch)
    kept = KeptCounts.objects.filter(project=found, batch=batch, kind=KINDS[AGREEMENT]).first()
    figures = kept.data.get("figures") if kept else None
    wanted = kept.data.get("wanted_at") if kept else None
    context = {
        "project": found,
        "place": "agreement",
        "batch": batch,
        "batches": found.batches.order_by("-pk")[:BATCHES_SHOWN],
        "stage": stage,
        "stages": [(one["stage"], STAGES[one["stage"]]) for one in figures["stages"]] if figures else [],
        "counted_at": kept.counted_at if kept and figures else None,
        "wanted_at": datetime.fromisoformat(wanted) if wanted else None,
        "error": kept.data.get("error") if kept else None,
        "report": read_report(figures, stage) if figures else None,
    }
    return page(request, "agreement/project.html", context, title="Agreement")


def _batch(request: HttpRequest, project: Project) -> Batch | None:
    number = read_number(request.GET, "batch")
    return get_object_or_404(Batch, pk=number, project=project) if number is not None else None


def _count(request: HttpRequest, project: Project, batch: Batch | None) -> HttpResponse:
    with write_transaction():
        wanted = want_statistics(project=project, source=AGREEMENT, batch=batch, now=timezone.now())
        if wanted:
            acted(request, "figures.recount", batch or project, project=project, figures=KINDS[AGREEMENT])
    if wanted:
        hint_statistics(project.pk, AGREEMENT, batch.pk if batch else None)
        messages.success(request, "The count has started. Reload this page in a moment to see it.")
    else:
        messages.info(request, "A count is already running. Reload this page in a moment to see it.")
    return redirect(request.get_full_path())
