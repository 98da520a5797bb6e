"""Undo a decision, after saying what follows. Also the history of an image, and the cases closed last."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.models import Case, Decision, Image
from console.common.access import deciding, viewing
from console.common.case_list import Filter, address, describe
from console.common.history import image_history, numbers_of, say_decision
from console.common.labels import say_change, say_error
from console.common.pages import acted, digest, page, project_named, read_number, user_name
from console.common.reach import reach_of
from console.review.undo_effects import STAYS, say_undo
from workflows.cases.review_queue import CaseError
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, version_of
from workflows.review.undo import UNDOABLE, undo_decision
from workflows.review.undo_effects import effect_of_undo

MAX_NOTE = 2000
CLOSED = 50
TOLD_ANEW = "It does something else now, because the image has changed. Look at what it does, then undo it."
_WITH = ("project", "work__image", "image", "chain__representative", "worker")


@deciding
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what follows if a decision is undone. A POST undoes it, if the page said what follows now."""
    decision = get_object_or_404(Decision.objects.select_related(*_WITH), pk=pk, kind__in=UNDOABLE)
    version = version_of(decision.work) if decision.work is not None else None
    effect = effect_of_undo(decision)
    effects = [] if effect.why_not else say_undo(decision, effect)
    error, note = "", request.POST.get("note", "").replace("\0", "").strip()[:MAX_NOTE]
    back = _back(decision, effect.cases[0] if effect.cases else None)
    if request.method == "POST" and effects:
        if request.POST.get("told") != digest(effects):
            error = TOLD_ANEW
        else:
            try:
                undo_decision(
                    decision_id=pk,
                    by=user_name(request),
                    note=note,
                    now=timezone.now(),
                    version=version,
                    also=lambda: _keep(request, decision, note),
                )
            except StaleDecisionError:
                error = TOLD_ANEW
            except (CaseError, DecisionError) as raised:
                error = say_error(raised.field, raised.message)
            else:
                messages.success(request, "The decision was undone.")
                return redirect(back)
    context = {
        "project": decision.project,
        "place": "review",
        "decision": decision,
        "says": say_decision(decision),
        "about": _about(decision),
        "why_not": effect.why_not,
        "effects": effects,
        "stays": "" if decision.kind == Decision.Kind.CLOSE else STAYS,
        "told": digest(effects),
        "error": error,
        "note": note,
        "back": back,
    }
    return page(request, "review/undo.html", context, title="Undo", status=409 if error else 200)


def _image_of(decision: Decision) -> Image | None:
    return decision.work.image if decision.work is not None else decision.image


def _about(decision: Decision) -> str:
    if decision.chain is not None:
        return f"the chain of “{decision.chain.representative.text}”"
    image = _image_of(decision)
    if image is not None:
        said = f": {say_change(decision.content)}" if decision.kind == Decision.Kind.CAPTION else ""
        return f"the image {image.name}{said}"
    return f"the worker {decision.worker.external_id}" if decision.worker is not None else "a case"


def _back(decision: Decision, case: Case | None) -> str:
    """Return the address of what the decision is about."""
    if case is not None and decision.kind == Decision.Kind.CLOSE:
        return address(case)
    if decision.chain_id is not None:
        return reverse("review:chain", args=[decision.chain_id])
    image = _image_of(decision)
    return reverse("review:history", args=[image.pk]) if image is not None else reverse("review:queue")


def _keep(request: HttpRequest, decision: Decision, note: str) -> None:
    image = _image_of(decision)
    said: dict[str, Any] = {"decision": decision.pk, "note": note}
    if decision.kind == Decision.Kind.CAPTION:
        caption = decision.content["caption"] + 1
        acted(request, "caption.undo", image, decision.project, caption=caption, **said)
        return
    about = decision.chain or image or decision.worker
    name = decision.chain.representative.text if decision.chain is not None else ""
    acted(request, "decision.undo", about, decision.project, name, kind=decision.kind, **said)


@viewing
@require_safe
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything that happened to an image, in order."""
    image = get_object_or_404(Image.objects.select_related("project"), pk=pk)
    context = {
        "project": image.project,
        "place": "images",
        "image": image,
        "history": image_history(pk),
        "numbers": numbers_of(pk),
    }
    return page(request, "review/history.html", context, title=f"History of {image.name}")


@viewing
@require_safe
def closed(request: HttpRequest) -> HttpResponse:
    """Show the cases that were closed without a change last, so that one can be opened again."""
    reach = reach_of(request)
    project = project_named(read_number(request.GET, "project"), reach)
    cases = Case.objects.filter(reach.rows(), decision__kind=Decision.Kind.CLOSE).select_related(
        *_OF_CASES, "decision"
    )
    if project is not None:
        cases = cases.filter(project=project)
    # A case about a worker has a row for each stage, all with the same decision.
    newest = cases.order_by("-decision_id").values_list("decision_id", flat=True).distinct()[:CLOSED]
    rows = cases.filter(decision__in=list(newest)).order_by("-decision_id", "pk")
    groups = [list(group) for _, group in groupby(rows, key=attrgetter("decision_id"))]
    now = timezone.now()
    context = {
        "project": project,
        "place": "queue",
        "rows": [describe(group[0], Filter(), now=now, stages=group) for group in groups],
    }
    return page(request, "review/closed.html", context, title="Closed cases")


_OF_CASES = (
    *("project", "work__image", "caption__image", "chain__representative", "judgment", "worker"),
    "question__image",
)
