from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from workflows.crowd.provider import Stand, Submitted
from workflows.crowd.rounds.domain.polls import Held, is_known

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOLD = Submitted("A1", "H1", "W1", Stand.SUBMITTED, AT, AT)
HERE = Held("submitted", True, AT, AT, "submitted", waiting=False, settling=True, unpaid=True, disputed=False)


def test_what_says_the_same_is_known() -> None:
    assert is_known(TOLD, HERE)
    assert is_known(replace(TOLD, stand=Stand.WORKING), replace(HERE, state="opened", settling=False))
    returned = replace(HERE, state="returned", page="expired", unpaid=False)
    assert is_known(replace(TOLD, stand=Stand.RETURNED), returned)


@pytest.mark.parametrize(
    "change",
    [
        {"state": "opened"},
        {"confirmed": False},
        {"deadline": None},
        {"waiting": True},
        {"settling": False},
        {"disputed": True},
    ],
    ids=lambda change: next(iter(change)),
)
def test_anything_that_is_left_to_do_is_not(change: dict[str, Any]) -> None:
    assert not is_known(TOLD, replace(HERE, **change))
    assert not is_known(TOLD, None)


@pytest.mark.parametrize("change", [{"page": "live"}, {"page": "submitted"}, {"unpaid": True}])
def test_a_place_given_back_with_a_page_or_pay_left_is_not(change: dict[str, Any]) -> None:
    here = replace(replace(HERE, state="returned", page="expired", unpaid=False), **change)
    assert not is_known(replace(TOLD, stand=Stand.RETURNED), here)
