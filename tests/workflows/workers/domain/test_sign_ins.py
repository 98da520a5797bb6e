from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.factories import NOW
from workflows.workers.domain.sign_ins import (
    OVERLAP,
    Known,
    Token,
    is_ended,
    is_first_use,
    is_over,
    is_renewed,
    next_token,
)

DAY = timedelta(days=1)
LIFE = 30 * DAY
TICK = timedelta(seconds=1)
LINK = Token(worker_id=7, generation=2, made_at=NOW, begun_at=NOW)
FIRST = replace(LINK, sign_in=11)
THIRD = replace(FIRST, number=2)


@pytest.mark.parametrize("token", [LINK, FIRST])
def test_a_token_is_over_at_its_age(token: Token) -> None:
    assert not is_over(token, life=LIFE, now=NOW + LIFE)
    assert is_over(token, life=LIFE, now=NOW + LIFE + TICK)


def test_a_sign_in_is_over_at_six_times_the_age_of_a_token_however_fresh_its_token() -> None:
    token = replace(THIRD, made_at=NOW + 179 * DAY)
    assert not is_over(token, life=LIFE, now=NOW + 180 * DAY)
    assert is_over(token, life=LIFE, now=NOW + 180 * DAY + TICK)


def test_a_token_from_before_the_clock_was_set_back_is_accepted() -> None:
    assert not is_over(FIRST, life=LIFE, now=NOW - timedelta(hours=2))


@pytest.mark.parametrize("token", [LINK, FIRST, THIRD])
@pytest.mark.parametrize("generation", [1, 3])
def test_a_token_of_another_generation_has_ended(token: Token, generation: int) -> None:
    assert is_ended(token, Known(generation, newest=token.number), now=NOW)


def test_a_links_token_and_a_first_token_need_nothing_that_is_stored() -> None:
    assert not is_ended(LINK, Known(2), now=NOW)
    assert not is_ended(FIRST, Known(2), now=NOW)
    assert is_ended(THIRD, Known(2), now=NOW), "its sign-in was deleted"


@pytest.mark.parametrize(
    ("newest", "used", "ended"),
    [
        (2, None, False),
        (2, NOW - DAY, False),
        (3, None, False),  # the next one may be lost
        (3, NOW - OVERLAP, False),
        (3, NOW - OVERLAP - TICK, True),
        (4, None, True),
        (1, NOW, True),  # nobody has given it out
    ],
)
def test_a_token_ends_a_minute_after_the_next_one_was_used(newest: int, used: object, ended: bool) -> None:
    assert is_ended(THIRD, Known(2, newest, used), now=NOW) is ended  # type: ignore[arg-type]


def test_the_first_use_of_the_newest_token_is_told_from_others() -> None:
    assert is_first_use(THIRD, Known(2, 2, None))
    for token, known in [
        (THIRD, Known(2, 2, NOW)),
        (THIRD, Known(2, 3)),
        (FIRST, Known(2)),
        (LINK, Known(2)),
    ]:
        assert not is_first_use(token, known)


@pytest.mark.parametrize(
    ("life", "age", "renewed"),
    [
        (LIFE, DAY - TICK, False),
        (LIFE, DAY, True),
        (DAY, 12 * timedelta(hours=1) - TICK, False),
        (DAY, 12 * timedelta(hours=1), True),
        (LIFE, -DAY, False),  # the clock was set back
    ],
)
def test_a_token_is_renewed_after_a_day_or_half_its_life(
    life: timedelta, age: timedelta, renewed: bool
) -> None:
    assert is_renewed(FIRST, life=life, now=NOW + age) is renewed
    assert is_renewed(LINK, life=life, now=NOW + age)


def test_the_next_token_keeps_the_generation_and_the_beginning_of_its_sign_in() -> None:
    later = NOW + DAY
    assert next_token(THIRD, new_sign_in=99, now=later) == replace(THIRD, made_at=later, number=3)
    assert next_token(LINK, new_sign_in=99, now=later) == replace(LINK, made_at=later, sign_in=99)
