"""The page of selected images: make a batch or a spot check of them, export them, or withdraw them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.domain.protocols import DEFAULT_PROTOCOL
from annotation.models import Image, Project
from annotation.transactions import write_transaction
from console.batches.preset_choice import USUAL
from console.common.access import deciding, may_manage
from console.common.forms import add_error
from console.common.numbers import say_count
from console.common.pages import acted, page, user_name
from console.jobs.labels import name_of
from console.selection.chosen import chosen
from console.selection.forms import BatchForm, ExportForm, SpotCheckForm, WithdrawForm
from workflows.batch_settings.domain.presets import preset_settings
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.jobs.domain.jobs import MAX_CHOSEN, ExportAsked, JobError
from workflows.jobs.job_queue import start_job
from workflows.questions.images import free_images
from workflows.review.domain.spot_checks import SpotCheckError
from workflows.review.image_withdrawals import withdraw_image
from workflows.review.spot_checks import draw_spot_check
from workflows.tasks import hint_jobs

MAX_SEED = 2**31 - 1
MAX_WITHDRAWN = 100
"""The most images that one request withdraws: each is a transaction of its own."""
FORMS: dict[str, type[forms.Form]] = {
    "batch": BatchForm,
    "spot-check": SpotCheckForm,
    "export": ExportForm,
    "withdraw": WithdrawForm,
}
MANAGED = ("batch", "export")
"""What only managers may do."""


@deciding
@require_POST
def selection(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what can be done with the selected images, or do it."""
    project = get_object_or_404(Project, pk=pk)
    found = chosen(project, request.POST)
    if not found.images:
        messages.error(request, "Select images first.")
        return redirect("inspector:search", pk)
    act = request.POST.get("act", "")
    offered = {name: form for name, form in FORMS.items() if may_manage(request) or name not in MANAGED}
    made = {name: form(request.POST if name == act else None) for name, form in offered.items()}
    form = made.get(act)
    if form is not None and form.is_valid():
        done = _ACTS[act](request, project, form, found.images)
        if done is not None:
            return done
    free = free_images(project).filter(pk__in=found.images).count() if may_manage(request) else 0
    context = {
        "project": project,
        "place": "images",
        "crumbs": [("Images", reverse("inspector:search", args=[pk]))],
        "crumb": "Selected",
        "chosen": found,
        "most": MAX_CHOSEN,
        "most_withdrawn": MAX_WITHDRAWN,
        "free": free,
        "forms": made,
    }
    status = 422 if form is not None else 200
    return page(request, "selection/selection.html", context, title="Selected images", status=status)


def _make_batch(
    request: HttpRequest, project: Project, form: forms.Form, images: Collection[int]
) -> HttpResponse | None:
    settings = preset_settings(USUAL, DEFAULT_PROTOCOL)
    free = free_images(project).filter(pk__in=images).values_list("pk", flat=True)
    try:
        with write_transaction():
            batch = create_batch(
                project=project, name=form.cleaned_data["name"], settings=settings, images=list(free)
            )
            acted(request, "batch.create", batch, project=project, images="selected")
    except BatchError as error:
        says = str(error)
        form.add_error("name", f"{says[:1].upper()}{says[1:]}.")
        return None
    messages.success(request, f"Batch {batch.name} is a draft: nothing is asked before it is launched.")
    return redirect("batches:settings", batch.pk)


def _draw(
    request: HttpRequest, project: Project, form: forms.Form, images: Collection[int]
) -> HttpResponse | None:
    sizes = form.cleaned_data
    try:
        drawn = draw_spot_check(
            project=project,
            sizes=sizes,
            seed=secrets.randbelow(MAX_SEED),
            by=user_name(request),
            now=timezone.now(),
            images=images,
            also=lambda check: acted(request, "spot-check.draw", check, project, project.name, **sizes),
        )
    except SpotCheckError as error:
        add_error(form, error.field, error.message)
        return None
    return redirect("review:spot-check", drawn.pk, 1)


def _export(
    request: HttpRequest, project: Project, form: forms.Form, images: Collection[int]
) -> HttpResponse | None:
    asked = ExportAsked(**form.cleaned_data, images=list(images))
    try:
        with write_transaction():
            job, new = start_job(project=project, asked=asked, by=user_name(request), now=timezone.now())
            if new:
                detail = {**form.cleaned_data, "images": len(images)}
                acted(request, "export.start", job, project, name_of(job), **detail)
    except JobError as error:
        add_error(form, error.field, error.message)
        return None
    hint_jobs()
    return redirect("jobs:job", job.pk)


def _withdraw(
    request: HttpRequest, project: Project, form: forms.Form, images: Collection[int]
) -> HttpResponse | None:
    if len(images) > MAX_WITHDRAWN:
        form.add_error(None, f"At most {MAX_WITHDRAWN} images can be withdrawn at once: select fewer.")
        return None
    note, done = form.cleaned_data["note"], 0
    for image in Image.objects.filter(pk__in=images).order_by("pk"):
        decision = withdraw_image(
            image_id=image.pk,
            by=user_name(request),
            note=note,
            now=timezone.now(),
            also=partial(acted, request, "image.withdraw", image, project, note=note),
        )
        done += decision is not None
    if done:
        said = say_count(done, "image was", "images were")
        messages.success(request, f"{said} withdrawn: no worker is asked about them.")
    else:
        messages.info(request, "These images were withdrawn already.")
    return redirect(reverse("inspector:search", args=[project.pk]) + "?state=withdrawn-image")


_Act = Callable[[HttpRequest, Project, forms.Form, Collection[int]], HttpResponse | None]
_ACTS: dict[str, _Act] = {
    "batch": _make_batch,
    "spot-check": _draw,
    "export": _export,
    "withdraw": _withdraw,
}
