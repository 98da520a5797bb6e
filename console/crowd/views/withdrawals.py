"""Withdrawing a payment that waits for the cap or that the platform refuses, after a page that asks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.pages import acted
from console.crowd.forms import TokenForm
from console.crowd.labels import PAYMENT_KINDS, PAYMENTS
from console.crowd.views.confirmed_actions import confirm
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment
from workflows.crowd.payments.withdraw import can_withdraw
from workflows.crowd.payments.withdraw import withdraw as never_pay
from workflows.money.domain.currencies import amount


@managing
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a payment, so that it is never paid."""
    found = get_object_or_404(
        Payment.objects.select_related("participation__publication__batch__project", "participation__worker"),
        pk=pk,
    )
    participation = found.participation
    batch, worker = participation.publication.batch, participation.worker.external_id
    back = reverse("crowd:participation", args=[participation.pk])
    form = TokenForm(request.POST if request.method == "POST" else None)
    status = 422 if form.is_bound else 200
    if form.is_bound and form.is_valid():
        try:
            with write_transaction():
                never_pay(payment_id=pk, now=timezone.now())
                acted(
                    request,
                    "crowd.withdraw",
                    found,
                    batch.project,
                    f"{found.kind} of {worker}",
                    amount=found.amount,
                    currency=found.currency,
                )
        except VerbError as error:
            form.add_error(None, f"Nothing was changed. {error}")
            found.refresh_from_db(fields=["state"])
            status = 409
        else:
            messages.success(request, "The payment is withdrawn and will never be paid.")
            return redirect(back)
    state = PAYMENTS[found.state][0]
    return confirm(
        request,
        batch,
        title=f"Withdraw payment {found.pk}",
        crumb="Withdraw a payment",
        facts=f"{PAYMENT_KINDS[found.kind]} of {amount(found.amount, found.currency)} for {worker}, {state}",
        points=[
            "It is never paid. The worker is not told.",
            "What is reserved for it is released.",
            "If it is not known whether the platform has paid it, the platform has to be asked again first.",
        ],
        button="Withdraw it",
        danger=True,
        form=form,
        back=back,
        status=status,
        why_not="" if can_withdraw(found) or form.is_bound else f"it is {state}.",
    )
