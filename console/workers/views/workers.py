"""The pages about workers: their standing and answers, and decisions about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Decision, Project, Standing, Worker
from annotation.transactions import write_transaction
from console.common.access import managing, viewing
from console.common.forms import NoteForm, say_errors
from console.common.labels import HOURS, STAGES
from console.common.numbers import say_count
from console.common.pages import acted, project_named, user_name
from console.common.queue_position import around, page
from console.common.reach import reach_of
from console.common.tables import csv_reply
from console.workers import comparison, worker_table
from console.workers import worker_list as listing
from console.workers import worker_page as selectors
from console.workers.answers import given
from console.workers.forms import PlatformRecordForm
from workflows.analysis.domain.same_answers import SAME
from workflows.analysis.pair_agreement import MAX_COMPARED
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.quality.standings import RestoreError, restore_worker
from workflows.workers.enrolment import block_worker, unblock_worker
from workflows.workers.notes import NoteError, note_worker
from workflows.workers.platform_records import set_platform_record
from workflows.workers.sign_ins import end_sign_ins


@viewing
def workers(request: HttpRequest) -> HttpResponse:
    """Show a list of workers, filtered and in an order of their figures.

    With `beside`, it is of that worker's project, and its links compare with that worker.
    """
    wanted = listing.read_wanted(request)
    beside = (
        Worker.objects.filter(wanted.reach.rows(), pk=wanted.beside).first()
        if wanted.beside is not None
        else None
    )
    if beside is not None:
        wanted = replace(wanted, project=beside.project_id)
    found = listing.worker_list(wanted, before=request.GET.get("before", ""))
    context = {
        "found": found,
        "wanted": found.wanted,
        "beside": beside,
        "orders": [(word, says) for word, (says, _, _) in listing.ORDERS.items()],
        "standings": Standing.State.values,
        "place": "workers",
        "project": project_named(found.wanted.project, wanted.reach),
    }
    return page(request, "workers/workers", context, title="Workers")


@viewing
@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Show two workers side by side. If one is chosen, the list of workers asks for the other."""
    chosen = list(dict.fromkeys(request.GET.getlist("worker")))
    if not all(one.isascii() and one.isdigit() and len(one) < 16 for one in chosen):
        raise Http404
    if len(chosen) not in (1, 2):
        said = say_count(len(chosen), "worker is", "workers are") if chosen else "No worker is"
        return _not_compared(request, f"{said} chosen. Choose two.")
    reached = Worker.objects.filter(reach_of(request).rows())
    rows = reached.select_related("project", "counts").in_bulk(map(int, chosen))
    if len(rows) < len(chosen):
        raise Http404
    if len(rows) == 1:
        (worker,) = rows.values()
        return redirect(f"{reverse('workers:list')}?{urlencode({'beside': worker.pk})}")
    one, other = (rows[int(pk)] for pk in chosen)
    if one.project_id != other.project_id:
        says = f"{one.external_id} works for {one.project}, and {other.external_id} for {other.project}."
        return _not_compared(request, f"{says} Choose two workers of one project.")
    stage = request.GET.get("stage", "")
    if stage not in ("", *ALL_STAGES):
        raise Http404
    context = {
        "found": comparison.compare(one, other, stage=stage),
        "stage": stage,
        "stage_name": STAGES.get(stage, ""),
        "most": comparison.MAX_DIFFERENCES,
        "most_compared": MAX_COMPARED,
        "same_iou": SAME,
        "here": f"?{urlencode({'worker': [one.pk, other.pk]}, doseq=True)}",
        "place": "workers",
        "project": one.project,
        "crumb": "Two workers",
    }
    return page(request, "workers/compare", context, title=f"{one.external_id} and {other.external_id}")


def _not_compared(request: HttpRequest, says: str) -> HttpResponse:
    context = {"says": says, "place": "workers", "crumb": "Two workers"}
    return page(request, "workers/not_compared", context, title="Two workers", status=422)


@managing
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return the figures of all workers as CSV. The audit log records who downloaded their names."""
    project = get_object_or_404(Project, pk=pk)
    acted(request, "workers.export", project)
    reply = csv_reply(worker_table.rows_of(project.pk), f"workers-{project.pk}.csv")
    reply["Cache-Control"] = "no-store"
    return reply


@viewing
@require_safe
def judgments(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a worker's answers, in pages."""
    found = get_object_or_404(Worker.objects.select_related("project"), pk=pk)
    context = {
        "worker": found,
        "given": given(pk, before=request.GET.get("before", "")),
        "place": "workers",
        "project": found.project,
        "crumb": found.external_id,
    }
    return page(request, "workers/judgments", context, title=f"Answers of {found.external_id}")


@viewing
def worker(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a worker. A POST changes their standing or their platform record, or adds a note."""
    found = selectors.worker_page(pk, timezone.now())
    if found is None:
        raise Http404
    if request.method == "POST":
        _act(request, found.worker)
        return redirect(request.get_full_path())
    context = {
        "found": found,
        "given": given(pk),
        "hours": HOURS,
        "place": "workers",
        "project": found.worker.project,
        "stages": [(stage, STAGES[stage]) for stage in found.project_stages],
        "platform": PlatformRecordForm(
            initial={"completed": found.worker.completed, "approval": found.worker.approval}
        ),
        "crumb": found.worker.external_id,
        "signs_in": found.worker.provider == DIRECT,
        **around(request, found.open_cases),
    }
    return page(request, "workers/worker", context, title=f"Worker {found.worker.external_id}")


def _keep(request: HttpRequest, worker: Worker, action: str, **said: object) -> None:
    acted(request, f"worker.{action}", worker, worker.project, worker.external_id, **said)


def _keep_platform_record(request: HttpRequest, worker: Worker) -> None:
    form = PlatformRecordForm(request.POST)
    if form.is_valid():
        with write_transaction():
            set_platform_record(worker_id=worker.pk, **form.cleaned_data)
            _keep(request, worker, "figures", **form.cleaned_data)
        messages.success(request, "The platform's figures are saved. Screening uses them from now on.")
        return
    for field, errors in form.errors.items():
        messages.error(request, f"{form.fields[field].label}: {' '.join(map(str, errors))}")


def _note(request: HttpRequest, worker: Worker) -> None:
    text = request.POST.get("text", "")
    try:
        with write_transaction():
            note = note_worker(worker=worker, by=user_name(request), text=text, now=timezone.now())
            _keep(request, worker, "note", note=note.text)
    except NoteError as error:
        messages.error(request, f"Nothing was saved: {error}.")
    else:
        messages.success(request, "The note is saved.")


def _act(request: HttpRequest, worker: Worker) -> None:
    if request.POST.get("action") == "figures":
        _keep_platform_record(request, worker)
        return
    if request.POST.get("action") == "note":
        _note(request, worker)
        return
    form = NoteForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
        return
    note, now, by = form.cleaned_data["note"], timezone.now(), user_name(request)
    stage = request.POST.get("stage", "")
    if request.POST.get("action") == "restore" and stage in ALL_STAGES:
        try:
            with write_transaction():
                restore_worker(worker_id=worker.pk, stage=stage, by=by, note=note, now=now)
                _keep(request, worker, "restore", stage=stage, note=note)
        except RestoreError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The worker may qualify for {STAGES[stage]} again.")
        return
    acts: dict[str, tuple[Callable[..., Decision | None], str]] = {
        "block": (block_worker, "The worker is blocked: no new work. Their sign-ins have ended."),
        "unblock": (unblock_worker, "The worker may work again. They need a new link or their invitation."),
    }
    action = request.POST.get("action", "")
    if action == "end-sign-ins" and worker.provider == DIRECT:
        with write_transaction():
            end_sign_ins(worker_id=worker.pk)
            _keep(request, worker, action, note=note)
        messages.success(request, "The worker's sign-ins and links have ended.")
        return
    if (chosen := acts.get(action)) is None:
        messages.error(request, "There is no such action.")
        return
    act, says = chosen
    with write_transaction():
        if done := act(worker_id=worker.pk, by=by, note=note, now=now):
            _keep(request, worker, action, note=note)
    messages.success(request, says if done else "Nothing to do: it was already so.")
