"""The form that begins a queue of images."""

from __future__ import annotations

from django import forms

from workflows.review.annotation_queue import MAX_IMAGES, PURPOSES


class QueueForm(forms.Form):
    """How many images to draw, and what their annotation is for."""

    purpose = forms.ChoiceField(choices=[(str(one), str(one)) for one in PURPOSES], widget=forms.HiddenInput)
    count = forms.IntegerField(
        label="How many images",
        min_value=1,
        max_value=MAX_IMAGES,
        help_text="They are drawn at random from the images that are in no batch and have no questions.",
    )
    drawn = forms.IntegerField(widget=forms.HiddenInput, min_value=0)
