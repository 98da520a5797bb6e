"""Somebody who works on a page in an engine: with a mouse, a finger, a pen, or with keys alone.

`Hands` has what a person does on a page. `Pointer` and `Keyboard` have how they do it.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

from tests.e2e.engines.engine import Engine, PointerKind, Source
from tests.e2e.hands import BETWEEN_TAPS_MS
from tests.e2e.scenes import SIZE, Edges

PATIENCE_SECONDS = 15
CLOSING_SECONDS = 2
READING_MS = 300
"""Nobody reads a question faster. A click that comes sooner may be the second one of a double click."""
LONG_MS = 600
"""A press that lasts so long is a long one (joint/taps.ts)."""
SPECIAL = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
"""How WebDriver writes keys that write nothing."""
BUTTON, LINK, FIELD, SUMMARY = (
    "button, [role=button], input[type=submit]",
    "a[href]",
    "input, textarea",
    "summary",
)
ANSWERS = "[role=group].answers"

# Where the control with this name can be pressed, in CSS pixels of the frame, or null as long as it cannot.
# A name that fits as a whole comes first, then its beginning, then a part of it.
FIND = """(kind, name, within) => {
  const words = (node) => {
    const copy = node.cloneNode(true);
    copy.querySelectorAll("[aria-hidden=true]").forEach((part) => part.remove());
    return copy.textContent.replace(/\\s+/g, " ").trim();
  };
  const nameOf = (node) =>
    node.getAttribute("aria-label") ?? (words(node.labels?.[0] ?? node) || node.value);
  const all = [...document.querySelectorAll(within)].flatMap((part) => [...part.querySelectorAll(kind)]);
  const seen = all.filter((node) => !node.disabled && node.checkVisibility());
  const node = seen.find((one) => nameOf(one) === name) ?? seen.find((one) => nameOf(one).startsWith(name))
    ?? seen.findLast((one) => nameOf(one).includes(name));
  if (!node) return null;
  node.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = node.getBoundingClientRect();
  const place = [Math.round(left + width / 2), Math.round(top + height / 2)];
  const hit = document.elementFromPoint(...place);
  return hit && (node.contains(hit) || hit.closest("label")?.control === node) ? place : null;
}"""
# Where the photograph is, once it can be drawn on.
PHOTOGRAPH = """() => {
  const there = document.querySelector("svg[data-phase=ready]");
  const image = [...document.querySelectorAll("img[alt='The photograph']")]
    .find((one) => getComputedStyle(one).visibility === "visible");
  if (!there || !image) return null;
  const { left, top, width, height } = image.getBoundingClientRect();
  return [left, top, width, height];
}"""
DIALOG = "() => document.querySelector('dialog[open]') ? 'open' : 'closed'"
SHOWN = """(name) => [...document.querySelectorAll("[role=region], section")].some(
  (part) => part.getAttribute("aria-label") === name && part.querySelector("svg[data-phase=ready]"))"""
HEADED = """(words) => [...document.querySelectorAll("h1, h2, h3")].some(
  (one) => one.textContent.trim().startsWith(words) && one.checkVisibility())"""
T = TypeVar("T")


def until(look: Callable[[], T], what: object) -> T:
    """Return the first true value of `look`, which asks the page."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()):
        assert time.monotonic() < end, f"within {PATIENCE_SECONDS} seconds, there was not: {what}"
        time.sleep(0.03)
    return seen


class Hands(ABC):
    """Somebody at a page of this engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @abstractmethod
    def press(self, name: str, key: str, *, kind: str = BUTTON, within: str = "body") -> None:
        """Use the control with this name, or its key."""

    @abstractmethod
    def draw(self, box: Edges) -> None:
        """Draw a box with exactly these edges, in pixels of the image."""

    @abstractmethod
    def mark(self, x: int, y: int) -> None:
        """Say where something is missing in the photograph."""

    def go(self, url: str) -> None:
        """Open a worker's link, and close the instructions."""
        self.engine.open(url)
        self.begin()

    def begin(self) -> None:
        """Close the instructions that a stage shows first to somebody new."""
        until(lambda: self.engine.run(DIALOG) == "open", "the instructions")

        def closes() -> bool:
            # Its examples come late and push the button down. So a press may miss it, and is made again.
            self.press("To the questions", "Escape", within="dialog")
            end = time.monotonic() + CLOSING_SECONDS
            while self.engine.run(DIALOG) == "open" and time.monotonic() < end:
                time.sleep(0.03)
            return bool(self.engine.run(DIALOG) == "closed")

        until(closes, "an end of the instructions")

    def question(self, number: int, of: int) -> None:
        """Wait until this question can be answered."""
        self.says(SHOWN, f"Question {number} of {of}")

    def heading(self, words: str) -> None:
        self.says(HEADED, words)

    def says(self, function: str, words: str) -> None:
        """Wait until a function of these words is true in the page."""
        until(lambda: self.engine.run(function, words), words)

    def send(self) -> None:
        """Send the page from its overview."""
        self.heading("Your answers")
        self.press("Send this page", "Enter")

    def spot(self, name: str, kind: str = BUTTON, within: str = "body") -> tuple[int, int]:
        """Return where a control can be pressed, as soon as it rests there and nothing covers it."""
        seen: list[Any] = [None]

        def rests() -> Any:
            seen.append(self.engine.run(FIND, kind, name, within))
            return seen[-1] if seen[-1] == seen[-2] else None

        x, y = until(rests, name)
        return x, y

    def type(self, *keys: str, reading: bool = False) -> None:
        """Press keys one after the other: characters, or names with what is held, such as `Alt+ArrowUp`."""
        steps: list[Source] = [{"type": "pause", "duration": READING_MS}] if reading else []
        for key in keys:
            held = [SPECIAL.get(part, part) for part in (key.split("+") if len(key) > 1 else [key])]
            steps += [{"type": "keyDown", "value": part} for part in held]
            steps += [{"type": "keyUp", "value": part} for part in reversed(held)]
        self.engine.act({"type": "key", "id": "keyboard", "actions": steps})

    def box(self) -> Edges:
        """Return the new box as the page has it, in pixels of the image."""
        drawn = until(
            lambda: self.engine.run("() => document.querySelector('[data-box]')?.dataset.box"), "a new box"
        )
        left, top, right, bottom = map(int, drawn.split())
        return left, top, right, bottom

    def count(self, selector: str, number: int) -> None:
        """Wait until so many elements fit the selector."""
        script = "(selector) => document.querySelectorAll(selector).length + 1"
        until(lambda: self.engine.run(script, selector) == number + 1, f"{number} of {selector}")

    def place(self, x: float, y: float) -> tuple[int, int]:
        """Return the pixel of the page that is nearest to a point of the image."""
        left, top, width, height = until(lambda: self.engine.run(PHOTOGRAPH), "the photograph")
        return round(left + x * width / SIZE[0]), round(top + y * height / SIZE[1])


class Pointer(Hands):
    """Somebody with a mouse, a finger or a pen. Boxes are drawn by dragging and by four points in turn."""

    def __init__(self, engine: Engine, kind: PointerKind) -> None:
        super().__init__(engine)
        self.kind = kind
        self._drawn = 0

    def press(self, name: str, key: str, *, kind: str = BUTTON, within: str = "body") -> None:
        # It is looked for after the pause, in which pictures come and move what is below them.
        self.pause()
        self.act(self.to(*self.spot(name, kind, within)), DOWN, UP)

    def draw(self, box: Edges) -> None:
        self._drawn += 1
        left, top, right, bottom = box
        if self._drawn % 2:
            self.draws_by("Drag")
            self.drag(self.place(left, top), self.place(right, bottom))
            return
        self.draws_by("Four points")
        x, y = (left + right) // 2, (top + bottom) // 2
        for point in ((x, top), (x, bottom), (left, y), (right, y)):
            self.tap(*self.place(*point))

    def mark(self, x: int, y: int) -> None:
        if self.kind == "touch":
            self.act(self.to(*self.place(x, y)), DOWN, {"type": "pause", "duration": LONG_MS}, UP)
        else:
            self.press("Something is missing", "m")
            self.tap(*self.place(x, y))

    def draws_by(self, way: str) -> None:
        pressed = """(way) => [...document.querySelectorAll("button[aria-pressed]")]
          .find((one) => one.textContent.includes(way))?.getAttribute("aria-pressed")"""
        if until(lambda: self.engine.run(pressed, way), way) == "false":
            self.press(way, "m")
            until(lambda: self.engine.run(pressed, way) == "true", way)

    def tap(self, x: int, y: int) -> None:
        self.pause()
        self.act(self.to(x, y), DOWN, UP)

    def pause(self) -> None:
        """Read. Two taps that are closer in one place are a double tap."""
        pause = BETWEEN_TAPS_MS + 50 if self.kind == "touch" else READING_MS
        self.act({"type": "pause", "duration": pause})

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        middle = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        self.act(self.to(*start), DOWN, *(self.to(*place) for place in (middle, end, end)), UP)

    def act(self, *steps: Source) -> None:
        kind: Source = {"pointerType": self.kind}
        self.engine.act({"type": "pointer", "id": self.kind, "parameters": kind, "actions": list(steps)})

    def to(self, x: int, y: int) -> Source:
        return {"type": "pointerMove", "x": x, "y": y, "duration": 0}


DOWN: Source = {"type": "pointerDown", "button": 0}
UP: Source = {"type": "pointerUp", "button": 0}


class Keyboard(Hands):
    """Somebody with keys alone: each control here has one."""

    def press(self, name: str, key: str, *, kind: str = BUTTON, within: str = "body") -> None:
        self.type(key, reading=True)

    def draw(self, box: Edges) -> None:
        """Make a new box in the middle, resize it, and then move it to its corner."""
        self.type("n", reading=True)
        left, top, right, bottom = self.box()
        width, height = box[2] - box[0], box[3] - box[1]
        self.type(
            *_arrows("Alt+", width - (right - left), height - (bottom - top)),
            *_arrows("", box[0] - left, box[1] - top),
        )

    def mark(self, x: int, y: int) -> None:
        """Mark the place near the middle where the crosshair begins, whatever the place was meant to be."""
        self.type("m")
        self.engine.run("() => document.querySelector(\"section[tabindex='-1']\").focus()")
        self.type("ArrowRight")
        self.count("path.cross", 1)
        self.type("Enter")


def _arrows(held: str, dx: int, dy: int) -> list[str]:
    keys: list[str] = []
    for far, (back, on) in ((dx, ("Left", "Right")), (dy, ("Up", "Down"))):
        arrow = f"Arrow{on if far > 0 else back}"
        tens, ones = divmod(abs(far), 10)
        keys += [f"{held}Shift+{arrow}"] * tens + [f"{held}{arrow}"] * ones
    return keys
