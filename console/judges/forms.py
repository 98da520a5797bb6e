"""The forms of a project's models."""

from __future__ import annotations

from django import forms


class ModelForm(forms.Form):
    """A model to add. `workflows.judges.versions` says what is wrong with it."""

    name = forms.CharField(max_length=40, help_text="Letters, digits, hyphens: owl-vit.")
    version = forms.CharField(max_length=40, help_text="Such as 1.0. A changed model is a new version.")
    family = forms.CharField(
        max_length=40,
        required=False,
        help_text="Models of one family make the same errors. Empty: its name.",
    )
    digest = forms.CharField(max_length=80, required=False, help_text="Of its weights, such as sha256:…")
    trained_on = forms.CharField(
        max_length=1000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The data that it was trained on, for whoever reads your data card.",
    )
