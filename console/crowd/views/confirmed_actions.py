"""Actions on a batch's money, a publication or a problem. Each first shows a page that asks to confirm."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch
from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.pages import acted, page, user_name
from console.crowd import overview
from console.crowd.forms import CapForm, TokenForm
from console.crowd.labels import problem_words
from console.crowd.provider_strip import strip_of
from console.crowd.views.pages import around
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError
from workflows.batches.settings_edits import change_settings
from workflows.crowd import actions
from workflows.crowd.models import Payment, Problem, Publication
from workflows.crowd.problems import close_problems
from workflows.money.domain.currencies import amount
from workflows.tasks import hint_balances, hint_crowd, hint_reconcile


@managing
def task(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """Have the account's balance asked for, or both sides compared: tasks do it, the page shows it then.

    Who comes by a GET, as after a login, is led to the page that has the button.
    """
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    if request.method != "POST":
        return redirect(reverse("crowd:batch", args=[pk]))
    strip = strip_of(batch)
    if not strip.environment:
        messages.error(request, f"Nothing was asked, because this server has no account on {strip.name}.")
    elif what == "ask":
        hint_balances()
        messages.success(
            request, f"{strip.name} is being asked. This page shows the balance once it has answered."
        )
    else:
        acted(request, "crowd.reconcile", batch, project=batch.project, provider=strip.provider)
        hint_reconcile(strip.provider)
        messages.success(
            request,
            f"The data here is being compared with {strip.name}. Differences are listed as problems.",
        )
    return redirect(reverse("crowd:batch", args=[pk]))


@managing
def cap(request: HttpRequest, pk: int) -> HttpResponse:
    """Change what the batch may cost from now on."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    settings, money = settings_of(batch), overview.money_of(batch)
    needed = settings.crowd.provider != DIRECT
    form = CapForm(
        request.POST if request.method == "POST" else None,
        currency=settings.currency,
        cap=settings.crowd.cap,
        needed=needed,
    )
    status, read_back = 200 if not form.is_bound else 422, ""
    if form.is_valid():
        read_back = form.to_confirm()
    if read_back:
        status = 200
    elif form.is_bound and form.is_valid():
        try:
            changed = _change_cap(request, batch, form)
        except BatchError as error:
            said = str(error)
            form.add_error(None, f"{said[:1].upper()}{said[1:]}.")
            status = 409
        else:
            (messages.success if changed else messages.info)(
                request,
                _cap_words(form.cleaned_data["cap"], settings.currency)
                if changed
                else "Nothing was changed: the cap is the same, or another researcher changed it meanwhile.",
            )
            return redirect(reverse("crowd:batch", args=[pk]))
    over = batch.state not in (*Batch.UNDER_WAY, Batch.State.DRAFT)
    return confirm(
        request,
        batch,
        title=f"Change the cap of {batch.name}",
        crumb="Cap",
        facts=", ".join(f"{name.lower()} {value}" for name, value in money.words),
        points=[
            "Nothing more is reserved beyond it. It cannot be lower than what is already reserved or spent.",
            "Payments that wait for the cap are made in the next step.",
        ],
        button="Change the cap",
        form=form,
        read_back=read_back,
        status=status,
        why_not=f"batch {batch.name} is {batch.state}, so its settings cannot be changed." if over else "",
    )


def _cap_words(cap: int | None, currency: str) -> str:
    return "There is no cap any more." if cap is None else f"The cap is {amount(cap, currency)} now."


def _change_cap(request: HttpRequest, batch: Batch, form: CapForm) -> bool:
    """Set the cap, unless it has changed since the page was shown. Return whether it was set.

    Raises BatchError.
    """
    with write_transaction():
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        settings = settings_of(current)
        was = settings.crowd.cap
        if form.cleaned_data["was"] != ("" if was is None else str(was)):
            return False
        wanted = replace(settings, crowd=replace(settings.crowd, cap=form.cleaned_data["cap"]))
        changed = change_settings(batch=current, settings=wanted)
        if changed:
            cap, currency = wanted.crowd.cap, settings.currency
            acted(request, "crowd.cap", current, project=batch.project, cap=cap, was=was, currency=currency)
    return bool(changed)


@managing
def expire(request: HttpRequest, pk: int) -> HttpResponse:
    """End a publication, so that nobody can take its places any more."""
    found = get_object_or_404(Publication.objects.select_related("batch__project"), pk=pk)
    back = reverse("crowd:publication", args=[pk])
    form = TokenForm(request.POST if request.method == "POST" else None)
    over = found.expiring or found.state not in (Publication.State.PLANNED, Publication.State.OPEN)
    if form.is_bound and form.is_valid():
        with write_transaction():
            done = actions.expire(publication_id=found.pk)
            if done:
                acted(request, "crowd.expire", found, found.batch.project, f"publication {found.pk}")
        if done:
            hint_crowd(found.provider)
            messages.success(request, "It is ended in the next step.")
        else:
            messages.info(request, "Nothing was changed: it is already over, or ending.")
        return redirect(back)
    return confirm(
        request,
        found.batch,
        title=f"End publication {found.pk}",
        crumb="End it",
        facts=f"{found.places} places, {found.free} of them free",
        points=[
            "No worker can take a place of it any more. Workers who have one can still submit, and are paid.",
            "What is reserved for places that were not taken is released.",
            "While the batch runs, what is still needed is published again. To stop that, pause the batch.",
        ],
        button="End it",
        danger=True,
        form=form,
        back=back,
        status=422 if form.is_bound else 200,
        why_not="it is already over, or ending." if over else "",
    )


@managing
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a problem that is settled."""
    found = get_object_or_404(Problem.objects.select_related("batch__project"), pk=pk)
    batch = found.batch or Batch.objects.select_related("project").order_by("-pk").first()
    assert batch is not None  # a problem of an account was found by a step, which some batch made
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        with write_transaction():
            done = close_problems(keys=[found.key], now=timezone.now(), by=user_name(request))
            if done:
                project = found.batch.project if found.batch else None
                detail = {"kind": found.kind, "key": found.key}
                acted(request, "problem.close", found, project, f"problem {found.pk}", **detail)
        if done:
            messages.success(request, "The problem is closed.")
        else:
            messages.info(request, "Nothing was changed: it was closed before.")
        return redirect(reverse("crowd:batch", args=[batch.pk]))
    name, todo = problem_words(found)
    return confirm(
        request,
        batch,
        title=f"Close problem {found.pk}",
        crumb="Close a problem",
        facts=name,
        points=[found.detail[:1000], todo, "Closing changes nothing on the platform."],
        button="Close it",
        form=form,
        status=422 if form.is_bound else 200,
        why_not="it was closed before." if found.closed_at else "",
    )


@managing
def retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Have the platform asked again for a payment that it refused, which was confirmed before.

    A GET leads to the page that has the button.
    """
    found = get_object_or_404(
        Payment.objects.select_related("participation__publication__batch__project", "participation__worker"),
        pk=pk,
    )
    publication = found.participation.publication
    if request.method != "POST":
        return redirect(reverse("crowd:batch", args=[publication.batch_id]))
    with write_transaction():
        done = actions.retry(payment_id=pk, now=timezone.now())
        if done:
            name = f"{found.kind} of {found.participation.worker.external_id}"
            acted(request, "crowd.retry", found, publication.batch.project, name)
    if done:
        hint_crowd(publication.provider)
        messages.success(request, "The platform is asked again in the next step.")
    else:
        messages.info(
            request, "Nothing was changed: the payment is no longer refused, or the cap leaves no room."
        )
    return redirect(reverse("crowd:batch", args=[publication.batch_id]))


def confirm(
    request: HttpRequest,
    batch: Batch,
    *,
    title: str,
    status: int,
    back: str = "",
    danger: bool = False,
    **context: Any,
) -> HttpResponse:
    """Render the page that asks to confirm, or says `why_not`."""
    back = back or reverse("crowd:batch", args=[batch.pk])
    everything = {**around(batch), "back": back, "danger": danger, **context}
    return page(request, "crowd/confirm.html", everything, title=title, status=status)
