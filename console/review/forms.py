"""The forms of the review. Every error names its field and what to do."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.domain.answers import MAX_CAPTION_LENGTH
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW
from console.common.forms import BoxesForm, NoteForm
from console.common.labels import FLAGS, STAGES
from workflows.pipeline.domain.moves import Protocol
from workflows.review.domain.rulings import askable


def sent_to(protocol: Protocol) -> list[tuple[str, str]]:
    """Return where a decision may send a chain, with words."""
    return [
        (DONE, "Done: nothing more is asked"),
        (NONVISUAL, "Done, without a box (choose why)"),
        *((stage, f"Ask again: {STAGES[stage]}") for stage in askable(protocol)),
        (REVIEW, "Keep it in the review queue"),
    ]


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
