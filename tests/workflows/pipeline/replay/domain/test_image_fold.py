"""Worked examples of the fold of an image, and what holds after every judgment."""

from __future__ import annotations

import pytest

from annotation.domain.answers import (
    CoverageAnswer,
    DrawingAnswer,
    LinkAnswer,
    QualityAnswer,
    Requirement,
    RequirementAnswer,
    Stage,
    VerificationAnswer,
)
from annotation.domain.chain_states import REVIEW, SPLIT
from annotation.domain.geometry import Box
from tests.workflows.pipeline.domain.image_builder import mention
from tests.workflows.pipeline.replay.domain.played_images import Play, open_chains
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_strategies import Link, read_link
from workflows.pipeline.domain.moves import Progress
from workflows.pipeline.replay.domain.chain_fold import ExpectedBox, ExpectedChain, ExpectedItem
from workflows.pipeline.replay.domain.image_fold import ExpectedImage

BOX, OTHER = Box(0, 0, 9, 9), Box(20, 0, 29, 9)
GREEDY = BatchSettings(strategy="greedy")
PLUS = BatchSettings(strategy="exhaustive_plus")
ALONE = (0, (1,))
NOTHING_TO_DRAW = RequirementAnswer(Requirement.NOBOX)
TO_DRAW = RequirementAnswer(Requirement.BOX)
YES, NO = True, False


def dog(*, requirement_adds_up: bool = True) -> Play:
    """Return an image of one mention, whose chain is there from the start."""
    settings = BatchSettings(requirement_adds_up=requirement_adds_up)
    return Play([mention(1, 0, "animals", "a dog")], settings)


def item(stage: Stage, judged: int, *, done: bool = True, settling: bool = False) -> ExpectedItem:
    return ExpectedItem(stage, judged if done else judged + 1, judged, done, settling)


def test_an_image_without_mentions_is_done() -> None:
    assert Play([]).fold() == ExpectedImage("done", rules=("no-mentions",))


def test_links_come_before_chains() -> None:
    play = Play([mention(1, 0), mention(2, 1)], GREEDY)
    assert play.fold() == ExpectedImage(
        "linking", {(1, 2): item(Stage.LINK, 0, done=False)}, rules=("opened",)
    )
    state = play.link(1, 2, NO)
    assert state.state == "boxing"
    assert state.links == {(1, 2): item(Stage.LINK, 1)}
    assert set(state.chains) == {(0, (1,)), (0, (2,))}
    assert {chain.progress.state for chain in state.chains.values()} == {Stage.REQUIREMENT}


def test_chain_verification_begins_once_all_links_of_the_image_are_settled() -> None:
    play = Play([mention(1, 0), mention(2, 1), mention(3, 2)], PLUS)
    play.link(1, 2, YES)
    assert play.link(1, 3, NO).state == "linking"
    assert play.link(2, 3, NO).chains[0, (1, 2)].progress.state == Stage.VERIFICATION


def test_a_violated_triangle_reopens_its_links() -> None:
    play = Play([mention(1, 0), mention(2, 1), mention(3, 2)], PLUS)
    for pair, same in (((1, 2), YES), ((2, 3), YES)):
        play.link(*pair, same)
    state = play.link(1, 3, NO)
    again = item(Stage.LINK, 1, done=False, settling=True)
    assert state == ExpectedImage(
        "linking", dict.fromkeys([(1, 2), (1, 3), (2, 3)], again), rules=("opened",)
    )
    play.link(1, 2, YES)
    assert play.link(2, 3, NO).links[2, 3] == item(Stage.LINK, 2, done=False, settling=True), "they differ"
    play.link(1, 3, NO)
    state = play.link(2, 3, NO)
    assert state.links[2, 3] == item(Stage.LINK, 3, settling=True)
    assert set(state.chains) == {(0, (1, 2)), (0, (3,))}


def test_a_second_judgment_counts_only_on_a_link_that_is_being_settled() -> None:
    play = Play([mention(1, 0), mention(2, 1)], GREEDY)
    assert play.link(1, 2, NO, YES).links == {(1, 2): item(Stage.LINK, 1)}


def test_the_way_of_a_chain_with_two_boxes() -> None:
    play = dog()
    play.chain(ALONE, TO_DRAW, DrawingAnswer(BOX), QualityAnswer(YES), CoverageAnswer(NO))
    play.chain(ALONE, DrawingAnswer(OTHER), QualityAnswer(NO), DrawingAnswer(OTHER), QualityAnswer(YES))
    state = play.chain(ALONE, CoverageAnswer(YES), CoverageAnswer(NO), CoverageAnswer(YES))
    assert state.state == "done"
    assert state.chains == {
        ALONE: ExpectedChain(
            Progress("done", visits=9, boxes_accepted=2, boxes_rejected=1),
            (
                item(Stage.REQUIREMENT, 1),
                item(Stage.DRAWING, 1),
                item(Stage.QUALITY, 1),
                item(Stage.COVERAGE, 1),
                item(Stage.DRAWING, 1),
                item(Stage.QUALITY, 1),
                item(Stage.DRAWING, 1),
                item(Stage.QUALITY, 1),
                item(Stage.COVERAGE, 3),
            ),
            (ExpectedBox(BOX, "accepted"), ExpectedBox(OTHER, "rejected"), ExpectedBox(OTHER, "accepted")),
            (
                "linked",
                "box-required",
                *("box-drawn", "box-accepted", "box-missing"),
                *("box-drawn", "box-rejected"),
                *("box-drawn", "box-accepted", "complete"),
            ),
        )
    }


def test_a_drawn_box_is_proposed_until_it_is_judged() -> None:
    state = dog().chain(ALONE, TO_DRAW, DrawingAnswer(BOX))
    assert state.chains[ALONE].boxes == (ExpectedBox(BOX, "proposed"),)


def test_a_drawing_judgment_counts_at_the_requirement_it_leads_to_and_nowhere_else() -> None:
    play = dog()
    state = play.chain(ALONE, TO_DRAW, DrawingAnswer(None))
    assert state.chains[ALONE].items[-1] == item(Stage.REQUIREMENT, 0, done=False), "it is no judgment of it"
    state = play.chain(ALONE, TO_DRAW)
    assert state.chains[ALONE].progress == Progress(Stage.DRAWING, visits=4, returns=1)


def test_no_box_needed_accrues_to_the_judgments_of_box_requirement() -> None:
    """Section 3.2.2: *box* and the *none* of drawing are one each, and one more worker decides."""
    way = (TO_DRAW, DrawingAnswer(None))
    state = dog().chain(ALONE, *way, TO_DRAW)
    assert state.chains[ALONE].progress == Progress(Stage.DRAWING, visits=4, returns=1)
    state = dog().chain(ALONE, *way, NOTHING_TO_DRAW)
    assert state.chains[ALONE].progress == Progress("nonvisual", visits=3, returns=1, flag="nobndbox")


def test_before_requirement_added_up_one_box_did_not_outweigh_the_drawing_judgment() -> None:
    """A batch of before keeps the rule: of its three judgments, two have to say *box* anew."""
    play = dog(requirement_adds_up=False)
    state = play.chain(ALONE, TO_DRAW, DrawingAnswer(None), TO_DRAW)
    assert state.chains[ALONE].items[-1] == item(Stage.REQUIREMENT, 1, done=False), "one box is not enough"
    state = play.chain(ALONE, TO_DRAW)
    assert state.chains[ALONE].progress == Progress(Stage.DRAWING, visits=4, returns=1)


def test_one_no_box_agrees_with_the_drawing_judgment_that_was_counted() -> None:
    state = dog().chain(ALONE, TO_DRAW, DrawingAnswer(None), RequirementAnswer(Requirement.SCENE))
    assert state.chains[ALONE].progress == Progress("nonvisual", visits=3, returns=1, flag="scene")
    assert state.state == "done"


def test_a_rejected_box_does_not_count_as_no_box_needed() -> None:
    play = dog()
    state = play.chain(ALONE, TO_DRAW, DrawingAnswer(BOX), QualityAnswer(NO), DrawingAnswer(None))
    assert state.chains[ALONE].items[-1] == item(Stage.REQUIREMENT, 0, done=False), "one box, one none"


def test_a_chain_in_review_keeps_its_image_open() -> None:
    play = dog()
    state = play.fold()
    play.chain(ALONE, TO_DRAW)
    for _ in range(5):
        state = play.chain(ALONE, DrawingAnswer(BOX), QualityAnswer(NO))
    assert state.chains[ALONE].progress.state == REVIEW
    assert state.chains[ALONE].boxes == (ExpectedBox(BOX, "rejected"),) * 5
    assert state.state == "boxing"
    assert not open_chains(state)


def test_a_broken_chain_is_followed_by_its_subsets_which_are_not_verified_again() -> None:
    texts = ["a dog", "the Dog", "an animal"]
    play = Play([mention(n, n, "animals", text) for n, text in enumerate(texts, 1)], GREEDY)
    for caption in (2, 3):
        for a, b in list(play.fold().links):
            if b == caption:
                play.link(a, b, YES)
    whole = (0, (1, 2, 3))
    state = play.chain(whole, VerificationAnswer(NO))
    assert state.chains[whole].progress == Progress(SPLIT, visits=1)
    assert {key: chain.progress for key, chain in state.chains.items() if key != whole} == {
        (1, (1, 2)): Progress(Stage.REQUIREMENT, visits=1),
        (1, (3,)): Progress(Stage.REQUIREMENT, visits=1),
    }
    for key in ((1, (1, 2)), (1, (3,))):
        state = play.chain(key, NOTHING_TO_DRAW, NOTHING_TO_DRAW)
    assert state.state == "done"


def test_a_broken_chain_of_one_head_noun_goes_on_as_it_is() -> None:
    play = Play([mention(1, 0, text="a dog"), mention(2, 1, text="the dog")], GREEDY)
    play.link(1, 2, YES)
    state = play.chain((0, (1, 2)), VerificationAnswer(NO))
    assert state.chains[1, (1, 2)].progress.state == Stage.REQUIREMENT


def test_a_link_is_read_by_its_first_judgment_and_by_all_once_settled() -> None:
    answers = [LinkAnswer(YES), LinkAnswer(NO), LinkAnswer(NO)]
    assert read_link(answers[:1], settling=False) == Link(YES)
    assert read_link(answers, settling=True) == Link(YES, settled=NO)
    for few in (0, 1, 2):
        with pytest.raises(ValueError, match="open link"):
            read_link(answers[:few], settling=True)


def test_answers_of_another_stage_than_the_visit_is_to_now_are_not_counted() -> None:
    play = dog()
    play.chain(ALONE, TO_DRAW, DrawingAnswer(BOX), QualityAnswer(NO), CoverageAnswer(YES))
    folded = play.chain(ALONE).chains[ALONE]
    # The answer to coverage belongs to a course that has ended, since an answer about quality was changed.
    assert folded.progress.state == Stage.DRAWING
    assert folded.items[-1] == item(Stage.DRAWING, 0, done=False)
