"""What a batch decides about where its workers come from, and what it may cost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workflows.batch_settings.domain.field_checks import SettingsError, check_choice, check_whole, parse_group

DIRECT, MTURK, PROLIFIC = "direct", "mturk", "prolific"
PROVIDERS = (DIRECT, MTURK, PROLIFIC)
MOST_MONEY = 10**12
DAY = 24 * 3600
_LOCALE = re.compile("[A-Z]{2}(-[A-Z0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Crowd:
    """Everything about a batch's crowd. Amounts are in the smallest unit of the batch's currency."""

    provider: str = DIRECT  # one of PROVIDERS
    cap: int | None = None  # what the batch may cost, fees included; platforms need one; None: no cap
    hourly_wage: int = 0  # that a page must pay at its median time, or is topped up to; 0: no floor
    top_up: bool = True  # pay what is missing as a bonus
    open_pages: int = 30  # places of a stage published and not taken yet, at most
    places: int = 1  # of one publication; Mechanical Turk takes 20% more from 10 on
    lifetime_seconds: int = DAY  # a publication can be taken for so long
    approval_seconds: int = 3 * DAY  # after so long the platform approves by itself
    masters: bool = False  # Mechanical Turk's; 5% more
    locales: str = ""  # where workers may live: ISO 3166, as in "US, GB, US-CA"; empty: anywhere
    only_trusted: bool = False  # publish to workers who are trusted in the stage already
    title: str = ""  # of the publication; empty: made of the stage's name
    description: str = ""
    keywords: str = "image, caption, annotation"

    @property
    def countries(self) -> tuple[str, ...]:
        return _parts(self.locales)

    @property
    def words(self) -> tuple[str, ...]:
        return _parts(self.keywords)


def parse_crowd(value: object) -> Crowd:
    """The group `crowd` of a batch's settings. Raises SettingsError naming the field."""
    given = parse_group(value, "crowd", Crowd)
    check_choice(given, "provider", PROVIDERS, within="crowd.")
    if given.get("cap") is not None:
        check_whole(given, "cap", 1, MOST_MONEY, within="crowd.")
    check_whole(given, "hourly_wage", 0, 1_000_000, within="crowd.")
    check_whole(given, "open_pages", 1, 10_000, within="crowd.")
    check_whole(given, "places", 1, 1000, within="crowd.")
    check_whole(given, "lifetime_seconds", 60, 365 * DAY, within="crowd.")
    check_whole(given, "approval_seconds", 0, 30 * DAY, within="crowd.")
    for name in ("top_up", "masters", "only_trusted"):
        if not isinstance(given.get(name, True), bool):
            raise SettingsError(f"crowd.{name}", "must be true or false")
    for name, most in (("locales", 200), ("title", 128), ("description", 2000), ("keywords", 1000)):
        text = given.get(name, "")
        if not isinstance(text, str) or len(text) > most:
            raise SettingsError(f"crowd.{name}", f"must be text of at most {most} characters")
    for code in _parts(given.get("locales", "")):
        if not _LOCALE.fullmatch(code):
            raise SettingsError("crowd.locales", f"{code!r} is no code of ISO 3166, as US or US-CA")
    return Crowd(**given)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
