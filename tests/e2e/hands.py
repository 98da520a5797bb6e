"""Three ways of working on a page: with a mouse, with fingers, and with a keyboard alone.

`Hands` has what a person does. Each subclass has how they do it: how a button is used, and how a box is
drawn.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from annotation.domain.answers import JointStage, Stage
from annotation.image_names import read_link
from tests.e2e.scenes import SIZE, Edges
from tests.e2e.working import question

NAMES = MappingProxyType(
    {
        Stage.LINK: "Same or different",
        Stage.VERIFICATION: "Check a group",
        Stage.REQUIREMENT: "Box or no box",
        Stage.DRAWING: "Draw a box",
        Stage.QUALITY: "Judge a box",
        Stage.COVERAGE: "All boxes there",
        JointStage.BOXES: "Draw all boxes",
        JointStage.CHECK: "Check all boxes",
    }
)
BOX_SIZE = re.compile(r"\d × \d")
"""The width and height of the box, which open its numbers."""
CHOICES: Mapping[Stage, Sequence[tuple[Any, str, str]]] = MappingProxyType(
    {
        Stage.LINK: ((True, "Yes, the same", "y"), (False, "No", "n")),
        Stage.VERIFICATION: ((True, "Yes, all the same", "1"), (False, "No, not all", "2")),
        Stage.REQUIREMENT: (
            ("box", "A box can be drawn", "1"),
            ("scene", "A scene or place", "2"),
            ("nobox", "No box", "3"),
        ),
        Stage.DRAWING: ((None, "box is needed", "0"),),
        Stage.QUALITY: ((True, "Good", "y"), (False, "Bad", "n")),
        Stage.COVERAGE: ((True, "Yes, all are here", "1"), (False, "No, not all", "2")),
    }
)
"""The value of an answer, the text of its button, and its key."""


class Hands(ABC):
    """A person who works on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.size = SIZE
        """The size of the shown picture, in image pixels."""
        self.ways: set[str] = set()
        """The ways in which boxes were drawn."""

    @abstractmethod
    def use(self, control: Locator) -> None:
        """Press a button, follow a link, or go into a field."""

    @abstractmethod
    def draw(self, target: Edges) -> None:
        """Draw a box with these edges, in pixels of the image."""

    def open_task(self, stage: Stage) -> None:
        """Go from the page that lists the stages to the first question."""
        self.use(self.page.get_by_role("link", name=NAMES[stage], exact=True))
        self.close_instructions()

    def close_instructions(self) -> None:
        self.use(self.page.get_by_role("dialog").get_by_role("button", name="To the questions"))
        self.page.get_by_role("dialog").wait_for(state="hidden")

    def read_instructions(self) -> None:
        """Open the instructions again, and close them."""
        self.use(self.button("Instructions"))
        self.page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
        self.close_instructions()

    def choose(self, stage: Stage, value: Any) -> None:
        (label,) = (label for one, label, _ in CHOICES[stage] if one == value)
        # On a small screen, captions that are compared have to be in sight before they can be answered.
        for part in (".matter", ".stage"):
            self.page.locator(part).evaluate("part => part.scrollTo(0, part.scrollHeight)")
        self.use(self.choice(label))

    def give(self, stage: Stage, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the shown question. Return what the page understood: a box may differ by a pixel."""
        ((name, value),) = answer.items()
        if stage != Stage.DRAWING or value is None:
            self.choose(stage, value)
            return dict(answer)
        self.draw(tuple(value))
        drawn = list(self.box())
        self.confirm_box()
        return {name: drawn}

    def confirm_box(self) -> None:
        self.use(self.button("Confirm this box"))

    def flag(self) -> None:
        self.use(self.button("Words cut wrongly"))

    def comment(self, words: str) -> None:
        self.use(self.button("Comment"))
        expect(self.page.get_by_label("Comment on this item")).to_be_focused()  # its letters answer elsewhere
        self.page.keyboard.type(words)

    def back(self) -> None:
        self.use(self.button("Back"))

    def reopen(self, number: int) -> None:
        """Choose a question in the overview."""
        self.use(self.page.get_by_role("main").get_by_role("listitem").nth(number - 1).get_by_role("button"))

    def send(self) -> None:
        self.use(self.button("Send this page"))

    def next_page(self) -> None:
        self.use(self.button("Next page"))

    def go_home(self) -> None:
        self.use(self.page.get_by_role("main").get_by_role("link", name="All tasks"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def choice(self, label: str) -> Locator:
        return self.page.get_by_role("group", name="Your answer").get_by_role("button", name=label)

    def question(self, number: int, of: int) -> None:
        """Wait until this question takes an answer."""
        question(self.page, number, of)

    def picture(self) -> str:
        """Return the file of the shown picture, as the database names it."""
        source = self.page.get_by_role("img", name="The photograph").get_attribute("src")
        assert source
        found = read_link(source.split("/media/")[1], now=timezone.now())
        assert found
        return found.file

    def box(self) -> Edges:
        """Return the new box as the page has it, in pixels of the image."""
        drawn = self.page.locator("[data-box]").get_attribute("data-box")
        assert drawn
        left, top, right, bottom = map(int, drawn.split())
        return left, top, right, bottom

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the image is in the window, in CSS pixels."""
        self.page.locator("svg[data-phase=ready]").wait_for()
        shown = self.page.get_by_role("img", name="The photograph").bounding_box()
        assert shown
        return shown["x"] + x * shown["width"] / self.size[0], shown["y"] + y * shown["height"] / self.size[1]

    def draws_by(self, way: str) -> None:
        """Change to "Drag" or "Four points", unless boxes are drawn like this already."""
        button = self.page.get_by_role("group", name="How to draw").get_by_role("button", name=way)
        if button.get_attribute("aria-pressed") == "false":
            self.use(button)
        self.ways.add(way)


class Pointing(Hands):
    """Draws by dragging and by four points in turn."""

    _times = 0

    @abstractmethod
    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None: ...

    @abstractmethod
    def point(self, x: float, y: float) -> None: ...

    def draw(self, target: Edges) -> None:
        self._times += 1
        self.draw_by("Drag" if self._times % 2 else "Four points", target)

    def draw_by(self, way: str, target: Edges) -> None:
        left, top, right, bottom = target
        self.draws_by(way)
        if way == "Drag":
            self.drag(self.place(left, top), self.place(right, bottom))
            return
        middle, height = (left + right) / 2, (top + bottom) / 2
        for x, y in ((middle, top), (middle, bottom), (left, height), (right, height)):
            self.point(*self.place(x, y))


class Mouse(Pointing):
    def use(self, control: Locator) -> None:
        control.click()

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=5)
        self.page.mouse.up()

    def point(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)


BETWEEN_TAPS_MS = 350
"""Two taps that are closer in one place are a double tap. The second one answers nothing (Choices.svelte)."""


class Fingers(Pointing):
    """Draws the first box in a picture that two fingers have magnified."""

    _tapped = 0.0

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._protocol = page.context.new_cdp_session(page)

    def use(self, control: Locator) -> None:
        self.page.wait_for_timeout(max(0, BETWEEN_TAPS_MS - 1000 * (time.monotonic() - self._tapped)))
        control.tap()
        self._tapped = time.monotonic()

    def draw(self, target: Edges) -> None:
        if not self.ways:
            self.pinch((target[0] + target[2]) / 2, (target[1] + target[3]) / 2)
        super().draw(target)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._touch("touchStart", start)
        for step in (0.3, 0.7, 1):
            self._touch("touchMove", _between(start, end, step))
        self._touch("touchEnd")

    def point(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def pinch(self, x: float, y: float) -> None:
        """Spread two fingers round a point of the image, which magnifies it by a quarter."""
        wide = self._width()
        (x, y), (left, right) = self.place(x, y), (40, 50)
        self._touch("touchStart", (x - left, y), (x + left, y))
        for reach in range(left, right + 1, 2):
            self._touch("touchMove", (x - reach, y), (x + reach, y))
        self._touch("touchEnd")
        assert abs(self._width() / wide - right / left) < 0.01
        self.ways.add("pinch")

    def _width(self) -> float:
        return self.place(self.size[0], 0)[0] - self.place(0, 0)[0]

    def _touch(self, kind: str, *fingers: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(fingers)]
        self._protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
