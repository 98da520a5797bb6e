"""A new batch of another campaign: captions are collected, or it is judged which ones fit."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.domain.protocols import Campaign
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from console.common.access import managing
from console.common.audited_actions import acted
from console.common.pages import page
from workflows.analysis.relevance_judgments import write_judgments
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.batches.pair_file import draft_of_pairs, read_pairs
from workflows.questions.images import free_images

CAPTIONS = "captions"
PROTOCOLS = (
    (CAPTIONS, "Write captions of photographs"),
    (
        "relevance-expert",
        "Grade how well captions fit, 1 to 4",
    ),
    ("relevance-crowd", "Tick which of ten captions fit"),
)
MOST_BYTES = 100_000_000
"""The largest file of pairs: half a million of them."""


class CampaignForm(forms.Form):
    """What the batch is to do, with which pairs, and whose judgments count."""

    protocol = forms.ChoiceField(
        label="What workers do",
        choices=PROTOCOLS,
        help_text="Five workers write about each photograph. Grades are for experts, ticks for a crowd: "
        "three judge each pair.",
    )
    name = forms.CharField(label="Name of the batch", max_length=64)
    pairs = forms.FileField(
        label="Pairs to judge",
        required=False,
        help_text="Only to grade or to tick: JSON lines with an image and a caption each, such as "
        "python -m evaluation pairs --write makes from ranked lists or from all pairs of a test set.",
    )
    everybody = forms.BooleanField(
        label="Everybody's judgments count",
        required=False,
        help_text="Without a test and without verification questions. For people you know.",
    )

    def clean_pairs(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["pairs"]
        if file is not None and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                f"A file of pairs has at most {MOST_BYTES:,} bytes: judge them in several batches."
            )
        return file

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        judges = data.get("protocol") not in (None, CAPTIONS)
        if judges and not data.get("pairs") and "pairs" not in self.errors:
            self.add_error("pairs", "Choose the file that says which captions are judged.")
        if data.get("protocol") == CAPTIONS and data.get("pairs"):
            self.add_error("pairs", "To collect captions takes no pairs: leave this empty.")
        return data

    def settings(self) -> BatchSettings:
        """Return the settings that the batch begins with."""
        given: dict[str, Any] = {"protocol": self.cleaned_data["protocol"]}
        if self.cleaned_data["everybody"]:
            given |= {"regime": str(Regime.OPEN), "screening": {"test": False}}
        return parse_settings(given)


@managing
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a draft of a campaign."""
    project = get_object_or_404(Project, pk=pk)
    data = (request.POST, request.FILES) if request.method == "POST" else ()
    form = CampaignForm(*data)
    if form.is_bound and form.is_valid():
        try:
            batch = _draft(request, project, form)
        except BatchError as error:
            form.add_error(None, f"{error}.")  # it may begin with the name of the file
        else:
            messages.success(
                request, f"Batch {batch.name} is a draft: nothing is asked before it is launched."
            )
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


def _draft(request: HttpRequest, project: Project, form: CampaignForm) -> Batch:
    """Make the draft. Raises BatchError; then nothing is written."""
    name, settings = form.cleaned_data["name"], form.settings()
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
        path = Path(folder) / Path(form.cleaned_data["pairs"].name or "pairs").name
        with path.open("wb") as file:
            for chunk in form.cleaned_data["pairs"].chunks():
                file.write(chunk)
        try:
            pairs = read_pairs(project, path)
        except BatchError as error:
            raise BatchError(str(error).replace(f"{folder}/", "")) from error
    with write_transaction():
        batch = draft_of_pairs(project=project, name=name, settings=settings, pairs=pairs)
        acted(request, "batch.create", batch, project, protocol=settings.protocol, pairs=pairs.number)
    return batch


@managing
@require_safe
def judgments(request: HttpRequest, pk: int) -> FileResponse:
    """Send the judgments of a batch that judged captions, in a ZIP archive."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    if settings_of(batch).campaign is not Campaign.RELEVANCE:
        raise Http404
    content = BytesIO()
    with TemporaryDirectory() as folder:
        out = Path(folder) / batch.name
        write_judgments(batch, out, now=timezone.now())
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(out.iterdir()):
                archive.write(file, f"{batch.name}/{file.name}")
    content.seek(0)
    return FileResponse(content, as_attachment=True, filename=f"{batch.name}-judgments.zip")
