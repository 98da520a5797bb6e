"""What is judged, and what it pays, can be seen in a window of any size, by mouse, touch and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.domain.answers import Stage
from tests.e2e.axe import check_accessible
from tests.e2e.devices import DESK, LARGE_DESK, LARGE_TABLET, PHONE, TABLET
from tests.e2e.hard_pages import BOXES, keeping, open_hard_page
from tests.e2e.watch import Watch
from tests.selection import and_nightly

# For each box of the page, the share of its inside that numbers cover.
COVERED = """svg => {
  const within = (one) => one.getBoundingClientRect();
  const boxes = [...svg.querySelectorAll("rect.outline:not(.casing)")].map(within);
  const tags = [...svg.querySelectorAll("g.box > rect:not(.outline)")].map(within);
  return boxes.map((box) => tags.reduce((sum, tag) => {
    const width = Math.min(box.right, tag.right) - Math.max(box.left, tag.left);
    const height = Math.min(box.bottom, tag.bottom) - Math.max(box.top, tag.top);
    return sum + Math.max(0, width) * Math.max(0, height);
  }, 0) / (box.width * box.height));
}"""
MAX_COVERED_SHARE = 0.05

Hide = Callable[[Page], Callable[[], object]]
"""Hides the boxes, and returns a function that shows them again."""


def by_mouse(page: Page) -> Callable[[], object]:
    button = page.get_by_role("button", name="Hide the boxes")
    button.click()
    return button.click


def by_touch(page: Page) -> Callable[[], object]:
    button = page.get_by_role("button", name="Hide the boxes")
    button.tap()
    return button.tap


def by_key(page: Page) -> Callable[[], object]:
    page.keyboard.down("h")
    return lambda: page.keyboard.up("h")


@pytest.mark.parametrize(
    ("device", "hide"),
    and_nightly(
        [(PHONE, by_touch), (DESK, by_key)],
        [(TABLET, by_touch), (LARGE_TABLET, by_touch), (DESK, by_mouse), (LARGE_DESK, by_mouse)],
        "other sizes have the same parts",
    ),
    ids=lambda one: one.__name__ if callable(one) else str(one["viewport"]["width"]),
)
def test_twelve_boxes_are_seen_and_hidden(
    browser: Browser, watch: Watch, device: Mapping[str, Any], hide: Hide
) -> None:
    context = browser.new_context(
        service_workers="block", storage_state=keeping({}), reduced_motion="reduce", **device
    )
    watch.attach(context)
    page = open_hard_page(context, Stage.COVERAGE)
    photograph = page.locator("svg[data-phase=ready]")
    covered = photograph.evaluate(COVERED)
    assert len(covered) == len(BOXES) and max(covered) <= MAX_COVERED_SHARE, covered
    outlines = photograph.locator("rect.outline")
    shown = outlines.count()
    show = hide(page)
    expect(outlines).to_have_count(0)
    check_accessible(page)
    show()
    expect(outlines).to_have_count(shown)
    _in_the_window(page, page.locator("header .pay").get_by_text("$1.25"), "6.3 min", "$12.00")
    context.close()


def _in_the_window(page: Page, pay: Locator, *said: str) -> None:
    """Check that the whole line is there, and not cut off by the window or by what is beside it."""
    for words in said:
        expect(pay).to_contain_text(words)
    expect(pay).to_be_in_viewport(ratio=1)
    assert pay.evaluate(
        "one => one.scrollWidth <= one.clientWidth + 1 && one.scrollHeight <= one.clientHeight + 1"
    )
