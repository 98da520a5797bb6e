"""Which images a new batch takes: all free ones, some drawn, those of a split, or those that are named."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import Batch, Image, Project
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.follow_up import untouched_works
from workflows.batches.image_selection import (
    ChoiceError,
    drawn_images,
    images_of_split,
    named_images,
    pictured_images,
)

MAX_TYPED = 2_000_000  # characters

ALL, NUMBER, SPLIT, NAMES, REST = "all", "number", "split", "names", "rest"

TAKES = (
    (ALL, "All free images"),
    (NUMBER, "A random sample"),
    (SPLIT, "The free images of a split"),
    (NAMES, "The images named below"),
)


class ImagesForm(forms.Form):
    """The name of a new batch, and which images it includes."""

    name = forms.SlugField(
        label="Name",
        max_length=64,
        help_text="Up to 64 letters, digits, - and _, such as pilot-1.",
        error_messages={"invalid": "Use letters, digits, - and _ only, and no spaces."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "required": True}),
    )
    take = forms.ChoiceField(
        label="Images",
        choices=TAKES,
        initial=ALL,
        help_text="An image is free if it is in no batch and no verification question is about it.",
    )
    number = forms.IntegerField(
        label="How many",
        required=False,
        min_value=1,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number"}),
        help_text="For a random sample.",
    )
    split = forms.CharField(
        label="Split",
        required=False,
        max_length=16,
        help_text="For a split: train, val or test, for example.",
    )
    names = forms.CharField(
        label="Names",
        required=False,
        max_length=MAX_TYPED,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="For named images: one file name a line.",
    )

    pictured = forms.BooleanField(
        label="Only images that have a picture",
        required=False,
        help_text="Workers cannot draw boxes without a picture. Images that you name are always included.",
    )

    def offer_rest_of(self, batch: Batch) -> None:
        """Offer the images of a batch that no worker has begun, if there are any."""
        rest = untouched_works(batch).count()
        field = self.fields["take"]
        if rest and isinstance(field, forms.ChoiceField):
            offered = (REST, f"The {rest:,} images of {batch.name} that no worker has begun")
            field.choices = [*TAKES, offered]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        needed = {NUMBER: "number", SPLIT: "split", NAMES: "names"}.get(data.get("take", ""))
        if needed and not self.errors.get(needed) and not data.get(needed):
            self.add_error(needed, "Fill this in, because you chose it above.")
        return data

    def images(self, project: Project, settings: BatchSettings) -> list[int] | None:
        """Return the ids of the chosen images in no order; None for all. Raises ValidationError by field."""
        data = self.cleaned_data
        pictured: bool = data["pictured"]
        campaign = settings.campaign
        try:
            match data["take"]:
                case "all" if pictured:
                    return pictured_images(project, campaign=campaign)
                case "number":
                    number, seed = data["number"], settings.seed
                    return drawn_images(project, number, seed, pictured=pictured, campaign=campaign)
                case "split":
                    return images_of_split(project, data["split"], pictured=pictured, campaign=campaign)
                case "names":
                    return named_images(project, data["names"].splitlines(), campaign=campaign)
        except ChoiceError as error:
            says = str(error)
            raise forms.ValidationError({error.field: f"{says[:1].upper()}{says[1:]}."}) from error
        return None


def has_pictures(project: Project) -> bool:
    """Return whether any image has a picture. Then images without one are left out by default."""
    return Image.objects.filter(project=project).exclude(file="").exists()
