"""Settings about a batch's crowd: where its workers come from, and what the batch may cost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from workflows.batch_settings.domain.field_checks import SettingsError, check_choice, check_whole, parse_group

DIRECT, MTURK, PROLIFIC = "direct", "mturk", "prolific"
PLATFORMS = (MTURK, PROLIFIC)
"""Providers that pay their workers themselves. Everybody else is a direct worker, whom the project pays."""
PROVIDERS = (DIRECT, *PLATFORMS)
MAX_MONEY = 10**12
DAY = 24 * 3600
_LOCALE = re.compile("[A-Z]{2}(-[A-Z0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Crowd:
    """The settings of a batch's crowd. Amounts are in the smallest unit of the batch's currency."""

    provider: str = DIRECT  # one of PROVIDERS
    cap: int | None = None  # what the batch may cost, fees included; None: no cap; platforms need one
    hourly_wage: int = 0  # what a page must pay at its median time; 0: no floor
    top_up: bool = True  # pay what a page lacks to the hourly wage as a bonus
    open_pages: int = 30  # at most so many places of a stage are published and not taken
    places: int = 1  # in one publication; from 10 on, Mechanical Turk takes 20% more
    lifetime_seconds: int = DAY  # how long workers can take a publication
    approval_seconds: int = 3 * DAY  # after this time the platform approves automatically
    masters: bool = False  # only Mechanical Turk's Masters; costs 5% more
    locales: str = ""  # where workers may live: ISO 3166, such as "US, GB, US-CA"; empty: anywhere
    only_trusted: bool = False  # publish only to workers who are already trusted in the stage
    title: str = ""  # of the publication; empty: made from the stage's name
    description: str = ""
    keywords: str = "image, caption, annotation"

    @property
    def countries(self) -> tuple[str, ...]:
        """The parts of `locales`."""
        return _parts(self.locales)

    @property
    def words(self) -> tuple[str, ...]:
        """The parts of `keywords`."""
        return _parts(self.keywords)


def parse_crowd(value: object) -> Crowd:
    """Read the group `crowd` of a batch's settings. Raises SettingsError, which names the field."""
    given = parse_group(value, "crowd", Crowd)
    check_choice(given, "provider", PROVIDERS, within="crowd.")
    if given.get("cap") is not None:
        check_whole(given, "cap", 1, MAX_MONEY, within="crowd.")
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
            raise SettingsError("crowd.locales", f"{code!r} is not a code of ISO 3166, such as US or US-CA")
    return Crowd(**given)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
