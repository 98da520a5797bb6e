"""In a language that runs from right to left, the pages are mirrored, and photographs and boxes are not.

There is no such language yet. So German says that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from annotation.domain.answers import JointStage, Stage
from tests.e2e.axe import check_accessible
from tests.e2e.devices import DESK
from tests.e2e.hard_pages import DIST, ORIGIN, keeping, open_hard_page
from tests.e2e.usual_pages import STAGES, usual_page

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LOOKS = """() => ({
  direction: getComputedStyle(document.body).direction,
  across: document.scrollingElement.scrollWidth - innerWidth,
  outside: [...document.querySelectorAll("button, a, h1, h2, p")]
    .filter((one) => one.checkVisibility() && !one.closest(".unseen"))
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1);
    }).map((one) => one.textContent),
})"""


def _mirrored(route: Route) -> None:
    """Answer with the German texts, which say that they run from right to left."""
    file = DIST / route.request.url.removeprefix(f"{ORIGIN}/static/")
    texts, changed = re.subn(r"direction:([`'\"])ltr\1", r"direction:\1rtl\1", file.read_text("utf-8"))
    assert changed <= 1
    route.fulfill(body=texts, content_type="text/javascript; charset=utf-8")


@pytest.fixture
def show(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    def open_stage(stage: str, device: Any, *, mirrored: bool = True, sent: list[Any] | None = None) -> Page:
        options = {"storage_state": keeping({"groundcrew-language": "de"}), "reduced_motion": "reduce"}
        context = new_context(**options, **device)
        context.set_default_timeout(30_000)
        page_of = context.new_page
        if mirrored:
            # A page's own routes come before those of its context, which are added later.
            def new_page() -> Page:
                page = page_of()
                page.route("**/static/pages/de-*.js", _mirrored)
                return page

            context.new_page = new_page  # type: ignore[method-assign]
        return open_hard_page(context, stage, usual_page(stage), sent)  # type: ignore[arg-type]

    return open_stage


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["phone", "desk"])
def test_every_stage_fits_when_it_is_mirrored(show: Callable[..., Page], device: Any) -> None:
    for stage in STAGES:
        page = show(stage, device)
        looks = page.evaluate(LOOKS)
        assert looks["direction"] == "rtl", stage
        assert looks["across"] <= 0 and not looks["outside"], f"{stage}: {looks}"
        page.context.close()


def test_a_mirrored_page_is_accessible_and_its_panel_is_on_the_left(show: Callable[..., Page]) -> None:
    page = show(Stage.QUALITY, DESK)
    panel, photograph = (page.locator(one).bounding_box() for one in (".panel", ".picture"))
    assert panel and photograph and panel["x"] < photograph["x"]
    check_accessible(page)


@pytest.mark.parametrize("stage", [Stage.DRAWING, JointStage.BOXES])
def test_boxes_are_stored_as_drawn_where_pages_are_mirrored(show: Callable[..., Page], stage: str) -> None:
    stored = []
    for mirrored in (False, True):
        sent: list[Any] = []
        page = show(stage, DESK, mirrored=mirrored, sent=sent)
        page.get_by_role("button", name="Ziehen").click()
        photograph = page.locator("img[alt]").first.bounding_box()
        assert photograph
        scale = photograph["width"] / 500
        for _ in range(2):
            left, top, right, bottom = (
                photograph["x"] + 250 * scale,
                photograph["y"] + 200 * scale,
                photograph["x"] + 400 * scale,
                photograph["y"] + 300 * scale,
            )
            page.mouse.move(left, top)
            page.mouse.down()
            page.mouse.move(right, bottom, steps=5)
            page.mouse.up()
            page.wait_for_timeout(300)
            page.keyboard.press("Enter")
            page.wait_for_timeout(300)
        page.locator("#overview").wait_for()
        with page.expect_response("**/submission"):
            page.keyboard.press("Enter")
        stored.append([one["answer"] for one in sent])
        page.context.close()
    assert stored[0] == stored[1] and len(stored[0]) == 2
    (box,) = stored[0][0].get("boxes", [stored[0][0]])
    assert all(abs(a - b) <= 1 for a, b in zip(box["box"], (250, 200, 400, 300), strict=True)), box
