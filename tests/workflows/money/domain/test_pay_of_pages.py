from __future__ import annotations

from typing import Any

import pytest

from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.money.domain.wage_floor import PageTime, reward_of, test_bonus, time_of

bonus_of = test_bonus
del test_bonus  # pytest would take it for a test


def settings(**given: Any) -> BatchSettings:
    return parse_settings({"reward": {"link": 5}, "items_a_page": {"link": 10}, **given})


@pytest.mark.parametrize(("items", "page", "item"), [(10, 5, 5), (1, 5, 1), (4, 5, 2), (5, 5, 3), (11, 5, 5)])
def test_a_page_pays_whole_or_as_its_items(items: int, page: int, item: int) -> None:
    assert reward_of(settings(), "link", items) == page
    assert reward_of(settings(pay_by="item"), "link", items) == item


def test_the_wage_floor_of_a_page_paid_by_item_is_that_of_its_items() -> None:
    whole = PageTime(75_000, 20)
    assert time_of(settings(), "link", whole, 1) == whole
    assert time_of(settings(pay_by="item"), "link", whole, 1) == PageTime(7_500, 20)


def test_a_platform_pays_by_page() -> None:
    with pytest.raises(SettingsError, match="pay_by"):
        settings(pay_by="item", crowd={"provider": "mturk"})
    with pytest.raises(SettingsError, match="pay_by"):
        settings(pay_by="hour")


@pytest.mark.parametrize(
    ("provider", "paid", "bonus"),
    [
        ("direct", "platforms", 0),
        ("direct", "always", 7),
        ("mturk", "platforms", 7),
        ("prolific", "platforms", 7),
        ("mturk", "never", 0),
    ],
)
def test_tests_are_paid_on_platforms_unless_the_batch_says_otherwise(
    provider: str, paid: str, bonus: int
) -> None:
    given = settings(screening={"paid": paid}, crowd={"provider": provider})
    assert bonus_of(given, "link") == bonus  # 14 questions at half a cent


def test_no_test_pays_nothing() -> None:
    assert bonus_of(settings(screening={"paid": "always", "test": False}), "link") == 0
