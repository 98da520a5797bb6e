"""A person who works without a pointer. Nothing here clicks, and only Tab and keys move the focus."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page

from annotation.domain.answers import Stage
from tests.e2e.hands import BOX_SIZE, CHOICES, NAMES, Hands
from tests.e2e.scenes import Edges

MAX_STOPS = 100
# True if it has the focus, otherwise the key that leads there.
WAY = """control => {
  const now = document.activeElement;
  if (now === control) return null;
  return now.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
}"""


class Tabbing(Hands):
    """Goes to everything with Tab, and presses Enter or Space there. Boxes are typed in as numbers."""

    def use(self, control: Locator) -> None:
        self.tab_to(control)
        self.page.keyboard.press("Enter")

    def tab_to(self, control: Locator) -> None:
        control.wait_for()
        for _ in range(MAX_STOPS):
            way = control.evaluate(WAY)
            if way is None:
                return
            self.page.keyboard.press(way)
        raise AssertionError(f"Tab does not lead to {control}")

    def choose(self, stage: Stage, value: Any) -> None:
        (label,) = (label for one, label, _ in CHOICES[stage] if one == value)
        self.tab_to(self.choice(label))
        self.page.keyboard.press("Space")

    def draw(self, target: Edges) -> None:
        self.use(self.button("New box"))
        self.use(self.page.locator("summary").filter(has_text=BOX_SIZE))
        _, _, right, bottom = self.box()
        # An edge cannot pass the opposite one, so the edge that moves away from it comes first.
        across = (0, 2) if target[0] < right else (2, 0)
        down = (1, 3) if target[1] < bottom else (3, 1)
        names = ("Left", "Top", "Right", "Bottom")
        for edge in (*across, *down):
            self.tab_to(self.page.get_by_label(names[edge], exact=True))
            self.page.keyboard.press("Control+a")
            self.page.keyboard.type(str(target[edge]))
        self.page.keyboard.press("Tab")
        self.ways.add("numbers")


class Keys(Hands):
    """Uses a key for everything that has one, and Tab for the rest."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._tabbing = Tabbing(page)

    def use(self, control: Locator) -> None:
        self._tabbing.use(control)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def open_task(self, stage: Stage) -> None:
        # The tasks are listed, and their keys work, once the server has said what they pay.
        self.page.get_by_role("link", name=NAMES[stage], exact=True).wait_for()
        self.press(str(list(Stage).index(stage) + 1))
        self.close_instructions()

    def close_instructions(self) -> None:
        self.page.get_by_role("dialog").wait_for()
        self.press("Escape")
        self.page.get_by_role("dialog").wait_for(state="hidden")

    def read_instructions(self) -> None:
        self.press("?")
        self.page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
        # They answer nothing as long as the dialog is open.
        self.press("y", "1", "0", "x", "Backspace")
        self.close_instructions()

    def choose(self, stage: Stage, value: Any) -> None:
        (key,) = (key for one, _, key in CHOICES[stage] if one == value)
        self.press(key)

    def confirm_box(self) -> None:
        self.press("Enter")

    def flag(self) -> None:
        self.press("x")

    def comment(self, words: str) -> None:
        self.press("c")
        self.page.get_by_label("Comment on this item").wait_for()
        self.page.keyboard.type(words)
        self.press("Escape")

    def back(self) -> None:
        self.press("Backspace")

    def send(self) -> None:
        self.press("Enter")

    def next_page(self) -> None:
        self.press("Enter")

    def draw(self, target: Edges) -> None:
        """Make a new box in the middle, resize it, and then move it to its corner."""
        self.page.locator("svg[data-phase=ready]").wait_for()
        self.press("n")
        left, top, right, bottom = self.box()
        width, height = target[2] - target[0], target[3] - target[1]
        self._arrows("Alt+", width - (right - left), height - (bottom - top))
        self._arrows("", target[0] - left, target[1] - top)
        self.ways.add("arrows")

    def _arrows(self, held: str, dx: int, dy: int) -> None:
        for far, (back, on) in ((dx, ("Left", "Right")), (dy, ("Up", "Down"))):
            arrow = f"Arrow{on if far > 0 else back}"
            tens, ones = divmod(abs(far), 10)
            self.press(*[f"{held}Shift+{arrow}"] * tens, *[f"{held}{arrow}"] * ones)
