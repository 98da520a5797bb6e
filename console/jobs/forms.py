"""The forms of imports, exports and evaluations. Services decide what is valid and name wrong fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from annotation.domain.merge import read_pairs
from annotation.domain.records import MAX_LICENCE
from annotation.formats.recognition import PHOTOGRAPHS, SPLIT_LISTS
from annotation.formats.registry import GROUPS, READERS, WRITERS
from annotation.languages import MAX_TAG_LENGTH
from annotation.models import Batch, Project
from annotation.selectors import all_type_names
from console.jobs.labels import (
    CANDIDATES,
    FORMAT_HELP,
    FORMATS,
    PREDICTIONS_FORMATS,
    RULES,
    SOURCES,
    TASKS,
)
from workflows.core.contacts import MAX_CONTACT_LENGTH
from workflows.jobs.domain.jobs import (
    LEAST_MAX_PIXELS,
    LOCALIZATION,
    MAX_DEPTH,
    MAX_LOCATION,
    MOST_MAX_PIXELS,
    EvaluationAsked,
    ExportAsked,
    JobError,
    PairsAsked,
)
from workflows.jobs.domain.jobs import SPLITS as SPLITS_OF_IMAGES
from workflows.jobs.upload_storage import CORPUS, PICTURES, SPLITS
from workflows.jobs.uploads import MAX_PICTURES

_MAX_BATCHES = 200
MAX_FILE_LENGTH = 100
ROOM = 1_000_000
"""Bytes that a request may have besides its files."""


class ProjectForm(forms.Form):
    """A new project."""

    name = forms.CharField(
        max_length=64,
        help_text="Up to 64 letters, digits, - and _. Folders of pictures are named after it.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    contact = forms.CharField(
        label="How workers reach you",
        required=False,
        max_length=MAX_CONTACT_LENGTH,
        help_text="An e-mail address, or one that begins with https://. If you leave it empty, workers see "
        "the contact of this installation.",
    )
    language = forms.CharField(
        label="Language of the captions",
        required=False,
        initial="en",
        max_length=MAX_TAG_LENGTH,
        help_text="A code such as en, de or pt-BR. Screen readers and browsers read captions in it, and the "
        "import looks for captions in another language.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_language(self) -> str:
        """Return the code, or that of English if the field was left empty."""
        return self.cleaned_data["language"].strip() or "en"


class _Files(forms.FileInput):
    allow_multiple_selected = True


class _FilesField(forms.FileField):
    """Several files in one field."""

    widget = _Files

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        return [super(_FilesField, self).clean(one, initial) for one in data or ()]


_NO_CORPUS = (
    "Upload a file of captions, or name a location. If workers are to write the captions, choose the format "
    f"{FORMATS[PHOTOGRAPHS]}."
)


class ImportForm(forms.Form):
    """A corpus, uploaded or at a location that the server can read."""

    corpus = forms.FileField(
        label="Upload",
        required=False,
        help_text="A spreadsheet of captions (CSV), or another file of captions. Or a ZIP archive with "
        "captions and pictures.",
    )
    pictures = _FilesField(
        label="Pictures",
        required=False,
        help_text=f"Up to {MAX_PICTURES} photographs (JPEG, PNG, WebP), or one ZIP archive. You can also "
        "import them later.",
    )
    splits = _FilesField(
        label="Split lists",
        required=False,
        help_text=f"{', '.join(SPLIT_LISTS)}: an image’s name a line.",
    )
    place = forms.CharField(
        label="Or a location",
        required=False,
        max_length=MAX_LOCATION,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "placeholder": "/folder, or s3://bucket/prefix"}
        ),
    )
    format = forms.ChoiceField(
        required=False,
        choices=(("", "detect automatically"), *((name, FORMATS[name]) for name in READERS)),
    )
    as_gold = forms.BooleanField(
        label="Keep its chains and boxes as known answers",
        required=False,
        help_text="They are used for verification questions and never become results.",
    )
    strict = forms.BooleanField(
        label="Stop at the first problem",
        required=False,
        help_text="Everything is checked before it is imported, and the first problem stops the import. "
        "Only one kind of problem shows later: parts of one image that disagree on its size, split or known "
        "answers.",
    )

    any_language = forms.BooleanField(
        label="Import captions in any language",
        required=False,
        help_text="Otherwise, captions without mentions that are surely in another language than the project "
        "are left out and named.",
    )
    keep_metadata = forms.BooleanField(
        label="Keep what photographs say of themselves",
        required=False,
        help_text="Otherwise the place, the time, the camera and the owner are left out of each photograph. "
        "Workers could read them.",
    )

    def __init__(self, *args: Any, pictures_kept: bool = False, **kwargs: Any) -> None:
        """`pictures_kept` says that the photographs come from an earlier upload."""
        super().__init__(*args, **kwargs)
        self.pictures_kept = pictures_kept
        self.fields["place"].help_text = _places()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        pictures = data.get("pictures") or self.pictures_kept
        alone = data.get("format") == PHOTOGRAPHS and pictures and not data.get("corpus")
        if not self.errors and (data["corpus"] or alone) and data["place"]:
            self.add_error("place", "Upload a file or name a location, not both.")
        elif not self.errors and not (data["corpus"] or data["place"] or alone):
            self.add_error("corpus", _NO_CORPUS if pictures else "Upload a file or name a location.")
        lists = data.get("splits") or []
        if any(one.name not in SPLIT_LISTS for one in lists) or len(lists) > len(SPLIT_LISTS):
            self.add_error("splits", f"Name the files after their splits: {', '.join(SPLIT_LISTS)}.")
        if data.get("place") and (lists or pictures):
            self.add_error("place", "Pictures and split lists must be at the same location.")
        return data

    def files_by_part(self) -> dict[str, list[UploadedFile[Any]]]:
        """Return the uploaded files by part, as an upload stores them."""
        data = self.cleaned_data
        parts = {CORPUS: [data["corpus"]], PICTURES: data["pictures"], SPLITS: data["splits"]}
        return {part: [file for file in files if file] for part, files in parts.items()}


def _places() -> str:
    allowed = [*settings.IMPORT_FOLDERS, *(f"s3://{bucket}" for bucket in settings.IMPORT_BUCKETS)]
    if not allowed:
        return "This installation allows none: see GROUNDCREW_IMPORT_FOLDERS and GROUNDCREW_IMPORT_BUCKETS."
    return f"Below {', '.join(allowed)}."


class ExportForm(forms.Form):
    """The settings of a new version of the data set."""

    format = forms.ChoiceField(
        choices=[
            (
                group.capitalize(),
                [(name, FORMATS[name]) for name, output in WRITERS.items() if output.group == group],
            )
            for group in GROUPS
        ],
        help_text="The documentation (Export a data set) says which program reads which format.",
    )
    source = forms.ChoiceField(label="Whose annotation", choices=list(SOURCES.items()))
    batch = forms.ChoiceField(required=False, choices=())
    merge = forms.BooleanField(
        label="Join boxes and chains that mean the same",
        required=False,
        initial=True,
        help_text="As the paper does (section 3.3.2).",
    )
    merge_iou = forms.FloatField(label="IoU at which boxes are joined", initial=ExportAsked("").merge_iou)
    merge_iou_other = forms.FloatField(
        label="IoU for chains of type other", initial=ExportAsked("").merge_iou_other
    )
    keep_apart = forms.CharField(
        label="Types that are never joined",
        required=False,
        initial=ExportAsked("").keep_apart,
        max_length=400,
        help_text="Pairs of types with spaces between them. Empty: boxes of all types may be joined.",
    )
    include_unfinished = forms.BooleanField(
        label="Include unfinished work", required=False, help_text="With the boxes accepted so far."
    )
    include_unresolved = forms.BooleanField(
        label="Include images with unresolved mentions",
        required=False,
        help_text="Their chains wait for review. These mentions are written as if they were not visual.",
    )
    people_only = forms.BooleanField(
        label="Only what people judged",
        required=False,
        help_text="Leaves out images in which the answer of a model that judges counted.",
    )
    pictures = forms.BooleanField(
        label="Include the pictures",
        required=False,
        help_text="Upright, so that boxes fit in every program. The version becomes as large as they are.",
    )
    licence = forms.CharField(
        label="Licence of the annotation",
        required=False,
        max_length=MAX_LICENCE,
        help_text="An identifier such as cc-by-4.0. The manifest and the data set card name it.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.types = all_type_names(project.pk)
        names = Batch.objects.filter(project=project).order_by("-pk").values_list("name", flat=True)
        batch = self.fields["batch"]
        assert isinstance(batch, forms.ChoiceField)
        batch.choices = [("", "all"), *((name, name) for name in names[:_MAX_BATCHES])]
        for name in ("merge_iou", "merge_iou_other"):
            self.fields[name].widget.attrs |= {"step": "0.01", "min": "0.01", "max": "1"}

    def clean_keep_apart(self) -> str:
        """Refuse types that are none of the project's."""
        said: str = self.cleaned_data["keep_apart"]
        try:
            read_pairs(said, self.types)
        except ValueError as error:
            raise forms.ValidationError(f"{error}.") from error
        return said

    def asked(self) -> ExportAsked:
        """Return the export's options. Raises JobError."""
        return ExportAsked(**self.cleaned_data)


class MaxPixelsField(forms.IntegerField):
    """The most pixels of an image that a model saw, of which the numbers of its boxes are."""

    def __init__(self) -> None:
        super().__init__(
            label="Maximum pixels of an image (Qwen2.5-VL)",
            required=False,
            min_value=LEAST_MAX_PIXELS,
            max_value=MOST_MAX_PIXELS,
            help_text="The max_pixels of the model’s processor. If you trained with our export, enter "
            "1003520. If you leave it empty, it is the processor’s default, 12,845,056.",
        )


class EvaluationForm(forms.Form):
    """What to measure on a version, and predictions to measure, if there are any."""

    task = forms.ChoiceField(label="What to measure", choices=list(TASKS.items()), initial=LOCALIZATION)
    predictions = forms.FileField(label="Predictions", required=False)
    predictions_format = forms.ChoiceField(
        label="Format", required=False, choices=list(PREDICTIONS_FORMATS.items()), help_text=FORMAT_HELP
    )
    max_pixels = MaxPixelsField()
    split = forms.ChoiceField(
        label="Images", required=False, choices=[(name, name or "all") for name in SPLITS_OF_IMAGES]
    )
    rule = forms.ChoiceField(
        label="A box is right if",
        choices=list(RULES.items()),
        help_text="For recall, in phrases with several boxes.",
    )
    iou = forms.FloatField(label="Least IoU of a hit", initial=0.5)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["iou"].widget.attrs |= {"step": "0.01", "min": "0.01", "max": "1"}

    def asked(self, version: int, upload: str) -> EvaluationAsked:
        """Return the evaluation's options. Raises JobError."""
        data = self.cleaned_data
        return EvaluationAsked(
            version=version,
            task=data["task"],
            upload=upload,
            file=data["predictions"].name[-MAX_FILE_LENGTH:] if data["predictions"] else "",
            rule=data["rule"],
            iou=data["iou"],
            split=data["split"],
            predictions_format=data["predictions_format"],
            max_pixels=data["max_pixels"] or 0,
        )


MAX_SYSTEMS = 12


class PairsForm(forms.Form):
    """Which captions are to be judged for which images."""

    split = forms.ChoiceField(
        label="Images", required=False, choices=[(name, name or "all") for name in SPLITS_OF_IMAGES]
    )
    predictions = _FilesField(
        label="What systems rank first",
        required=False,
        help_text=f"Ranked lists or matrices of up to {MAX_SYSTEMS} systems, as for python -m evaluation "
        "retrieval. Without a file, all pairs are looked at.",
    )
    depth = forms.IntegerField(
        label="How many of each list",
        initial=PairsAsked().depth,
        min_value=1,
        max_value=MAX_DEPTH,
        help_text="The first ones of each image and of each caption.",
    )
    candidates = forms.ChoiceField(
        label="Captions of an image that are judged for the others",
        choices=list(CANDIDATES.items()),
        help_text="Only without ranked lists, which name the captions themselves.",
    )
    least_bleu = forms.FloatField(
        label="Least Bleu",
        initial=PairsAsked().least_bleu,
        help_text="The share of a caption’s words that the image’s own captions must have. The paper’s 0.25 "
        "dropped 86% of all pairs, and 3.5 to 6.7% of those that experts called good.",
    )
    grades = forms.FileField(
        label="Experts’ grades",
        required=False,
        help_text="Judgments of experts as a batch’s download has them. The report then says how many good "
        "pairs the filter loses here.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["least_bleu"].widget.attrs |= {"step": "0.01", "min": "0", "max": "1"}

    def clean_predictions(self) -> list[UploadedFile[Any]]:
        files: list[UploadedFile[Any]] = self.cleaned_data["predictions"]
        if len(files) > MAX_SYSTEMS:
            raise forms.ValidationError(f"Choose at most {MAX_SYSTEMS} files.")
        return files

    def asked(self, upload: str) -> PairsAsked:
        """Return the job's options. Raises JobError."""
        data = self.cleaned_data
        names = ", ".join(str(file.name) for file in data["predictions"])
        return PairsAsked(
            upload=upload,
            files=names[:MAX_FILE_LENGTH],
            grades=data["grades"].name[-MAX_FILE_LENGTH:] if data["grades"] else "",
            split=data["split"],
            candidates=data["candidates"],
            depth=data["depth"],
            least_bleu=data["least_bleu"],
        )


def blame(form: forms.Form, error: JobError, fields: Mapping[str, str] = {}) -> None:
    """Show the error at its field, if the form has it."""
    name = fields.get(error.field, error.field)
    form.add_error(name if name in form.fields else None, str(error))


def too_large(request: HttpRequest, instead: str) -> str:
    """Return why the request is refused, and what to do `instead`, or "" if it is not too large."""
    if int(request.META.get("CONTENT_LENGTH") or 0) <= settings.MAX_UPLOAD_BYTES + ROOM:
        return ""
    return f"An upload has at most {settings.MAX_UPLOAD_BYTES:,} bytes: {instead}."
