"""Search a project's images, and look at one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.merge import MergeSettings
from annotation.importing.picture_files import PictureError
from annotation.importing.replacement import replace_photograph
from annotation.models import Image, Project
from annotation.selectors import all_type_names
from annotation.transactions import snapshot
from console.common.access import advises, deciding, viewing, viewing_kept
from console.common.assets import INSPECTOR, built
from console.common.chain_page import chain_page
from console.common.history import numbers_of
from console.common.pages import acted, page, read_number, user_name
from console.common.pictures import picture
from console.inspector.api import history_answer, merged_answer
from console.inspector.domain.merge_diff import MIN_IOU, settings_from
from console.inspector.image_page import captions_on_page, setup, showing
from console.inspector.results import around, results
from console.inspector.search_query import BARE, DISAGREEMENTS, MAX_LETTERS, STATES, Wanted
from console.inspector.sources import campaigns, choices, chosen, draft
from console.inspector.thumbnails import chain_shapes
from workflows.core.byte_ranges import part_of
from workflows.core.photographs import photograph_reply
from workflows.jobs.domain.jobs import MAX_CHOSEN
from workflows.review.image_withdrawals import bring_back_image, withdraw_image
from workflows.review.models import SavedFilter
from workflows.review.saved_filters import filters_of

MAX_NOTE = 500
DONE = {
    "withdraw": "The image was withdrawn: no worker is asked about it, and no export has it.",
    "bring-back": "The image belongs to the data set again.",
    "photograph": "The photograph was replaced.",
}


class PhotographForm(forms.Form):
    """Another photograph of an image."""

    photograph = forms.FileField()


@viewing
def images(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's images that match the search."""
    project = get_object_or_404(Project, pk=pk)
    wanted = Wanted.read(request.GET)
    after, before = (read_number(request.GET, name) or 0 for name in ("after", "before"))
    context = {
        "project": project,
        "place": "images",
        "wanted": wanted,
        "query": wanted.query(),
        "found": results(project, wanted, after=after, before=before),
        "types": all_type_names(project.pk),
        "states": STATES.items(),
        "without_photographs": wanted.state == BARE,
        "disagreements": DISAGREEMENTS.items(),
        "most_letters": MAX_LETTERS,
        "most_chosen": MAX_CHOSEN,
        "filters": filters_of(project, SavedFilter.Page.IMAGES),
        "other_boxes": replace(wanted, boxes="" if wanted.boxes else "yes").query() or "?",
    }
    return page(request, "inspector/search.html", context, title=f"Images of {project.name}")


@viewing
def image(request: HttpRequest, pk: int) -> HttpResponse:
    """Show everything known about an image."""
    found = get_object_or_404(Image.objects.select_related("project"), pk=pk)
    wanted = Wanted.read(request.GET)
    with snapshot():
        sources = choices(pk)
        choice = chosen(sources, request.GET.get("source", "") or str(wanted.batch or ""))
        shown = showing(draft(pk, choice), choice)
    photograph = replace(picture(found), shapes=chain_shapes(shown.chains))
    before, after = around(found.project_id, wanted, pk)
    usual = MergeSettings()
    thresholds = {"iou": usual.iou, "iou_other": usual.iou_other, "least": MIN_IOU}
    context: dict[str, Any] = {
        "project": found.project,
        "place": "images",
        "image": found,
        "captions": captions_on_page(pk, shown.captions),
        "numbers": numbers_of(pk),
        "picture": photograph,
        "found": shown,
        "sources": sources,
        "choice": choice,
        "campaigns": [] if choice else campaigns(pk),
        "query": wanted.query(),
        "source_query": [(one, wanted.query(source=one.key)) for one in sources],
        "before": before and reverse("inspector:image", args=[before]) + wanted.query(),
        "after": after and reverse("inspector:image", args=[after]) + wanted.query(),
        "setup": setup(photograph, shown, choice, linked=not advises(request), **thresholds),
        "script": built(INSPECTOR),
    }
    return page(request, "inspector/image.html", context, title=found.name)


@deciding
@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw the image, bring it back, or give it another photograph."""
    found = get_object_or_404(Image.objects.select_related("project"), pk=pk)
    action, note = request.POST.get("action", ""), request.POST.get("note", "").strip()[:MAX_NOTE]
    form = PhotographForm(request.POST, request.FILES)
    if action == "withdraw" and not note:
        messages.error(request, "Say why you withdraw the image.")
    elif action in ("withdraw", "bring-back"):
        act = withdraw_image if action == "withdraw" else bring_back_image
        act(
            image_id=pk,
            by=user_name(request),
            note=note,
            now=timezone.now(),
            also=lambda: acted(request, f"image.{action}", found, found.project, note=note),
        )
        messages.success(request, DONE[action])
    elif form.is_valid():
        try:
            replace_photograph(
                image_id=pk,
                file=form.cleaned_data["photograph"],
                also=lambda: acted(request, "image.photograph", found, found.project),
            )
            messages.success(request, DONE["photograph"])
        except PictureError as error:
            hint = f": {error.hint}" if error.hint else ""
            messages.error(request, f"The file {error}{hint}.")
    else:
        messages.error(request, "Choose a photograph.")
    return redirect("inspector:image", pk)


@viewing_kept
@require_safe
def photograph(request: HttpRequest, pk: int, width: int | None = None) -> HttpResponseBase:
    """Return the photograph, or its rendition of this width. With S3, pages have links to the bucket."""
    found = get_object_or_404(Image.objects.only("file"), pk=pk)
    reply = photograph_reply(str(found.file), width=width) if settings.IMAGES_ARE_LOCAL else None
    if reply is None:
        raise Http404
    return part_of(request, reply)


@viewing
def merged(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the image as an export would merge it at these thresholds, as JSON."""
    if not Image.objects.filter(pk=pk).exists():
        raise Http404
    try:
        thresholds = settings_from(request.GET.get("iou", ""), request.GET.get("iou_other", ""))
    except ValueError as error:
        return JsonResponse({"error": str(error)}, status=400)
    with snapshot():
        found = draft(pk, chosen(choices(pk), request.GET.get("source", "")))
    if found is None:
        return JsonResponse({"error": "the image has no captions: there is nothing to merge"}, status=400)
    return JsonResponse(merged_answer(found.record, thresholds))


@viewing
def history(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the history of one of the image's chains, as JSON."""
    found = chain_page(read_number(request.GET, "chain") or 0)
    if found is None or found.work.image_id != pk:
        return JsonResponse({"error": "the image has no such chain"}, status=404)
    return JsonResponse(history_answer(found))
