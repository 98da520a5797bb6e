"""Where the focus is, whether it is visible, and what is read aloud, on the way through the pages by keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from annotation.domain.answers import Stage
from tests.e2e.aiming import TWO_FRAMES
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, PHONE
from tests.e2e.keeping import said
from tests.e2e.keyboard import Keys, Tabbing
from tests.e2e.looks import tab_through
from tests.e2e.scenes import FIRST
from tests.e2e.site import Site
from tests.e2e.watch import Watch
from tests.e2e.working import question
from tests.selection import and_nightly

MIN_SIDE = 44
"""The CSS pixels that a finger needs."""
# The longest time that anything on the page would move, in milliseconds.
MOTION = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((one) => {
  const { transitionDuration, animationDuration, animationName } = getComputedStyle(one);
  const longest = (times) => Math.max(...times.split(",").map(parseFloat)) * 1000;
  return [longest(transitionDuration), animationName === "none" ? 0 : longest(animationDuration)];
}))"""


@pytest.fixture
def keys(new_context: NewContext) -> Keys:
    return Keys(new_context(**DESK).new_page())


def test_the_focus_goes_where_the_work_is(site: Site, keys: Keys) -> None:
    page = keys.page
    site.open("link", items=3, items_a_page={"link": 2})
    page.goto(site.worker_link())
    keys.use(page.get_by_role("link", name="Your account"))
    expect(page.get_by_role("heading", level=1, name="Your account")).to_be_focused()
    keys.use(page.get_by_role("link", name="Tasks"))
    expect(page.get_by_role("heading", level=1, name="Tasks")).to_be_focused()
    keys.open_task(Stage.LINK)
    expect(question(page, 1, 2)).to_be_focused()
    keys.choose(Stage.LINK, value=True)
    expect(question(page, 2, 2)).to_be_focused()
    keys.choose(Stage.LINK, value=False)
    expect(page.get_by_role("heading", name="Your answers")).to_be_focused()
    keys.send()
    expect(question(page, 1, 1)).to_be_focused()
    said(page, "Page sent")
    keys.choose(Stage.LINK, value=True)
    expect(page.get_by_role("heading", name="Your answers")).to_be_focused()
    keys.send()
    expect(page.get_by_role("heading", name="Page done")).to_be_focused()
    keys.next_page()
    expect(page.get_by_role("heading", name="Nothing to do here now")).to_be_focused()
    keys.go_home()
    expect(page.get_by_role("heading", level=1, name="Tasks")).to_be_focused()


def test_what_closes_gives_the_focus_back(site: Site, keys: Keys) -> None:
    page = keys.page
    site.open("link", items=1)
    page.goto(site.worker_link("link"))
    keys.close_instructions()
    keys.use(keys.button("Instructions"))
    keys.close_instructions()
    expect(keys.button("Instructions")).to_be_focused()
    keys.use(keys.button("Comment"))
    expect(page.get_by_label("Comment on this item")).to_be_focused()
    page.keyboard.press("Escape")
    expect(keys.button("Comment")).to_be_focused()
    more = page.get_by_label("More")
    keys.use(more)
    give_back = keys.button("Give the page back")
    give_back.wait_for()
    page.keyboard.press("Escape")
    give_back.wait_for(state="hidden")
    expect(more).to_be_focused()
    keys.use(more)
    keys.use(give_back)
    keys.use(page.get_by_role("dialog").get_by_role("button", name="Keep it"))
    expect(more).to_be_focused()


@pytest.mark.parametrize(
    ("device", "stage"),
    and_nightly(
        [(DESK, "link"), (PHONE, "drawing")], [(DESK, "drawing"), (PHONE, "link")], "other pairs of the same"
    ),
    ids=["desk-link", "phone-drawing", "desk-drawing", "phone-link"],
)
def test_every_stop_of_tab_is_seen(site: Site, new_context: NewContext, device: Any, stage: str) -> None:
    page = new_context(**device).new_page()
    site.open(stage, items=1)
    page.goto(site.worker_link())
    # The tasks are listed once the server has said what they pay.
    page.get_by_text("Same or different").first.wait_for()
    assert "Same or different" in tab_through(page)
    page.goto(f"{site.url}/work/{stage}/")
    hands = Tabbing(page)
    page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
    assert "To the questions" in tab_through(page)
    hands.close_instructions()
    hands.question(1, 1)
    if stage == "drawing":
        hands.draw(FIRST)
    stops = tab_through(page)
    last = "No box is needed" if stage == "drawing" else "No"
    assert [stop for stop in stops if last in stop]
    page.goto(f"{site.url}/work/me/")
    page.get_by_role("heading", name="Your standing").wait_for()
    assert "Sign out of this device" in tab_through(page)


def test_a_box_is_read_aloud(site: Site, keys: Keys) -> None:
    site.open("drawing", items=1)
    keys.page.goto(site.worker_link("drawing"))
    keys.close_instructions()
    keys.question(1, 1)
    keys.draw(FIRST)
    said = keys.page.get_by_role("status").filter(
        has_text="Box from 180, 120 to 300, 380: 120 wide, 260 high."
    )
    expect(said).to_have_count(1)


def test_a_lost_network_is_read_aloud(site: Site, keys: Keys, watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    page = keys.page
    site.open("link", items=1)
    page.goto(site.worker_link("link"))
    keys.close_instructions()
    keys.question(1, 1)
    page.context.set_offline(True)
    expect(page.get_by_role("status").filter(has_text="No network. Go on working")).to_have_count(1)


def test_nothing_moves_where_motion_is_reduced(site: Site, new_context: NewContext) -> None:
    site.open("drawing", items=1)
    for wanted in ("reduce", "no-preference"):
        page = new_context(reduced_motion=wanted).new_page()
        page.goto(site.worker_link("drawing"))
        page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
        assert (page.evaluate(MOTION) > 1) == (wanted != "reduce")
        page.close()


@pytest.mark.parametrize(
    "stage",
    and_nightly(
        [Stage.REQUIREMENT, Stage.DRAWING],
        [stage for stage in Stage if stage not in (Stage.REQUIREMENT, Stage.DRAWING)],
        "their buttons are fewer, and of the same kinds",
    ),
)
def test_fingers_have_room(site: Site, new_context: NewContext, stage: Stage) -> None:
    page = new_context(**PHONE).new_page()
    page.goto(f"{site.url}/work/preview/{stage}/")
    page.locator("svg[data-phase=ready]").wait_for()
    page.evaluate(TWO_FRAMES)  # until the picture has its size, when some of the zoom buttons go
    buttons = page.get_by_role("main").get_by_role("button").all()
    assert buttons
    for button in buttons:
        box = button.bounding_box()
        assert box and min(box["width"], box["height"]) >= MIN_SIDE - 0.1, button.inner_text()
