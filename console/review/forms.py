"""The forms of the review. Every error names its field and what to do."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from annotation.domain.answers import MAX_CAPTION_LENGTH
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW
from annotation.domain.geometry import Box
from console.common.labels import STAGES
from console.review.labels import FLAGS
from workflows.pipeline.domain.moves import Protocol
from workflows.review.domain.rulings import askable
from workflows.workers.domain.platform_records import MAX_COMPLETED

MAX_NOTE = 2000
MAX_BOXES = 100
MAX_TYPED = 40 * MAX_BOXES


def sent_to(protocol: Protocol) -> list[tuple[str, str]]:
    """Return where a decision may send a chain, with words."""
    return [
        (DONE, "Done: nothing more is asked"),
        (NONVISUAL, "Done, without a box (choose why)"),
        *((stage, f"Ask again: {STAGES[stage]}") for stage in askable(protocol)),
        (REVIEW, "Keep it in the review queue"),
    ]


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


class WrittenForm(NoteForm):
    """A researcher's decision about a caption of a worker: its text, as it was or edited."""

    text = forms.CharField(
        label="Caption", max_length=MAX_CAPTION_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )
    accept = forms.TypedChoiceField(
        choices=(("yes", "Accept"), ("no", "Refuse")), coerce=lambda value: value == "yes"
    )

    def clean_text(self) -> str:
        """Return the caption on one line: an area of text has several."""
        return " ".join(self.cleaned_data["text"].split())


class AsideForm(NoteForm):
    """The reason of setting judgments aside, and which judgments the preview showed."""

    judgments = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


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


class DecideForm(BoxesForm):
    """A decision about a chain. `version` is the state of the image that was on the screen."""

    state = forms.ChoiceField(label="What happens next")
    flag = forms.ChoiceField(
        label="Why there is no box",
        required=False,
        choices=(("", "–"), *FLAGS.items()),
        help_text="Only for a chain without boxes.",
    )
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    close = forms.BooleanField(
        label="Close its open cases",
        required=False,
        help_text="They leave the review queue, unless the chain is kept in it.",
    )

    field_order = ("boxes", "state", "flag", "note", "close", "version")

    def __init__(self, *args: Any, protocol: Protocol, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        state = self.fields["state"]
        assert isinstance(state, forms.ChoiceField)
        state.choices = sent_to(protocol)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        state, flag, boxes = data.get("state"), data.get("flag"), data.get("boxes")
        if state == NONVISUAL and not flag:
            self.add_error("flag", "Choose why there is no box. The reason is exported as a flag.")
        if state == NONVISUAL and boxes:
            self.add_error("state", "This chain has boxes. Remove them, or choose something else here.")
        if state != NONVISUAL and flag:
            self.add_error("flag", "Choose a reason only for a chain that is done without a box.")
        if state == DONE and boxes == []:
            self.add_error(
                "state", "A chain without a box is done only for a reason. Choose “Done, without a box”."
            )
        return data


class PlatformRecordForm(forms.Form):
    """The platform's figures of a worker. A field is empty if the figure is not known."""

    completed = forms.IntegerField(
        label="Tasks finished", required=False, min_value=0, max_value=MAX_COMPLETED
    )
    approval = forms.FloatField(
        label="Share approved",
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


class SampleForm(forms.Form):
    """How many finished chains of a batch to look at."""

    batch = forms.IntegerField(widget=forms.HiddenInput)
    number = forms.IntegerField(
        label="Check a sample of",
        min_value=1,
        max_value=10_000,
        initial=50,
        help_text="finished chains in all",
    )
