"""Actions on one participation. A page asks to confirm, and its token makes sure that it is done once."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.labels import STAGES
from console.common.pages import acted, page, user_name
from console.crowd import actions
from console.crowd.forms import AmountForm, MessageForm, PayForm, RejectForm, TokenForm
from console.crowd.labels import PARTICIPATIONS, VERBS
from console.crowd.views.pages import around
from workflows.core.models import AuditEntry
from workflows.money.domain.currencies import amount
from workflows.workers.models import Participation

UNSENT = "crowd.message-unsent"
MAX_ACTS = 100
"""Audit entries of one participation that are searched for a token."""


@managing
def act(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """Ask to confirm an approval, rejection, payment or message, and do it on POST."""
    everything = Participation.objects.select_related("publication__batch__project", "worker")
    found = get_object_or_404(everything, pk=pk)
    form = _form(request, found, verb)
    status, read_back = 200 if not form.is_bound else 422, ""
    if form.is_valid() and isinstance(form, AmountForm) and not actions.why_not(verb, found):
        read_back = form.to_confirm()
    if read_back:
        status = 200
    elif form.is_bound and form.is_valid():
        try:
            done = _act(request, found, verb, form.cleaned_data)
            if done:
                _finish(request, found, verb, form.cleaned_data)
        except actions.DoingError as error:
            form.add_error(None, str(error))
            status = 409
            if isinstance(error, actions.EqualError) and isinstance(form, PayForm):
                form.ask_again()
        else:
            if done:
                messages.success(request, _said(found, verb, form.cleaned_data))
            else:
                messages.info(request, "Nothing was changed, because this was already done.")
            return redirect(reverse("crowd:participation", args=[pk]))
    words = VERBS[verb]
    title = f"{words.title} {found.worker.external_id}"
    context = {
        **around(found.publication.batch),
        "crumb": words.button,
        "participation": found,
        "state": PARTICIPATIONS[found.state],
        "stage": STAGES[found.publication.stage],
        "verb": verb,
        "words": words,
        "form": form,
        "read_back": read_back,
        "why_not": actions.why_not(verb, found),
    }
    return page(request, "crowd/act.html", context, title=title, status=status)


def _form(request: HttpRequest, found: Participation, verb: str) -> forms.Form:
    data = request.POST if request.method == "POST" else None
    match verb:
        case "reject":
            return RejectForm(data, account=actions.account_of(found))
        case "bonus" | "part":
            return PayForm(data, currency=found.publication.currency)
        case "message":
            return MessageForm(data)
    return TokenForm(data)


def _said(found: Participation, verb: str, data: dict[str, Any]) -> str:
    done = VERBS[verb].done
    return f"{amount(data['amount'], found.publication.currency)}: {done}" if "amount" in data else done


def _act(request: HttpRequest, found: Participation, verb: str, data: dict[str, Any]) -> bool:
    """Do what was confirmed. Return False if this form did it before. Raises DoingError."""
    with write_transaction():
        # Of two that come at once, the second finds what the first has written.
        Participation.objects.select_for_update(no_key=True).get(pk=found.pk)
        if _was_done(found, str(data["token"])):
            return False
        found.refresh_from_db(fields=["state"])
        if why := actions.why_not(verb, found):
            raise actions.DoingError(why)
        said = {
            name: str(value) if name == "token" else value for name, value in data.items() if name != "again"
        }
        if "amount" in said:
            said["currency"] = found.publication.currency
        _keep(request, f"crowd.{verb}", found, **said)
        actions.do(verb, found, data, by=user_name(request), now=timezone.now())
    return True


def _finish(request: HttpRequest, found: Participation, verb: str, data: dict[str, Any]) -> None:
    """Follow up on a committed action. Raises UnsentError and logs it; the form can then be sent again."""
    try:
        actions.after(verb, found, data)
    except actions.UnsentError:
        _keep(request, UNSENT, found, token=str(data["token"]))
        raise


def _keep(request: HttpRequest, action: str, found: Participation, **said: Any) -> None:
    project, name = found.publication.batch.project, found.worker.external_id
    acted(request, action, found, project=project, name=name, **said)


def _was_done(found: Participation, token: str) -> bool:
    """Return whether the token's last audit entry says that the action was done."""
    acts = AuditEntry.objects.filter(kind="participation", object_id=str(found.pk)).order_by("-pk")
    latest = acts.values_list("action", "detail")[:MAX_ACTS]
    return next((action != UNSENT for action, said in latest if said.get("token") == token), False)
