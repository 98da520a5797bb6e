"""The joint stages, in which all boxes of a chain are drawn, and checked, on one screen.

Somebody works through both with a mouse, with fingers on a phone, and with keys. Exactly what they answered
arrives in the database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.domain.answers import JointStage
from annotation.models import Image, Item
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, LARGE_DESK, LARGE_TABLET, PHONE, TABLET
from tests.e2e.hands import Fingers, Hands, Mouse
from tests.e2e.keyboard import Keys, Tabbing
from tests.e2e.looks import check_looks
from tests.e2e.scenes import FIRST, SCENES, SECOND
from tests.e2e.site import Site, wait_for
from tests.selection import and_nightly

BOXES, CHECK = JointStage.BOXES, JointStage.CHECK
LONG_MS = 600
"""A press that lasts so long is a long one (joint/taps.ts)."""
WHERE = 450, 250
"""A place in the picture where something is missing."""
REASONS = {"scene": "It is a scene or place", "nobox": "It cannot be seen or drawn"}
JUDGMENTS = ("good", "loose", "cut", "wrong", "double")
WORDS = ("Good", "Loose", "Cut off", "Wrong thing", "Double")
SAME_PARTS = "other sizes have the same parts"
NO_KEYS = "groundcrew-single-keys"


@pytest.mark.parametrize(
    ("hands", "device"),
    and_nightly(
        [(Mouse, DESK), (Fingers, PHONE), (Keys, DESK)],
        [(Fingers, TABLET), (Fingers, LARGE_TABLET), (Mouse, LARGE_DESK), (Tabbing, DESK)],
        SAME_PARTS,
    ),
    ids=str,
)
def test_a_page_of_each_joint_stage(
    site: Site, new_context: NewContext, hands: Callable[[Page], Hands], device: Mapping[str, Any]
) -> None:
    if hands is Tabbing:  # as with a screen reader, which single keys would disturb
        kept = {"origin": site.url, "localStorage": [{"name": NO_KEYS, "value": "off"}]}
        device = {**device, "storage_state": {"origins": [kept]}}
    person = Person(hands(new_context(**device).new_page()))
    for stage, answer in ((BOXES, person.draw), (CHECK, person.check)):
        items = len(SCENES[stage])
        site.open(stage, items=items)
        person.hands.page.goto(site.worker_link(stage))
        person.hands.close_instructions()
        for number in range(1, items + 1):
            person.hands.question(number, items)
            answer(site.right_answer(shown(site, person.hands, stage)))
        person.hands.page.get_by_role("heading", name="Your answers").wait_for()
        person.hands.send()
        given = wait_for(person.hands.page, partial(site.judgments, stage))
        for judgment, right in zip(given, site.right_answers(stage), strict=True):
            check(judgment.answer, right)


class Person:
    """Somebody who answers in the joint stages, with hands of one kind."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.page = hands.page
        # The walks pinch. Here, all of the picture is seen, so that no button lies over what is drawn.
        hands.ways.add("pinch")

    def draw(self, answer: Mapping[str, Any]) -> None:
        boxes = answer.get("boxes", [])
        for number, one in enumerate(boxes, start=1):
            self.hands.draw(tuple(one["box"]))
            expect(self.named("Your boxes").get_by_role("listitem")).to_have_count(number)
            self.let_be()
        if boxes:
            self.press("Enter", self.page.get_by_role("button", name="That is all"))
        else:
            self.press("0", self.page.get_by_role("button", name="No box is needed"))
            reason = answer["none"]
            self.press(str(1 + list(REASONS).index(reason)), self.button(REASONS[reason]))

    def let_be(self) -> None:
        """Let go of the box, if it is still in hand: one that was drawn by keys is."""
        right = self.page.get_by_role("button", name="is right")
        if isinstance(self.hands, (Keys, Tabbing)):
            self.press("Enter", right)
        expect(right).to_have_count(0)

    def check(self, answer: Mapping[str, Any]) -> None:
        for number, said in enumerate(answer["boxes"], start=1):
            if said != "good":
                self.take(number, SCENES[CHECK][1].drawn[number - 1])
                at = JUDGMENTS.index(said)
                self.press(str(at + 1), self.button(WORDS[at]))
        if answer["missing"]:
            self.mark()
        self.press("Enter", self.page.get_by_role("button", name="is missing").last)

    def take(self, number: int, box: tuple[int, int, int, int]) -> None:
        """Take a new box: on the photograph, in the list, or by its number."""
        if isinstance(self.hands, Fingers):
            self.hands.point(*self.hands.place((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        else:
            self.press(str(number), self.named("New boxes").get_by_role("button").nth(number - 1))
        expect(self.page.get_by_text(f"Box {number} is …")).to_be_visible()

    def mark(self) -> None:
        """Mark where something is missing."""
        x, y = self.hands.place(*WHERE)
        if isinstance(self.hands, Fingers):
            self.hands._touch("touchStart", (x, y))
            self.page.wait_for_timeout(LONG_MS)
            self.hands._touch("touchEnd")
        else:
            self.press("m", self.page.get_by_role("button", name="Something is missing", exact=True))
            if isinstance(self.hands, Mouse):
                self.page.mouse.click(x, y)
            else:  # the crosshair begins in the middle
                self.page.locator("section[tabindex='-1']").evaluate("section => section.focus()")
                self.page.keyboard.press("ArrowRight")
                self.page.locator("path.cross").wait_for()
                self.page.keyboard.press("Enter")
        expect(self.page.locator("[data-point]")).to_have_count(1)

    def press(self, key: str, button: Locator) -> None:
        """Press the key, if these hands do that, and otherwise the button."""
        if isinstance(self.hands, Keys):
            self.page.keyboard.press(key)
        else:
            self.hands.use(button)

    def button(self, name: str) -> Locator:
        answers = self.page.get_by_role("group", name="Your answer")
        return answers.get_by_role("button", name=name, exact=True)

    def named(self, name: str) -> Locator:
        return self.page.get_by_role("list", name=name)


def shown(site: Site, hands: Hands, stage: str) -> int:
    """Return the id of the item whose picture is shown."""
    image = Image.objects.get(file=hands.picture())
    return Item.objects.get(work__image=image, pk__in=site.assignments(stage)[-1].items).pk


def check(given: Mapping[str, Any], right: Mapping[str, Any]) -> None:
    """Assert that it is the right answer: boxes may differ by a pixel, and a place is near the thing."""
    if "missing" in right:
        assert {name: given[name] for name in right} == right
        assert ("point" in given) == right["missing"]
        if right["missing"]:
            x, y = given["point"]
            assert 0 <= x < 640 and 0 <= y < 480
        return
    assert given.get("none") == right.get("none")
    drawn = [tuple(one["box"]) for one in given.get("boxes", [])]
    wanted = [tuple(one["box"]) for one in right.get("boxes", [])]
    assert len(drawn) == len(wanted)
    for one, other in zip(drawn, wanted, strict=True):
        assert all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True)), f"{one}, not {other}"


def test_a_draft_comes_back_and_the_checkers_mark_is_shown_to_whoever_draws(site: Site, page: Page) -> None:
    """Also: a wheel zooms while boxes are drawn, a box is undone, and nothing is lost by a reload."""
    site.open(BOXES, items=1, scenes=SCENES[BOXES][1:2])
    hands = Mouse(page)
    page.goto(site.worker_link(BOXES))
    hands.close_instructions()
    hands.question(1, 1)
    expect(page.locator("[data-point]")).to_have_count(1)
    expect(page.get_by_text("Somebody marked a place where something may be missing: right.")).to_be_visible()
    list_ = page.get_by_role("list", name="Your boxes").get_by_role("listitem")
    hands.draw_by("Drag", SECOND)
    hands.draw_by("Drag", FIRST)
    expect(list_).to_have_count(2)
    page.keyboard.press("z")
    expect(list_).to_have_count(1)
    hands.draws_by("Four points")
    for x, y in ((440, 140), (440, 360)):
        hands.point(*hands.place(x, y))
    page.get_by_text("2 of 4").wait_for()
    page.reload()
    hands.question(1, 1)
    expect(list_).to_have_count(1)
    page.get_by_text("2 of 4").wait_for()
    page.keyboard.press("Backspace")
    page.get_by_text("1 of 4").wait_for()
    page.keyboard.press("Backspace")
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    page.keyboard.press("Enter")
    (judgment,) = wait_for(page, lambda: site.judgments(BOXES))
    (one,) = judgment.answer["boxes"]
    left, top, right, bottom = SECOND
    assert all(abs(a - b) <= 1 for a, b in zip(one["box"], (left + 1, top, right + 1, bottom), strict=True))


def test_a_check_without_a_preset_asks_for_each_box(site: Site, page: Page) -> None:
    site.open(CHECK, items=1, check={"preset": "none"})
    hands = Mouse(page)
    page.goto(site.worker_link(CHECK))
    hands.close_instructions()
    hands.question(1, 1)
    for key in ("1", "5"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Say first whether anything is missing.")).to_be_visible()
    page.reload()
    hands.question(1, 1)
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your answers").wait_for()
    page.keyboard.press("Enter")
    (judgment,) = wait_for(page, lambda: site.judgments(CHECK))
    assert judgment.answer == {"boxes": ["good", "double"], "missing": False}


@pytest.mark.parametrize("device", and_nightly([DESK], [PHONE], SAME_PARTS), ids=["desk", "phone"])
def test_the_pages_are_accessible(site: Site, new_context: NewContext, device: Mapping[str, Any]) -> None:
    site.open(BOXES, items=1, scenes=SCENES[BOXES][1:2])
    site.open(CHECK, items=1, scenes=SCENES[CHECK][1:])
    hands = Mouse(new_context(reduced_motion="reduce", **device).new_page())
    page = hands.page
    page.goto(site.worker_link(BOXES))
    page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
    check_looks(page)
    hands.close_instructions()
    hands.question(1, 1)
    page.keyboard.press("0")
    page.get_by_text("Why is no box needed?").wait_for()
    check_looks(page)
    page.keyboard.press("Escape")
    hands.draw_by("Drag", SECOND)
    page.keyboard.press("1")
    page.get_by_role("button", name="Box 1 is right").wait_for()
    check_looks(page)
    page.goto(site.worker_link(CHECK))
    hands.close_instructions()
    hands.question(1, 1)
    page.keyboard.press("2")
    page.get_by_text("Box 2 is …").wait_for()
    check_looks(page)
    page.keyboard.press("4")
    page.keyboard.press("m")
    check_looks(page)
