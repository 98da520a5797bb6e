"""The form for new invitations. The service decides what is valid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms

from workflows.crowd.invitations.invite import (
    LONGEST_LABEL,
    LONGEST_NOTE,
    LONGEST_PASSCODE,
    MOST_AT_ONCE,
    MOST_DAYS,
    MOST_USES,
    SHORTEST_PASSCODE,
    USUAL_DAYS,
    InvitationError,
)

_NUMBER = {"inputmode": "numeric", "class": "number", "autocomplete": "off"}
_FIELDS: Mapping[str, str] = {"expires_at": "days"}


class InvitationForm(forms.Form):
    """Whom links are for, and how long they open."""

    label = forms.CharField(
        label="For whom",
        max_length=LONGEST_LABEL,
        help_text="Workers do not see this. Several links are numbered.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    number = forms.IntegerField(
        label="How many links",
        min_value=1,
        max_value=MOST_AT_ONCE,
        initial=1,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text=f"Up to {MOST_AT_ONCE} at a time.",
    )
    uses = forms.IntegerField(
        label="Workers who can join with each link",
        required=False,
        min_value=1,
        max_value=MOST_USES,
        initial=1,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text="1: a link for one person. Empty: any number can join, which is open sign-up.",
    )
    days = forms.IntegerField(
        label="Days until it expires",
        required=False,
        min_value=1,
        max_value=MOST_DAYS,
        initial=USUAL_DAYS,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text="Workers who have joined can go on. Empty: it never expires.",
    )
    passcode = forms.CharField(
        required=False,
        max_length=LONGEST_PASSCODE,
        strip=False,
        help_text=f"Workers must enter it: {SHORTEST_PASSCODE} to {LONGEST_PASSCODE} characters. Send it "
        "separately from the link. It is not shown again.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    note = forms.CharField(required=False, max_length=LONGEST_NOTE, help_text="For yourself.")

    def asked(self, now: datetime) -> dict[str, Any]:
        """Return the arguments of the service."""
        data = dict(self.cleaned_data)
        days = data.pop("days")
        return {**data, "expires_at": now + timedelta(days=days) if days else None}

    def blame(self, error: InvitationError) -> None:
        """Show the service's error at its field."""
        self.add_error(_FIELDS.get(error.field, error.field), str(error))
