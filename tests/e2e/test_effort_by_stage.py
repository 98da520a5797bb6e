"""How many keys and clicks an item takes in each stage of both protocols, for somebody who knows the pages.

They answer with keys, and draw with the mouse by four points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from annotation.domain.answers import JointStage, Stage
from tests.e2e.effort import Effort
from tests.e2e.hands import CHOICES, Mouse
from tests.e2e.scenes import FIRST, SCENES, Scene
from tests.e2e.site import Site
from tests.e2e.working import question
from tests.selection import and_nightly

POINTS = 4
"""The clicks of a box."""
BY_A_KEY = (Stage.LINK, Stage.VERIFICATION, Stage.REQUIREMENT, Stage.QUALITY, Stage.COVERAGE)
KINDS: list[tuple[str, str, int, int]] = [
    # the stage, the kind of item, and the keys and clicks that it takes
    (Stage.DRAWING, "one box", 1, POINTS),
    (JointStage.BOXES, "two boxes", 1, 2 * POINTS),
    (JointStage.BOXES, "no box", 2, 0),
    (JointStage.CHECK, "two good boxes", 1, 0),
    (JointStage.CHECK, "a good box, a bad one, and a thing without a box", 4, 1),
]
PAPER: list[object] = [(stage, "an item", 1, 0) for stage in BY_A_KEY]
SCENE_OF = {
    "no box": SCENES[JointStage.BOXES][2],
    "a good box, a bad one, and a thing without a box": SCENES[JointStage.CHECK][1],
}


@pytest.mark.parametrize(
    ("stage", "kind", "keys", "clicks"),
    and_nightly(KINDS, PAPER, "each answer is one key, as tests of the walks through these stages show"),
)
def test_an_item_takes_so_many_keys_and_clicks(
    site: Site,
    page: Page,
    stage: str,
    kind: str,
    keys: int,
    clicks: int,
    record_property: Callable[[str, object], None],
) -> None:
    scene = SCENE_OF.get(kind, SCENES[stage][0])
    site.open(stage, items=2, scenes=[scene])
    effort = Effort(page)
    page.goto(site.worker_link(stage))
    page.get_by_role("dialog").get_by_role("button", name="To the questions").click()
    hands = Mouse(page)
    hands.ways.add("Four points")
    question(page, 1, 2)
    with effort.step(kind):
        answer(hands, stage, scene)
        question(page, 2, 2)
    (step,) = effort.steps
    record_property("figure", f"{stage}, {kind}: {step.keys} keys and {step.clicks} clicks an item")
    assert (step.keys, step.clicks) == (keys, clicks)


def answer(hands: Mouse, stage: str, scene: Scene) -> None:
    """Give the right answer in the quickest way that there is."""
    press: Callable[[str], Any] = hands.page.keyboard.press
    right = scene.answer
    match stage:
        case Stage.DRAWING:
            points(hands, FIRST)
            press("Enter")
        case JointStage.BOXES if "none" in right:
            press("0")
            press("2")
        case JointStage.BOXES:
            for one in right["boxes"]:
                points(hands, tuple(one["box"]))
            press("Enter")
        case JointStage.CHECK:
            for number, said in enumerate(right["boxes"], start=1):
                if said != "good":
                    press(str(number))
                    press("4")
            if right["missing"]:
                press("m")
                hands.page.mouse.click(*hands.place(450, 250))
            press("Enter")
        case _:
            ((_, value),) = right.items()
            press(next(key for one, _, key in CHOICES[Stage(stage)] if one == value))


def points(hands: Mouse, box: tuple[int, int, int, int]) -> None:
    left, top, right, bottom = box
    middle, height = (left + right) / 2, (top + bottom) / 2
    for x, y in ((middle, top), (middle, bottom), (left, height), (right, height)):
        hands.point(*hands.place(x, y))
