"""Forms that several areas have, and errors in them. Every error names its field and what to do."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from annotation.domain.geometry import Box
from console.common.labels import say_error

MAX_NOTE = 2000
MAX_BOXES = 100
MAX_TYPED = 40 * MAX_BOXES


def parse_boxes(text: str, size: tuple[int, int] | None) -> list[Box]:
    """Parse boxes, one `left top right bottom` a line, in whole pixels of an image of `size` (width, height).

    Raises forms.ValidationError naming the line.
    """
    boxes = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = [word for word in re.split(r"[\s,;\[\]()]+", line) if word]
        if not words:
            continue
        if len(words) != 4 or not all(re.fullmatch("[0-9]{1,7}", word) for word in words):
            raise forms.ValidationError(f"Line {number}: give left, top, right and bottom in whole pixels.")
        left, top, right, bottom = map(int, words)
        if left >= right or top >= bottom:
            raise forms.ValidationError(
                f"Line {number}: the box is empty. Left must be less than right, and top less than bottom."
            )
        if size and (right > size[0] or bottom > size[1]):
            raise forms.ValidationError(
                f"Line {number}: the box leaves the image of {size[0]} × {size[1]} pixels."
            )
        boxes.append(Box(left, top, right, bottom))
    if len(set(boxes)) < len(boxes):
        raise forms.ValidationError("One of the boxes is given twice.")
    if len(boxes) > MAX_BOXES:
        raise forms.ValidationError(f"Give at most {MAX_BOXES} boxes; these are {len(boxes)}.")
    return boxes


def write_boxes(boxes: list[Any]) -> str:
    """Format boxes (rows or rectangles) as `parse_boxes` reads them."""
    return "\n".join(f"{box.left} {box.top} {box.right} {box.bottom}" for box in boxes)


class NoteForm(forms.Form):
    """The reason of a decision."""

    note = forms.CharField(
        label="Why",
        max_length=MAX_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The history shows it with the decision.",
    )


class BoxesForm(NoteForm):
    """A note, and boxes in an image whose size the view knows."""

    boxes = forms.CharField(
        label="Boxes",
        required=False,
        max_length=MAX_TYPED,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "class": "numbers"}),
        help_text="One a line: left, top, right, bottom, in pixels of the photograph.",
    )

    def __init__(self, *args: Any, size: tuple[int, int] | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = size

    def clean_boxes(self) -> list[Box]:
        return parse_boxes(self.cleaned_data["boxes"], self.size)


def say_errors(form: forms.Form) -> str:
    """Return the errors of a form that is not shown again, in a line."""
    return " ".join(
        f"{form.fields[name].label if name in form.fields else ''}: {' '.join(map(str, errors))}"
        for name, errors in form.errors.items()
    )


def add_error(form: forms.Form, field: str, message: str) -> None:
    """Show a service's error at the field it names, or above the form."""
    name = field.split(".")[0].split("[")[0]
    form.add_error(name if name in form.fields else None, say_error(field, message))
