"""The screen on which one researcher annotates an image, and the queues of images that were drawn for it."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Batch, Caption, Image, Project
from annotation.selectors import type_names
from annotation.transactions import write_transaction
from console.common.access import deciding, may_manage
from console.common.assets import EXPERT, built
from console.common.chain_page import changed_since
from console.common.labels import say_error
from console.common.numbers import say_count
from console.common.pages import acted, page, read_number, say_done, user_name
from console.expert.image_setup import PURPOSES, expert_setup, why_not
from console.expert.neighbours import named, neighbours
from workflows.batches.lifecycle import BatchError
from workflows.batches.pilot import most_taken_out, take_out
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.questions.images import free_images, lock_roles
from workflows.review.annotate import annotate_image, image_version, undone_annotation
from workflows.review.annotation_queue import (
    MAX_IMAGES,
    Progress,
    QueueError,
    draw_queue,
    end_queue,
    open_queue,
    progress_of,
    undrawn_images,
)
from workflows.review.annotation_queue import PURPOSES as QUEUE_PURPOSES
from workflows.review.decide import StaleDecisionError
from workflows.review.domain.annotation import Annotation, Purpose, parse_annotation
from workflows.review.models import AnnotationQueue
from workflows.review.selectors import active_work
from workflows.suggestions.selectors import newest_number


class QueueForm(forms.Form):
    """How many images to draw, and what their annotation is for."""

    purpose = forms.ChoiceField(
        choices=[(one, one) for one in map(str, QUEUE_PURPOSES)], widget=forms.HiddenInput
    )
    count = forms.IntegerField(
        label="How many images",
        min_value=1,
        max_value=MAX_IMAGES,
        help_text="They are drawn at random from the images that are in no batch and have no questions.",
    )
    drawn = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


@deciding
def image(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the image to be annotated. A POST with the annotation as JSON stores it, and replies in JSON."""
    images: Any = Image.objects.select_related("project").annotate(newest_set=newest_number())
    found = get_object_or_404(images, pk=pk)
    queue = _queue_of(request, found)
    if request.method == "POST":
        return _store(request, found, queue)
    work = active_work(found.pk)
    obstacle = why_not(found, work)
    following = queue and queue.after(pk)
    beside = neighbours(found, queue, lambda one: _image_address(one, queue))
    here = next(place for place, one in enumerate(beside) if one.here)
    save = "Save and next" if following else "Save"
    # In a queue, what it is for was chosen when it was begun.
    purpose = queue.queue.purpose if queue else request.GET.get("purpose", "")
    address = request.get_full_path()
    setup = (
        {}
        if obstacle
        else expert_setup(
            found,
            work,
            user=user_name(request),
            purpose=purpose,
            address=address,
            save=save,
            newest_set=found.newest_set,
        )
    )
    context: dict[str, Any] = {
        "project": found.project,
        "place": "images",
        "image": found,
        "work": work,
        "obstacle": obstacle,
        "again": not obstacle and work is None and bool(undone_annotation(pk)),
        "queue": queue,
        "purpose": PURPOSES[queue.queue.purpose][0] if queue else "",
        "number": queue.place(pk) if queue else None,
        "beside": beside,
        "previous": beside[here - 1] if here else None,
        "next": beside[here + 1] if here + 1 < len(beside) else None,
        "later": _image_address(following, queue) if queue and following else "",
        "roomy": True,
        "setup": setup,
        "script": built(EXPERT),
    }
    return page(request, "expert/image.html", context, title=found.name)


@deciding
def image_named(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to the image with a name, or back to the one that the name was given on."""
    project = get_object_or_404(Project, pk=pk)
    name = request.GET.get("name", "").replace("\0", "").strip()
    if found := named(project, name):
        queue = _queue_of(request, found)
        return redirect(_image_address(found.pk, queue))
    messages.warning(request, f"No image is called {name}." if name else "Type the name of an image.")
    back = Image.objects.filter(pk=read_number(request.GET, "from") or 0, project=project).first()
    if back is None:
        return redirect(_queue_address(pk, ""))
    return redirect(_image_address(back.pk, _queue_of(request, back)))


def _store(request: HttpRequest, found: Image, queue: Progress | None) -> JsonResponse:
    annotation: Annotation | None = None
    try:
        annotation = said = _parsed(request, found)
        decision = annotate_image(
            image_id=found.pk,
            annotation=annotation,
            by=user_name(request),
            now=timezone.now(),
            also=lambda: acted(
                request,
                "image.annotate",
                found,
                found.project,
                purpose=str(said.purpose),
                chains=len(said.chains),
                note=said.note,
            ),
        )
    except DecisionError as error:
        words = say_error(error.field, error.message)
        return JsonResponse({"field": error.field, "error": words}, status=422)
    except StaleDecisionError as error:
        return JsonResponse(
            {
                "error": str(error),
                "version": image_version(found.pk),
                "changes": _changes(found, annotation.version if annotation else ""),
            },
            status=409,
        )
    say_done(request, f"{found.name} is saved.", decision)
    return JsonResponse({"next": _after(found, queue), "undo": reverse("review:undo", args=[decision.pk])})


def _parsed(request: HttpRequest, found: Image) -> Annotation:
    """Return what was sent. Raises DecisionError."""
    try:
        data = json.loads(request.body)
    except (ValueError, RecursionError):
        raise DecisionError("annotation", "is not JSON") from None
    captions = Caption.objects.in_use().filter(image=found).order_by("index").values_list("index", "tokens")
    counts = {index: len(tokens.split(" ")) for index, tokens in captions}
    return parse_annotation(data, counts, type_names(found.pk))


def _changes(found: Image, version: str) -> list[str]:
    """Return what happened to the image since this version, in words, the latest first."""
    work = active_work(found.pk)
    parts = version.split("-")
    if work is None or len(parts) != 3 or not parts[1].isdigit():
        return []
    return changed_since(work, int(parts[1][:18]))


def _after(found: Image, queue: Progress | None) -> str:
    """Return the page that follows when the image is saved: the next of the queue, or the image's."""
    if queue is None:
        return reverse("inspector:image", args=[found.pk])
    following = progress_of(queue.queue).after(found.pk)
    if following is None:
        return _queue_address(found.project_id, queue.queue.purpose)
    return _image_address(following, queue)


def _queue_of(request: HttpRequest, found: Image) -> Progress | None:
    """Return the queue that the address names, if the image is in it.

    Without a name, it is the open queue in which the image waits: the way back after an undo names none.
    """
    queues = AnnotationQueue.objects.filter(project=found.project_id)
    if pk := read_number(request.GET, "queue"):
        queue = queues.filter(pk=pk).first()
        return progress_of(queue) if queue is not None and found.pk in queue.images else None
    waiting = (progress_of(one) for one in queues.filter(ended_at=None) if found.pk in one.images)
    return next((one for one in waiting if found.pk not in one.done), None)


def _image_address(pk: int, queue: Progress | None) -> str:
    address = reverse("expert-image", args=[pk])
    return f"{address}?queue={queue.queue.pk}" if queue else address


def _queue_address(project: int, purpose: str) -> str:
    return f"{reverse('expert-queue', args=[project])}?{urlencode({'purpose': purpose})}"


@deciding
def queue(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the project's queue for a purpose, and how far it is. A POST draws images, or ends the queue."""
    project = get_object_or_404(Project, pk=pk)
    wanted = request.POST if request.method == "POST" else request.GET
    asked = wanted.get("purpose", "")
    purpose = asked if asked in (Purpose.FINAL, Purpose.GOLD) else str(Purpose.FINAL)
    there = open_queue(project, purpose)
    if request.method == "POST" and "end" in request.POST:
        return _end(request, project, there, purpose)
    count = min(max(read_number(request.GET, "count") or 8, 1), MAX_IMAGES)
    drawn = len(there.images) if there else 0
    form = QueueForm(initial={"purpose": purpose, "count": count, "drawn": drawn})
    if request.method == "POST":
        form = QueueForm(request.POST)
        if form.is_valid() and (begun := _draw(request, project, form)) is not None:
            made = progress_of(begun)
            first = made.following
            return redirect(_image_address(first, made) if first else _queue_address(pk, purpose))
    progress = progress_of(there) if there else None
    draft = _draft(request, project, purpose)
    images = Image.objects.in_bulk(progress.images if progress else [])
    context = {
        "project": project,
        "place": "images",
        "purpose": purpose,
        "purpose_name": PURPOSES[purpose][0],
        "says": PURPOSES[purpose][1],
        "progress": progress,
        "rows": [
            (images[one], one in progress.done, _image_address(one, progress))
            for one in (progress.images if progress else ())
            if progress is not None and one in images
        ],
        "following": _image_address(progress.following, progress) if progress and progress.following else "",
        "free": free_images(project).count(),
        "left": undrawn_images(project).count(),
        "draft": draft,
        "spare": most_taken_out(draft),
        "form": form,
        "others": [(str(one), PURPOSES[one][0]) for one in QUEUE_PURPOSES],
    }
    status = 422 if form.errors else 200
    return page(request, "expert/queue.html", context, title="Annotate images yourself", status=status)


def _draft(request: HttpRequest, project: Project, purpose: str) -> Batch | None:
    """Return the draft from which images for gold are taken if too few are free: the newest one.

    A draft of all images would otherwise keep every image from becoming gold, and wait for gold itself.
    """
    if purpose != Purpose.GOLD or not may_manage(request):
        return None
    return project.batches.filter(state=Batch.State.DRAFT).order_by("-pk").first()


def _draw(request: HttpRequest, project: Project, form: QueueForm) -> AnnotationQueue | None:
    """Draw the images. Return the queue, or None if the form has an error now."""
    data = form.cleaned_data
    draft, rng = _draft(request, project, data["purpose"]), Random()
    detail: dict[str, Any] = {"purpose": data["purpose"], "images": data["count"]}
    try:
        with write_transaction():
            if draft is not None:
                detail |= _taken(project, draft, data["purpose"], data["count"], data["drawn"], rng)
            queue = draw_queue(
                project=project,
                purpose=data["purpose"],
                count=data["count"],
                drawn=data["drawn"],
                by=user_name(request),
                now=timezone.now(),
                rng=rng,
                also=lambda made: acted(request, "expert.draw", project, queue=made.pk, **detail),
            )
    except QueueError as error:
        form.add_error(
            error.field if error.field in form.fields else None, say_error("number", error.message)
        )
        return None
    except BatchError as error:
        form.add_error(None, f"Nothing was drawn: {error}.")
        return None
    if draft is not None and "taken" in detail:
        taken = detail["taken"]
        left = draft.works.count()
        messages.info(
            request,
            f"{say_count(taken, 'image')} came out of draft {draft.name}, which keeps {left}.",
        )
    return queue


def _taken(
    project: Project, draft: Batch, purpose: str, count: int, drawn: int, rng: Random
) -> dict[str, Any]:
    """Take the images that are missing for the queue out of the draft, and return what the audit log says."""
    lock_roles(project.pk)  # two who press the button at once take turns
    there = open_queue(project, purpose)
    if len(there.images if there else ()) != drawn:
        return {}
    taken = take_out(draft, count - undrawn_images(project).count(), rng)
    return {"taken": len(taken), "batch": draft.name} if taken else {}


def _end(request: HttpRequest, project: Project, there: AnnotationQueue | None, purpose: str) -> HttpResponse:
    if there is not None:
        end_queue(
            queue_id=there.pk,
            now=timezone.now(),
            also=lambda made: acted(request, "expert.end", project, purpose=purpose, queue=made.pk),
        )
        messages.success(request, "The queue is ended. What was annotated stays.")
    return redirect(_queue_address(project.pk, purpose))
