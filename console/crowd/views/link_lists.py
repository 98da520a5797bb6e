"""The lists of a platform that is reached by its link: the one that comes in, and those that go out."""

from __future__ import annotations

from datetime import UTC, datetime

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Batch
from console.common.access import managing
from console.common.pages import acted
from console.common.tables import csv_reply
from workflows.batch_settings.domain.crowd_settings import LINK
from workflows.batch_settings.selectors import settings_of
from workflows.core.spreadsheet_cells import safe_cell
from workflows.crowd.link.domain.place_lists import MAX_BYTES, ListError
from workflows.crowd.link.lists import HEADER, lines_of, take_list, take_out
from workflows.platforms.provider import Stand
from workflows.tasks import hint_crowd

_WORDS = {
    Stand.APPROVED: "approved",
    Stand.SUBMITTED: "done",
    Stand.REJECTED: "refused",
    Stand.RETURNED: "given back",
    Stand.WORKING: "at work",
}
"""The words for what a list says of places."""
SHOWN = 5
"""Participants who never came are named up to here."""


class ListForm(forms.Form):
    """The platform's list of participants."""

    file = forms.FileField(label="The platform's list of participants")


def _batch(pk: int) -> Batch:
    return get_object_or_404(Batch.objects.select_related("project"), pk=pk)


def _has_lists(request: HttpRequest, batch: Batch) -> bool:
    """Return whether the batch's platform is reached by its link; say so if not."""
    if settings_of(batch).crowd.provider == LINK:
        return True
    messages.error(request, "This batch has no lists: only a platform that is reached by a link has them.")
    return False


@managing
def bring(request: HttpRequest, pk: int) -> HttpResponse:
    """Take the platform's list of participants; a task confirms and settles their places.

    Who comes by a GET, as after a login, is led to the page that has the form.
    """
    back = redirect(reverse("crowd:batch", args=[pk]) + "#lists")
    if request.method != "POST":
        return back
    batch, form = _batch(pk), ListForm(request.POST, request.FILES)
    if not _has_lists(request, batch):
        return back
    if not form.is_valid():
        messages.error(request, "Choose the file with the platform's list first.")
        return back
    try:
        taken = take_list(batch=batch, data=form.cleaned_data["file"].read(MAX_BYTES + 1), now=timezone.now())
    except ListError as error:
        messages.error(request, f"Nothing was taken from the list. {error}")
        return back
    acted(
        request,
        "crowd.list",
        batch,
        project=batch.project,
        places=taken.places,
        strangers=len(taken.strangers),
    )
    hint_crowd(LINK)
    named = f"The list names {taken.places} place{'s' * (taken.places != 1)} of this batch"
    several = ", ".join(
        f"{taken.stands[one]} {words}" for one, words in _WORDS.items() if taken.stands.get(one)
    )
    done = " Within a minute, their answers count and their pay is due." * (Stand.SUBMITTED in taken.stands)
    messages.success(request, f"{named}: {several}.{done}")
    if taken.strangers:
        few = ", ".join(taken.strangers[:SHOWN])
        more = f" and {len(taken.strangers) - SHOWN} more" if len(taken.strangers) > SHOWN else ""
        messages.warning(
            request,
            f"The list also names {few}{more}: no place of this batch is theirs. They came to another study, "
            "found no work here, or never opened the task. If you pay them, do it on the platform.",
        )
    if taken.not_carried:
        messages.warning(
            request,
            f"Places that you took out as paid, and that the platform has not approved: {taken.not_carried}. "
            "They stay booked as paid. If this list is newer than yours below, do on the platform what yours "
            "say: nothing pays by itself.",
        )
    return back


@managing
def take(request: HttpRequest, pk: int) -> HttpResponse:
    """Book what is due as paid, and lead to the list that says so. A GET only leads there."""
    back = redirect(reverse("crowd:batch", args=[pk]) + "#lists")
    if request.method != "POST":
        return back
    batch, now = _batch(pk), timezone.now()
    if not _has_lists(request, batch):
        return back
    number = take_out(batch=batch, now=now)
    if number:
        acted(request, "crowd.take-out", batch, project=batch.project, lines=number)
        messages.success(
            request, "The list is below. Download it, and do on the platform what it says: nothing else pays."
        )
    else:
        messages.info(request, "Nothing is due, so there is no list.")
    return back


@managing
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Return a list that was taken out, as CSV."""
    batch = _batch(pk)
    try:
        at = datetime.fromisoformat(request.GET.get("at", "")).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Http404 from error
    rows = [(*line[:-1], safe_cell(line[-1])) for line in lines_of(batch, at)]
    if not rows:
        raise Http404
    return csv_reply([HEADER, *rows], f"{batch.pk}-pay-{at:%Y%m%d-%H%M%S}.csv")
