"""Where things are on the page of each stage, with the longest texts and the most boxes, in both languages.

The photograph has half of an upright window, or fills its width. Nothing covers an answer, whatever the size
of the window and the browser's zoom, and there is at most one part that scrolls.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from annotation.domain.answers import Stage
from tests.e2e.aiming import TWO_FRAMES
from tests.e2e.hard_pages import SIZE, hard_page, keeping, open_hard_page
from tests.e2e.watch import Watch
from tests.e2e.working import UNREAD_MS
from tests.selection import and_nightly

PHONE, TABLET, LARGE_TABLET = (390, 844), (768, 1024), (820, 1180)
MARGIN = 12
"""The pixels round a photograph that is shown as a whole."""
WORDY = {Stage.LINK, Stage.VERIFICATION}
"""On a phone, the captions that are compared have more room there, and the photograph a third."""
DESK, LARGE_DESK = (1280, 800), (1920, 1080)
TWICE, FOUR_TIMES = (640, 400), (320, 256)
"""DESK in CSS pixels, if the browser enlarges it to 200% and 400% (WCAG 1.4.4 and 1.4.10)."""
GERMAN = {"groundcrew-language": "de"}
BY_TOUCH = {PHONE, TABLET, LARGE_TABLET}

# The share of the window's height that the photograph's place has; the parts that scroll; and the answers
# that something covers or that reach over the window's edge once they were scrolled to.
LAYOUT = """async () => {
  const { top, bottom } = document.querySelector("svg[data-phase]").getBoundingClientRect();
  const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowY);
  const parts = [document.scrollingElement, ...document.querySelectorAll("body *")];
  const scrollers = parts
    .filter((one) => one.scrollHeight > one.clientHeight + 1 && (scrolls(one) || one === parts[0]))
    .filter((one) => one.clientHeight > 0)
    .map((one) => `${one.tagName} ${one.className}`);
  const frame = () => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  const hidden = [];
  for (const one of document.querySelectorAll(".answers button:not(.more), .remark button")) {
    one.scrollIntoView({ block: "nearest" });
    await frame();
    const { left, top, width, height } = one.getBoundingClientRect();
    const covered = [[0.5, 0.5], [0.05, 0.2], [0.95, 0.2], [0.05, 0.8], [0.95, 0.8]].some(([x, y]) => {
      const seen = document.elementFromPoint(left + x * width, top + y * height);
      return seen === null || !one.contains(seen);
    });
    if (covered) hidden.push(one.textContent.trim());
  }
  return {
    share: (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight,
    scrollers,
    hidden,
  };
}"""


def _context(browser: Browser, watch: Watch, size: tuple[int, int], **storage: str) -> BrowserContext:
    width, height = size
    touch = size in BY_TOUCH
    context = browser.new_context(
        service_workers="block",
        storage_state=keeping(storage),
        viewport={"width": width, "height": height},
        reduced_motion="reduce",
        has_touch=touch,
        is_mobile=touch,
    )
    context.set_default_timeout(30_000)
    watch.attach(context)
    return context


def _open(browser: Browser, watch: Watch, size: tuple[int, int], stage: Stage, **storage: str) -> Page:
    return open_hard_page(_context(browser, watch, size, **storage), stage)


@pytest.mark.parametrize(
    "size",
    and_nightly(
        [PHONE, FOUR_TIMES],
        [(TABLET,), (LARGE_TABLET,), (DESK,), (LARGE_DESK,), (TWICE,)],
        "the other sizes have more room",
    ),
    ids=lambda size: "x".join(map(str, size)),
)
def test_the_photograph_and_the_answers_have_room(
    browser: Browser, watch: Watch, size: tuple[int, int], record_property: Any
) -> None:
    shares = []
    for stage in Stage:
        page = _open(browser, watch, size, stage, **GERMAN)
        seen = page.evaluate(LAYOUT)
        assert not seen["hidden"], f"{stage}: something covers {seen['hidden']}"
        assert len(seen["scrollers"]) <= 1, f"{stage}: {seen['scrollers']}"
        shares.append(seen["share"])
        if size in BY_TOUCH:
            width, height = size
            fills = ((width - 2 * MARGIN) * SIZE[1] / SIZE[0] + 2 * MARGIN) / height
            least = 0.33 if size == PHONE and stage in WORDY else min(0.5, fills)
            assert seen["share"] >= least, f"{stage}: {seen['share']:.3f} of the height, not {least:.3f}"
        page.context.close()
    record_property("figure", f"{size[0]} x {size[1]}: {min(shares):.0%} of the height is the photograph's")


def test_a_mention_late_in_a_long_caption_is_in_view(browser: Browser, watch: Watch) -> None:
    """Descriptions by models have hundreds of words. Their beginning can still be read."""
    shown = hard_page(Stage.REQUIREMENT)
    (caption,) = shown["items"][0]["question"]["captions"]  # the items have the same question
    before, mention, after = caption["segments"]
    caption["segments"] = [before] * 15 + [mention] + [after] * 5
    page = open_hard_page(_context(browser, watch, DESK), Stage.REQUIREMENT, shown)
    for number in (1, 2):
        page.get_by_role("region", name=f"Question {number} of 2").wait_for()
        expect(page.locator("mark")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("heading", level=2)).to_be_in_viewport(ratio=1)
        page.wait_for_timeout(UNREAD_MS)
        page.keyboard.press("1")
    page.context.close()


def test_no_group_is_judged_before_all_captions_were_shown(browser: Browser, watch: Watch) -> None:
    page = _open(browser, watch, PHONE, Stage.VERIFICATION)
    second = page.get_by_label("Question 2 of 2", exact=True).and_(page.get_by_role("region"))
    yes, further = page.get_by_role("button", name="Yes, all the same"), page.get_by_text("Next caption")
    page.wait_for_timeout(UNREAD_MS)
    expect(yes).to_have_attribute("aria-disabled", "true")
    yes.tap(force=True)
    expect(page.get_by_role("status").filter(has_text="Read all captions first.")).to_have_count(1)
    page.keyboard.press("y")
    expect(second).to_have_count(0)
    for _ in range(12):
        page.evaluate(TWO_FRAMES)
        if not further.is_visible():
            break
        further.tap()
    expect(page.locator(".captions li").last).to_be_in_viewport()
    expect(yes).not_to_have_attribute("aria-disabled", "true")
    yes.tap()
    second.wait_for()
    # By keys alone: each press shows more, and the last one answers.
    page.wait_for_timeout(UNREAD_MS)
    for _ in range(12):
        page.keyboard.press("y")
        if page.get_by_role("heading", name="Your answers").is_visible():
            break
    page.get_by_role("heading", name="Your answers").wait_for()
    page.context.close()


@pytest.mark.parametrize(
    ("size", "words"),
    and_nightly(
        [(PHONE, "Tap the top, bottom")], [(DESK, "Click the top, bottom")], "pointer.test.ts holds the words"
    ),
)
def test_a_finger_taps_and_a_mouse_clicks(
    browser: Browser, watch: Watch, size: tuple[int, int], words: str
) -> None:
    page = _open(browser, watch, size, Stage.DRAWING)
    expect(page.get_by_text(words)).to_be_attached()
    page.context.close()
