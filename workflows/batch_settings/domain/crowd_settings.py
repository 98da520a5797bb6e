"""Settings about a batch's crowd: where its workers come from, and what the batch may cost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workflows.batch_settings.domain.setting_fields import MONEY, SECONDS, setting

DIRECT, MTURK, PROLIFIC, LINK = "direct", "mturk", "prolific", "link"
PLATFORMS = (MTURK, PROLIFIC, LINK)
"""Providers that pay their workers themselves. All other workers are direct: the project pays them."""
PROVIDERS = (DIRECT, *PLATFORMS)
MAX_MONEY = 10**12
DAY = 24 * 3600
PLACEHOLDERS = ("PARTICIPANT", "SURVEY_CODE", "ASSIGNMENT", "CODE")
"""What an address back to a platform may contain, between percent signs. SURVEY_CODE is SONA's name for the
participant."""
_NAME, _CODE = re.compile("[A-Za-z0-9_-]{1,64}"), re.compile("[A-Za-z0-9_-]{1,64}")
_LOCALE = re.compile("[A-Z]{2}(-[A-Z0-9]{1,3})?")


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _fault_of_name(text: str) -> str:
    right = not text or _NAME.fullmatch(text)
    return "" if right else "must be the name of a parameter: letters, digits, _ and -, such as participantId"


def _fault_of_code(text: str) -> str:
    right = not text or _CODE.fullmatch(text)
    return "" if right else "must be a code of letters, digits, _ and -, without spaces"


def _fault_of_address(text: str) -> str:
    if text and not re.fullmatch(r"https?://[^\s/]+(/\S*)?", text):
        return "must be an address that begins with https:// or http://"
    for name in re.findall(r"%([A-Z_]{3,})%", text):
        if name not in PLACEHOLDERS:
            known = ", ".join(f"%{one}%" for one in PLACEHOLDERS)
            return f"%{name}% is not known; the placeholders are {known}"
    return ""


def _fault_of_locales(text: str) -> str:
    for code in _parts(text):
        if not _LOCALE.fullmatch(code):
            return f"{code!r} is not a code of ISO 3166, such as US or US-CA"
    return ""


@dataclass(frozen=True, slots=True)
class Crowd:
    """The settings of a batch's crowd. Amounts are in the smallest unit of the batch's currency."""

    provider: str = setting(
        DIRECT,
        "Where workers come from",
        "Direct: people you invite yourself and pay by payroll. Link: any platform that sends people to an "
        "address. Otherwise a platform whose account is set in the server's environment (docs/crowd.md).",
        choices=PROVIDERS,
    )
    cap: int | None = setting(
        None,
        "Cap",
        "The most that the batch may cost, with the platform's fees. Nothing is published beyond it. If you "
        "leave it empty, the launch proposes one. A batch for people whom you invite needs none.",
        between=(1, MAX_MONEY),
        unit=MONEY,
        alterable=True,
    )
    hourly_wage: int = setting(
        0,
        "Lowest hourly wage",
        "The least that a page must pay for the time it usually takes. 0: no minimum.",
        between=(0, 1_000_000),
        unit=MONEY,
        alterable=True,
    )
    top_up: bool = setting(
        True,
        "Top up",
        "Pay the difference to the lowest hourly wage as a bonus for each page.",
        alterable=True,
    )
    open_pages: int = setting(
        30,
        "Open places",
        "The most places of a stage that are published and not taken.",
        between=(1, 10_000),
        unit="places",
        alterable=True,
    )
    places: int = setting(
        1,
        "Places a publication",
        "Mechanical Turk charges another 20% of the reward from 10 places on.",
        between=(1, 1000),
        unit="places",
    )
    pages: int = setting(
        1,
        "Pages a place",
        "The most pages that a worker gets in one place on a platform, one after the other. The place pays "
        "for all of them, also if there is no work for the last ones. One where newcomers have an entrance.",
        between=(1, 50),
        unit="pages",
    )
    pages_a_day: int | None = setting(
        None,
        "Pages a worker in 24 hours",
        "The most pages of this batch that one worker gets within 24 hours. Empty: as many as there are.",
        between=(1, 10_000),
        unit="pages",
        alterable=True,
    )
    pages_a_worker: int | None = setting(
        None,
        "Pages a worker",
        "The most pages of this batch that one worker gets. Empty: as many as there are.",
        between=(1, 1_000_000),
        unit="pages",
        alterable=True,
    )
    lifetime_seconds: int = setting(
        DAY,
        "Time to take a place",
        "After this time a publication ends. If work is left, it is published again.",
        between=(60, 365 * DAY),
        unit=SECONDS,
        alterable=True,
    )
    approval_seconds: int = setting(
        3 * DAY,
        "Automatic approval after",
        "The platform pays a submission after this time unless it was rejected before.",
        between=(0, 30 * DAY),
        unit=SECONDS,
    )
    masters: bool = setting(
        False,
        "Masters only",
        "Only workers that Mechanical Turk selected as Masters. It charges 5% more.",
    )
    locales: str = setting(
        "",
        "Where workers live",
        "Codes of countries or states, separated by commas: US, GB, US-CA (ISO 3166). Empty: anywhere.",
        longest=200,
        fault=_fault_of_locales,
    )
    only_trusted: bool = setting(
        False,
        "Trusted workers only",
        "Publish a stage only to workers who are already trusted in it. No new workers can join.",
    )
    title: str = setting(
        "", "Title", "The title of publications. Empty: made from the stage's name.", longest=128
    )
    description: str = setting(
        "",
        "Description",
        "The text that workers read before they take a place. Empty: made from the stage's name.",
        longest=2000,
    )
    keywords: str = setting(
        "image, caption, annotation",
        "Keywords",
        "Words that workers search by, separated by commas.",
        longest=1000,
    )

    @property
    def countries(self) -> tuple[str, ...]:
        """The parts of `locales`."""
        return _parts(self.locales)

    @property
    def words(self) -> tuple[str, ...]:
        """The parts of `keywords`."""
        return _parts(self.keywords)


@dataclass(frozen=True, slots=True)
class Link:
    """The settings of a batch whose workers come from a platform by its address, with an id in it."""

    participant: str = setting(
        "participantId",
        "Parameter with the participant",
        "The name of the parameter in which the platform gives the participant's id. It may also be the last "
        "part of the address, or stand after #.",
        fault=_fault_of_name,
    )
    assignment: str = setting(
        "",
        "Parameter with the place",
        "The name of the parameter in which the platform gives the id of this one place. Empty: a "
        "participant has one place in the batch.",
        fault=_fault_of_name,
    )
    code: str = setting(
        "",
        "Completion code",
        "The code that each worker gets at the end. Empty: each place has a code of its own.",
        fault=_fault_of_code,
    )
    back: str = setting(
        "",
        "Address back",
        "The address to which workers go at the end. %PARTICIPANT%, %ASSIGNMENT% and %CODE% are replaced. "
        "Empty: workers read the code and take it to the platform.",
        longest=500,
        fault=_fault_of_address,
    )
    out_code: str = setting(
        "",
        "Code for who is turned away",
        "The code for a worker who failed the qualification test, or for whom there is no work. Empty: none.",
        fault=_fault_of_code,
    )
    out_back: str = setting(
        "",
        "Address back for who is turned away",
        "The address to which these workers go, with the same placeholders. Empty: they read the code, if "
        "there is one.",
        longest=500,
        fault=_fault_of_address,
    )
    trusted: bool = setting(
        False,
        "Ids are believed",
        "Answers count at once. Otherwise they count once you upload the platform's list of participants, "
        "since an id in an address can be made up. Choose it only if ids cannot be guessed.",
    )
