"""What can be done with selected images, each by a form."""

from __future__ import annotations

from django import forms

from annotation.formats.registry import WRITERS
from console.jobs.labels import FORMATS, SOURCES
from workflows.review.domain.spot_checks import MAX_UNITS

MAX_NOTE = 500
USUAL = 100


class BatchForm(forms.Form):
    """A draft."""

    name = forms.SlugField(
        label="Name",
        max_length=64,
        help_text="Up to 64 letters, digits, - and _. The draft has the usual settings; change them before "
        "you launch it.",
        error_messages={"invalid": "Use letters, digits, - and _ only, and no spaces."},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class SpotCheckForm(forms.Form):
    """How much to draw."""

    mention = forms.IntegerField(label="Mentions", min_value=0, max_value=MAX_UNITS, initial=USUAL)
    chain = forms.IntegerField(label="Chains", min_value=0, max_value=MAX_UNITS, initial=USUAL)
    box = forms.IntegerField(label="Boxes", min_value=0, max_value=MAX_UNITS, initial=USUAL)


class ExportForm(forms.Form):
    """A version of the data set with these images alone."""

    format = forms.ChoiceField(choices=tuple((name, FORMATS[name]) for name in WRITERS))
    source = forms.ChoiceField(choices=tuple(SOURCES.items()))
    include_unfinished = forms.BooleanField(label="With unfinished work", required=False)


class WithdrawForm(forms.Form):
    """Why they leave the data set."""

    note = forms.CharField(
        label="Why", max_length=MAX_NOTE, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
