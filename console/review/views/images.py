"""The page on which a researcher edits the chunks and chains of an image."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from console.common.access import viewing
from console.common.audited_actions import acted
from console.common.pages import user_name
from console.review.case_list import read_filter
from console.review.chain_page import changed_since
from console.review.forms import RegroupForm
from console.review.image_page import WorkPage, check, cuts_of, groups_of, work_page
from console.review.labels import say_error
from console.review.regroup_preview import Losses, losses
from console.review.views.common import around, page
from workflows.cases.review_queue import close_case
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import StaleDecisionError, regroup, version_of


@viewing
def work(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the image with its captions and chains. A POST regroups it, and asks before work is lost.

    With an error, what was typed is kept.
    """
    found = work_page(pk, request.POST if request.method == "POST" else None)
    if found is None:
        raise Http404
    version = version_of(found.work)
    if request.method != "POST":
        form = RegroupForm(initial={"version": version, "keep_boxes": True, "close": True})
        return show(request, found, form)
    form = RegroupForm(request.POST)
    chosen = check(found)
    if not form.is_valid() or found.errors:
        return show(request, found, form, status=422)
    data = form.cleaned_data
    if "back" in request.POST:
        return show(request, found, form)
    groups = groups_of(chosen, found, keep_boxes=data["keep_boxes"])
    lost = losses(found, chosen, groups)
    # Of an image that has changed since, what is lost would be told wrongly: it is refused below.
    if lost.any and "confirmed" not in request.POST and data["version"] == version:
        return _ask(request, found, lost)
    image, said = found.work, {"chains": len(groups), "note": data["note"]}
    try:
        decision = regroup(
            work_id=pk,
            by=user_name(request),
            note=data["note"],
            now=timezone.now(),
            chains=groups,
            cuts=cuts_of(chosen, len(found.form)),
            version=data["version"],
            also=lambda: acted(
                request, "image.regroup", image, image.batch.project, image.image.name, **said
            ),
        )
    except DecisionError as error:
        form.add_error(None, say_error(error.field, error.message))
        return show(request, found, form, status=422)
    except StaleDecisionError:
        form.add_error(
            None,
            "The image has changed since you opened this page. What you typed is kept: look at what "
            "happened, and regroup again if it still holds.",
        )
        form.data = {**request.POST.dict(), "version": str(version)}
        changed = changed_since(found.work, data["version"])
        return show(request, found, form, status=409, changed=changed)
    if data["close"]:
        for case in found.open_cases:
            close_case(case_id=case.pk, by=user_name(request), note="", now=timezone.now(), decision=decision)
    messages.success(request, f"{found.work.image.name} is regrouped.")
    return redirect(reverse("review:work", args=[pk]) + read_filter(request.GET).query())


def _ask(request: HttpRequest, found: WorkPage, lost: Losses) -> HttpResponse:
    """Show which work would be withdrawn. The page carries along everything that was typed."""
    typed = [(name, value) for name, value in request.POST.items() if name != "csrfmiddlewaretoken"]
    name = found.work.image.name
    context = {
        "found": found,
        "place": "review",
        "project": found.work.batch.project,
        "crumb": name,
        "losses": lost,
        "typed": typed,
        **around(request, []),
    }
    return page(request, "regroup", context, title=f"Regroup {name}?")


def show(
    request: HttpRequest, found: WorkPage, form: RegroupForm, status: int = 200, **more: object
) -> HttpResponse:
    """Render the page, with the form that has errors."""
    name = found.work.image.name
    context = {
        "found": found,
        "place": "review",
        "project": found.work.batch.project,
        "crumb": name,
        "regroup": form,
        "open": found.work.state != "queued",
        **around(request, found.open_cases),
        **more,
    }
    return page(request, "work", context, title=name, status=status)
