"""Somebody with a steady hand at a drawing page, who sees the target on the screen and draws a box round it.

Nothing here knows how the page computes places. They are read from screenshots, and go to the mouse as whole
pixels of the screen, as with a real mouse.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from playwright.sync_api import Frame, Page

from tests.e2e.scenes import Edges
from tests.e2e.seeing import MARK, NotSeenError, Place, Shot, take_shot

CLOSE = 3.0
"""The least device pixels for each image pixel after `Hand.closer`."""
A_TURN = 1.3
"""About how much closer one turn of the wheel comes. It gives the number of turns between two looks."""
TWO_FRAMES = "() => new Promise(next => requestAnimationFrame(() => requestAnimationFrame(next)))"
SET_MARK = """([x, y, side, color]) => {
    const mark = document.createElement("div");
    mark.id = "mark-of-a-test";
    mark.style.cssText = `position: fixed; z-index: 99; pointer-events: none; background: ${color};
        left: ${x - side / 2}px; top: ${y - side / 2}px; width: ${side}px; height: ${side}px`;
    document.body.append(mark);
}"""
TAKE_MARK = "() => document.getElementById('mark-of-a-test').remove()"
SIDE = 24
"""The side of a mark in CSS pixels."""
ONE_TURN = """() => {
    const how = {once: true, capture: true, passive: true};
    return {come: new Promise(come => addEventListener("wheel", () => come(), how))};
}"""
PATIENCE = 30.0
"""Seconds after which everything that was done must be on the screen.

A busy machine shows it some frames late, and takes some seconds for each look at a large screen.
"""


@dataclass
class Seen:
    """One box that was drawn: where the target was, and where the outline is, in device pixels."""

    target: Place
    outline: Place


@dataclass
class Hand:
    """A hand with a mouse. `view` shows the work: the page itself, or a frame in it."""

    page: Page
    view: Page | Frame
    ratio: float = field(init=False)
    """Device pixels for each CSS pixel."""

    def __post_init__(self) -> None:
        self.ratio = float(self.page.evaluate("devicePixelRatio"))

    def look(self) -> Shot:
        """Return the picture without a pointer, once it shows everything that was done and is at rest."""
        until = time.monotonic() + PATIENCE
        shot = self._catch_up(until)
        while not shot.same_as(again := self._shot()):
            _check(until, "the picture does not come to rest")
            shot = again
        return again

    def _catch_up(self, until: float) -> Shot:
        """Put a mark on the picture, and take it away, until the screen has shown both.

        Returns the first look without the mark. A busy machine paints some frames late, and two equal
        screenshots may both be old. Frames come in order, so a frame with the mark shows everything that was
        done before it.
        """
        left, top, right, bottom = self._surface()
        _, y = self.corner()
        # The middle of the part of it that the window shows.
        place = ((left + right) / 2, (max(top, -y) + bottom) / 2)
        self.view.evaluate(SET_MARK, [*place, SIDE, f"rgb{MARK}"])
        while not self._shot().marked():
            _check(until, "the mark does not come to the screen")
        self.view.evaluate(TAKE_MARK)
        while (shot := self._shot()).marked():
            _check(until, "the mark does not leave the screen")
        return shot

    def outline(self) -> Place:
        """Return where the new box is, as soon as it can be seen.

        Its line lies outside of it, and is two CSS pixels wide.
        """
        until = time.monotonic() + PATIENCE
        while True:
            try:
                left, top, right, bottom = self.look().outline()
                half = self.ratio
                return left + half, top + half, right - half, bottom - half
            except NotSeenError:
                if time.monotonic() > until:
                    raise

    def _surface(self) -> Place:
        """Return where the picture is in the view, in CSS pixels."""
        surface = self.view.locator("svg[data-phase=ready]")
        surface.wait_for()
        left, top, right, bottom = surface.evaluate(
            "node => { const box = node.getBoundingClientRect(); "
            "return [box.left, box.top, box.right, box.bottom] }"
        )
        return left, top, right, bottom

    def _shot(self) -> Shot:
        left, top, right, bottom = self._surface()
        x, y = self.corner()
        self.leave(x + right, y + top)
        # The second frame shows what was done before.
        self.view.evaluate(TWO_FRAMES)
        ratio = self.ratio
        return take_shot(
            self.page, ((x + left) * ratio, (y + top) * ratio, (x + right) * ratio, (y + bottom) * ratio)
        )

    def leave(self, right: float, top: float) -> None:
        """Take the pointer off the picture. Its upper right corner is given in CSS pixels."""
        self.page.mouse.move(1, 1)

    def corner(self) -> tuple[float, float]:
        """Return where the view begins, in CSS pixels of the window."""
        return 0, 0

    def change_to(self, way: str) -> None:
        """Change to "Drag" or "Four points", unless boxes are drawn like this already."""
        button = self.view.get_by_role("group", name="How to draw").get_by_role("button", name=way)
        if button.get_attribute("aria-pressed") == "false":
            self.page.keyboard.press("m")
            button.and_(self.view.locator("[aria-pressed=true]")).wait_for()

    def move(self, x: float, y: float) -> None:
        """Move to the nearest pixel of the screen."""
        self.page.mouse.move(round(x) / self.ratio, round(y) / self.ratio)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: str = "left") -> None:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        self.move(*start)
        self.page.mouse.down(button="middle" if button == "middle" else "left")
        self.move(*middle)
        self.move(*end)
        self.page.mouse.up(button="middle" if button == "middle" else "left")

    def click(self, x: float, y: float) -> None:
        self.move(x, y)
        self.page.mouse.down()
        self.page.mouse.up()

    def turn(self) -> None:
        """Turn the wheel by a notch. A frame of another site learns about it some time later."""
        turned = self.view.evaluate_handle(ONE_TURN)
        self.page.mouse.wheel(0, -120)
        turned.evaluate("turned => turned.come")

    def by_dragging(self) -> Seen:
        self.change_to("Drag")
        left, top, right, bottom = target = self.look().target()
        self.drag((left, top), (right, bottom))
        return Seen(target, self.outline())

    def by_points(self) -> Seen:
        """Draw by extreme clicking: topmost, bottommost, leftmost, rightmost."""
        self.change_to("Four points")
        left, top, right, bottom = target = self.look().target()
        x, y = (left + right) / 2, (top + bottom) / 2
        for place in ((x, top), (x, bottom), (left, y), (right, y)):
            self.click(*place)
        return Seen(target, self.outline())

    def by_handles(self) -> Seen:
        """Draw a box that is too large.

        Then drag its upper left corner and its right and lower edge to their place.
        """
        self.change_to("Drag")
        left, top, right, bottom = target = self.look().target()
        self.drag((left - 10, top - 10), (right + 12, bottom + 12))
        west, north, east, south = self.outline()
        self.drag((west, north), (left, top))
        self.drag((east, (top + bottom) / 2), (right, (top + bottom) / 2))
        self.drag(((left + right) / 2, south), ((left + right) / 2, bottom))
        return Seen(target, self.outline())

    def after_resizing(self) -> Seen:
        """Draw by handles, in a window that changes its size meanwhile. The box keeps its place."""
        left, top, right, bottom = self.look().target()
        self.change_to("Drag")
        self.drag((left - 10, top - 10), (right + 12, bottom + 12))
        assert self.page.viewport_size
        width, height = self.page.viewport_size["width"], self.page.viewport_size["height"]
        self.page.set_viewport_size({"width": width - 171, "height": height - 93})
        left, top, right, bottom = target = self.look().target()
        west, north, east, south = self.outline()
        self.drag((west, north), (left, top))
        self.drag((east, south), (right, bottom))
        return Seen(target, self.outline())

    def closer(self, target: Edges, pan: tuple[int, int] = (-23, 17)) -> None:
        """Zoom in at the target's corner until the scale is CLOSE, then move the picture by some pixels."""
        for _ in range(10):
            left, top, right, bottom = seen = self.look().target()
            if (scale := scale_of(seen, target)) >= CLOSE:
                break
            self.move((left + right) / 2, (top + bottom) / 2)
            for _ in range(max(1, round(math.log(CLOSE / scale, A_TURN)))):
                self.turn()
        else:
            raise AssertionError("it comes no closer")
        self.drag((left, top), (left + pan[0], top + pan[1]), button="middle")


def _check(until: float, late: str) -> None:
    if time.monotonic() > until:
        raise NotSeenError(late)


def scale_of(seen: Place, target: Edges) -> float:
    """Return the device pixels for each image pixel."""
    return (seen[2] - seen[0]) / (target[2] - target[0])


class Finger(Hand):
    """A hand with fingers. Like the mouse, they stop at whole pixels of the screen."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._protocol = self.page.context.new_cdp_session(self.page)

    def drag(self, start: tuple[float, float], end: tuple[float, float], button: str = "left") -> None:
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        self._touch("touchStart", start)
        for place in (middle, end):
            self._touch("touchMove", place)
        self._touch("touchEnd")

    def click(self, x: float, y: float) -> None:
        self._touch("touchStart", (x, y))
        self._touch("touchEnd")

    def closer(self, target: Edges, pan: tuple[int, int] = (-23, 17)) -> None:
        """Spread two fingers on the target and move them on, until the scale is CLOSE."""
        for _ in range(10):
            left, top, right, bottom = seen = self.look().target()
            if scale_of(seen, target) >= CLOSE:
                return
            x, y = (left + right) / 2, (top + bottom) / 2
            self._touch("touchStart", (x - 60, y), (x + 60, y))
            for by in range(10, 61, 10):
                self._touch("touchMove", (x - 60 - by, y), (x + 60 + by, y + by / 10))
            dx, dy = pan
            self._touch("touchMove", (x - 120 + dx, y + dy), (x + 120 + dx, y + dy))
            self._touch("touchEnd")
        raise AssertionError("it comes no closer")

    def _touch(self, kind: str, *fingers: tuple[float, float]) -> None:
        points = [
            {"x": round(x) / self.ratio, "y": round(y) / self.ratio, "id": number}
            for number, (x, y) in enumerate(fingers)
        ]
        self._protocol.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Reaching(Hand):
    """A hand that works in a frame. It scrolls the page round the frame to `TOP` before each look."""

    TOP = 400
    """CSS pixels."""

    def _surface(self) -> Place:
        self.page.evaluate("top => scrollTo(0, top)", self.TOP)
        return super()._surface()

    def corner(self) -> tuple[float, float]:
        box = self.page.locator("iframe").bounding_box()
        assert box and box["y"] < 0, "the frame's head is scrolled away"
        return box["x"], box["y"]

    def leave(self, right: float, top: float) -> None:
        """Move beside the picture, within the frame: a frame of another site learns late that it was left."""
        self.page.mouse.move(right + 30, top + 60)
