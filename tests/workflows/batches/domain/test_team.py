"""How many different people the rules may need."""

from __future__ import annotations

from dataclasses import replace

from annotation.domain.answers import JointStage, Stage
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.domain.team import people_needed, stages_short_of_people

DEFAULTS = BatchSettings()


def test_three_people_are_enough_for_every_stage_of_the_paper() -> None:
    """The best of three in links and coverage, two of three in requirement, and not who drew in quality."""
    assert people_needed(DEFAULTS) == {
        Stage.LINK: 3,
        Stage.VERIFICATION: 1,
        Stage.REQUIREMENT: 3,
        Stage.DRAWING: 1,
        Stage.QUALITY: 2,
        Stage.COVERAGE: 3,
    }


def test_strategies_that_ask_again_may_need_four_people_for_a_link() -> None:
    for strategy in ("likely_first", "posterior"):
        assert people_needed(replace(DEFAULTS, strategy=strategy))[Stage.LINK] == 4


def test_who_may_judge_their_own_boxes_needs_nobody_else_for_them() -> None:
    assert people_needed(replace(DEFAULTS, author_after_hours=24))[Stage.QUALITY] == 1


def test_stages_are_named_that_may_need_more_people() -> None:
    assert stages_short_of_people(DEFAULTS, 3) == {}
    assert stages_short_of_people(DEFAULTS, 2) == {Stage.LINK: 3, Stage.REQUIREMENT: 3, Stage.COVERAGE: 3}
    assert stages_short_of_people(DEFAULTS, 1)[Stage.QUALITY] == 2


def test_four_people_are_enough_for_a_joint_check_and_five_for_requirement() -> None:
    """The three judges of a check did not draw the boxes. Box requirement is asked five times at most."""
    assert people_needed(parse_settings({"protocol": "entities-fast"})) == {
        Stage.LINK: 3,
        Stage.VERIFICATION: 1,
        Stage.REQUIREMENT: 5,
        JointStage.BOXES: 1,
        JointStage.CHECK: 4,
    }
