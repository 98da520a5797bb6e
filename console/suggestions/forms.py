"""The forms of sets of suggestions."""

from __future__ import annotations

import math
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotation.domain.suggested import MAX_FILE
from annotation.models import ModelVersion, Project
from console.jobs.forms import MAX_FILE_LENGTH, MaxPixelsField
from console.jobs.labels import FORMAT_HELP, PREDICTIONS_FORMATS
from workflows.jobs.domain.jobs import SuggestionsAsked
from workflows.jobs.upload_storage import PREDICTIONS

MODELS = 200
"""The newest models that the form offers."""


class _Number(forms.CharField):
    """A number that may be left out."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "class": "number", "autocomplete": "off"})
        super().__init__(required=False, max_length=32, widget=widget, **kwargs)

    def clean(self, value: Any) -> float | None:
        text = str(super().clean(value)).strip()
        if not text:
            return None
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise forms.ValidationError("Enter a number such as 0.3, or nothing.")
        return number


class ChoiceForm(forms.Form):
    """Which boxes of a file become suggestions."""

    threshold = _Number(label="Least score", help_text="Boxes with a lower score are left out. Empty: none.")
    nms = _Number(
        label="Overlap at most",
        initial=SuggestionsAsked(0, "").nms,
        help_text="An IoU: a box that overlaps a better one further is left out. Empty: none.",
    )


class UploadForm(ChoiceForm):
    """A file of boxes, the model that they are from, and how they are chosen."""

    model = forms.ChoiceField(choices=(), help_text="Whose boxes they are.")
    boxes = forms.FileField(
        label="File of boxes",
        widget=forms.FileInput(attrs={"data-part": PREDICTIONS}),
        help_text="JSON lines of phrases, .npz, lists of MDETR and GLIP, COCO results, or answers of "
        "vision-language models; also packed with gzip. docs/models.md describes them.",
    )
    predictions_format = forms.ChoiceField(
        label="Format", required=False, choices=list(PREDICTIONS_FORMATS.items()), help_text=FORMAT_HELP
    )
    max_pixels = MaxPixelsField()
    every_mention = forms.BooleanField(
        label="The model looked at every phrase",
        required=False,
        help_text="In a phrase that the file does not have, it found nothing.",
    )
    field_order = (
        *("model", "boxes", "threshold", "nms"),
        *("predictions_format", "max_pixels", "every_mention"),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = ModelVersion.objects.filter(project=project).order_by("-pk")[:MODELS]
        choice = self.fields["model"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(one.pk, str(one)) for one in models]

    def clean_boxes(self) -> UploadedFile[Any]:
        file: UploadedFile[Any] = self.cleaned_data["boxes"]
        if (file.size or 0) > MAX_FILE:
            raise forms.ValidationError(f"A file has at most {MAX_FILE:,} bytes: make several sets.")
        return file

    def asked(self, upload: str) -> SuggestionsAsked:
        """Return the job's options. Raises JobError."""
        data = self.cleaned_data
        return SuggestionsAsked(
            model=int(data["model"]),
            upload=upload,
            file=data["boxes"].name[-MAX_FILE_LENGTH:],
            threshold=data["threshold"],
            nms=data["nms"],
            every_mention=data["every_mention"],
            predictions_format=data["predictions_format"],
            max_pixels=data["max_pixels"] or 0,
        )
