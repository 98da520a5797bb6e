"""Every move of the protocol `entities-fast`, and that every chain comes to an end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.answers import JointStage, Stage
from annotation.domain.chain_states import DONE, FINISHED, NONVISUAL, REVIEW, SPLIT
from annotation.domain.geometry import Box
from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import mention
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.diagram import describe
from workflows.pipeline.domain.moves import ENTITIES_FAST, PROTOCOLS, Move, Progress
from workflows.pipeline.domain.verdicts import Verdict

SETTINGS = BatchSettings()
VERIFICATION, REQUIREMENT = Stage.VERIFICATION, Stage.REQUIREMENT
BOXES, CHECK = JointStage.BOXES, JointStage.CHECK
HATS = [mention(1, 0, "other", "a hat"), mention(2, 1, "other", "the hat")]
MEN = [mention(3, 0, "people", "a man"), mention(4, 1, "people", "he")]
NONE = Verdict("no further box")
DRAWN = Verdict("boxes drawn", boxes=(Box(0, 0, 5, 5), Box(9, 9, 20, 20)))


def complete(*accepted: bool) -> Verdict:
    return Verdict("complete", accepted=accepted)


def incomplete(*accepted: bool) -> Verdict:
    return Verdict("incomplete", accepted=accepted)


ROWS = [
    (Progress(VERIFICATION), Verdict("true"), "kept", Progress(BOXES)),
    (Progress(VERIFICATION), Verdict("false"), "broken", Progress(SPLIT)),
    (Progress(REQUIREMENT), Verdict("box"), "box-required", Progress(BOXES)),
    (
        Progress(REQUIREMENT),
        Verdict("no box", flag="scene"),
        "no-box-required",
        Progress(NONVISUAL, flag="scene"),
    ),
    (Progress(BOXES), DRAWN, "boxes-drawn", Progress(CHECK)),
    (Progress(BOXES), NONE, "none-needed", Progress(REQUIREMENT, returns=1)),
    (
        Progress(BOXES, returns=1),
        NONE,
        "requirement-cycle",
        Progress(REVIEW, returns=2, reason="requirement-cycle"),
    ),
    (
        Progress(BOXES, boxes_accepted=1),
        NONE,
        "none-missing",
        Progress(CHECK, boxes_accepted=1, fruitless=1),
    ),
    (
        Progress(BOXES, boxes_accepted=1, fruitless=2),
        NONE,
        "coverage-cycle",
        Progress(REVIEW, boxes_accepted=1, fruitless=3, reason="coverage-cycle"),
    ),
    (Progress(CHECK), complete(True, True), "complete", Progress(DONE, boxes_accepted=2)),
    # A rejected double is no reason to draw again.
    (
        Progress(CHECK, boxes_accepted=1),
        complete(False),
        "complete",
        Progress(DONE, boxes_accepted=1, boxes_rejected=1),
    ),
    # Nothing is said to be missing, but there is no box.
    (Progress(CHECK), complete(False), "no-box-left", Progress(BOXES, boxes_rejected=1)),
    (
        Progress(CHECK, boxes_rejected=4),
        complete(False),
        "no-box-left-cycle",
        Progress(REVIEW, boxes_rejected=5, reason="no-box-left-cycle"),
    ),
    # Good boxes are kept whatever becomes of the others.
    (
        Progress(CHECK, boxes_accepted=1, fruitless=2),
        incomplete(True, False, True),
        "box-missing",
        Progress(BOXES, boxes_accepted=3, boxes_rejected=1),
    ),
    (
        Progress(CHECK, fruitless=1),
        incomplete(False),
        "box-missing",
        Progress(BOXES, boxes_rejected=1, fruitless=1),
    ),
    (
        Progress(CHECK, boxes_rejected=3),
        incomplete(True, False, False),
        "rejection-cycle",
        Progress(REVIEW, boxes_accepted=1, boxes_rejected=5, reason="rejection-cycle"),
    ),
    (
        Progress(CHECK, boxes_accepted=19),
        incomplete(True, False),
        "growing-cycle",
        Progress(REVIEW, boxes_accepted=20, boxes_rejected=1, reason="growing-cycle"),
    ),
]


@pytest.mark.parametrize(("before", "verdict", "rule", "after"), ROWS)
def test_each_move_leads_where_the_protocol_says(
    before: Progress, verdict: Verdict, rule: str, after: Progress
) -> None:
    assert ENTITIES_FAST.step(before, verdict, HATS, SETTINGS) == (after, rule)


def test_the_table_above_shows_every_rule_and_each_has_one_name() -> None:
    rules = [move.rule for move in ENTITIES_FAST.moves]
    assert {rule for _, _, rule, _ in ROWS} == set(rules)
    assert len(rules) == len(set(rules))
    assert {move.stage for move in ENTITIES_FAST.moves} == set(ENTITIES_FAST.decide)
    assert set(ENTITIES_FAST.box_states) | ENTITIES_FAST.counts_next <= set(rules)
    assert ENTITIES_FAST.judging == ENTITIES_FAST.not_by_author == {CHECK}


def test_a_rule_of_both_protocols_does_the_same_in_both() -> None:
    of_paper = {move.rule: move for move in PROTOCOLS["flickr30k-entities"].moves}
    ends = {REVIEW: REVIEW, NONVISUAL: NONVISUAL, DONE: DONE, SPLIT: SPLIT}
    for move in ENTITIES_FAST.moves:
        if move.rule in of_paper:
            assert ends.get(move.target) == ends.get(of_paper[move.rule].target), move.rule


@pytest.mark.parametrize(
    ("chain", "state"),
    [
        ([mention(1, 0, "people", "a man")], BOXES),
        (MEN, BOXES),  # nobody is asked to verify it
        ([mention(1, 0, "animals", "a dog")], BOXES),
        ([mention(1, 0, "vehicles", "a car")], BOXES),
        ([mention(1, 0, "scene", "a beach")], BOXES),
        ([mention(1, 0, "scene", "the background")], REQUIREMENT),
        ([mention(1, 0, "other", "the background")], BOXES),  # .41
        ([mention(1, 0, "scene", "the background"), mention(2, 1, "people", "the boys")], BOXES),
    ],
)
@pytest.mark.parametrize("verified", [True, False])
def test_requirement_comes_first_where_head_nouns_hardly_ever_had_a_box(
    chain: list[Mention], state: str, verified: bool
) -> None:
    settings = replace(SETTINGS, box_heads={"background": (0, 9), "beach": (4, 9)})
    assert ENTITIES_FAST.opening(chain, settings, verified=verified) == state


def test_each_new_box_is_accepted_or_rejected_by_itself() -> None:
    verdict = incomplete(True, False, True)
    states = [ENTITIES_FAST.state_of_box("box-missing", verdict, place) for place in range(3)]
    assert states == ["accepted", "rejected", "accepted"]
    flickr = PROTOCOLS["flickr30k-entities"]
    assert flickr.state_of_box("box-accepted", Verdict("good"), 0) == "accepted"
    assert flickr.state_of_box("rejection-cycle", Verdict("bad"), 0) == "rejected"


def some_verdict(stage: str, new: int, rng: random.Random) -> Verdict:
    """Draw what may be said in this stage. In a check there are so many new boxes."""
    accepted = tuple(rng.random() < 0.5 for _ in range(new))
    said: dict[str, Verdict] = {
        VERIFICATION: Verdict(rng.choice(["true", "false"])),
        REQUIREMENT: rng.choice([Verdict("box"), Verdict("no box", flag="nobndbox")]),
        BOXES: rng.choice([DRAWN, NONE]),
        CHECK: Verdict(rng.choice(["complete", "incomplete"]), accepted=accepted),
    }
    return said[stage]


@given(
    st.sampled_from([VERIFICATION, REQUIREMENT, BOXES]),
    st.builds(Limits, returns=st.integers(1, 5), fruitless=st.integers(1, 5), rejected=st.integers(1, 9)),
    st.sampled_from([HATS, MEN]),
    st.integers(0, 2**32),
)
def test_every_chain_ends_whatever_is_said_of_it(
    start: str, limits: Limits, chain: list[Mention], seed: int
) -> None:
    """Rejected boxes, returns and fruitless trips are limited, so only accepted boxes can make it longer."""
    rng, settings = random.Random(seed), replace(SETTINGS, limits=limits)
    progress, new, steps = Progress(start), 0, 0
    while progress.state in ENTITIES_FAST.decide:
        verdict = some_verdict(progress.state, new, rng)
        after, rule = ENTITIES_FAST.step(progress, verdict, chain, settings)
        assert after.boxes_accepted - progress.boxes_accepted == verdict.accepted.count(True)
        assert after.boxes_rejected - progress.boxes_rejected == verdict.accepted.count(False)
        new, progress, steps = len(verdict.boxes), after, steps + 1
        rounds = limits.returns + limits.rejected + (1 + progress.boxes_accepted) * limits.fruitless
        assert steps <= 4 + 3 * (rounds + progress.boxes_accepted), rule
    assert progress.state in {*FINISHED, REVIEW}
    assert (progress.state == REVIEW) == bool(progress.reason)
    assert (progress.state == NONVISUAL) == bool(progress.flag)
    if progress.state == DONE:
        assert progress.boxes_accepted


@pytest.mark.parametrize("move", ENTITIES_FAST.moves, ids=lambda move: move.rule)
def test_every_move_is_an_arrow_of_its_diagram(move: Move) -> None:
    lines = [line.strip() for line in describe(ENTITIES_FAST, SETTINGS).splitlines()]
    assert any(line.startswith(f"{move.stage} --> {move.target} : {move.verdict}") for line in lines)


def test_its_diagram_says_what_skips_requirement_and_what_a_check_changes() -> None:
    text = describe(ENTITIES_FAST, SETTINGS)
    assert "begun --> verified : of any number of mentions" in text
    assert "verified --> requirement : whose head noun hardly ever has a box" in text
    assert "verified --> boxes : otherwise" in text
    changes = "boxes_accepted + good boxes, boxes_rejected + bad boxes, fruitless = 0 if one is good"
    assert f"| `box-missing` | check | incomplete | otherwise | {changes} | boxes |" in text
