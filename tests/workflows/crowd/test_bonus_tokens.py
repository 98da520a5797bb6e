"""Each bonus token that we accept from a researcher is found again on both platforms."""

from __future__ import annotations

import re

import pytest

from workflows.crowd.actions import MAX_BONUS
from workflows.crowd.models import Payment
from workflows.platforms.domain import MAX_TOKEN, TOKEN, is_token
from workflows.platforms.mturk.replies import read_bonus, refer
from workflows.platforms.prolific.bonuses import MAX_SUBJECT, subject_of


@pytest.mark.parametrize(
    "token", ["t1", "Pilot-2.A:W_1", "Z" * MAX_TOKEN, "b5e1f0de-7f5f-4d0f-a5a5-1c9c1d9c3a10"]
)
def test_what_is_accepted_is_read_back(token: str) -> None:
    assert is_token(token)
    told = {
        "AssignmentId": "A",
        "WorkerId": "W",
        "BonusAmount": "0.50",
        "Reason": refer("Well (done)", token),
    }
    bonus = read_bonus(told)
    assert (bonus.token, bonus.reason) == (token, "Well (done)")


@pytest.mark.parametrize("token", ["", "a b", "t1\n", "t)", "ü", "Z" * (MAX_TOKEN + 1)])
def test_what_could_not_be_read_back_is_not_accepted(token: str) -> None:
    assert not is_token(token)


def test_the_longest_token_fits_where_it_is_kept() -> None:
    longest = "Z" * MAX_TOKEN
    assert re.fullmatch(TOKEN, longest)
    assert len(longest) <= (Payment._meta.get_field("token").max_length or 0)
    assert len(subject_of("p" * 24, "s" * 24, MAX_BONUS, longest)) <= MAX_SUBJECT
