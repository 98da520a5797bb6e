"""The page with the statistics of a project's data set at the last count."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from annotation.domain.statistics import Sums
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from console.common.access import overseeing
from console.common.elements import Section
from console.common.pages import acted, page, read_number
from console.common.spot_check_rates import HEADER, rate_rows
from console.statistics.sections import cut_sections, sections
from workflows.analysis.dataset_statistics import KINDS, want_statistics
from workflows.analysis.domain.cuts import CutPattern
from workflows.analysis.models import KeptCounts
from workflows.review.spot_checks import newest_rates
from workflows.tasks import hint_statistics

BATCHES_SHOWN = 50
SOURCES = ("crowd", "gold")


@overseeing
def project(request: HttpRequest, pk: int) -> HttpResponse:
    """Show statistics of the crowd, of one `?batch=`, or of `?source=gold`. A POST asks for a new count."""
    found = Project.objects.filter(pk=pk).first()
    source = request.GET.get("source", "crowd")
    if found is None or source not in SOURCES:
        raise Http404
    batch = _batch(request, found) if source == "crowd" else None
    if request.method == "POST":
        return _count(request, found, source, batch)
    kept = KeptCounts.objects.filter(project=found, batch=batch, kind=KINDS[source]).first()
    figures = kept.data.get("figures") if kept else None
    sums = Sums.from_json(figures["sums"]) if figures else None
    wanted = kept.data.get("wanted_at") if kept else None
    counted = sections(sums) if sums and sums.images else []
    context = {
        "project": found,
        "counted": bool(counted),
        "place": "statistics",
        "source": source,
        "batch": batch,
        "batches": found.batches.order_by("-pk")[:BATCHES_SHOWN],
        "counted_at": kept.counted_at if kept and figures else None,
        "wanted_at": datetime.fromisoformat(wanted) if wanted else None,
        "error": kept.data.get("error") if kept else None,
        "left_out": ", ".join(figures.get("without", ())) if figures else "",
        "sections": [
            *counted,
            *cut_sections([CutPattern(**one) for one in figures.get("cuts", ())] if figures else []),
            *(_errors(found) if source == "crowd" and batch is None else []),
        ],
    }
    return page(request, "statistics/project.html", context, title="Statistics")


def _errors(project: Project) -> list[Section]:
    """Return the error rates of the newest spot check with a verdict, if there is one. Two queries."""
    found = newest_rates(project)
    if found is None:
        return []
    said = f"A researcher has looked at {len(found.verdicts)} of the {len(found.units)} that were drawn."
    return [Section("errors", "Errors", note=said, header=HEADER, rows=rate_rows(found))]


def _batch(request: HttpRequest, project: Project) -> Batch | None:
    number = read_number(request.GET, "batch")
    if number is None:
        return None
    found = project.batches.filter(pk=number).first()
    if found is None:
        raise Http404
    return found


def _count(request: HttpRequest, project: Project, source: str, batch: Batch | None) -> HttpResponse:
    with write_transaction():
        wanted = want_statistics(project=project, source=source, batch=batch, now=timezone.now())
        if wanted:
            acted(request, "figures.recount", batch or project, project=project, figures=KINDS[source])
    if wanted:
        hint_statistics(project.pk, source, batch.pk if batch else None)
        messages.success(request, "The count has started. Reload this page later to see it.")
    else:
        messages.info(request, "A count is already running. Reload this page later to see it.")
    return redirect(request.get_full_path())
