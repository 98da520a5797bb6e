"""The form of a batch's settings, made from the fields of BatchSettings and checked by its parser.

People read and type amounts in units of the currency and times in minutes; settings have smallest units and
seconds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.domain.answers import DRAWS_BOXES, CampaignStage, JointStage, Stage
from annotation.domain.protocols import ALL_STAGES, CAMPAIGNS, PROTOCOL_STAGES, Campaign, protocols_of
from annotation.domain.types import TYPES
from console.common.labels import STAGES as STAGE_NAMES
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK, MTURK, PROLIFIC
from workflows.batch_settings.domain.paper import ITEMS_PER_PAGE, MINIMUM_SCORE
from workflows.batch_settings.domain.presets import usual_record
from workflows.batch_settings.domain.protocol_groups import MODELS
from workflows.batch_settings.domain.setting_fields import MONEY, SECONDS, STAGES, Setting, SettingsError
from workflows.batch_settings.domain.settings import BY_STAGE, SETTINGS, BatchSettings, parse_settings
from workflows.crowd.installation import currency_of
from workflows.money.domain.currencies import digits, plain
from workflows.platforms.accounts import accounts

DEFAULTS = BatchSettings().to_json()
"""The paper's settings, and ours where the paper does not specify them."""
STAGES_OF = "stages_of"
"""The name of the hidden field with the protocol whose stages the form shows."""
BY_LINK = "by_link"
"""The group of the settings for the provider `link`."""
AMOUNTS_IN, PAID_BY = "amounts_in", "paid_by"
"""The names of the hidden fields with the currency and the platform for which the form shows its amounts."""
_CURRENCY, _PROVIDER = "currency", "crowd.provider"

PLATFORMS = {PROLIFIC: "Prolific", MTURK: "Mechanical Turk", LINK: "Another platform, by a link"}
"""Words for choices that are names of platforms."""
INVITED = "People whom I invite"
"""The same of the provider `direct`."""
_OF_TABLE_3 = {"items_a_page": ITEMS_PER_PAGE, "minimum_score": MINIMUM_SCORE}
"""The paper's numbers beside ours, which may differ from the defaults."""

_ASKED: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "Do two mentions refer to the same thing?",
        Stage.VERIFICATION: "Do all mentions of a chain refer to the same thing?",
        Stage.REQUIREMENT: "Can a box be drawn for the chain at all?",
        Stage.DRAWING: "Draw one new box, or say that there is none to draw.",
        Stage.QUALITY: "Is the new box tight, whole and new?",
        Stage.COVERAGE: "Does the chain have all its boxes?",
        JointStage.BOXES: "Draw all boxes that are missing, or say why there are none.",
        JointStage.CHECK: "Is each new box good, and is anything missing?",
        CampaignStage.WRITING: "Describe the photograph in a sentence.",
        CampaignStage.CAPTION_CHECK: "Does the caption describe the photograph?",
        CampaignStage.GRADING: "How well does the caption describe the photograph?",
        CampaignStage.RELEVANCE: "Which of the captions describe the photograph?",
    }
)
FOLDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        STAGES: ("All stages", "Settings that do not depend on the stage."),
        **{stage: (STAGE_NAMES[stage].capitalize(), asked) for stage, asked in _ASKED.items()},
        MODELS: (
            "Models that help",
            "A model that suggests boxes to workers, and one that judges boxes.",
        ),
        "limits": ("Unsettled chains", "When a chain is sent to the review queue."),
        "control": ("Verification questions", "How many are asked, and what follows from the answers."),
        "screening": ("Before the first page", "What workers must show before they get work."),
        "crowd": ("Crowd and money", "Where workers come from, and what the batch may cost."),
        BY_LINK: ("A platform by its link", "Who came, by the address; and how they go back."),
    }
)
"""The name of each fold, and its subject."""
INSTEAD: Mapping[str, str] = MappingProxyType(
    {
        Stage.DRAWING: JointStage.BOXES,
        Stage.QUALITY: JointStage.CHECK,
        Stage.COVERAGE: JointStage.CHECK,
        CampaignStage.GRADING: CampaignStage.RELEVANCE,
    }
)
"""The fold for a setting whose stage the protocol does not have."""

_OURS = " The paper does not specify it."


def offered_platforms(kept: str = "") -> dict[str, str]:
    """Return the names of the platforms that a batch can be made for, those with an account here first.

    Amazon closed Mechanical Turk on 30 September 2026. So it is offered only if an account is set, for its
    emulator or another server with its API, or if it is the one `kept`.
    """
    here = accounts()
    found = {one: words for one, words in PLATFORMS.items() if one in here or one in (PROLIFIC, LINK, kept)}
    return dict(sorted(found.items(), key=lambda one: one[0] not in here))


def leaves(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each setting, as in ("control.entrance", 30), ("reward.link", 25)."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            for inner, one in value.items():
                yield f"{name}.{inner}", one
        else:
            yield name, value


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by outer and inner names; the opposite of `leaves`."""
    data: dict[str, Any] = {}
    for name, value in values.items():
        outer, _, inner = name.partition(".")
        if inner:
            data.setdefault(outer, {})[inner] = value
        else:
            data[outer] = value
    return data


@dataclass(frozen=True)
class Fold:
    """A group of settings that opens and closes as one."""

    name: str
    about: str
    fields: list[tuple[forms.BoundField, str, str]]
    """Of each: the field, its unit, and the default where the value is another one."""
    wrong: bool

    @property
    def changed(self) -> int:
        """Return how many settings differ from their default."""
        return sum(bool(default) for _, _, default in self.fields)


class SettingsForm(forms.Form):
    """All settings with their current values. If `alterable` is given, only those can be changed.

    The settings in `asked` are shown first, and the others in folds. Settings by stage are those of the
    stages of the protocol `stages_of`. If somebody chooses another protocol, the form is shown once more with
    the stages of that one. If somebody chooses another currency, or a platform that pays in one, the form is
    also shown once more: with the amounts that `proposed` returns for that currency in place of those that
    nobody typed. Typed amounts stay as they were typed, and the page says to look at them.

    After `is_valid` the settings are in `settings`.
    """

    settings: BatchSettings

    def __init__(
        self,
        data: QueryDict | dict[str, Any] | None = None,
        *args: Any,
        current: Mapping[str, Any] = DEFAULTS,
        alterable: frozenset[str] | None = None,
        asked: Sequence[str] = (),
        types: Sequence[str] = TYPES,
        proposed: Callable[[str], BatchSettings | None] = lambda currency: None,
        **kwargs: Any,
    ) -> None:
        self.current = dict(leaves(parse_settings(current).to_json()))
        self.stages_of = str(self.current["protocol"])
        typed = data.get("protocol") if data is not None and alterable is None else None
        self.campaign = CAMPAIGNS[self.stages_of]
        if typed in protocols_of(self.campaign):
            self.stages_of = str(typed)
        defaults = parse_settings({"protocol": self.stages_of}).to_json()
        self.defaults = {**dict(leaves(defaults)), "protocol": DEFAULTS["protocol"]}
        currency = str(self.current["currency"])
        initial = {
            name: written(name, self.current.get(name, default), currency)
            for name, default in self.defaults.items()
        }
        # Whoever sent this form has seen the stages of another protocol.
        self.other_stages = data is not None and data.get(STAGES_OF, self.stages_of) != self.stages_of
        if data is not None and self.other_stages:
            data = data.copy()
            for name in initial:
                if name.partition(".")[0] in BY_STAGE and name not in data:
                    data[name] = initial[name]
        self.amounts_in, self.paid_by = currency, str(self.current[_PROVIDER])
        self.other_currency = ""
        if data is not None and (alterable is None or _CURRENCY in alterable):
            data = self._with_other_amounts(data.copy(), proposed)
        super().__init__(data, *args, **kwargs)
        self.asked = asked
        for name in self.defaults:
            field = _field(name)
            field.initial = initial[name]
            outer = name.partition(".")[0]
            unused = self._fold_of(name) is None
            field.disabled = unused or (alterable is not None and not {outer, name} & alterable)
            if name == "skip_requirement":
                assert isinstance(field, forms.MultipleChoiceField)
                field.choices = [(one, one) for one in types]
            if name == _PROVIDER:
                assert isinstance(field, forms.ChoiceField)
                offered = offered_platforms(str(self.current[_PROVIDER]))
                field.choices = [(DIRECT, INVITED), *offered.items()]
            if name == "protocol":
                assert isinstance(field, forms.ChoiceField)
                field.choices = [(one, one) for one in protocols_of(self.campaign)]
            self.fields[name] = field

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        values = {
            name: self._as_was(name, _read(name, data[name], default, self._currency))
            for name, default in self.defaults.items()
            if name in data
        }
        for name, value in values.items():
            try:  # each alone: the parser stops at the first that is wrong
                parse_settings({"protocol": self.stages_of, **nested({name: value})})
            except SettingsError as error:
                self.add_error(name, _say(name, error, self._currency))
        if self.other_stages:
            self.add_error(
                "protocol", "The stages are other ones now. Look at their settings, then send the form again."
            )
        if self.other_currency:
            self.add_error(
                _CURRENCY,
                f"Amounts are in {self.other_currency} now, and were in {self.amounts_in}. Those that you "
                "typed are as you typed them. Look at all of them, then send the form again.",
            )
            self.amounts_in = self.other_currency
        if not self.errors:
            try:
                self.settings = parse_settings(nested(values))
            except SettingsError as error:
                field = error.field if error.field in self.fields else None
                self.add_error(field, _say(error.field, error, self._currency))
        return data

    def _with_other_amounts(
        self, data: dict[str, Any] | QueryDict, proposed: Callable[[str], BatchSettings | None]
    ) -> dict[str, Any] | QueryDict:
        """Return what was sent, with other amounts if the currency is another one than they were shown in.

        The record that workers need becomes the usual one of another platform unless somebody changed it.
        """
        shown, before = data.get(AMOUNTS_IN), data.get(PAID_BY)
        if shown is None or before is None:
            return data  # it was not sent by a page that showed amounts
        provider, currency = str(data.get(_PROVIDER, before)), str(data.get(_CURRENCY, shown))[:3].upper()
        for name, value in _records(str(before)).items():
            if data.get(name) == value:
                data[name] = _records(provider)[name]
        if provider != before and currency == shown:
            currency = data[_CURRENCY] = currency_of(provider) or currency
        self.amounts_in, self.paid_by = str(shown), provider
        if currency == shown or not re.fullmatch("[A-Z]{3}", currency):
            return data
        self.other_currency = currency
        old, new = (
            dict(leaves(one.to_json())) if (one := proposed(of)) else {} for of in (str(shown), currency)
        )
        if not old and shown == self.current[_CURRENCY]:
            old = self.current
        for name in self.defaults:
            untyped = written(name, old.get(name), str(shown))
            if about(name).unit == MONEY and untyped and str(data.get(name, "")).strip() == untyped:
                data[name] = written(name, new[name], currency) if new.get(name) else ""
        return data

    def folds(self) -> list[Fold]:
        """Return the folds in the order of the pipeline."""
        groups: dict[str, list[str]] = {name: [] for name in self._shown_folds()}
        for name in self.defaults:
            if name not in self.asked and (fold := self._fold_of(name)) is not None:
                groups[fold].append(name)
        return [
            Fold(
                *FOLDS[group],
                fields=[(self[name], self._unit(name), self._default(name)) for name in names],
                wrong=any(name in self.errors for name in names),
            )
            for group, names in groups.items()
        ]

    def _shown_folds(self) -> list[str]:
        """Return the folds of the protocol, in the order of its pipeline."""
        stages = PROTOCOL_STAGES[self.stages_of]
        unused = {"limits"} if self.campaign is not Campaign.ENTITIES else set()
        if DRAWS_BOXES.isdisjoint(stages):
            unused.add(MODELS)
        # Whoever chose the provider in this form has not seen the fold, and keeps what it would propose.
        if self.paid_by != LINK or (self.is_bound and f"{BY_LINK}.participant" not in self.data):
            unused.add(BY_LINK)
        return [name for name in FOLDS if (name in stages or name not in ALL_STAGES) and name not in unused]

    def _fold_of(self, name: str) -> str | None:
        """Return the fold of a setting, or None if the protocol does not use it."""
        fold, shown = _fold(name), self._shown_folds()
        if name.startswith("judge.") and JointStage.CHECK not in PROTOCOL_STAGES[self.stages_of]:
            return None  # a model judges boxes in the joint check alone
        return fold if fold in shown else INSTEAD[fold] if INSTEAD.get(fold) in shown else None

    def first(self) -> list[tuple[forms.BoundField, str, str]]:
        """Return the fields of `asked`, each with its unit. What they differ from is not said."""
        return [(self[name], self._unit(name), "") for name in self.asked]

    def _as_was(self, name: str, value: Any) -> Any:
        """Lists are sets here: one with the same in it, in the order of the boxes, is no change."""
        was = self.current.get(name)
        same = isinstance(value, list) and isinstance(was, list) and set(value) == set(was)
        return was if same else value

    @property
    def _currency(self) -> str:
        """The currency as it is typed: it says what the amounts are."""
        return str(self["currency"].value())[:3].upper()

    def _unit(self, name: str) -> str:
        unit = about(name).unit
        return self._currency if unit == MONEY else "minutes" if unit == SECONDS else unit

    def _default(self, name: str) -> str:
        default = written(name, self.defaults[name], self._currency)
        value = self[name].value()
        same = sorted(value or ()) == sorted(default) if isinstance(default, list) else value == default
        if same:
            return ""
        return (", ".join(default) if isinstance(default, list) else str(default)) or "empty"


def _records(provider: str) -> dict[str, str]:
    """Return the usual record of a platform's workers as the form shows it, by the names of its fields."""
    return {
        f"screening.{name}": written(f"screening.{name}", value, "")
        for name, value in usual_record(provider).items()
    }


def about(name: str) -> Setting:
    """Return the description of a setting, or of one of its stages."""
    return SETTINGS[name] if name in SETTINGS else SETTINGS[name.partition(".")[0]]


def _fold(name: str) -> str:
    setting = about(name)
    return name.partition(".")[2] if setting.by_stage else setting.group


def _field(name: str) -> forms.Field:
    setting = about(name)
    outer, _, stage = name.partition(".")
    common: dict[str, Any] = {"label": setting.label, "help_text": setting.sentence, "required": False}
    if setting.ours:
        common["help_text"] += _OURS
    if stage in _OF_TABLE_3.get(outer, ()):
        common["help_text"] += f" The paper's (table 3): {_OF_TABLE_3[outer][stage]}."
    if setting.kind is tuple:
        return forms.MultipleChoiceField(
            choices=[(kind, kind) for kind in setting.choices], widget=forms.CheckboxSelectMultiple, **common
        )
    if setting.choices:
        words = [(one, PLATFORMS.get(one) or one.replace("_", " ")) for one in map(str, setting.choices)]
        return forms.ChoiceField(choices=words, **common)
    if setting.kind is bool:
        return forms.BooleanField(**common)
    attributes = {} if setting.kind is str else {"inputmode": "decimal", "class": "number"}
    widget = forms.TextInput(attrs={**attributes, "autocomplete": "off"})
    return forms.CharField(max_length=setting.longest, widget=widget, **common)


def written(name: str, value: Any, currency: str) -> Any:
    """Return a setting as its field has it: amounts in the currency's units, and times in minutes."""
    if isinstance(value, bool | list):
        return value
    if value is None:
        return ""
    unit = about(name).unit
    if unit == MONEY:
        return plain(value, currency)
    return f"{value / 60:.10g}" if unit == SECONDS else str(value)


def sent(name: str, value: Any, currency: str) -> list[str]:
    """Return a setting as a browser sends its field. A box that is not ticked is not sent."""
    shown = written(name, value, currency)
    if isinstance(shown, bool):
        return ["on"] if shown else []
    return shown if isinstance(shown, list) else [shown]


def _read(name: str, typed: Any, default: Any, currency: str) -> Any:
    """What was typed as JSON would have it; the parser says whether it can be used."""
    if isinstance(default, str | bool | list) or not isinstance(typed, str):
        return typed
    text = typed.strip()
    if default is None and not text:
        return None
    unit = about(name).unit
    if unit == MONEY:
        return _scaled(text, Decimal(10) ** digits(currency))
    if unit == SECONDS:
        return _scaled(text, Decimal(60))
    if not text.isascii() or "_" in text:  # int() takes the digits of every script
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _scaled(text: str, factor: Decimal) -> int | str:
    """Return the number in smallest units or seconds, or the text if it is none or not a whole one."""
    if not re.fullmatch(r"-?[0-9]{1,13}(\.[0-9]{0,9})?|\.[0-9]{1,9}", text):
        return text
    number = Decimal(text) * factor
    return int(number) if number == number.to_integral_value() else text


def _say(name: str, error: SettingsError, currency: str) -> str:
    message = str(error).removeprefix(f"{error.field}: ")
    limits = re.search(r"from (-?[0-9]+) to ([0-9]+)", message)
    unit = about(name).unit
    if limits and unit in (MONEY, SECONDS):
        low, high = (written(name, int(limits[n]), currency) for n in (1, 2))
        return f"Must be {f'an amount in {currency}' if unit == MONEY else 'minutes'} from {low} to {high}."
    return f"{message[:1].upper()}{message[1:]}."
