"""The page of the review queue."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.models import Batch, Case
from annotation.transactions import write_transaction
from console.common.access import viewing
from console.common.audited_actions import acted
from console.common.pages import user_name
from console.common.query import read_number
from console.review import case_list as selectors
from console.review.forms import NoteForm, SampleForm
from console.review.labels import say_error
from console.review.views.common import page, say_errors
from workflows.cases.review_queue import CaseError, close_case, sample_chains


@viewing
def queue(request: HttpRequest) -> HttpResponse:
    """Show the open cases. A POST draws a sample of a batch."""
    wanted = selectors.read_filter(request.GET)
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
        wanted = replace(wanted, batch=read_number(request.POST, "batch"))
    after = read_number(request.GET, "after") or 0
    found = selectors.page(wanted, now=timezone.now(), after=after)
    context = {
        "page": found,
        "wanted": wanted,
        "here": wanted.query(),
        "sample": form,
        "place": "queue",
    }
    return page(request, "queue", context, title="Review")


def _drawn(number: int) -> str:
    if number == 0:
        return "No further chain to draw: so many were drawn before, or none has finished since."
    return f"{number} finished {'chain is' if number == 1 else 'chains are'} in the queue."


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
                messages.success(request, "The case is closed.")
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
