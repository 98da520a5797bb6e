"""The forms of the pages about crowd and money."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms

from console.common.numbers import read_amount
from workflows.batch_settings.domain.crowd_settings import MAX_MONEY
from workflows.money.domain.currencies import amount, plain
from workflows.platforms.provider import Provider, RefusedError

MAX_REASON, MAX_TEXT = 1000, 4000  # characters; Mechanical Turk takes 1024 and 4096 bytes
MAX_SUBJECT = 200


def new_token() -> str:
    """Return a token for a new form. A form that is sent twice is done once."""
    return str(uuid.uuid4())


class AmountField(forms.CharField):
    """An amount of one currency, typed with a decimal point and cleaned to smallest units."""

    def __init__(self, *, currency: str, **kwargs: Any) -> None:
        attributes = {"inputmode": "decimal", "class": "number", "autocomplete": "off"}
        super().__init__(max_length=20, widget=forms.TextInput(attrs=attributes), **kwargs)
        self.currency = currency

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        if not typed:
            return None
        try:
            units = read_amount(typed, self.currency)
        except ValueError as error:
            said = str(error)
            raise forms.ValidationError(f"{said[:1].upper()}{said[1:]}.") from error
        if not 1 <= units <= MAX_MONEY:
            raise forms.ValidationError("Enter an amount above 0 that is not too large.")
        return units


class TokenForm(forms.Form):
    """A confirmation. Its token shows whether it is sent twice."""

    token = forms.UUIDField(widget=forms.HiddenInput, initial=new_token)


class AmountForm(TokenForm):
    """A form that shows how the amount was read before it is confirmed, in case it was meant otherwise."""

    read = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    asked, currency = "amount", ""

    def clean(self) -> dict[str, Any]:
        data = dict(super().clean() or {})
        self.was_read = data.pop("read", "")
        return data

    def to_confirm(self) -> str:
        """Return the amount in words if it must still be confirmed, else ''. The next form remembers it."""
        units = self.cleaned_data[self.asked]
        if self.was_read == str(units):
            return ""
        self.data = {**{name: self.data.get(name, "") for name in self.fields}, "read": str(units)}
        return "no cap" if units is None else amount(units, self.currency)


class RejectForm(TokenForm):
    """The reason of a rejection, which the worker reads. `account`, if given, checks the platform's rules."""

    reason = forms.CharField(
        label="Reason",
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="The worker reads this. Say which answers are wrong, and how.",
    )

    def __init__(self, *args: Any, account: Provider | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.account = account
        if account:
            reason = self.fields["reason"]
            reason.help_text = f"{reason.help_text} {account.reason_rules}".strip()

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"].strip()
        if self.account:
            try:
                self.account.check_reason(reason)
            except RefusedError as error:
                raise forms.ValidationError(str(error)) from error
        return reason


class PayForm(AmountForm):
    """A payment besides the reward, and its reason, which the worker reads."""

    amount = forms.CharField()  # its field follows from the currency
    reason = forms.CharField(
        label="Why",
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="The worker reads this.",
    )
    again = forms.BooleanField(label="Pay it once more", required=False, widget=forms.HiddenInput)

    def ask_again(self) -> None:
        """Show the box to tick before the same payment is made again so soon."""
        self.fields["again"].widget = forms.CheckboxInput()

    def __init__(self, *args: Any, currency: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        self.fields["amount"] = AmountField(
            currency=currency, label=f"Amount in {currency}", help_text="Without the platform's fee."
        )


class MessageForm(TokenForm):
    """A message to a worker, sent through the platform."""

    subject = forms.CharField(label="Subject", max_length=MAX_SUBJECT)
    text = forms.CharField(label="Text", max_length=MAX_TEXT, widget=forms.Textarea(attrs={"rows": 6}))


class CapForm(AmountForm):
    """What a batch may cost from now on. Empty: no cap."""

    was = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)
    asked = "cap"

    def __init__(self, *args: Any, currency: str, cap: int | None, needed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.currency = currency
        self.fields["cap"] = AmountField(
            currency=currency,
            label=f"Cap in {currency}",
            required=needed,
            initial="" if cap is None else plain(cap, currency),
            help_text="Fees included."
            + ("" if needed else " Empty: no cap. A platform would need one; direct workers need none."),
        )
        self.fields["was"].initial = "" if cap is None else str(cap)
