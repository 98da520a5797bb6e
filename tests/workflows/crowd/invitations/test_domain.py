from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

import pytest

from tests.factories import NOW
from workflows.crowd.invitations.domain import (
    FAILED_PER_ADDRESS,
    FAILED_PER_INVITATION,
    INTERVAL_PER_ADDRESS,
    INTERVAL_PER_INVITATION,
    Over,
    WorkerNameError,
    check_name,
    over,
    pause,
    wait,
)

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("ada@example.org", "ada@example.org"),
        ("  Ada \t Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zoë"),  # composed
        ("x" * 128, "x" * 128),
    ],
)
def test_a_name_is_kept_composed_and_with_single_spaces(given: str, kept: str) -> None:
    assert check_name(given) == kept


@pytest.mark.parametrize("given", ["", " \n", "x" * 129, "a\u202eb", "a\u200bb", "a\0b", "\ud800"])
def test_names_that_cannot_be_seen_or_are_too_long_are_none(given: str) -> None:
    with pytest.raises(WorkerNameError, match=r"Choose|signs that can be seen"):
        check_name(given)


def test_an_invitation_is_over_when_revoked_expired_or_used_up() -> None:
    def why(**more: object) -> Over | None:
        usual = {"uses": 1, "used": 0, "expires_at": None, "revoked_at": None, "now": NOW}
        return over(**(usual | more))  # type: ignore[arg-type]

    assert why() is None
    assert why(used=1) == Over.USED
    assert why(uses=None, used=10**6) is None
    assert why(expires_at=NOW) == Over.EXPIRED
    assert why(expires_at=NOW + timedelta(microseconds=1)) is None
    assert why(revoked_at=NOW, expires_at=NOW, used=1) == Over.REVOKED


def test_the_wait_ends_when_enough_tries_are_an_hour_old() -> None:
    times = [NOW - timedelta(minutes=minutes) for minutes in (50, 30, 10)]
    assert wait(times, most=4, now=NOW) == 0
    assert wait(times, most=3, now=NOW) == 10 * 60
    assert wait(times, most=1, now=NOW) == 50 * 60
    assert wait([NOW - HOUR, *times], most=4, now=NOW) == 0
    assert wait([NOW - HOUR + timedelta(milliseconds=1)], most=1, now=NOW) == 1
    assert wait(times, most=3, now=NOW - 5 * HOUR) == 60 * 60, "the clock was set back"


def test_after_some_tries_each_more_has_to_wait_for_a_moment() -> None:
    wait_for = partial(pause, free=3, then=timedelta(minutes=3))
    times = [NOW - timedelta(minutes=minutes) for minutes in (50, 30, 1)]
    assert wait_for(times[1:], now=NOW) == 0
    assert wait_for(times, now=NOW) == 2 * 60
    assert wait_for(times, now=NOW + timedelta(minutes=2)) == 0
    assert wait_for(times, now=NOW + timedelta(minutes=10)) == 0, "the first one is an hour old"
    assert wait_for(times, now=NOW - timedelta(hours=2)) == 3 * 60, "the clock was set back"


def test_guessing_a_passcode_of_six_digits_takes_a_year_on_average() -> None:
    def tries(hours: int, free: int, then: timedelta) -> int:
        made: list[datetime] = []
        end, now = NOW + hours * HOUR, NOW
        while now < end:
            if seconds := pause(made[-free:], free=free, then=then, now=now):
                now += timedelta(seconds=seconds)
            else:
                made.append(now)
        return len(made)

    assert tries(1, FAILED_PER_ADDRESS, INTERVAL_PER_ADDRESS) < FAILED_PER_INVITATION, (
        "one address stops no others"
    )
    a_day = tries(24, FAILED_PER_INVITATION, INTERVAL_PER_INVITATION)
    assert 10**6 / 2 / a_day > 365
