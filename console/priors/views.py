"""Show the priors of a project, and fit the next one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project
from console.common.access import overseeing
from console.common.keyset import first_rows
from console.common.pages import acted, page, read_number, user_name
from console.priors.report import report_of, rows_of
from workflows.priors.domain.prior import TooFewPairsError
from workflows.priors.fit_prior import fit_prior
from workflows.priors.models import PriorVersion

VERSIONS = 30
"""How many versions a page lists."""


@overseeing
def project(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the newest prior, or the one that is asked for, and list all. A POST fits the next one."""
    found = get_object_or_404(Project, pk=pk)
    if request.method == "POST":
        return _fit(request, found)
    versions = PriorVersion.objects.filter(project=found)
    before = read_number(request.GET, "before")
    listed = versions.filter(number__lt=before) if before else versions
    rows, more = first_rows(listed.order_by("-number").defer("content"), VERSIONS)
    number = read_number(request.GET, "prior")
    shown = get_object_or_404(versions, number=number) if number else versions.order_by("-number").first()
    context = {
        "project": found,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[pk]))],
        "rows": rows_of(rows, found.batches.order_by("pk")),
        "more": rows[-1].number if more else None,
        "report": report_of(shown) if shown else None,
    }
    return page(request, "priors/project.html", context, title="Priors")


def _fit(request: HttpRequest, project: Project) -> HttpResponse:
    try:
        version, created = fit_prior(
            project=project,
            by=user_name(request),
            now=timezone.now(),
            also=lambda made: acted(request, "prior.fit", project, prior=made.number),
        )
    except TooFewPairsError as error:
        messages.error(request, f"No prior was fitted: {error}. Import more captions first.")
    else:
        if created:
            messages.success(
                request, f"Prior {version.number} is fitted. Batches launched from now on use it."
            )
        else:
            messages.info(request, f"Prior {version.number} is still right: the captions are the same.")
    return redirect("priors:project", project.pk)
