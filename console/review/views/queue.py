"""The page of the review queue."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime

from annotation.models import Batch, Case, Worker
from annotation.transactions import write_transaction
from console.common import case_list as selectors
from console.common.access import viewing
from console.common.forms import NoteForm, say_errors
from console.common.labels import say_error
from console.common.numbers import say_count
from console.common.pages import acted, project_named, read_number, say_done, user_name
from console.common.queue_position import page
from console.review.forms import SampleForm
from workflows.cases.review_queue import (
    CaseError,
    assign_cases,
    close_case,
    close_several,
    sample_chains,
)


@viewing
def queue(request: HttpRequest) -> HttpResponse:
    """Show the open cases. A POST draws a sample of a batch, or closes or assigns the chosen cases."""
    wanted = selectors.read_filter(request.GET)
    if request.method == "POST" and "action" in request.POST:
        return _change_chosen(request, wanted)
    form = SampleForm(request.POST or None, initial={"batch": wanted.batch})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            with write_transaction():
                drawn = sample_chains(
                    batch_id=data["batch"], number=data["number"], seed=data["batch"], now=timezone.now()
                )
                if drawn:
                    batch = Batch.objects.select_related("project").get(pk=data["batch"])
                    acted(request, "batch.sample", batch, batch.project, number=data["number"], drawn=drawn)
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            messages.success(request, _drawn(drawn))
        return redirect(reverse("review:queue") + wanted.query())
    if form.is_bound and wanted.batch is None:
        # The form stands with its batch: without it nobody sees what is wrong.
        wanted = selectors.with_batch(wanted, read_number(request.POST, "batch"))
    after = read_number(request.GET, "after") or 0
    found = selectors.page(wanted, now=timezone.now(), after=after)
    context = {
        "page": found,
        "wanted": wanted,
        "here": wanted.query(),
        "sample": form,
        "place": "queue",
        "researchers": selectors.researchers(),
        "nobody": selectors.NOBODY,
        "me": user_name(request),
        "of_worker": Worker.objects.filter(pk=wanted.worker).first() if wanted.worker else None,
        "project": project_named(wanted.project),
    }
    return page(request, "review/queue", context, title="Review")


def _change_chosen(request: HttpRequest, wanted: selectors.Filter) -> HttpResponse:
    """Close the chosen cases without a change, or assign them to a researcher."""
    back = redirect(reverse("review:queue") + wanted.query())
    chosen = [int(pk) for pk in request.POST.getlist("case") if pk.isdecimal() and len(pk) < 19]
    form = NoteForm(request.POST)
    to = request.POST.get("assign", "")
    if not chosen:
        messages.error(request, "Choose cases first.")
    elif request.POST["action"] == "assign":
        if to and to not in selectors.researchers():
            messages.error(request, f"There is no researcher {to}.")
            return back
        with write_transaction():
            changed = assign_cases(cases=chosen, to=to)
            if changed:
                acted(request, "case.assign", cases=changed, to=to or "nobody")
        messages.success(request, f"{_several(changed)} assigned to {to or 'nobody'}.")
    elif not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    else:
        note = form.cleaned_data["note"]
        closed, kept = close_several(cases=chosen, by=user_name(request), note=note, now=timezone.now())
        acted(request, "case.close-several", closed=closed, note=note)
        link = reverse("review:closed") + (f"?project={wanted.project}" if wanted.project else "")
        said = f"{_several(closed)} closed without a change."
        said = format_html('{} <a href="{}">Closed cases</a>', said, link)
        messages.success(request, said)
        if kept:
            messages.warning(
                request, f"{_several(kept)} left open: only a decision about the chain ends them."
            )
    return back


def _several(number: int) -> str:
    return say_count(number, "case was", "cases were")


def _drawn(number: int) -> str:
    if number == 0:
        return "No further chain to draw: so many were drawn before, or none has finished since."
    return f"{say_count(number, 'finished chain is', 'finished chains are')} in the queue."


@viewing
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a case without a change, and go on to the next one."""
    wanted = selectors.read_filter(request.GET)
    form = NoteForm(request.POST)
    if request.method == "POST" and form.is_valid():
        after = selectors.neighbours(pk, wanted).after
        note = form.cleaned_data["note"]
        try:
            with write_transaction():
                closed = close_case(case_id=pk, by=user_name(request), note=note, now=timezone.now())
                case = Case.objects.select_related("project", "decision").get(pk=pk)
                if closed:
                    about = {"chain": case.chain_id, "worker": case.worker_id, "question": case.question_id}
                    said = {"reason": case.reason, "note": note} | {k: v for k, v in about.items() if v}
                    acted(request, "case.close", case, case.project, **said)
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            if closed:
                say_done(request, "The case is closed.", case.decision)
            else:
                messages.warning(request, _closed_before(case))
            return redirect(after or reverse("review:queue") + wanted.query())
    elif request.method == "POST":
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    return redirect(reverse("review:queue") + wanted.query())


def _closed_before(case: Case) -> str:
    by = f" by {case.decision.by}" if case.decision else ""
    when = f" on {date_format(localtime(case.closed_at), 'j M Y, H:i')}" if case.closed_at else ""
    return f"The case was closed already{by}{when}. Nothing was changed, and your note is not kept."
