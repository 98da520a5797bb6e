"""A new batch of another campaign: captions are collected, or it is judged which ones fit."""

from __future__ import annotations

import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.domain.answers import CampaignStage
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.numbers import say_count
from console.common.pages import acted, page, read_number
from console.jobs.labels import name_of, remaining_of
from workflows.analysis.relevance_judgments import JUDGMENTS, is_published, write_published
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batch_settings.selectors import next_name, settings_of
from workflows.batches.follow_up import write_anew
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.batches.pair_file import draft_of_pairs, read_pairs
from workflows.jobs.models import Job
from workflows.jobs.pair_choices import PAIRS
from workflows.questions.images import free_images
from workflows.questions.make_caption_questions import free_for_questions

CAPTIONS = "captions"
PROTOCOLS = (
    (CAPTIONS, "Write captions of photographs"),
    (
        "relevance-expert",
        "Grade how well captions fit, 1 to 4",
    ),
    ("relevance-crowd", "Tick which of ten captions fit"),
)
MAX_BYTES = 100_000_000
"""The largest file of pairs that is uploaded: half a million of them."""
MAX_CHOICES = 20
EVERYBODY_CHECKS = (
    "All workers who write may check the captions of others: this project has no known captions with which "
    "they could be tested. Look at the review queue, and at who lost trust."
)


class CampaignForm(forms.Form):
    """What the batch is to do, with which pairs, and whose judgments count."""

    protocol = forms.ChoiceField(
        label="What workers do",
        choices=PROTOCOLS,
        help_text="Five workers write about each photograph. Grades are for experts, ticks for a crowd: "
        "three judge each pair.",
    )
    name = forms.CharField(label="Name of the batch", max_length=64)
    choice = forms.ChoiceField(
        label="Pairs to judge",
        required=False,
        help_text="Only to grade or to tick.",
    )
    pairs = forms.FileField(
        label="Or a file of pairs",
        required=False,
        help_text='JSON lines such as {"image": "a.jpg", "caption": ["b.jpg", 3]}: is caption 3 of b.jpg '
        "true of a.jpg?",
    )
    everybody = forms.BooleanField(
        label="All workers' judgments count",
        required=False,
        help_text="Without a test and without verification questions. For people you know.",
    )

    def __init__(self, *args: Any, project: Project, choice: int | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.jobs = {str(job.pk): job for job in _choices(project)}
        field = self.fields["choice"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", "none"),
            *((pk, f"{remaining_of(job)} ({name_of(job)})") for pk, job in self.jobs.items()),
        ]
        if str(choice) in self.jobs:
            self.initial = {"choice": str(choice), "protocol": "relevance-crowd"}

    def clean_pairs(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["pairs"]
        if file is not None and (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(
                f"A file of pairs has at most {MAX_BYTES:,} bytes: judge them in several batches."
            )
        return file

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        named = [name for name in ("choice", "pairs") if data.get(name) or name in self.errors]
        if data.get("protocol") not in (None, CAPTIONS) and not named:
            self.add_error("choice", "Choose the pairs that are judged, or the file that has them.")
        if len(named) == 2 and not self.errors:
            self.add_error("pairs", "Name pairs that you have chosen or a file, not both.")
        if data.get("protocol") == CAPTIONS and named and not self.errors:
            self.add_error(named[0], "To collect captions takes no pairs: leave this empty.")
        return data

    def settings(self, *, known: bool) -> BatchSettings:
        """Return the settings that the batch begins with.

        If no captions are `known`, nobody who checks captions can be tested with some.
        """
        given: dict[str, Any] = {"protocol": self.cleaned_data["protocol"]}
        if self.cleaned_data["everybody"]:
            given |= {"regime": str(Regime.OPEN), "screening": {"test": False}}
        elif not known and given["protocol"] == CAPTIONS:
            given["regime"] = {str(CampaignStage.CAPTION_CHECK): str(Regime.OPEN)}
        return parse_settings(given)


def _choices(project: Project) -> QuerySet[Job]:
    """Return the newest jobs of the project that have chosen pairs."""
    done = Job.objects.filter(project=project, kind=Job.Kind.PAIRS, state=Job.State.DONE)
    return done.defer("problems").order_by("-pk")[:MAX_CHOICES]


@managing
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a draft of a campaign."""
    project = get_object_or_404(Project, pk=pk)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = CampaignForm(*data, project=project, choice=read_number(request.GET, "choice"))
    form.initial.setdefault("name", next_name(project, CAPTIONS))
    if form.is_bound and form.is_valid():
        try:
            batch = _draft(request, project, form)
        except BatchError as error:
            form.add_error(None, f"{error}.")  # it may begin with the name of the file
        else:
            messages.success(
                request, f"Batch {batch.name} is a draft: nothing is asked before it is launched."
            )
            if _everybody_checks(batch) and not form.cleaned_data["everybody"]:
                messages.info(request, EVERYBODY_CHECKS)
            return redirect(reverse("batches:move", args=[batch.pk, "launch"]))
    free = free_images(project, Campaign.CAPTIONS).exclude(file="").count()
    context = {
        "project": project,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[pk]))],
        "crumb": "New campaign",
        "form": form,
        "free": free,
    }
    status = 422 if form.errors else 200
    return page(request, "batches/campaign.html", context, title="New campaign", status=status)


def _everybody_checks(batch: Batch) -> bool:
    return settings_of(batch).regime.get(CampaignStage.CAPTION_CHECK) == Regime.OPEN


def _draft(request: HttpRequest, project: Project, form: CampaignForm) -> Batch:
    """Make the draft. Raises BatchError; then nothing is written."""
    name, settings = (
        form.cleaned_data["name"],
        form.settings(known=free_for_questions(project).exists()),
    )
    if settings.campaign is Campaign.CAPTIONS:
        images = free_images(project, settings.campaign).exclude(file="").order_by("name")
        chosen = list(images.values_list("pk", flat=True))
        if not chosen:
            raise BatchError("No photograph is free to be described: import some first")
        with write_transaction():
            batch = create_batch(project=project, name=name, settings=settings, images=chosen)
            acted(request, "batch.create", batch, project, protocol=settings.protocol, images=len(chosen))
        return batch
    with TemporaryDirectory() as folder:
        path = _stored(form, Path(folder))
        try:
            pairs = read_pairs(project, path)
        except BatchError as error:
            raise BatchError(str(error).replace(f"{folder}/", "")) from error
    with write_transaction():
        batch = draft_of_pairs(project=project, name=name, settings=settings, pairs=pairs)
        acted(request, "batch.create", batch, project, protocol=settings.protocol, pairs=pairs.number)
    return batch


def _stored(form: CampaignForm, folder: Path) -> Path:
    """Copy the pairs that were chosen, or uploaded, into the folder. Raises BatchError."""
    if job := form.jobs.get(form.cleaned_data["choice"]):
        path = folder / name_of(job)
        try:
            with default_storage.open(str(job.outcome[PAIRS])) as source, path.open("wb") as copy:
                shutil.copyfileobj(source, copy)
        except (FileNotFoundError, KeyError) as error:
            raise BatchError(f"{name_of(job)} has no pairs any more: choose them again") from error
        return path
    upload = form.cleaned_data["pairs"]
    path = folder / Path(upload.name or "pairs").name
    with path.open("wb") as file:
        for chunk in upload.chunks():
            file.write(chunk)
    return path


@managing
@require_POST
def write_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a draft of the photographs that a batch leaves short of captions, and go to its launch."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    project = batch.project
    try:
        with write_transaction():
            draft = write_anew(batch=batch, name=next_name(project, batch.name))
            images = draft.works.count()
            acted(
                request, "batch.create", draft, project, protocol=CAPTIONS, images=images, copied=batch.name
            )
    except BatchError as error:
        messages.info(request, f"Nothing was made: {error}.")
        return redirect(reverse("dashboards:batch", args=[pk]))
    messages.success(
        request,
        f"Batch {draft.name} is a draft of {say_count(images, 'photograph')}, with the settings of "
        f"{batch.name}. They keep the captions that they have. Launch it to have others written.",
    )
    return redirect(reverse("batches:move", args=[draft.pk, "launch"]))


@managing
@require_safe
def judgments(request: HttpRequest, pk: int) -> FileResponse:
    """Send what is published of a batch that collects or judges captions, in a ZIP archive."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    if not is_published(batch):
        raise Http404
    content = BytesIO()
    with TemporaryDirectory() as folder:
        out = Path(folder) / batch.name
        write_published(batch, out, now=timezone.now())
        names = sorted(file.name for file in out.iterdir())
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.write(out / name, f"{batch.name}/{name}")
    content.seek(0)
    what = "judgments" if JUDGMENTS in names else "questions"
    return FileResponse(content, as_attachment=True, filename=f"{batch.name}-{what}.zip")
