"""A chain on one page, and what a researcher does about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from workflows.review.chains import ChainPage, chain_page
from workflows.review.forms import NoteForm
from workflows.review.permissions import viewing
from workflows.review.queue import read_filter
from workflows.review.views.common import around, page, user_name
from workflows.services.cases import CaseError, flag


@viewing
def chain(request: HttpRequest, pk: int) -> HttpResponse:
    """The chain and its whole history."""
    found = chain_page(pk)
    if found is None:
        raise Http404
    return show(request, found)


def show(request: HttpRequest, found: ChainPage, status: int = 200, **more: object) -> HttpResponse:
    """The page, with whatever form came back with errors."""
    name = found.chain.representative.text
    context = {"found": found, "crumb": name, **around(request, found.open_cases), **more}
    return page(request, "chain", context, title=f"“{name}”", status=status)


@viewing
def put_into_queue(request: HttpRequest, pk: int) -> HttpResponse:
    """Flag the chain, to come back to it."""
    form = NoteForm(request.POST)
    if request.method == "POST" and form.is_valid():
        try:
            flag(chain_id=pk, by=user_name(request), note=form.cleaned_data["note"], now=timezone.now())
        except CaseError as error:
            raise Http404 from error
        messages.success(request, "The chain is flagged: it waits in the queue.")
    return redirect(reverse("review:chain", args=[pk]) + read_filter(request.GET).query())
