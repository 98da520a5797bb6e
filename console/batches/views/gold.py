"""The buttons of a launch that is not ready: a pilot, finished images as gold, fewer questions, a cap."""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Batch, Chain, Project
from annotation.transactions import write_transaction
from console.batches.gold_ways import finished_without_questions
from console.common.access import managing
from console.common.numbers import say_count
from console.common.pages import acted, read_number, user_name
from workflows.batch_settings.domain.crowd_settings import MAX_MONEY
from workflows.batch_settings.domain.presets import with_fewer_questions
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.campaign_questions import make_campaign_questions
from workflows.batches.lifecycle import BatchError
from workflows.batches.pilot import MAX_PILOT_IMAGES, start_pilot
from workflows.batches.settings_edits import change_settings
from workflows.money.domain.currencies import amount
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.exposure import stock_of
from workflows.questions.make import promote_chains
from workflows.questions.make_missing import make_missing, plan_missing
from workflows.questions.supply import supplied_of


@managing
@require_POST
def pilot(request: HttpRequest, pk: int) -> HttpResponse:
    """Make the draft of a pilot, and go to its launch."""
    project = get_object_or_404(Project, pk=pk)
    draft, images = _draft(request, project), min(read_number(request.POST, "images") or 0, MAX_PILOT_IMAGES)
    try:
        with write_transaction():
            made = start_pilot(project=project, images=images, draft=draft)
            taken = draft.works.count() if draft else None
            acted(request, "batch.create", made, project=project, images=made.works.count(), pilot=True)
    except BatchError as error:
        messages.error(request, f"No pilot was made: {error}.")
        return _back(project, draft)
    drawn = say_count(made.works.count(), "image")
    kept = f" Batch {draft.name} keeps {say_count(taken, 'image')}." if taken is not None and draft else ""
    messages.success(
        request,
        f"The pilot is a draft of {drawn}. Launch it here, then send links to people you know.{kept}",
    )
    return redirect(reverse("batches:move", args=[made.pk, "launch"]))


@managing
@require_POST
def use_finished(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose questions of finished images, and go to the gallery in which they are approved."""
    project = get_object_or_404(Project, pk=pk)
    draft, images = _draft(request, project), min(read_number(request.POST, "images") or 0, MAX_PILOT_IMAGES)
    works = finished_without_questions(project).order_by("pk").values_list("pk", flat=True)[:images]
    chains = Chain.objects.filter(work__in=list(works), state__in=(DONE, NONVISUAL)).order_by("pk")
    try:
        with write_transaction():
            made = promote_chains(
                chain_ids=list(chains.values_list("pk", flat=True)),
                by=user_name(request),
                settings=settings_of(draft) if draft else BatchSettings(),
                now=timezone.now(),
            )
            if made.total():
                acted(request, "questions.make", project=project, source="finished", made=made.total())
    except QuestionError as error:
        messages.error(request, f"No question was proposed: {error.message}.")
        return _back(project, draft)
    if not made.total():
        messages.info(request, "No question was proposed: the finished images admit none that is new.")
        return _back(project, draft)
    proposed = say_count(made.total(), "question is", "questions are")
    messages.success(request, f"{proposed} proposed. Approve those that are right.")
    return redirect(reverse("questions:gallery", args=[project.pk]))


@managing
@require_POST
def missing_questions(request: HttpRequest, pk: int) -> HttpResponse:
    """Make and propose the questions that a draft lacks, and no others. Go to where they are approved."""
    project = get_object_or_404(Project, pk=pk)
    draft = _draft(request, project)
    settings = settings_of(draft) if draft else BatchSettings()
    by, now = user_name(request), timezone.now()
    try:
        plan = plan_missing(project, settings, supplied_of(project, stock_of(project.pk)))
        with write_transaction():
            made, proposed = make_missing(plan, project=project, by=by, now=now)
            if made or proposed:
                acted(request, "questions.make", project=project, source="missing", made=made + proposed)
    except QuestionError as error:
        messages.error(request, f"No question was made: {error.message}.")
        return _back(project, draft)
    if made:
        messages.success(request, f"{say_count(made, 'question is', 'questions are')} made.")
    if not (proposed or plan.waiting):
        if not made:
            messages.info(request, "No question was made: the images that there are admit none.")
        return _back(project, draft)
    waiting = proposed + plan.waiting.total()
    messages.success(request, f"{say_count(waiting, 'question waits', 'questions wait')} for your approval.")
    only = f"?batch={draft.pk}" if draft else "?missing=1"
    return redirect(reverse("questions:gallery", args=[project.pk]) + only)


@managing
@require_POST
def fewer_questions(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a draft ask fewer verification questions, and go back to its launch."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    try:
        with write_transaction():
            current = Batch.objects.select_for_update(no_key=True).get(pk=pk)
            settings = with_fewer_questions(settings_of(current))
            if changed := change_settings(batch=current, settings=settings):
                acted(request, "batch.settings", batch, project=batch.project, changed=changed)
    except BatchError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, f"Batch {batch.name} asks fewer questions now.")
    return redirect(reverse("batches:move", args=[pk, "launch"]))


@managing
@require_POST
def caption_questions(request: HttpRequest, pk: int) -> HttpResponse:
    """Make what a campaign lacks to be launched, of captions that are known, and go back to its launch."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    project = batch.project
    try:
        with write_transaction():
            made, taken = make_campaign_questions(batch=batch, now=timezone.now())
            if made.total() or taken:
                acted(request, "questions.make", project=project, source="captions", made=made.total())
    except QuestionError as error:
        messages.error(request, f"No question was made: {error.message}.")
    else:
        out = f" {say_count(taken, 'image')} came out of batch {batch.name}." if taken else ""
        if made.total():
            messages.success(request, f"{say_count(made.total(), 'verification question')} made.{out}")
        else:
            messages.info(request, f"Nothing is new: the known captions admit no more questions.{out}")
    return redirect(reverse("batches:move", args=[pk, "launch"]))


@managing
@require_POST
def cap(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a draft the cap that its launch page offered, and go back there."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    wanted = read_number(request.POST, "cap") or 0
    try:
        with write_transaction():
            current = Batch.objects.select_for_update(no_key=True).get(pk=pk)
            if current.state != Batch.State.DRAFT:
                raise BatchError(f"batch {current.name} is {current.state}: change the cap with its crowd")
            if not 0 < wanted <= MAX_MONEY:
                raise BatchError("a cap is more than 0")
            old = settings_of(current)
            settings = replace(old, crowd=replace(old.crowd, cap=wanted))
            if changed := change_settings(batch=current, settings=settings):
                acted(request, "batch.settings", batch, project=batch.project, changed=changed)
    except BatchError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(
            request, f"The cap of batch {batch.name} is {amount(wanted, settings.currency)} now."
        )
    return redirect(reverse("batches:move", args=[pk, "launch"]))


def _draft(request: HttpRequest, project: Project) -> Batch | None:
    """Return the batch whose launch page the button was on."""
    number = read_number(request.POST, "batch")
    return get_object_or_404(Batch, pk=number, project=project) if number is not None else None


def _back(project: Project, draft: Batch | None) -> HttpResponse:
    if draft is not None:
        return redirect(reverse("batches:move", args=[draft.pk, "launch"]))
    return redirect(reverse("batches:questions", args=[project.pk]))
