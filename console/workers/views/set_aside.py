"""The pages that set a worker's judgments aside, after a preview, and let them count again."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Case, Decision, Worker
from annotation.transactions import write_transaction
from console.common.access import deciding
from console.common.case_list import read_case
from console.common.forms import NoteForm, say_errors
from console.common.pages import acted, read_number, user_name
from console.common.queue_position import page
from console.workers.forms import AsideForm
from console.workers.set_aside_page import MAX_SET_ASIDE_AT_ONCE, Wanted, people_of
from workflows.cases.review_queue import close_case
from workflows.cases.worker_cases import about_worker, with_others
from workflows.review.set_aside import (
    ChangedSinceError,
    SettingAsideError,
    reinstate,
    set_aside_workers,
)
from workflows.review.set_aside_choice import Shown
from workflows.review.set_aside_preview import preview_set_aside
from workflows.tasks import hint_advance


@deciding
def set_aside(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a preview. A POST sets its judgments aside and closes the case the user came from.

    `stage` has stages with commas between them, or is empty for all of them. Each `with` is another worker
    whose judgments are set aside together with these, so that they do not hold each other up.
    """
    worker = get_object_or_404(Worker.objects.select_related("project"), pk=pk)
    wanted = _wanted(request, worker)
    form = AsideForm(request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            decisions = _act(request, wanted, form)
        except ChangedSinceError:
            status = 409
            form.add_error(None, "More was answered since: look again, then set aside what is shown now.")
        else:
            if not decisions:
                messages.info(request, "Nothing to do: no judgment of this kind counts any more.")
            else:
                hint_advance()
                said = (
                    "The judgments are set aside; what is missing is asked again shortly. "
                    '<a href="{}#decided">Let them count again</a>'
                )
                messages.success(request, format_html(said, reverse("workers:worker", args=[pk])))
            return redirect(reverse("workers:worker", args=[pk]))
    elif request.method == "POST":
        status = 422
    found = preview_set_aside(
        workers=wanted.workers,
        stages=wanted.stages,
        batch_id=wanted.batch_id,
        unsupported_only=not wanted.every,
    )
    now_shown = {"judgments": found.judgments, "newest": found.newest}
    form.initial = now_shown
    if form.is_bound:  # with the note that was typed, and what is shown now
        form.data = {**request.POST.dict(), **now_shown}
    context = {
        "worker": worker,
        "wanted": wanted,
        "form": form,
        "preview": found,
        "people": people_of(found, wanted, worker),
        "place": "workers",
        "project": worker.project,
        "crumb": worker.external_id,
    }
    title = f"Set judgments of {worker.external_id} aside"
    return page(request, "workers/set_aside", context, title=title, status=status)


def _wanted(request: HttpRequest, worker: Worker) -> Wanted:
    """Read from the address what is to be set aside. Raises Http404."""
    stage = request.GET.get("stage", "")
    if stage and not {*stage.split(",")} <= {*ALL_STAGES}:
        raise Http404
    batch = None
    if (number := read_number(request.GET, "batch")) is not None:
        batch = get_object_or_404(Batch, pk=number, project=worker.project_id)
    typed = request.GET.getlist("with")
    if len(typed) > MAX_SET_ASIDE_AT_ONCE or not all(one.isdecimal() and len(one) < 19 for one in typed):
        raise Http404
    others = Worker.objects.filter(project=worker.project_id, pk__in=map(int, typed)).exclude(pk=worker.pk)
    return Wanted(
        worker=worker.pk,
        stage=stage,
        batch=batch,
        every=request.GET.get("every") == "1",
        others=tuple(others.order_by("pk").values_list("pk", flat=True)),
        case=read_case(request.GET),
    )


def _act(request: HttpRequest, wanted: Wanted, form: AsideForm) -> list[Decision]:
    """Set aside what was shown. Raises ChangedSinceError."""
    data = form.cleaned_data
    with write_transaction():
        decisions = set_aside_workers(
            workers=wanted.workers,
            stages=wanted.stages,
            by=user_name(request),
            note=data["note"],
            now=timezone.now(),
            batch_id=wanted.batch_id,
            unsupported_only=not wanted.every,
            shown=Shown(data["judgments"], data["newest"]),
        )
        _close(wanted, decisions)
        for decision in decisions:
            of = decision.worker
            assert of is not None
            said = {"stage": decision.stage, "batch": wanted.batch_id, "every": wanted.every}
            said |= {"judgments": len(decision.content["judgments"]), "note": data["note"]}
            acted(request, "worker.set-aside", of, of.project, of.external_id, **said)
    return decisions


def _close(wanted: Wanted, decisions: list[Decision]) -> None:
    """Close the case that the user came from, in these stages, if its worker's judgments are set aside."""
    came = Case.objects.filter(pk=wanted.case or 0).first()
    of_worker = {one.stage: one for one in decisions if came and one.worker_id == came.worker_id}
    if came is None or not of_worker:
        return
    (group,) = with_others([came])
    for case in group:
        if about_worker(case) and case.stage and case.stage not in wanted.stages:
            continue
        # There may be nothing left to set aside in one of the stages.
        decision = of_worker.get(case.stage) or next(iter(of_worker.values()))
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
    return redirect(reverse("workers:worker", args=[pk]))
