"""Decisions are read back as they were written, and are checked against the image."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.moves import ENTITIES_FAST, PROTOCOLS
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.decisions import (
    MAX_BOXES,
    MAX_CHAINS,
    ChainDecision,
    Chunk,
    Cut,
    DecidedBox,
    DecisionError,
    Group,
    NewGroup,
    Regrouping,
    check_boxes,
    parse_chain,
    parse_regrouping,
)
from workflows.review.domain.rulings import going_on, legal_states, resolve_groups

FLICKR = PROTOCOLS["flickr30k-entities"]
ids = st.integers(1, 2**40)
boxes = st.builds(
    lambda left, top, width, height: Box(left, top, left + width, top + height),
    *(st.integers(0, 500), st.integers(0, 500), st.integers(1, 99), st.integers(1, 99)),
)
ordinals = st.integers(0, 99)
sources = st.none() | st.builds(
    lambda by, pk, n: Source(pk, None, n) if by else Source(None, pk, n), st.booleans(), ids, ordinals
)
decided = st.builds(
    ChainDecision,
    st.sampled_from(["drawing", "done", "review"]),
    st.sampled_from(["", "scene"]),
    st.lists(st.builds(DecidedBox, boxes, sources), max_size=4).map(tuple),
)
members = st.lists(ids, min_size=1, max_size=4).map(tuple)
kept = st.lists(st.builds(DecidedBox, boxes, sources), max_size=3).map(tuple)
groups = st.builds(Group, members, st.integers(0, 9), ruling=st.none() | decided) | st.builds(
    Group, members, st.none(), st.just("done"), st.just(""), kept
)
chunks = st.builds(
    Chunk, st.integers(0, 9), st.integers(10, 19), st.booleans(), st.sampled_from([(), ("people", "scene")])
)
cuts = st.builds(Cut, st.integers(0, 4), st.lists(chunks, max_size=3).map(tuple))


@given(decided)
def test_a_decision_about_a_chain_is_read_back(decision: ChainDecision) -> None:
    assert parse_chain(orjson.loads(orjson.dumps(decision.to_json()))) == decision


@given(st.builds(Regrouping, st.lists(groups, max_size=4).map(tuple), st.lists(cuts, max_size=3).map(tuple)))
def test_a_regrouping_is_read_back(regrouping: Regrouping) -> None:
    assert parse_regrouping(orjson.loads(orjson.dumps(regrouping.to_json()))) == regrouping


@pytest.mark.parametrize(
    ("count", "mentions", "legal"),
    [
        (0, 1, ["requirement", "drawing", "nonvisual", "review"]),
        (0, 2, ["verification", "requirement", "drawing", "nonvisual", "review"]),
        (2, 1, ["drawing", "coverage", "done", "review"]),
        (2, 2, ["verification", "drawing", "coverage", "done", "review"]),
    ],
)
def test_the_states_that_fit(count: int, mentions: int, legal: list[str]) -> None:
    chain = [mention(number, number) for number in range(mentions)]
    assert legal_states(count, chain, FLICKR) == legal


@pytest.mark.parametrize(
    ("count", "legal"),
    [
        (0, ["requirement", "boxes", "nonvisual", "review"]),
        (2, ["boxes", "check", "done", "review"]),  # a check of nothing but whether a box is missing
    ],
)
def test_the_states_that_fit_in_entities_fast(count: int, legal: list[str]) -> None:
    chain = [mention(0, 0)]
    assert legal_states(count, chain, ENTITIES_FAST) == legal
    assert going_on("check", count, chain, ENTITIES_FAST) == ("check" if count else "")


def test_there_is_an_end_to_boxes() -> None:
    many = [Box(n, 0, n + 9, 9) for n in range(MAX_BOXES + 1)]
    with pytest.raises(DecisionError, match="at most 200"):
        check_boxes(many, "boxes", size=(None, None), minimum_side=1)


def grouped(*chains: NewGroup) -> tuple[Group, ...]:
    mentions = [mention(1, 0, "people", start=0), mention(2, 1, "other", start=0), mention(3, 2, start=0)]
    standing = {(1,): 0, (2, 3): 1}
    settings = BatchSettings()
    return resolve_groups(chains, mentions, standing, size=(99, 99), protocol=FLICKR, settings=settings)


ONE, TWO, THREE = (0, 0, 2), (1, 0, 2), (2, 0, 2)


def test_chains_that_stay_are_kept_and_others_begin_anew() -> None:
    found = grouped(NewGroup((THREE, TWO)), NewGroup((ONE,)))
    assert found == (Group((1,), kept=0), Group((2, 3), kept=1))
    found = grouped(NewGroup((THREE,)), NewGroup((ONE, TWO)))
    assert found == (Group((1, 2), state="drawing"), Group((3,), state="requirement"))


def test_a_chain_whose_mentions_stay_goes_on_in_the_state_that_it_is_given() -> None:
    found = grouped(NewGroup((THREE, TWO)), NewGroup((ONE,), state="review"))
    assert found[0] == Group((1,), kept=0, ruling=ChainDecision("review"))


def test_there_is_an_end_to_chains() -> None:
    with pytest.raises(DecisionError, match=f"at most {MAX_CHAINS}"):
        grouped(*[NewGroup((ONE,))] * (MAX_CHAINS + 1))
