from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.factories import NOW
from workflows.crowd.payments.withdraw import SHOWS_WITHIN, Asked, unclear_at

LATER = NOW + SHOWS_WITHIN
calls = st.lists(
    st.builds(Asked, st.integers(0, 300).map(lambda minutes: NOW + timedelta(minutes=minutes)), st.booleans())
)


def test_what_was_refused_at_once_or_never_asked_for_is_clear() -> None:
    assert unclear_at([]) is None
    assert unclear_at([Asked(NOW, True)]) is None


def test_a_no_settles_what_was_asked_an_hour_before_and_no_later() -> None:
    unclear = Asked(NOW, False)
    assert unclear_at([unclear]) == NOW
    assert unclear_at([unclear, Asked(LATER - timedelta(seconds=1), True)]) == NOW
    assert unclear_at([unclear, Asked(LATER, True)]) is None
    assert unclear_at([Asked(LATER, True), Asked(LATER, False)]) == LATER


@given(calls)
def test_it_is_unclear_exactly_where_no_refusal_follows_the_last_unclear_call_by_an_hour(
    told: list[Asked],
) -> None:
    at = unclear_at(told)
    unclear = [one.at for one in told if not one.refused]
    settled = [one.at for one in told if one.refused and unclear and one.at - max(unclear) >= SHOWS_WITHIN]
    assert (at is None) == (not unclear or bool(settled))
    assert at is None or at == max(unclear)
