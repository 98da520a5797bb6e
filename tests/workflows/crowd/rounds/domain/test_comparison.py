from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from workflows.crowd.rounds.domain.comparison import (
    Bonuses,
    Difference,
    Known,
    Owed,
    compare,
    compare_bonuses,
)
from workflows.platforms.provider import Bonus, Life, Money, Published


def there(external_id: str, token: str = "", *, free: int = 1) -> Published:
    return Published(external_id, token, Life.OPEN, 1, free, 0, Money(5, "USD"), None)


def test_sides_that_agree_differ_in_nothing() -> None:
    assert compare([Known("t", "H1")], [there("H1", "t")]) == Difference()


def test_what_is_not_ours_is_left_alone() -> None:
    assert compare([Known("t", "H1")], [there("H1", "t"), there("H9")]) == Difference()


def test_an_order_whose_reply_was_lost_is_found_by_its_token() -> None:
    assert compare([Known("t", "")], [there("H1", "t")]) == Difference(found=(there("H1", "t"),))


def test_a_second_one_of_an_order_is_a_double() -> None:
    ours, theirs = [Known("t", "H1")], [there("H2", "t"), there("H1", "t")]
    assert compare(ours, theirs) == Difference(doubles=(there("H2", "t"),))


def test_of_two_that_nobody_knew_the_one_with_people_at_work_is_ours() -> None:
    empty, taken = there("H1", "t", free=3), there("H2", "t", free=2)
    assert compare([Known("t", "")], [empty, taken]) == Difference(found=(taken,), doubles=(empty,))


def test_an_order_that_we_do_not_have_is_an_orphan() -> None:
    assert compare([], [there("H1", "t")]) == Difference(orphans=(there("H1", "t"),))


def test_what_the_platform_lost_is_missing_unless_it_is_over_here() -> None:
    gone, over = Known("a", "H1"), Known("b", "H2", there=False)
    assert compare([gone, over], []) == Difference(missing=(gone,))


ids = st.integers(0, 5).map(str)


@given(
    st.lists(st.tuples(ids, st.booleans()), unique_by=lambda pair: pair[0]),
    st.lists(st.tuples(ids, st.sampled_from(["", *map(str, range(6))])), unique_by=lambda pair: pair[0]),
)
def test_each_is_of_one_kind_and_none_is_forgotten(
    ours: list[tuple[str, bool]], theirs: list[tuple[str, str]]
) -> None:
    known = [Known(token, f"H{token}" if told else "") for token, told in ours]
    published = [there(f"H{one}", token) for one, token in theirs]
    found = compare(known, published)
    kinds = Counter(one.external_id for one in (*found.found, *found.doubles, *found.orphans))
    assert all(number == 1 for number in kinds.values())
    by_id = {one.external_id for one in known if one.external_id}
    assert set(kinds) == {one.external_id for one in published if one.token} - by_id
    tokens = [one.token for one in found.found]
    assert len(tokens) == len(set(tokens)), "an order is found once"
    assert {one.external_id for one in found.missing} == by_id - {one.external_id for one in published}


def paid(token: str) -> Bonus:
    return Bonus("A1", "W1", Money(10, "USD"), "why", token)


def test_bonuses() -> None:
    owed = [
        Owed("known", True),
        Owed("lost", False),
        Owed("twice", True),
        Owed("gone", True),
        Owed("due", False),
    ]
    theirs = [paid("known"), paid("lost"), paid("twice"), paid("twice"), paid("made-up"), paid("")]
    assert compare_bonuses(owed, theirs) == Bonuses(
        paid=("lost",),
        doubles=("twice",),
        orphans=(paid("made-up"), paid("")),
        missing=("gone",),
    )
