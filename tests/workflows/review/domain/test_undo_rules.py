"""A decision can be undone as long as no later one rests on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from workflows.review.domain.undo_rules import LATER, OLD, RELEASED, SETTLED, About, Made, why_not_undone

WORK, OTHER = 1, 2
CHAIN = Made(1, About.CHAIN, WORK, frozenset({10, 11}))
IMAGE = Made(1, About.IMAGE, WORK, chains=True)
CAPTION = Made(1, About.CAPTION, WORK, chains=True)
CASE = Made(1, About.CASE, WORK)


def why_not(one: Made, *later: Made, work: int | None = WORK, linked: bool = True) -> str:
    standing = [one, *(replace(made, id=number) for number, made in enumerate(later, start=2))]
    return why_not_undone(one, standing, work=work, linked=linked)


@pytest.mark.parametrize("one", [CHAIN, IMAGE, CAPTION, CASE])
def test_the_last_decision_can_be_undone(one: Made) -> None:
    assert why_not(one) == ""


@pytest.mark.parametrize(
    ("one", "later", "why"),
    [
        (CHAIN, CHAIN, LATER[About.CHAIN]),
        (CHAIN, replace(CHAIN, mentions=frozenset({11})), LATER[About.CHAIN]),  # a part that was split off
        (CHAIN, replace(CHAIN, mentions=frozenset({12})), ""),
        (CHAIN, replace(CHAIN, work=OTHER), ""),
        (CHAIN, IMAGE, LATER[About.IMAGE]),
        (CHAIN, CAPTION, LATER[About.CAPTION]),
        (CHAIN, replace(CAPTION, chains=False), ""),  # only the words beside the phrases changed
        (IMAGE, CHAIN, LATER[About.CHAIN]),
        (IMAGE, replace(CHAIN, work=OTHER), ""),
        (IMAGE, IMAGE, LATER[About.IMAGE]),
        (IMAGE, replace(CAPTION, chains=False), LATER[About.CAPTION]),
        (IMAGE, replace(CAPTION, work=None), LATER[About.CAPTION]),  # mentions lie in the caption's version
        (CAPTION, CAPTION, LATER[About.CAPTION]),
        (CAPTION, IMAGE, LATER[About.IMAGE]),
        (CAPTION, CHAIN, ""),
        (CHAIN, CASE, ""),
        (IMAGE, CASE, ""),
        (CASE, CHAIN, ""),
    ],
)
def test_what_rests_on_a_decision_is_undone_first(one: Made, later: Made, why: str) -> None:
    assert why_not(one, later) == why


@pytest.mark.parametrize("work", [OTHER, None])
def test_work_that_its_batch_released_stays_as_it_is(work: int | None) -> None:
    assert why_not(CHAIN, work=work) == why_not(IMAGE, work=work) == RELEASED
    assert why_not(CASE, work=work) == ""


def test_a_caption_is_undone_in_the_batch_where_it_was_changed_or_before_chains_exist() -> None:
    assert why_not(CAPTION, work=OTHER) == SETTLED
    assert why_not(CAPTION, work=OTHER, linked=False) == why_not(CAPTION, work=None) == ""


def test_a_decision_that_does_not_say_what_was_before_cannot_be_undone() -> None:
    assert why_not(replace(IMAGE, knows_before=False)) == OLD
