"""The review queue."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from console.access import viewing
from console.pages import user_name
from console.review import queue as selectors
from console.review.forms import NoteForm, SampleForm
from console.review.views.common import page, say_errors
from console.review.words import say_error
from workflows.services.cases import CaseError, close_case, sample


@viewing
def queue(request: HttpRequest) -> HttpResponse:
    """The open cases; a POST draws a sample of a batch."""
    wanted = selectors.read_filter(request.GET)
    form = SampleForm(request.POST or None, initial={"batch": wanted.batch})
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            drawn = sample(
                batch_id=data["batch"], number=data["number"], seed=data["batch"], now=timezone.now()
            )
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            messages.success(request, _drawn(drawn))
        return redirect(reverse("review:queue") + wanted.query())
    if form.is_bound and wanted.batch is None:
        # The form stands with its batch: without it nobody sees what is wrong.
        wanted = replace(wanted, batch=selectors.read_number(request.POST, "batch"))
    after = selectors.read_number(request.GET, "after") or 0
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
        try:
            close_case(case_id=pk, by=user_name(request), note=form.cleaned_data["note"], now=timezone.now())
        except CaseError as error:
            messages.error(request, say_error(error.field, error.message))
        else:
            messages.success(request, "The case is closed.")
            return redirect(after or reverse("review:queue") + wanted.query())
    elif request.method == "POST":
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
    return redirect(reverse("review:queue") + wanted.query())
