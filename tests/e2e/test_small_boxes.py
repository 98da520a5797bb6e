"""Eight pixels of a photograph of 12 megapixels are drawn with a finger, and judged, at a phone's size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.domain.geometry import Box, iou
from tests.e2e.aiming import Finger
from tests.e2e.conftest import NewContext
from tests.e2e.devices import LARGE_TABLET, PHONE, TABLET
from tests.e2e.scenes import Edges
from tests.e2e.seeing import Place
from tests.e2e.site import Site, wait_for
from tests.e2e.targets import Target
from tests.e2e.working import begin, question
from tests.selection import and_nightly

EIGHT: Edges = (2310, 1207, 2318, 1215)
TARGET = Target((4000, 3000), EIGHT, lambda hand, _: hand.by_dragging())
SLOPPY = 6
"""CSS pixels. With a finger, nobody aims better at what is hardly to be seen."""
ROUNDS = 5


@pytest.mark.parametrize(
    "device",
    and_nightly([PHONE], [(TABLET,), (LARGE_TABLET,)], "a larger window shows it larger"),
    ids=lambda device: str(device["viewport"]["width"]),
)
def test_eight_pixels_of_twelve_megapixels_are_drawn_with_a_finger(
    site: Site,
    new_context: NewContext,
    device: Mapping[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    site.open("drawing", items=1, scenes=[TARGET.scene()])
    page = new_context(**device).new_page()
    page.goto(site.worker_link("drawing"))
    begin(page)
    question(page, 1, 1)
    hand = Finger(page, page)
    hand.change_to("Drag")
    closer = page.get_by_text("Shown enlarged")
    fitted = _width(page)

    _roughly(hand, page)
    expect(closer).to_be_visible()
    assert _width(page) > 4 * fitted
    page.get_by_role("button", name="Remove the box").tap()
    expect(closer).to_be_hidden()
    assert _width(page) == fitted, "it goes back, since the next box may be elsewhere"

    _roughly(hand, page)
    expect(closer).to_be_visible()
    for corner in (0, 1) * ROUNDS:
        target, outline = _seen(hand)
        if _off(target, outline) < hand.ratio and outline[2] - outline[0] >= 40 * hand.ratio:
            break
        # The upper left corner first, then the lower right one.
        x, y = 2 * corner, 2 * corner + 1
        hand.drag((outline[x], outline[y]), (target[x], target[y]))
    page.get_by_role("button", name="Confirm this box").tap()
    page.get_by_role("button", name="Send this page").tap()
    (judgment,) = wait_for(page, lambda: site.judgments("drawing"))
    drawn = iou(Box(*judgment.answer["box"]), Box(*EIGHT))
    record_property("figure", f"IoU of 8 pixels on 12 megapixels, {device['viewport']}: {drawn:.2f}")
    assert drawn >= 0.8, judgment.answer
    assert 0.5 < judgment.answer["scale"] <= 16, "the record says how closely it was drawn"


def _photograph(page: Page) -> Locator:
    return page.get_by_role("img", name="The photograph")


def _width(page: Page) -> float:
    """Return how wide the photograph is shown, in CSS pixels."""
    box = _photograph(page).bounding_box()
    assert box
    return box["width"]


def _roughly(hand: Finger, page: Page) -> None:
    """Draw a box round the place where the thing is, as well as a finger can."""
    shown = _photograph(page).bounding_box()
    assert shown
    x = (shown["x"] + EIGHT[0] / TARGET.size[0] * shown["width"]) * hand.ratio
    y = (shown["y"] + EIGHT[1] / TARGET.size[1] * shown["height"]) * hand.ratio
    reach = SLOPPY * hand.ratio
    hand.drag((x - reach, y - reach), (x + reach, y + reach))


def _seen(hand: Finger) -> tuple[Place, Place]:
    """Return where the target and the inner side of the box's line are, in device pixels."""
    shot = hand.look()
    left, top, right, bottom = shot.outline()
    half = hand.ratio  # the line lies outside of the box, and is two CSS pixels wide
    return shot.target(), (left + half, top + half, right - half, bottom - half)


def _off(target: Place, outline: Place) -> float:
    return max(abs(a - b) for a, b in zip(target, outline, strict=True))
