"""A worker's hand on our page. It aims at whole pixels of the screen, and has habits of its own."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, TimeoutError

from annotation.domain.answers import Stage
from scripts.gestures import ARROWS, DRAG, POINTS, Shown, way_for
from tests.e2e.hands import CHOICES, Mouse
from tests.e2e.keyboard import Keys
from tests.e2e.scenes import Edges
from tests.e2e.working import UNREAD_MS

HEARD = "presses of the mouse that the page heard"
COUNT_PRESSES = """
window.pressesHeard = 0;
addEventListener("pointerdown", () => { window.pressesHeard += 1; }, {capture: true});
"""
"""A script for each page of a context. It counts presses, so that we know whether one arrived."""
BOX_SECONDS = 10
TRIES = 3


class Hand(Mouse):
    """Every second person draws by four points, and every third answers with keys.

    Boxes are drawn with the mouse, except small ones (see `way_for`).
    """

    def __init__(self, page: Page, person: int) -> None:
        super().__init__(page)
        self.likes = POINTS if person % 2 else DRAG
        self.by_keys = person % 3 == 2
        self._shown: Shown | None = None
        self.scale = 1.0
        """The screen pixels for each image pixel of the picture that was drawn on last."""
        self.again: list[str] = []
        """The boxes that had to be drawn once more, and why."""

    def choose(self, stage: Stage, value: Any) -> None:
        if not self.by_keys:
            super().choose(stage, value)
            return
        (key,) = (key for one, _, key in CHOICES[stage] if one == value)
        self.page.wait_for_timeout(UNREAD_MS)
        self.page.keyboard.press(key)

    def draw(self, target: Edges) -> None:
        """Draw a box.

        What is there already, such as points of an earlier visit, is removed first. If no box appears, it is
        drawn again, as a person would do.
        """
        for _ in range(TRIES):
            self._clear()
            heard = self._heard()
            self._draw(target)
            try:
                self.page.locator("[data-box]").wait_for(state="attached", timeout=BOX_SECONDS * 1000)
            except TimeoutError:
                self.again.append(f"{target} by {self.likes}: {HEARD}: {self._heard() - heard}; no box")
            else:
                return
        raise AssertionError(f"no box after {TRIES} tries: {self.again}")

    def _clear(self) -> None:
        remove = self.button("Remove the box")
        if remove.is_enabled():
            self.use(remove)

    def _heard(self) -> int:
        return int(self.page.evaluate("window.pressesHeard ?? 0"))

    def _draw(self, target: Edges) -> None:
        box = self.page.get_by_role("img", name="The photograph").bounding_box()
        assert box
        self._shown = Shown(box["x"], box["y"], box["width"], box["height"], self.size)
        self.scale = self._shown.scale
        way = way_for(target, self.scale, self.likes)
        if way == ARROWS:
            Keys(self.page).draw(target)
        else:
            self.draw_by(way, target)

    def place(self, x: float, y: float) -> tuple[float, float]:
        assert self._shown
        return self._shown.pixel(x, y)
