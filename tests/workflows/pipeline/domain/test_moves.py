"""Every move of docs/protocol.md's stages 2 to 6, and the limits that send a chain to review."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import Stage
from annotation.domain.chain_states import DONE, FINISHED, NONVISUAL, REVIEW, SPLIT
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention, representative
from tests.workflows.pipeline.domain.image_builder import ids, mention
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.moves import PROTOCOLS, Progress, opening, split
from workflows.pipeline.domain.verdicts import Verdict

FLICKR = PROTOCOLS["flickr30k-entities"]
SETTINGS = BatchSettings()
LINK, VERIFICATION, REQUIREMENT, DRAWING, QUALITY, COVERAGE = Stage
DOGS = [mention(1, 0, "animals", "a dog"), mention(2, 1, "animals", "the dog")]
MEN = [mention(3, 0, "people", "a man"), mention(4, 1, "people", "he")]
VERDICTS = {
    Stage.VERIFICATION: (Verdict("true"), Verdict("false")),
    Stage.REQUIREMENT: (Verdict("box"), Verdict("no box", flag="scene"), Verdict("no box", flag="nobndbox")),
    Stage.DRAWING: (Verdict("box drawn", boxes=(Box(0, 0, 5, 5),)), Verdict("no further box")),
    Stage.QUALITY: (Verdict("good"), Verdict("bad")),
    Stage.COVERAGE: (Verdict("complete"), Verdict("incomplete")),
}


def step(
    before: Progress, verdict: str, chain: list[Mention] = DOGS, limits: Limits = SETTINGS.limits
) -> tuple[Progress, str]:
    flag = "scene" if verdict == "no box" else ""
    return FLICKR.step(before, Verdict(verdict, flag=flag), chain, replace(SETTINGS, limits=limits))


def walk(start: Progress, *verdicts: str, limits: Limits = SETTINGS.limits) -> Progress:
    for verdict in verdicts:
        start, _ = step(start, verdict, limits=limits)
    return start


@pytest.mark.parametrize(
    ("before", "verdict", "rule", "after"),
    [
        # Stage 2. True: kept. False: broken.
        (Progress(VERIFICATION), "true", "kept", Progress(REQUIREMENT)),
        (Progress(VERIFICATION), "false", "broken", Progress(SPLIT)),
        # Stage 3. Box: on to drawing. No box: non-visual, with its flag.
        (Progress(REQUIREMENT), "box", "box-required", Progress(DRAWING)),
        (Progress(REQUIREMENT), "no box", "no-box-required", Progress(NONVISUAL, flag="scene")),
        # Stage 4. A box goes to quality; no further box goes to requirement or coverage.
        (Progress(DRAWING), "box drawn", "box-drawn", Progress(QUALITY)),
        (Progress(DRAWING), "no further box", "none-needed", Progress(REQUIREMENT, returns=1)),
        (
            Progress(DRAWING, boxes_accepted=1),
            "no further box",
            "none-missing",
            Progress(COVERAGE, boxes_accepted=1, fruitless=1),
        ),
        # a rejected box does not belong to the chain
        (
            Progress(DRAWING, boxes_rejected=1),
            "no further box",
            "none-needed",
            Progress(REQUIREMENT, boxes_rejected=1, returns=1),
        ),
        # Stage 5. Good: coverage. Bad: discarded, back to drawing.
        (Progress(QUALITY), "good", "box-accepted", Progress(COVERAGE, boxes_accepted=1)),
        (Progress(QUALITY), "bad", "box-rejected", Progress(DRAWING, boxes_rejected=1)),
        # Stage 6. No: back to drawing. Yes: done.
        (
            Progress(COVERAGE, boxes_accepted=1),
            "incomplete",
            "box-missing",
            Progress(DRAWING, boxes_accepted=1),
        ),
        (Progress(COVERAGE, boxes_accepted=1), "complete", "complete", Progress(DONE, boxes_accepted=1)),
        # Additional review: the limits.
        (
            Progress(DRAWING, returns=1),
            "no further box",
            "requirement-cycle",
            Progress(REVIEW, returns=2, reason="requirement-cycle"),
        ),
        (
            Progress(DRAWING, boxes_accepted=2, fruitless=2),
            "no further box",
            "coverage-cycle",
            Progress(REVIEW, boxes_accepted=2, fruitless=3, reason="coverage-cycle"),
        ),
        (
            Progress(QUALITY, boxes_rejected=4),
            "bad",
            "rejection-cycle",
            Progress(REVIEW, boxes_rejected=5, reason="rejection-cycle"),
        ),
        (
            Progress(COVERAGE, boxes_accepted=20),
            "incomplete",
            "growing-cycle",
            Progress(REVIEW, boxes_accepted=20, reason="growing-cycle"),
        ),
    ],
)
def test_each_move_leads_where_the_protocol_says(
    before: Progress, verdict: str, rule: str, after: Progress
) -> None:
    assert step(before, verdict) == (after, rule)


def test_the_table_above_shows_every_rule() -> None:
    marks = test_each_move_leads_where_the_protocol_says.pytestmark  # type: ignore[attr-defined]  # set by pytest
    assert {row[2] for row in marks[0].args[1]} == {move.rule for move in FLICKR.moves}


def test_a_verified_chain_of_people_skips_requirement() -> None:
    assert step(Progress(VERIFICATION), "true", MEN)[0] == Progress(DRAWING)


@pytest.mark.parametrize(
    ("types", "verified", "state"),
    [
        (["other"], False, REQUIREMENT),
        (["scene"], False, REQUIREMENT),
        (["animals"], False, REQUIREMENT),
        (["vehicles"], False, REQUIREMENT),
        (["instruments"], False, REQUIREMENT),
        (["people"], False, DRAWING),
        (["clothing"], False, DRAWING),
        (["bodyparts"], False, DRAWING),
        (["animals/people"], False, DRAWING),  # one of its types is enough
        (["other", "other"], False, VERIFICATION),
        (["people", "people"], False, VERIFICATION),
        (["other", "other"], True, REQUIREMENT),
        (["other", "other/clothing"], True, DRAWING),  # one mention with such a type is enough
    ],
)
def test_chains_of_two_are_verified_and_people_clothing_bodyparts_skip_requirement(
    types: list[str], verified: bool, state: str
) -> None:
    chain = [mention(n, n, kinds) for n, kinds in enumerate(types)]
    assert opening(chain, SETTINGS, verified=verified) == state


def test_which_types_skip_requirement_is_a_setting() -> None:
    settings = replace(SETTINGS, skip_requirement=("animals",))
    assert opening(DOGS[:1], settings, verified=False) == DRAWING
    assert opening(MEN[:1], settings, verified=False) == REQUIREMENT


def test_a_chain_that_skipped_requirement_can_still_be_sent_there() -> None:
    assert step(Progress(DRAWING), "no further box", MEN)[0].state == REQUIREMENT


def test_a_broken_chain_falls_into_the_subsets_of_one_head_noun_in_lower_case() -> None:
    texts = ["A black dog", "the animal", "a Dog", "DOG", "an animal", "it all"]
    chain = [mention(n, n % 5, "animals", text) for n, text in enumerate(texts)]
    assert ids(split(chain)) == [[0, 2, 3], [1, 4], [5]]


@given(st.lists(st.sampled_from(["a dog", "The Dog", "a cat", "cats", "a red cat"]), max_size=8))
def test_splitting_is_a_partition_by_head_noun(texts: list[str]) -> None:
    chain = [mention(n, n, "animals", text) for n, text in enumerate(texts)]
    subsets = split(chain)
    assert sorted(m.id for subset in subsets for m in subset) == list(range(len(texts)))
    heads = [{m.head for m in subset} for subset in subsets]
    assert all(len(found) == 1 for found in heads)
    assert len(set.union(set(), *heads)) == len(subsets), "two subsets share a head noun"
    assert all([m.id for m in subset] == sorted(m.id for m in subset) for subset in subsets)


def test_the_longest_mention_stands_for_the_chain() -> None:
    most_words = [
        mention(1, 0, text="a dog"),
        mention(2, 1, text="a big dog"),
        mention(3, 2, text="greyhounds"),
    ]
    assert representative(most_words).id == 2
    most_letters = [mention(1, 0, text="a dog"), mention(2, 1, text="the dog"), mention(3, 2, text="one dog")]
    assert representative(most_letters).id == 2, "then most characters, then the earliest"


@pytest.mark.parametrize(
    ("start", "cycle", "most", "reason"),
    [
        # requirement re-entered 2 times
        (Progress(REQUIREMENT), ("box", "no further box"), 2, "requirement-cycle"),
        # coverage -> drawing without an accepted new box 3 times
        (Progress(COVERAGE, boxes_accepted=1), ("incomplete", "no further box"), 3, "coverage-cycle"),
        # 5 boxes rejected
        (Progress(DRAWING), ("box drawn", "bad"), 5, "rejection-cycle"),
        # a rejected box on the way does not make a trip fruitful
        (
            Progress(COVERAGE, boxes_accepted=1),
            ("incomplete", "box drawn", "bad", "no further box"),
            3,
            "coverage-cycle",
        ),
    ],
)
def test_a_chain_that_cycles_goes_to_review(
    start: Progress, cycle: tuple[str, ...], most: int, reason: str
) -> None:
    before = walk(start, *cycle * (most - 1))
    assert before.state in FLICKR.decide
    after = walk(before, *cycle)
    assert (after.state, after.reason) == (REVIEW, reason)


@pytest.mark.parametrize(
    ("start", "cycle", "limits"),
    [
        (Progress(REQUIREMENT), ("box", "no further box"), Limits(returns=4)),
        (Progress(COVERAGE, boxes_accepted=1), ("incomplete", "no further box"), Limits(fruitless=4)),
        (Progress(DRAWING), ("box drawn", "bad"), Limits(rejected=4)),
    ],
)
def test_each_limit_is_a_setting(start: Progress, cycle: tuple[str, ...], limits: Limits) -> None:
    assert walk(start, *cycle * 3, limits=limits).state in FLICKR.decide
    assert walk(start, *cycle * 4, limits=limits).state == REVIEW


def test_an_accepted_box_starts_the_count_of_fruitless_trips_again() -> None:
    trip = ("incomplete", "no further box")
    fruitful = ("incomplete", "box drawn", "good")
    start = Progress(COVERAGE, boxes_accepted=1)
    assert walk(start, *trip * 2).fruitless == 2
    after = walk(start, *trip * 2, *fruitful, *trip * 2)
    assert (after.state, after.fruitless, after.boxes_accepted) == (COVERAGE, 2, 2)


def test_rejected_boxes_count_over_the_whole_life_of_a_chain() -> None:
    one_bad = ("box drawn", "bad", "box drawn", "good", "incomplete")
    before = walk(Progress(DRAWING), *one_bad * 4)
    assert (before.state, before.boxes_rejected, before.boxes_accepted) == (DRAWING, 4, 4)
    assert walk(before, "box drawn", "bad").state == REVIEW


@pytest.mark.parametrize(
    ("state", "verdict"),
    [
        (DONE, "complete"),
        (NONVISUAL, "box"),
        (SPLIT, "true"),
        (REVIEW, "box"),
        (REQUIREMENT, "good"),
        (LINK, "same"),
    ],
)
def test_a_verdict_that_fits_no_move_is_refused(state: str, verdict: str) -> None:
    with pytest.raises(ValueError, match=f"flickr30k-entities: no move from '{state}' on '{verdict}'"):
        step(Progress(state), verdict)


counts = st.integers(0, 6)


@given(
    st.sampled_from(sorted(VERDICTS)),
    st.tuples(counts, counts, counts, counts),
    st.builds(Limits, returns=st.integers(1, 5), fruitless=st.integers(1, 5), rejected=st.integers(1, 5)),
    st.sampled_from([DOGS, DOGS[:1], MEN]),
    st.data(),
)
def test_every_verdict_of_a_stage_has_exactly_one_move_whatever_the_past(
    stage: Stage, past: tuple[int, int, int, int], limits: Limits, chain: list[Mention], data: st.DataObject
) -> None:
    verdict = data.draw(st.sampled_from(VERDICTS[stage]))
    before = Progress(stage, 0, *past)
    after, rule = FLICKR.step(before, verdict, chain, replace(SETTINGS, limits=limits))
    assert after.state in FLICKR.decide or after.state in {*FINISHED, REVIEW}
    assert (after.state == REVIEW) == bool(after.reason)
    assert (after.state == NONVISUAL) == bool(after.flag)
    assert after.visits == before.visits, "visits count items, not moves"
    assert rule in {move.rule for move in FLICKR.moves}


def test_rules_are_named_once_and_every_stage_with_a_rule_for_its_judgments_has_moves() -> None:
    rules = [move.rule for move in FLICKR.moves]
    assert len(rules) == len(set(rules))
    assert {move.stage for move in FLICKR.moves} == set(FLICKR.decide) == set(Stage) - {Stage.LINK}
    assert set(FLICKR.box_states) | FLICKR.counts_next <= set(rules)


@pytest.mark.parametrize(
    ("rule", "state"),
    [("box-accepted", "accepted"), ("box-rejected", "rejected"), ("rejection-cycle", "rejected")],
)
def test_quality_keeps_or_discards_the_box(rule: str, state: str) -> None:
    assert FLICKR.box_states[rule] == state
