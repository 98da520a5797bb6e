"""What a way through the pages takes: clicks, keys and seconds, step by step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from playwright.sync_api import Locator, Page

CLICK_SECONDS, KEY_SECONDS = 3, 1
"""What somebody who reads the page takes for a click, with what it takes to find its place, and for a key."""

# Kept from page to page. A blank page keeps nothing, and nobody clicks there.
_COUNT = """
if (location.protocol.startsWith("http")) {
  const count = (what) => sessionStorage.setItem(what, 1 + Number(sessionStorage.getItem(what) ?? 0));
  addEventListener("keydown", ({ key }) => {
    if (!["Shift", "Control", "Alt"].includes(key)) count("keys pressed");
  }, true);
  addEventListener("pointerdown", () => count("clicks made"), true);
}"""
_COUNTED = "['clicks made', 'keys pressed'].map((what) => Number(sessionStorage.getItem(what) ?? 0))"


class Step(NamedTuple):
    """What a step took. The seconds are the machine's, which waits for nobody who reads."""

    name: str
    clicks: int
    keys: int
    seconds: float

    @property
    def minutes(self) -> float:
        """Return about how many minutes somebody takes by hand."""
        return (self.clicks * CLICK_SECONDS + self.keys * KEY_SECONDS) / 60


class Effort:
    """Counts what is done to a page. Everything that is typed or chosen goes through the methods."""

    def __init__(self, page: Page) -> None:
        page.context.add_init_script(_COUNT)
        self.page = page
        self.steps: list[Step] = []
        self._more = 0  # clicks in what the browser itself shows

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done in the block, under this name."""
        before, began = self._counted(), time.monotonic()
        yield
        clicks, keys = (now - then for now, then in zip(self._counted(), before, strict=True))
        self.steps.append(Step(name, clicks, keys, time.monotonic() - began))

    def type(self, field: Locator, text: str) -> None:
        """Replace what is in the field, key by key."""
        field.click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, field: Locator, **option: str) -> None:
        """Choose an option: one click opens the list, and one takes it."""
        field.select_option(**option)  # type: ignore[arg-type]  # value or label
        self._more += 2

    def chose_file(self) -> None:
        """Count the clicks that choose a file: the field, the file, and that it is the right one."""
        self._more += 3

    def told(self) -> str:
        """Return a table of the steps."""
        total = Step(
            "in all", *(sum(column) for column in zip(*(step[1:] for step in self.steps), strict=True))
        )
        return "; ".join(
            f"{one.name}: {one.clicks} clicks, {one.keys} keys, about {one.minutes:.1f} min by hand, "
            f"{one.seconds:.0f} s here"
            for one in (*self.steps, total)
        )

    def _counted(self) -> tuple[int, int]:
        clicks, keys = self.page.evaluate(_COUNTED) if self.page.url.startswith("http") else (0, 0)
        return clicks + self._more, keys
