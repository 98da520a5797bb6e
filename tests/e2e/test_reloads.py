"""After a reload, a closed tab or a crash, the same item is shown with its answers and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect

from annotation.models import Assignment, Item
from scripts.browser import ARGUMENTS
from tests.e2e.keeping import (
    NO,
    SUBMISSION,
    UNREACHED,
    YES,
    LostReplies,
    answer_all,
    arrived,
    at_overview,
    delivered,
    press,
    saved,
    start,
)
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import question

# A key that is pressed right before the page goes away. {key: "y"} -> nothing
PRESS_AT_THE_END = """key => addEventListener("beforeunload", () =>
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""

OpenProfile = Callable[[], BrowserContext]


@pytest.fixture(autouse=True)
def expected(watch: Watch) -> None:
    watch.allow(UNREACHED)


@pytest.fixture
def open_profile(browser: Browser, executable: str, watch: Watch, tmp_path: Path) -> Iterator[OpenProfile]:
    """Return a function that starts a browser on the same profile. An earlier browser has to be gone."""
    opened: list[BrowserContext] = []

    def start_browser() -> BrowserContext:
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path=executable, args=ARGUMENTS
        )
        watch.attach(context)
        opened.append(context)
        return context

    yield start_browser
    for context in opened:
        context.close()


@pytest.mark.journey
def test_a_reload_after_anything_that_is_said(site: Site, page: Page) -> None:
    start(page, site, items=3)
    press(page, 1, 3, "y")
    page.reload()
    question(page, 2, 3)
    page.keyboard.press("k")
    question(page, 1, 3)
    expect(page.get_by_role("button", name="Yes, the same")).to_have_attribute("aria-pressed", "true")
    page.reload()
    press(page, 1, 3, "n")  # an answer other than before
    question(page, 2, 3)
    page.keyboard.press("x")
    page.keyboard.press("c")
    page.keyboard.type("The words are about two dogs")
    page.reload()
    question(page, 2, 3)
    expect(page.get_by_role("textbox")).to_have_value("The words are about two dogs")
    expect(page.get_by_role("button", name="Words cut wrongly")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("y")
    press(page, 3, 3, "n")
    at_overview(page)
    page.reload()
    at_overview(page)
    page.keyboard.press("Enter")
    given = delivered(page, site, [NO, YES, NO])
    assert [(j.comment, j.chunk_flag) for j in given] == [
        ("", False),
        ("The words are about two dogs", True),
        ("", False),
    ]


def test_a_reload_in_the_same_moment_as_an_answer(site: Site, page: Page) -> None:
    start(page, site, items=3)
    for number in (1, 2, 3):
        question(page, number, 3)
        _press_and_reload(page, "y")
    at_overview(page)
    _press_and_reload(page, "Enter")
    # If the receipt comes just before the page goes away, there is nothing left to do.
    finished = page.get_by_role("heading", name="Page done")
    finished.or_(page.get_by_role("heading", name="Nothing to do here now")).wait_for()
    arrived(site, [YES, YES, YES])


def test_a_reload_between_the_servers_word_and_the_page(site: Site, page: Page) -> None:
    start(page, site, items=2)
    answer_all(page, "ny")
    page.route(SUBMISSION, LostReplies(then=page.reload))
    page.keyboard.press("Enter")
    delivered(page, site, [NO, YES])


def test_a_reload_in_the_middle_of_drawing(site: Site, page: Page) -> None:
    start(page, site, "drawing", items=2, drawing="drag")
    _drag(page, (0.3, 0.3), (0.6, 0.7))
    first = _box(page)
    page.reload()
    question(page, 1, 2)
    assert _box(page) == first
    page.keyboard.press("Shift+ArrowRight")
    moved = [first[0] + 10, first[1], first[2] + 10, first[3]]
    wait_for(page, lambda: _box(page) == moved)
    page.reload()
    question(page, 1, 2)
    assert _box(page) == moved
    page.keyboard.press("Enter")
    press(page, 2, 2, "n")
    second = _box(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Move the edges")).to_be_visible()
    page.keyboard.press("Enter")  # once more: it is right as it is
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [{"box": moved}, {"box": second}], "drawing")


def test_a_reload_between_the_extreme_points(site: Site, page: Page) -> None:
    start(page, site, "drawing", items=1, drawing="extreme")
    points = [(0.45, 0.2), (0.5, 0.8), (0.3, 0.5), (0.6, 0.55)]
    for number, point in enumerate(points[:3], start=1):
        page.mouse.click(*_at(page, point))
        expect(_marks(page)).to_have_count(number)
        before = _places(page)
        page.reload()
        question(page, 1, 1)
        expect(_marks(page)).to_have_count(number)
        wait_for(page, lambda: _places(page) == before)  # noqa: B023  (called at once)
    page.mouse.click(*_at(page, points[3]))
    box = _box(page)
    page.reload()
    question(page, 1, 1)
    expect(_marks(page)).to_have_count(0)
    assert _box(page) == box
    page.keyboard.press("Enter")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [{"box": box}], "drawing")


def test_a_closed_tab_gives_nothing_back(site: Site, page: Page) -> None:
    start(page, site, items=3)
    press(page, 1, 3, "y")
    question(page, 2, 3)
    with page.expect_event("close"):  # it closes some time after it was told to
        page.close(run_before_unload=True)
    (held,) = site.assignments("link")
    assert held.state == Assignment.State.LIVE
    page = page.context.new_page()
    page.goto(site.worker_link("link"))
    press(page, 2, 3, "n")
    press(page, 3, 3, "n")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [YES, NO, NO])


def test_a_page_that_is_given_back_is_free(site: Site, page: Page) -> None:
    start(page, site, items=2)
    press(page, 1, 2, "y")
    question(page, 2, 2)
    page.get_by_label("More", exact=True).click()
    page.get_by_role("button", name="Give the page back").click()
    asked = page.get_by_role("dialog", name="Give this page back?")
    expect(asked).to_contain_text("1 answer of yours is thrown away")
    asked.get_by_role("button", name="Give the page back").click()
    page.get_by_role("heading", name="Page given back").wait_for()
    (returned,) = site.assignments("link")
    assert returned.state == Assignment.State.RETURNED
    assert not Item.objects.filter(pk__in=returned.items, leased__gt=0).exists()
    page.keyboard.press("Enter")
    question(page, 1, 2)  # the same items are shown, and nothing is left of the answer
    expect(page.get_by_role("button", name="Question 1, not answered")).to_be_visible()
    assert site.judgments("link") == []


def test_a_crashed_tab_comes_back(site: Site, page: Page) -> None:
    start(page, site, items=2)
    press(page, 1, 2, "n")
    question(page, 2, 2)
    saved(page)
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")
    page = page.context.new_page()
    page.goto(f"{site.url}/work/link/")
    press(page, 2, 2, "y")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [NO, YES])


def test_a_crashed_browser_comes_back(site: Site, open_profile: OpenProfile) -> None:
    page = open_profile().new_page()
    start(page, site, "drawing", items=2, drawing="drag")
    _drag(page, (0.3, 0.3), (0.6, 0.7))
    box = _box(page)
    saved(page)
    process = page.context.new_cdp_session(page)
    with suppress(Error):
        process.send("Browser.crash")
    page = open_profile().new_page()
    page.goto(site.worker_link("drawing"))
    # Small choices are kept with less care than answers: the instructions may come once more.
    guide = page.get_by_role("dialog").get_by_role("button", name="To the questions")
    expect(guide.or_(page.get_by_label("Question 1 of 2", exact=True)).first).to_be_visible()
    if guide.is_visible():
        guide.click()
    question(page, 1, 2)
    assert _box(page) == box
    page.keyboard.press("Enter")
    press(page, 2, 2, "0")
    at_overview(page)
    page.keyboard.press("Enter")
    delivered(page, site, [{"box": box}, {"box": None}], "drawing")


def _press_and_reload(page: Page, key: str) -> None:
    page.evaluate(PRESS_AT_THE_END, key)
    page.reload()


def _surface(page: Page) -> Locator:
    return page.locator("svg[data-phase=ready]")


def _at(page: Page, point: tuple[float, float]) -> tuple[float, float]:
    """Return the place on the screen at these shares of the surface's width and height."""
    _surface(page).wait_for()
    bounds = _surface(page).bounding_box()
    assert bounds
    return bounds["x"] + point[0] * bounds["width"], bounds["y"] + point[1] * bounds["height"]


def _drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*_at(page, start))
    page.mouse.down()
    page.mouse.move(*_at(page, end), steps=3)
    page.mouse.up()


def _box(page: Page) -> list[int]:
    """Return the edges of the box that is being drawn, in pixels of the image."""
    edges = page.locator("[data-box]").get_attribute("data-box")
    assert edges
    return [int(edge) for edge in edges.split()]


def _marks(page: Page) -> Locator:
    return _surface(page).locator("circle")


def _places(page: Page) -> list[tuple[str | None, str | None]]:
    return [(mark.get_attribute("cx"), mark.get_attribute("cy")) for mark in _marks(page).all()]
