"""The captions of an image in groups that are shown together."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.batches.domain.pair_groups import grouped


@given(st.integers(1, 60), st.integers(1, 10), st.integers())
def test_each_caption_is_in_one_group_and_groups_are_as_few_and_alike_as_can_be(
    number: int, most: int, seed: int
) -> None:
    groups = grouped(range(number), most, Random(seed))
    assert sorted(one for group in groups for one in group) == list(range(number))
    sizes = [len(group) for group in groups]
    assert len(groups) == -(-number // most) and max(sizes) <= most and max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_the_same_seed_draws_the_same_groups(seed: int) -> None:
    assert grouped(range(25), 10, Random(seed)) == grouped(range(25), 10, Random(seed))
    assert grouped(range(25), 10, Random(seed)) != grouped(range(25), 10, Random(seed + 1))
