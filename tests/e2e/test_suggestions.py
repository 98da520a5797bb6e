"""A model's suggestions, where boxes are drawn: with a mouse, with fingers and with keys.

No server runs: the page of the API is written here, and what the browser submits is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.domain.answers import JointStage, Stage
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, PHONE
from tests.e2e.hands import Fingers, Hands, Mouse, Pointing
from tests.e2e.hard_pages import SIZE, hard_page, keeping, open_hard_page
from tests.e2e.keyboard import Keys
from tests.e2e.looks import check_looks
from tests.e2e.site import wait_for
from tests.e2e.watch import Watch

MAN, BOY, DOG = (100, 100, 380, 380), (620, 460, 900, 800), (1200, 200, 1500, 700)
SUGGESTIONS = [[*MAN, 0.91], [*BOY, 0.7], [*DOG, 0.2]]
OWN = (300, 850, 560, 1100)
CODE = "/static/pages/suggestions-"


def opened(
    new_context: NewContext,
    device: Mapping[str, Any],
    suggestions: list[list[float]],
    sent: list[Any] | None = None,
    *,
    stage: Stage | JointStage = JointStage.BOXES,
    lost: str = "",
    **storage: str,
) -> Page:
    """Open a page of one question with these suggestions, whose caption says `the men`.

    Files whose address begins with `lost` cannot be fetched.
    """
    shown = hard_page(stage, items=1)
    (item,) = shown["items"]
    segments = [{"text": "The men", "mention": True}, {"text": " and a dog .", "mention": False}]
    question = {**item["question"], "captions": [{"index": 0, "segments": segments}]}
    item["question"] = {**question, "boxes": [], "suggestions": suggestions}
    context = new_context(storage_state=keeping(storage), reduced_motion="reduce", **device)
    return open_hard_page(context, stage, shown, sent, lost)


def listed(page: Page) -> Locator:
    return page.get_by_role("list", name="Suggestions and boxes").get_by_role("listitem")


def card(page: Page, name: str) -> Locator:
    return listed(page).get_by_role("button", name=re.compile(f"^{name}\\b"))


def number(page: Page, shown: int) -> tuple[float, float]:
    """Return where the number of a suggestion is on the photograph."""
    box = page.locator(f"[data-suggestion='{shown - 1}'] text").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(
    ("hands", "device"), [(Mouse, DESK), (Fingers, PHONE), (Keys, DESK)], ids=["mouse", "touch", "keys"]
)
def test_suggestions_are_accepted_changed_and_discarded(
    new_context: NewContext, hands: Callable[[Page], Hands], device: Mapping[str, Any]
) -> None:
    sent: list[Any] = []
    page = opened(new_context, device, SUGGESTIONS, sent)
    person = hands(page)
    person.size = SIZE
    person.ways.add("pinch")  # all of the picture is seen, so that no button lies over what is drawn
    expect(listed(page)).to_have_count(3)
    expect(page.locator("[data-suggestion]")).to_have_count(3)
    person.question(1, 1)

    # One is accepted by its number, and one in the list.
    if isinstance(person, Keys):
        person.press("2")
        person.use(card(page, "Suggestion 1, The men"))
    else:
        assert isinstance(person, Pointing)
        person.point(*number(page, 2))
        expect(card(page, "Box 2")).to_be_visible()
        person.use(card(page, "Suggestion 1, The men"))
    expect(page.locator("[data-suggestion]")).to_have_count(1)
    expect(page.get_by_role("status").filter(has_text="Suggestion 1 is accepted")).to_be_attached()

    # The last is discarded.
    if isinstance(person, Keys):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Delete")
    else:
        person.use(page.get_by_role("button", name="Discard suggestion 3"))
    expect(listed(page)).to_have_count(2)

    # One that was accepted is changed, and one more box is drawn.
    person.use(card(page, "Box 1"))
    page.get_by_role("button", name="Box 1 is right").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Box 1 is right")).to_have_count(0)
    person.draw(OWN)
    expect(card(page, "Box 4")).to_be_visible()

    # All of this comes back after a reload.
    page.reload()
    person.question(1, 1)
    expect(listed(page)).to_have_count(3)
    expect(page.locator("[data-suggestion]")).to_have_count(0)
    expect(page.get_by_role("button", name="Show the discarded suggestion")).to_be_visible()
    page.get_by_role("button", name="That is all: 3 new boxes").press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    person.send()
    (one,) = wait_for(page, lambda: sent)
    assert one["suggestions_shown"] is True
    second, first, own = one["answer"]["boxes"]
    left, top, right, bottom = MAN
    assert second == {"box": list(BOY), "suggestion": 1}
    assert (first["box"], first["suggestion"]) == ([left + 1, top, right + 1, bottom], 0)
    assert "suggestion" not in own
    assert all(abs(a - b) <= 2 for a, b in zip(own["box"], OWN, strict=True)), own


def test_a_press_into_a_suggestion_accepts_it_where_boxes_are_dragged(new_context: NewContext) -> None:
    page = opened(new_context, DESK, SUGGESTIONS)
    person = Mouse(page)
    person.size = SIZE
    person.question(1, 1)
    middle = person.place((BOY[0] + BOY[2]) / 2, (BOY[1] + BOY[3]) / 2)
    person.draws_by("Four points")
    person.point(*middle)
    page.get_by_text("1 of 4").wait_for()
    page.keyboard.press("Backspace")
    person.draws_by("Drag")
    person.point(*middle)
    expect(card(page, "Box 2")).to_be_visible()
    page.keyboard.press("z")
    expect(card(page, "Suggestion 2, The men")).to_be_visible()
    # Whoever drags over it draws a box of their own.
    person.drag(person.place(650, 500), person.place(880, 780))
    expect(card(page, "Box 4")).to_be_visible()
    expect(card(page, "Suggestion 2, The men")).to_be_visible()


def test_no_box_is_needed_although_some_are_suggested(new_context: NewContext) -> None:
    sent: list[Any] = []
    page = opened(new_context, DESK, SUGGESTIONS, sent)
    person = Keys(page)
    person.question(1, 1)
    expect(listed(page)).to_have_count(3)
    person.press("0", "2")
    page.get_by_role("heading", name="Your answers").wait_for()
    person.send()
    (one,) = wait_for(page, lambda: sent)
    assert one["answer"] == {"none": "nobox"}


@pytest.mark.parametrize(
    ("hands", "device"), [(Mouse, DESK), (Fingers, PHONE), (Keys, DESK)], ids=["mouse", "touch", "keys"]
)
def test_one_suggestion_is_the_box_and_can_be_changed(
    new_context: NewContext, hands: Callable[[Page], Hands], device: Mapping[str, Any]
) -> None:
    sent: list[Any] = []
    page = opened(new_context, device, SUGGESTIONS, sent, stage=Stage.DRAWING)
    person = hands(page)
    person.size = SIZE
    person.ways.add("pinch")
    expect(page.locator("[data-suggestion]")).to_have_count(3)
    person.question(1, 1)
    # A wrong one is accepted, and another one takes its place.
    if isinstance(person, Keys):
        person.press("3", "2")
    else:
        assert isinstance(person, Pointing)
        person.use(card(page, "Suggestion 3, The men"))
        person.point(*number(page, 2))
    expect(card(page, "Suggestion 2, The men")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-suggestion]")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Discard suggestion 3").press("Enter")
    expect(listed(page)).to_have_count(2)
    # All of this comes back after a reload.
    page.reload()
    person.question(1, 1)
    expect(card(page, "Suggestion 2, The men")).to_have_attribute("aria-pressed", "true")
    expect(listed(page)).to_have_count(2)
    page.get_by_role("button", name="Confirm this box").press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    person.send()
    (one,) = wait_for(page, lambda: sent)
    left, top, right, bottom = BOY
    assert one["answer"].pop("scale") > 0
    assert one["answer"] == {"box": [left + 1, top, right + 1, bottom], "suggestion": 1}
    assert one["suggestions_shown"] is True and "drawn_by" not in one


@pytest.mark.parametrize("stage", [Stage.DRAWING, JointStage.BOXES])
def test_if_their_code_cannot_be_loaded_boxes_are_drawn_and_the_answer_does_not_say_shown(
    new_context: NewContext, stage: Stage | JointStage, watch: Watch
) -> None:
    watch.allow("net::ERR_FAILED .*suggestions-")
    sent: list[Any] = []
    page = opened(new_context, DESK, SUGGESTIONS, sent, stage=stage, lost=CODE)
    person = Mouse(page)
    person.size = SIZE
    person.question(1, 1)
    person.draw(OWN)
    if stage == Stage.DRAWING:
        page.get_by_role("button", name="Confirm this box").press("Enter")
    else:
        page.get_by_role("button", name="That is all: 1 new box").press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    expect(page.locator("[data-suggestion]")).to_have_count(0)
    person.send()
    (one,) = wait_for(page, lambda: sent)
    assert "suggestions_shown" not in one
    (box,) = [one["answer"]] if stage == Stage.DRAWING else one["answer"]["boxes"]
    assert "suggestion" not in box and box["box"]


@pytest.mark.parametrize("stage", [Stage.DRAWING, JointStage.BOXES])
@pytest.mark.parametrize("count", [0, 3])
def test_only_a_page_with_suggestions_loads_their_code(
    new_context: NewContext, count: int, stage: Stage | JointStage
) -> None:
    page = opened(new_context, DESK, SUGGESTIONS[:count], stage=stage)
    Mouse(page).question(1, 1)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name="Examples").wait_for()
    page.wait_for_load_state("networkidle")
    said = dialog.get_by_text("Accept the model’s suggestion with this number.")
    expect(said).to_have_count(1 if count else 0)
    loaded = page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    assert any(CODE in address for address in loaded) == bool(count)


@pytest.mark.parametrize("stage", [Stage.DRAWING, JointStage.BOXES])
@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_a_page_with_suggestions_is_accessible(
    new_context: NewContext, device: Mapping[str, Any], stage: Stage | JointStage
) -> None:
    page = opened(new_context, device, SUGGESTIONS, stage=stage)
    Mouse(page).question(1, 1)
    expect(listed(page)).to_have_count(3)
    page.keyboard.press("2")
    page.get_by_role("button", name="Discard suggestion 3").click()
    expect(listed(page)).to_have_count(2)
    check_looks(page)
