"""The forms of the pages about workers."""

from __future__ import annotations

from django import forms

from console.common.forms import NoteForm
from workflows.workers.domain.platform_records import MAX_COMPLETED


class AsideForm(NoteForm):
    """The reason of setting judgments aside, and which judgments the preview showed."""

    judgments = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
    newest = forms.IntegerField(widget=forms.HiddenInput, min_value=0)


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
