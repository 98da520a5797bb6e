"""Workers: how they stand, and what a researcher decides about them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from annotation.domain.answers import Stage
from annotation.models import Decision, Worker
from annotation.transactions import write_transaction
from console.access import viewing
from console.acting import acted
from console.pages import user_name
from console.review import workers as selectors
from console.review.forms import FiguresForm, NoteForm
from console.review.queue import read_number
from console.review.views.common import around, page, say_errors
from console.review.words import STAGES
from workflows.services.blocking import block, unblock
from workflows.services.figures import set_figures
from workflows.services.standings import RestoreError, restore


@viewing
def workers(request: HttpRequest) -> HttpResponse:
    """Find a worker."""
    project, name = read_number(request.GET, "project"), request.GET.get("name", "").strip()[:128]
    if "\0" in name:
        raise BadRequest("a name has no NUL character")
    found = selectors.worker_list(project=project, name=name, before=read_number(request.GET, "before") or 0)
    words = {"project": project or "", "name": name, "before": found.more}
    context = {
        "found": found,
        "project": project,
        "name": name,
        "more": f"?{urlencode(words)}" if found.more else "",
        "place": "workers",
    }
    return page(request, "workers", context, title="Workers")


@viewing
def worker(request: HttpRequest, pk: int) -> HttpResponse:
    """One worker. A POST blocks, unblocks, keeps the platform's figures, or lets them qualify again."""
    found = selectors.worker_page(pk)
    if found is None:
        raise Http404
    if request.method == "POST":
        _act(request, found.worker)
        return redirect(request.get_full_path())
    context = {
        "found": found,
        "place": "workers",
        "stages": list(STAGES.items()),
        "figures": FiguresForm(
            initial={"completed": found.worker.completed, "approval": found.worker.approval}
        ),
        "crumb": found.worker.external_id,
        **around(request, found.open_cases),
    }
    return page(request, "worker", context, title=f"Worker {found.worker.external_id}")


def _keep(request: HttpRequest, worker: Worker, action: str, **said: object) -> None:
    acted(request, f"worker.{action}", worker, worker.project, worker.external_id, **said)


def _keep_figures(request: HttpRequest, worker: Worker) -> None:
    form = FiguresForm(request.POST)
    if form.is_valid():
        with write_transaction():
            set_figures(worker_id=worker.pk, **form.cleaned_data)
            _keep(request, worker, "figures", **form.cleaned_data)
        messages.success(request, "The platform's figures are kept: screening goes by them from now on.")
        return
    for field, errors in form.errors.items():
        messages.error(request, f"{form.fields[field].label}: {' '.join(map(str, errors))}")


def _act(request: HttpRequest, worker: Worker) -> None:
    if request.POST.get("action") == "figures":
        _keep_figures(request, worker)
        return
    form = NoteForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
        return
    note, now, by = form.cleaned_data["note"], timezone.now(), user_name(request)
    stage = request.POST.get("stage", "")
    if request.POST.get("action") == "restore" and stage in tuple(Stage):
        try:
            with write_transaction():
                restore(worker_id=worker.pk, stage=stage, by=by, note=note, now=now)
                _keep(request, worker, "restore", stage=stage, note=note)
        except RestoreError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, f"The worker may qualify for {STAGES[stage]} again.")
        return
    acts: dict[str, tuple[Callable[..., Decision | None], str]] = {
        "block": (block, "The worker is blocked: no new work."),
        "unblock": (unblock, "The worker may work again."),
    }
    action = request.POST.get("action", "")
    if (chosen := acts.get(action)) is None:
        messages.error(request, "There is no such action.")
        return
    act, says = chosen
    with write_transaction():
        if done := act(worker_id=worker.pk, by=by, note=note, now=now):
            _keep(request, worker, action, note=note)
    messages.success(request, says if done else "Nothing to do: it was so already.")
