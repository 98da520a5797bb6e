"""Mechanical Turk's fees in cents."""

from __future__ import annotations

import pytest

from workflows.platforms.mturk.domain.fees import changes_fee, mturk_bonus_fee, mturk_fee


@pytest.mark.parametrize(
    ("reward", "places", "masters", "fee"),
    [
        (0, 1, False, 1),  # never less than a cent
        (1, 1, False, 1),
        (5, 9, False, 1),
        (7, 1, False, 1),  # 1.4
        (8, 1, False, 2),  # 1.6
        (50, 9, False, 10),
        (50, 10, False, 20),
        (51, 10, False, 20),  # 20.4
        (50, 1, True, 13),  # 12.5: half a cent goes up
        (50, 10, True, 23),  # 22.5
        (100, 1, True, 25),
        (10**12, 10, True, 45 * 10**10),
    ],
)
def test_a_fee(reward: int, places: int, masters: bool, fee: int) -> None:
    assert mturk_fee(reward, places=places, masters=masters) == fee


@pytest.mark.parametrize(("amount", "fee"), [(1, 1), (12, 2), (13, 3), (100, 20)])
def test_a_fee_of_a_bonus(amount: int, fee: int) -> None:
    assert mturk_bonus_fee(amount) == fee


@pytest.mark.parametrize(
    ("places", "more", "changes"), [(1, 8, False), (1, 9, True), (9, 1, True), (10, 90, False), (9, 0, False)]
)
def test_an_extension_that_would_change_the_fee(places: int, more: int, changes: bool) -> None:
    assert changes_fee(places, more) is changes
