"""How somebody answers one question of each stage, with whatever hands they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.domain.answers import CampaignStage, JointStage, Stage
from tests.e2e.engines.hands import ANSWERS, FIELD, Hands, Keyboard, Pointer
from tests.e2e.hands import CHOICES
from tests.e2e.scenes import SCENES
from tests.e2e.test_all_boxes import JUDGMENTS, REASONS, WHERE, WORDS

Answer = Mapping[str, Any]
TEXT = "(words) => document.body.innerText.includes(words)"
GRADES = ("Unrelated", "Somewhat related", "With minor errors", "Without any errors")


def answer(hands: Hands, stage: str, right: Answer) -> None:
    """Give this answer to the question that is shown."""
    GIVE.get(stage, choose)(hands, stage, right)


def choose(hands: Hands, stage: str, right: Answer) -> None:
    (value,) = right.values()
    (found,) = ((words, key) for one, words, key in CHOICES[Stage(stage)] if one == value)
    hands.press(*found, within=ANSWERS)


def draw(hands: Hands, stage: str, right: Answer) -> None:
    if right["box"] is None:
        choose(hands, stage, right)
        return
    hands.draw(tuple(right["box"]))
    hands.box()
    hands.press("Confirm this box", "Enter")


def draw_all(hands: Hands, stage: str, right: Answer) -> None:
    boxes = right.get("boxes", [])
    for number, one in enumerate(boxes, start=1):
        hands.draw(tuple(one["box"]))
        hands.count("[aria-label='Your boxes'] > li", number)
        if isinstance(hands, Keyboard):  # a box that was drawn by keys is still in hand
            hands.type("Enter")
    if boxes:
        hands.press("That is all", "Enter")
        return
    hands.press("No box is needed", "0")
    reason = right["none"]
    hands.press(REASONS[reason], str(1 + list(REASONS).index(reason)), within=ANSWERS)


def check_all(hands: Hands, stage: str, right: Answer) -> None:
    for number, said in enumerate(right["boxes"], start=1):
        if said == "good":
            continue
        if isinstance(hands, Pointer):
            left, top, right_, bottom = SCENES[JointStage.CHECK][1].drawn[number - 1]
            hands.tap(*hands.place((left + right_) / 2, (top + bottom) / 2))
        else:
            hands.press("", str(number))
        hands.says(TEXT, f"Box {number} is")
        at = JUDGMENTS.index(said)
        hands.press(WORDS[at], str(at + 1), within=ANSWERS)
    if right["missing"]:
        hands.mark(*WHERE)
        hands.count("[data-point]", 1)
    hands.press("is missing", "Enter", within=ANSWERS)


def write(hands: Hands, stage: str, right: Answer) -> None:
    if isinstance(hands, Pointer):
        hands.press("Your sentence", "", kind=FIELD)
    hands.type(*right["caption"])
    hands.press("Done", "Enter")


def judge_caption(hands: Hands, stage: str, right: Answer) -> None:
    names = {"right": ("Describes it", "1"), "minor": ("Minor errors", "2"), "wrong": ("Does not", "3")}
    hands.press(*names[right["caption"]], within=ANSWERS)


def grade(hands: Hands, stage: str, right: Answer) -> None:
    hands.press(GRADES[right["grade"] - 1], str(right["grade"]), within=ANSWERS)


def match(hands: Hands, stage: str, right: Answer) -> None:
    for place, fits in enumerate(right["describes"]):
        if fits:
            hands.press(
                "", str(place + 1), kind="input[type=checkbox]", within=f".captions li:nth-child({place + 1})"
            )
    hands.press("That is all", "Enter")


GIVE: Mapping[str, Callable[[Hands, str, Answer], None]] = {
    Stage.DRAWING: draw,
    JointStage.BOXES: draw_all,
    JointStage.CHECK: check_all,
    CampaignStage.WRITING: write,
    CampaignStage.CAPTION_CHECK: judge_caption,
    CampaignStage.GRADING: grade,
    CampaignStage.RELEVANCE: match,
}
