"""Which subscriptions to Prolific's events are kept, dropped and made."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workflows.platforms.prolific.domain.subscriptions import KINDS, Subscription, ours, plan

URL = "https://g.example/hook"
THERE = st.lists(
    st.builds(
        Subscription,
        id=st.uuids().map(str),
        kind=st.sampled_from([*KINDS, "study.progress.change"]),
        url=st.sampled_from([URL, f"{URL}/", "https://other.example/hook"]),
        enabled=st.booleans(),
    ),
    unique_by=lambda one: one.id,
)


@given(THERE)
def test_afterwards_each_kind_leads_to_us_once_and_others_are_left(there: list[Subscription]) -> None:
    found = plan(there, URL)
    made = [Subscription(f"new-{kind}", kind, URL, True) for kind in found.make]
    after = [one for one in there if one not in found.drop] + made
    assert sorted(one.kind for one in ours(after, URL)) == sorted(KINDS)
    assert all(one.enabled for one in ours(after, URL))
    assert set(found.drop) <= set(ours(there, URL))
    assert plan(after, URL).is_done


def test_one_that_was_never_confirmed_is_made_anew() -> None:
    there = [Subscription("a", KINDS[0], URL, True), Subscription("b", KINDS[1], URL, False)]
    found = plan(there, URL)
    assert (found.keep, found.drop, found.make) == ((there[0],), (there[1],), (KINDS[1],))
