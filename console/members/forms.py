"""The forms of a project's members, and of people who join it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User

from workflows.members.domain import MAX_DAYS, MAX_LABEL_LENGTH, USUAL_DAYS, Role, why_not_called

if TYPE_CHECKING:
    from django.contrib.auth.forms import UserCreationForm as _CreationForm

    UserCreationForm = _CreationForm[User]
else:
    from django.contrib.auth.forms import UserCreationForm

ROLES: tuple[tuple[str, str], ...] = (
    (Role.VIEWER, "Viewer: looks at everything"),
    (Role.REVIEWER, "Reviewer: also decides"),
    (Role.MANAGER, "Manager: also spends and launches"),
    (Role.ADVISOR, "Advisor: no account, a few pages"),
)
"""The roles of a link, with words."""


class LinkForm(forms.Form):
    """A link for a person who is to see the project."""

    label = forms.CharField(
        label="For whom",
        max_length=MAX_LABEL_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    role = forms.TypedChoiceField(choices=ROLES, coerce=Role, initial=Role.REVIEWER)
    days = forms.IntegerField(
        label="Days until it ends",
        min_value=1,
        max_value=MAX_DAYS,
        initial=USUAL_DAYS,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number", "autocomplete": "off"}),
        help_text="A member who has joined stays. An advisor sees nothing any more.",
    )


class AccountForm(UserCreationForm):
    """The account of a person who joins."""

    class Meta:
        model = User
        fields = ("username",)

    def clean_username(self) -> str:
        name: str = super().clean_username()  # None if another account has it
        if name and (said := why_not_called(name)):
            raise forms.ValidationError(said)
        return name
