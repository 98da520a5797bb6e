"""A payment that waits for a higher cap is taken back."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.transactions import write_transaction
from console.access import managing
from console.acting import acted
from workflows.models import Payment
from workflows.services.crowd.deciding import VerbError
from workflows.services.crowd.withdrawing import withdraw as never_pay


@managing
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Nobody was told of it, and it can be asked for anew: so nothing is confirmed. A GET leads to the page
    that has the button."""
    found = get_object_or_404(
        Payment.objects.select_related("participation__publication__batch__project", "participation__worker"),
        pk=pk,
    )
    back = redirect(reverse("crowd:participation", args=[found.participation_id]))
    if request.method != "POST":
        return back
    try:
        with write_transaction():
            never_pay(payment_id=pk, now=timezone.now())
            participation = found.participation
            name = f"{found.kind} of {participation.worker.external_id}"
            project = participation.publication.batch.project
            acted(
                request, "crowd.withdraw", found, project, name, amount=found.amount, currency=found.currency
            )
    except VerbError as error:
        messages.info(request, f"Nothing was changed. {error}")
    else:
        messages.success(request, "It is withdrawn: it is never paid.")
    return back
