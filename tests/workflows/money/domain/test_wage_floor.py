from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.batch_settings.domain.settings import parse_settings
from workflows.money.domain.wage_floor import (
    ENOUGH_PAGES,
    PageTime,
    floor_of_stage,
    page_time,
    screen_out,
    seconds_of_page,
    top_up,
    wanted_reward,
)


def _settings(**crowd: object):  # type: ignore[no-untyped-def]
    data = {"reward": {"link": 20}, "crowd": {"hourly_wage": 1200, **crowd}}
    return parse_settings(data)


def test_75_seconds_at_12_an_hour_are_25_cents() -> None:
    assert wanted_reward(1200, PageTime(75_000, 0)) == 25


@given(st.integers(0, 10**6), st.integers(0, 10**8))
def test_a_page_pays_the_wage_and_less_than_a_unit_more(wage: int, milliseconds: int) -> None:
    exact = Fraction(wage * milliseconds, 3_600_000)
    assert exact <= wanted_reward(wage, PageTime(milliseconds, 1)) < exact + 1


@given(st.lists(st.floats(0, 10_000), min_size=ENOUGH_PAGES, max_size=60))
def test_half_of_the_pages_take_no_longer_than_the_median(seconds: list[float]) -> None:
    time = page_time(seconds, stage="link", items=10)
    assert time.pages == len(seconds)
    assert sum(one <= time.seconds for one in seconds) >= len(seconds) / 2
    assert sum(one >= time.seconds - 0.002 for one in seconds) >= len(seconds) / 2


@pytest.mark.parametrize(("items", "milliseconds"), [(10, 75_000), (5, 37_500), (3, 22_500), (100, 750_000)])
def test_before_there_are_pages_the_papers_time_counts(items: int, milliseconds: int) -> None:
    few = [1.0] * (ENOUGH_PAGES - 1)
    assert page_time(few, stage="link", items=items) == PageTime(milliseconds, 0)


def test_a_floor_says_what_is_missing_and_what_the_reward_comes_to() -> None:
    found = floor_of_stage(_settings(), "link", PageTime(75_000, 0))
    assert (found.reward, found.wanted, found.shortfall, found.hourly) == (20, 25, 5, 960)
    assert floor_of_stage(_settings(), "link", PageTime(30_000, 40)).shortfall == 0


def test_a_top_up_is_of_what_the_page_promised() -> None:
    time = PageTime(75_000, 0)
    assert top_up(_settings(), reward=20, time=time) == 5
    assert top_up(_settings(), reward=30, time=time) == 0
    assert top_up(_settings(top_up=False), reward=20, time=time) == 0
    assert top_up(_settings(hourly_wage=0), reward=0, time=time) == 0


@pytest.mark.parametrize(
    ("answering", "elapsed", "seconds"),
    [(40.0, 60.0, 40.0), (90.0, 60.0, 60.0), (None, 60.0, 60.0), (-5.0, 60.0, 0.0), (5.0, -1.0, 0.0)],
)
def test_answers_cannot_take_longer_than_their_page(
    answering: float | None, elapsed: float, seconds: float
) -> None:
    assert seconds_of_page(answering=answering, elapsed=elapsed) == seconds


@pytest.mark.parametrize(
    ("change", "reward", "pay"),
    [
        ({}, 100, 60),  # as much as the test pays who passes it: 6 items at 10 pence
        ({}, 50, 49),  # but less than the place
        ({}, 10, 0),  # Prolific pays 10 pence at least
        ({"reward": {"link": 5}}, 100, 10),  # the test would pay 3
        ({"reward": {"link": 5}, "currency": "USD"}, 100, 14),
        ({"screening": {"test": False}}, 100, 0),
        ({"screening": {"paid": "never", "training_items": 2, "test_items": 4}}, 100, 0),
        ({"regime": {"link": "open"}}, 100, 0),
        ({"crowd": {"provider": "mturk"}}, 100, 0),
    ],
)
def test_a_failed_test_pays_what_it_would_pay_who_passes_it(
    change: dict[str, object], reward: int, pay: int
) -> None:
    usual = {
        "reward": {"link": 100},
        "items_a_page": {"link": 10},
        "screening": {"training_items": 2, "test_items": 4},
        "crowd": {"provider": "prolific"},
        "currency": "GBP",
    }
    assert screen_out(parse_settings(usual | change), "link", reward) == pay
