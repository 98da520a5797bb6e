from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workflows.pipeline.domain.image_builder import mention
from workflows.pipeline.domain.box_prior import (
    MAX_PROBABILITY,
    MIN_PROBABILITY,
    SHARES,
    BoxPrior,
    frequent_heads,
)


def test_without_finished_chains_it_is_the_share_of_the_type_that_needs_boxes_most_often() -> None:
    assert BoxPrior().of([mention(1, 0, "scene", "a beach")]) == pytest.approx(SHARES["scene"])
    mixed = [mention(1, 0, "scene", "a beach"), mention(2, 1, "other/people", "a crowd")]
    assert BoxPrior().of(mixed) == pytest.approx(SHARES["people"])


def test_a_type_of_the_projects_own_needs_boxes_as_often_as_other() -> None:
    assert BoxPrior().of([mention(1, 0, "food", "a pizza")]) == pytest.approx(SHARES["other"])
    assert BoxPrior().of([mention(1, 0, "food/people", "a cook")]) == pytest.approx(SHARES["people"])


def test_finished_chains_of_the_head_noun_weigh_against_ten_of_the_type() -> None:
    prior = BoxPrior(heads={"sky": (0, 30), "car": (3, 3)})
    assert prior.of([mention(1, 0, "scene", "a blue sky")]) == pytest.approx(10 * 0.40 / 40)
    assert prior.of([mention(1, 0, "scene", "the beach")]) == pytest.approx(0.40)
    both = [mention(1, 0, "scene", "the big blue sky"), mention(2, 1, "scene", "a car")]
    assert prior.of(both) == pytest.approx(0.1), "the head noun of the longest mention, which workers see"


def test_only_frequent_head_nouns_are_pinned() -> None:
    counts = {"sky": (1, 3), "car": (2, 2), **{f"noun-{n:03}": (4, 4 + n % 2) for n in range(600)}}
    pinned = frequent_heads(counts)
    assert len(pinned) == 500 and list(pinned) == sorted(pinned)
    assert sum(chains == 5 for _, chains in pinned.values()) == 300, "those of most chains come first"
    assert frequent_heads({"sky": (1, 3), "car": (2, 2)}) == {"sky": (1, 3)}


@given(st.sampled_from(sorted(SHARES)), st.integers(0, 10**6), st.integers(0, 10**6))
def test_judgments_can_always_overrule_it(kind: str, boxed: int, more: int) -> None:
    prior = BoxPrior(heads={"thing": (boxed, boxed + more)})
    assert MIN_PROBABILITY <= prior.of([mention(1, 0, kind, "a thing")]) <= MAX_PROBABILITY
