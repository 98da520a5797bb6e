"""The form for new invitations. The service decides what is valid."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django import forms

from workflows.crowd.invitations.invite import (
    MAX_AT_ONCE,
    MAX_DAYS,
    MAX_LABEL_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_PASSCODE_LENGTH,
    MAX_USES,
    MIN_PASSCODE_LENGTH,
    USUAL_DAYS,
    InvitationError,
)

_NUMBER = {"inputmode": "numeric", "class": "number", "autocomplete": "off"}
_FIELDS: Mapping[str, str] = {"expires_at": "days"}


class InvitationForm(forms.Form):
    """Whom links are for, and how long they open."""

    label = forms.CharField(
        label="For whom",
        max_length=MAX_LABEL_LENGTH,
        help_text="Workers do not see this. Several links are numbered.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    number = forms.IntegerField(
        label="How many links",
        min_value=1,
        max_value=MAX_AT_ONCE,
        initial=1,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text=f"Up to {MAX_AT_ONCE} at a time.",
    )
    uses = forms.IntegerField(
        label="Workers who can join with each link",
        required=False,
        min_value=1,
        max_value=MAX_USES,
        initial=1,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text="1: a link for one person. Empty: any number can join, which is open sign-up.",
    )
    days = forms.IntegerField(
        label="Days until it expires",
        required=False,
        min_value=1,
        max_value=MAX_DAYS,
        initial=USUAL_DAYS,
        widget=forms.TextInput(attrs=_NUMBER),
        help_text="Workers who have joined can go on. Empty: it never expires.",
    )
    passcode = forms.CharField(
        required=False,
        max_length=MAX_PASSCODE_LENGTH,
        strip=False,
        help_text=f"Workers must enter it: {MIN_PASSCODE_LENGTH} to {MAX_PASSCODE_LENGTH} characters. "
        "Send it separately from the link. It is not shown again.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    note = forms.CharField(required=False, max_length=MAX_NOTE_LENGTH, help_text="For yourself.")

    def asked(self, now: datetime) -> dict[str, Any]:
        """Return the arguments of the service."""
        data = dict(self.cleaned_data)
        days = data.pop("days")
        return {**data, "expires_at": now + timedelta(days=days) if days else None}

    def blame(self, error: InvitationError) -> None:
        """Show the service's error at its field."""
        self.add_error(_FIELDS.get(error.field, error.field), str(error))
