"""Which images a new batch takes: all free ones, some drawn, those of a split, or those that are named."""

from __future__ import annotations

from random import Random
from typing import Any

from django import forms

from annotation.models import Image, Project
from workflows.services.batches import free_images

MOST_NAMES = 50_000
MOST_TYPED = 2_000_000
NAMES_AT_ONCE = 500

ALL, NUMBER, SPLIT, NAMES = "all", "number", "split", "names"


class ImagesForm(forms.Form):
    """The name of a new batch, and which images it takes."""

    name = forms.SlugField(
        label="Name",
        max_length=64,
        help_text="Up to 64 letters, digits, - and _, such as pilot-1.",
        error_messages={"invalid": "Use letters, digits, - and _ only, and no spaces."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "required": True}),
    )
    take = forms.ChoiceField(
        label="Images",
        choices=(
            (ALL, "All free images"),
            (NUMBER, "So many, drawn at random"),
            (SPLIT, "The free ones of a split"),
            (NAMES, "Those named below"),
        ),
        initial=ALL,
        help_text="Free is an image that is in no batch, and that no verification question is asked about.",
    )
    number = forms.IntegerField(
        label="How many",
        required=False,
        min_value=1,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number"}),
        help_text="For a number drawn. The same seed draws the same ones.",
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
        max_length=MOST_TYPED,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="For named images: one file name a line.",
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        needed = {NUMBER: "number", SPLIT: "split", NAMES: "names"}.get(data.get("take", ""))
        if needed and not self.errors.get(needed) and not data.get(needed):
            self.add_error(needed, "Say which images: this is what you chose above.")
        return data

    def images(self, project: Project, seed: int) -> list[int] | None:
        """Ids of what was chosen, in no order; None for all. Raises ValidationError, by field."""
        data = self.cleaned_data
        free = free_images(project)
        match data["take"]:
            case "number":
                return _drawn(project, data["number"], seed)
            case "split":
                found = list(free.filter(split=data["split"]).values_list("pk", flat=True))
                if not found:
                    raise forms.ValidationError({"split": f"No free image is of split {data['split']!r}."})
                return found
            case "names":
                return _named(project, data["names"])
        return None


def _drawn(project: Project, number: int, seed: int) -> list[int]:
    free = list(free_images(project).order_by("name").values_list("pk", flat=True))
    if number > len(free):
        raise forms.ValidationError({"number": f"There are only {len(free):,} free images: ask for fewer."})
    return Random(f"images/{seed}").sample(free, number)


def _named(project: Project, typed: str) -> list[int]:
    names = list(dict.fromkeys(line.strip() for line in typed.splitlines() if line.strip()))
    if len(names) > MOST_NAMES:
        raise forms.ValidationError({"names": f"At most {MOST_NAMES:,} names; these are {len(names):,}."})
    if "\0" in typed:
        raise forms.ValidationError({"names": "A name has no NUL character."})
    found: dict[str, int] = {}
    for start in range(0, len(names), NAMES_AT_ONCE):
        group = free_images(project).filter(name__in=names[start : start + NAMES_AT_ONCE])
        found.update(group.values_list("name", "pk"))
    if lost := next((name for name in names if name not in found), None):
        there = Image.objects.filter(project=project, name=lost).exists()
        why = "is in a batch, or has verification questions" if there else "is no image of this project"
        raise forms.ValidationError({"names": f"{lost} {why}: take it off the list."})
    return list(found.values())
