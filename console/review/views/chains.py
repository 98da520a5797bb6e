"""The page of a chain, and what a researcher decides about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from annotation.domain.chain_states import REVIEW
from annotation.models import Chain, Decision
from annotation.transactions import write_transaction
from console.common.access import viewing
from console.common.case_list import read_filter
from console.common.chain_page import GONE, ChainPage, chain_page, changed_since
from console.common.forms import MAX_BOXES, NoteForm, add_error, write_boxes
from console.common.pages import acted, say_done, user_name
from console.common.pictures import editor_setup
from console.common.queue_position import around, page
from console.review.forms import DecideForm, sent_to
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import close_cases, flag_chain
from workflows.pipeline.domain.moves import PROTOCOLS, Protocol
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, decide_chain, version_of


@viewing
def chain(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the chain and its whole history. A POST decides about it; errors keep what was typed."""
    found = chain_page(pk)
    if found is None:
        raise Http404
    version = version_of(found.work)
    if request.method != "POST":
        return show(request, found, _form(found, version))
    form = DecideForm(request.POST, size=_size(found), protocol=_protocol(found))
    if not form.is_valid():
        return show(request, found, form, status=422)
    try:
        decision = _decide(request, found, form)
    except DecisionError as error:
        add_error(form, error.field, error.message)
        return show(request, found, form, status=422)
    except StaleDecisionError:
        changed = changed_since(found.work, form.cleaned_data["version"])
        form.add_error(
            None,
            "The image has changed since you opened this page. What you typed is kept: look at what "
            "happened, and decide again if it still holds.",
        )
        form.data = {**request.POST.dict(), "version": str(version)}
        return show(request, found, form, status=409, changed=changed)
    after = around(request, found.open_cases)["neighbours"].after
    # One that is left with the researchers stays in the queue, or nobody would find it again.
    if form.cleaned_data["close"] and form.cleaned_data["state"] != REVIEW:
        cases = [case.pk for case in found.open_cases]
        close_cases(cases=cases, by=user_name(request), now=timezone.now(), decision=decision)
    text = found.chain.representative.text
    if form.cleaned_data["state"] == REVIEW:
        messages.warning(request, f"“{text}” still waits for a researcher: it stays in the queue.")
    else:
        say_done(request, f"Decided about “{text}”.", decision)
    if after and "stay" not in request.POST:
        return redirect(after)
    return redirect(reverse("review:chain", args=[pk]) + read_filter(request).query())


def _decide(request: HttpRequest, found: ChainPage, form: DecideForm) -> Decision:
    data = form.cleaned_data
    said = {"state": data["state"], "boxes": len(data["boxes"]), "flag": data["flag"], "note": data["note"]}
    return decide_chain(
        chain_id=found.chain.pk,
        by=user_name(request),
        note=data["note"],
        now=timezone.now(),
        state=data["state"],
        boxes=data["boxes"],
        flag=data["flag"],
        version=data["version"],
        also=lambda: _keep(request, found.chain, "chain.decide", **said),
    )


def _keep(request: HttpRequest, chain: Chain, action: str, **said: object) -> None:
    acted(request, action, chain, chain.work.batch.project, chain.representative.text, **said)


def _form(found: ChainPage, version: int) -> DecideForm | None:
    """Return the form for the chain as it is now; None if it is no longer in use."""
    if found.chain.state in GONE:
        return None
    ends = dict(sent_to(_protocol(found)))
    return DecideForm(
        initial={
            "boxes": write_boxes(found.decidable),
            "state": found.chain.state if found.chain.state in ends else REVIEW,
            "flag": found.chain.flag,
            "version": version,
            "close": True,
        },
        size=_size(found),
        protocol=_protocol(found),
    )


def _protocol(found: ChainPage) -> Protocol:
    return PROTOCOLS[settings_of(found.work.batch).protocol]


def _size(found: ChainPage) -> tuple[int, int] | None:
    image = found.work.image
    return (image.width, image.height) if image.width and image.height else None


def show(
    request: HttpRequest, found: ChainPage, form: DecideForm | None, status: int = 200, **more: object
) -> HttpResponse:
    """Render the page, with the form that has errors."""
    name = found.chain.representative.text
    context = {
        "found": found,
        "place": "review",
        "project": found.work.batch.project,
        "crumb": name,
        "decide": form,
        "draws": form is not None,
        **around(request, found.open_cases),
        **more,
    }
    if form is not None:
        minimum = settings_of(found.work.batch).minimum_side
        layers = [(str(form["boxes"].auto_id), "Boxes", MAX_BOXES)]
        context["setup"] = editor_setup(found.picture, layers, minimum_side=minimum)
    return page(request, "review/chain", context, title=f"“{name}”", status=status)


@viewing
def put_into_queue(request: HttpRequest, pk: int) -> HttpResponse:
    """Flag the chain for later."""
    form = NoteForm(request.POST)
    if request.method == "POST" and form.is_valid():
        note = form.cleaned_data["note"]
        chain = Chain.objects.select_related("representative", "work__batch__project").filter(pk=pk).first()
        if chain is None:
            raise Http404
        with write_transaction():
            flag_chain(chain_id=pk, by=user_name(request), note=note, now=timezone.now())
            _keep(request, chain, "chain.flag", note=note)
        messages.success(request, "The chain is flagged: it waits in the queue.")
    return redirect(reverse("review:chain", args=[pk]) + read_filter(request).query())
