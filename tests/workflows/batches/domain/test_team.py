"""How many different people the rules may need."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.domain.answers import JointStage, Stage
from annotation.domain.types import TYPES
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.domain.team import people_needed, stages_short_of_people

DEFAULTS = BatchSettings()


def everywhere(people: int) -> dict[str, int]:
    return dict.fromkeys(map(str, Stage), people)


def test_five_people_are_enough_for_every_stage_of_the_paper() -> None:
    """The best of three in links and coverage, and not who drew in quality.

    In box requirement, three vote for a box, a fourth finds nothing to draw, and a fifth decides.
    """
    assert people_needed(DEFAULTS) == {
        Stage.LINK: 3,
        Stage.VERIFICATION: 1,
        Stage.REQUIREMENT: 5,
        Stage.DRAWING: 1,
        Stage.QUALITY: 2,
        Stage.COVERAGE: 3,
    }


def test_strategies_that_ask_again_may_need_four_people_for_a_link() -> None:
    for strategy in ("likely_first", "posterior"):
        assert people_needed(replace(DEFAULTS, strategy=strategy))[Stage.LINK] == 4


def test_who_may_judge_their_own_boxes_needs_nobody_else_for_them() -> None:
    assert people_needed(replace(DEFAULTS, author_after_hours=24))[Stage.QUALITY] == 1


def test_who_may_vote_again_on_a_chain_that_came_back_needs_nobody_else_for_it() -> None:
    assert people_needed(replace(DEFAULTS, author_after_hours=24))[Stage.REQUIREMENT] == 3


@pytest.mark.parametrize(("returns", "people"), [(1, 3), (2, 5), (3, 6), (4, 7), (1000, 7)])
def test_each_return_to_box_requirement_may_take_one_person_more(returns: int, people: int) -> None:
    """More than four returns are not looked at: hardly any chain comes back so often."""
    settings = replace(DEFAULTS, limits=Limits(returns=returns))
    assert people_needed(settings)[Stage.REQUIREMENT] == people


def test_votes_that_are_not_added_up_are_given_anew_by_others() -> None:
    """Batches from before: three voted, a fourth found nothing to draw, and two more may decide."""
    settings = replace(DEFAULTS, requirement_adds_up=False)
    assert people_needed(settings)[Stage.REQUIREMENT] == 6


def test_chains_that_all_begin_in_drawing_need_fewer_people_in_requirement() -> None:
    assert people_needed(replace(DEFAULTS, skip_requirement=TYPES))[Stage.REQUIREMENT] == 3


def test_only_those_count_who_may_work_in_the_stage() -> None:
    assert stages_short_of_people(DEFAULTS, everywhere(5) | {Stage.LINK: 2}) == {Stage.LINK: 3}


def test_stages_are_named_that_may_need_more_people() -> None:
    assert stages_short_of_people(DEFAULTS, everywhere(5)) == {}
    assert stages_short_of_people(DEFAULTS, everywhere(3)) == {Stage.REQUIREMENT: 5}
    assert stages_short_of_people(DEFAULTS, everywhere(2)) == {
        Stage.LINK: 3,
        Stage.REQUIREMENT: 5,
        Stage.COVERAGE: 3,
    }
    assert stages_short_of_people(DEFAULTS, everywhere(1))[Stage.QUALITY] == 2


def test_four_people_are_enough_for_a_joint_check_and_five_for_requirement() -> None:
    """The three judges of a check did not draw the boxes. Box requirement is asked five times at most."""
    assert people_needed(parse_settings({"protocol": "entities-fast"})) == {
        Stage.LINK: 3,
        Stage.VERIFICATION: 1,
        Stage.REQUIREMENT: 5,
        JointStage.BOXES: 1,
        JointStage.CHECK: 4,
    }


def test_head_nouns_that_send_chains_to_requirement_first_may_take_more_people() -> None:
    """Five vote for a box, a sixth finds nothing to draw, and four more may decide."""
    fast = parse_settings({"protocol": "entities-fast"})
    assert people_needed(replace(fast, box_heads={"background": (0, 1000)}))[Stage.REQUIREMENT] == 10
    assert people_needed(replace(fast, box_heads={"dog": (1000, 1000)}))[Stage.REQUIREMENT] == 5
