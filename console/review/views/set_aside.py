"""The pages that set a worker's judgments aside, after a preview, and let them count again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import Batch, Case, Decision, Worker
from annotation.transactions import write_transaction
from console.common.access import deciding
from console.common.audited_actions import acted
from console.common.labels import STAGES
from console.common.pages import user_name
from console.common.query import read_number
from console.review.case_list import read_case
from console.review.forms import AsideForm, NoteForm
from console.review.views.common import page, say_errors
from workflows.cases.review_queue import close_case
from workflows.review.set_aside import (
    ChangedSinceError,
    SettingAsideError,
    Shown,
    preview_set_aside,
    reinstate,
    set_aside_worker,
)
from workflows.tasks import hint_advance


@deciding
def set_aside(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a preview. A POST sets its judgments aside and closes the case the user came from."""
    worker = get_object_or_404(Worker.objects.select_related("project"), pk=pk)
    stage = request.GET.get("stage", "")
    if stage not in tuple(Stage):
        raise Http404
    batch = None
    if (number := read_number(request.GET, "batch")) is not None:
        batch = get_object_or_404(Batch, pk=number, project=worker.project_id)
    every = request.GET.get("every") == "1"
    form = AsideForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            with write_transaction():
                decision = set_aside_worker(
                    worker_id=pk,
                    stage=stage,
                    by=user_name(request),
                    note=data["note"],
                    now=timezone.now(),
                    batch_id=batch.pk if batch else None,
                    unsupported_only=not every,
                    shown=Shown(data["judgments"], data["newest"]),
                )
                if decision is not None:
                    _close(read_case(request.GET), worker, decision)
                    said = {"stage": stage, "batch": batch.pk if batch else None, "every": every}
                    said |= {"judgments": data["judgments"], "note": data["note"]}
                    acted(request, "worker.set-aside", worker, worker.project, worker.external_id, **said)
        except ChangedSinceError:
            status = 409
            form.add_error(None, "More was answered since: look again, then set aside what is shown now.")
        else:
            if decision is None:
                messages.info(request, "Nothing to do: no judgment of this kind counts any more.")
            else:
                hint_advance()
                messages.success(
                    request, "The judgments are set aside; what is missing is asked again shortly."
                )
            return redirect(reverse("review:worker", args=[pk]))
    elif request.method == "POST":
        status = 422
    found = preview_set_aside(
        worker_id=pk, stage=stage, batch_id=batch.pk if batch else None, unsupported_only=not every
    )
    now_shown = {"judgments": found.judgments, "newest": found.newest}
    form.initial = now_shown
    if form.is_bound:  # with the note that was typed, and what is shown now
        form.data = {**request.POST.dict(), **now_shown}
    context = {
        "worker": worker,
        "stage": STAGES[stage],
        "batch": batch,
        "every": every,
        "form": form,
        "preview": found,
        "place": "workers",
        "project": worker.project,
        "crumb": worker.external_id,
    }
    title = f"Set judgments of {worker.external_id} aside"
    return page(request, "set_aside", context, title=title, status=status)


def _close(pk: int | None, worker: Worker, decision: Decision) -> None:
    """Close the case about the worker that the user came from."""
    case = Case.objects.filter(pk=pk or 0, worker=worker, closed_at=None).first()
    if case is not None:
        close_case(case_id=case.pk, by=decision.by, note="", now=decision.created_at, decision=decision)


@deciding
def let_count(request: HttpRequest, pk: int, decision: int) -> HttpResponse:
    """Let judgments that were set aside count again."""
    found = get_object_or_404(Decision.objects.select_related("worker", "project"), pk=decision, worker=pk)
    form = NoteForm(request.POST)
    if request.method == "POST" and not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    elif request.method == "POST":
        note = form.cleaned_data["note"]
        name = found.worker.external_id if found.worker else ""
        said = {"decision": decision, "note": note}
        try:
            reinstate(
                decision_id=decision,
                by=user_name(request),
                note=note,
                now=timezone.now(),
                also=lambda: acted(request, "worker.let-count", found.worker, found.project, name, **said),
            )
        except SettingAsideError as error:
            messages.error(request, str(error))
        else:
            hint_advance()
            messages.success(request, "The judgments count again.")
    return redirect(reverse("review:worker", args=[pk]))
