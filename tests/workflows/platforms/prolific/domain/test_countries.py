"""Countries among the choices of a filter."""

from __future__ import annotations

import re

import pytest

from workflows.platforms.prolific.domain.countries import NAMES, LocaleError, choices_of

CHOICES = {"0": "United Kingdom", "1": "United States", "7": "czech republic"}


def test_countries_are_found_by_name_in_their_order() -> None:
    assert choices_of(("CZ", "GB"), CHOICES) == ["7", "0"]


@pytest.mark.parametrize("code", ["US-CA", "DE", "QQ"])
def test_what_is_no_choice_is_refused_by_its_code(code: str) -> None:
    with pytest.raises(LocaleError, match=code):
        choices_of(("GB", code), CHOICES)


def test_every_code_has_a_name_of_its_own() -> None:
    assert len(set(NAMES.values())) == len(NAMES) > 40
    assert all(re.fullmatch("[A-Z]{2}", code) for code in NAMES)
