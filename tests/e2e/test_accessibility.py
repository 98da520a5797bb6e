"""WCAG 2.2 AA, as far as a machine can test it, on every page: in light and dark, on a desktop and a phone.

It is what axe finds, text of 200%, windows of 320 pixels, and the size of targets.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from annotation.domain.answers import Stage
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DEVICES
from tests.e2e.hands import BOX_SIZE, Hands, Mouse
from tests.e2e.keeping import ready_for_no_network
from tests.e2e.looks import check_looks
from tests.e2e.scenes import FIRST
from tests.e2e.site import Site
from tests.e2e.watch import Watch
from tests.selection import and_nightly

CLAIMS = "**/api/v1/assignments"
GO_NOWHERE = "history.pushState(null, '', '/work/nowhere/'), dispatchEvent(new PopStateEvent('popstate')), 0"
REFUSAL = '{"title": "Forbidden", "status": 403, "detail": "No."}'


by_night_on_both = pytest.mark.parametrize(
    "page", and_nightly(["desk"], ["phone"], "the phone's layout is that of other tests"), indirect=True
)


BOTH_KINDS = (Stage.LINK, Stage.DRAWING)
"""A stage whose answers are buttons, and the one in which boxes are drawn."""
OTHER_STAGES = tuple(stage for stage in Stage if stage not in BOTH_KINDS)
TWO_ANSWERS = (Stage.VERIFICATION, Stage.COVERAGE)
"""Like the stages link and quality, these have a picture and two answers."""
ALIKE = "their pages are made of the same parts"


@pytest.fixture
def page(request: pytest.FixtureRequest, new_context: NewContext) -> Page:
    return new_context(reduced_motion="reduce", **DEVICES[request.param]).new_page()


@pytest.fixture
def hands(page: Page) -> Hands:
    return Mouse(page)


@by_night_on_both
def test_pages_of_words(site: Site, page: Page) -> None:
    site.open("link", items=1)
    page.goto(f"{site.url}/work/")
    page.get_by_role("heading", name="Sign in").wait_for()
    check_looks(page)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Paste the link first.").wait_for()
    check_looks(page)
    page.evaluate(GO_NOWHERE)
    page.get_by_role("heading", name="There is no such page").wait_for()
    check_looks(page)
    page.goto(site.worker_link())
    page.get_by_text("Work is waiting").wait_for()
    check_looks(page)
    page.get_by_role("link", name="Your account").click()
    page.get_by_role("heading", name="Your standing").wait_for()
    check_looks(page)
    page.get_by_role("button", name="Sign out of this device").click()
    page.get_by_role("dialog").wait_for()
    check_looks(page)


@pytest.mark.parametrize(
    ("page", "stage"),
    and_nightly(
        [
            *(("desk", stage) for stage in Stage if stage not in TWO_ANSWERS),
            *(("phone", stage) for stage in BOTH_KINDS),
        ],
        [*(("desk", stage) for stage in TWO_ANSWERS), *(("phone", stage) for stage in OTHER_STAGES)],
        ALIKE,
    ),
    indirect=["page"],
)
def test_a_stage(site: Site, hands: Hands, stage: Stage) -> None:
    page = hands.page
    site.open(stage, items=2)
    page.goto(site.worker_link(stage))
    page.get_by_role("dialog").get_by_role("heading", name="Examples").wait_for()
    check_looks(page)
    hands.close_instructions()
    hands.question(1, 2)
    hands.flag()
    hands.comment("What is this?")
    check_looks(page)


@by_night_on_both
@pytest.mark.parametrize("stage", and_nightly(BOTH_KINDS, OTHER_STAGES, ALIKE))
def test_a_preview(site: Site, page: Page, stage: Stage) -> None:
    page.goto(f"{site.url}/work/preview/{stage}/")
    page.get_by_text("This is a preview").wait_for()
    page.locator("svg[data-phase=ready]").wait_for()
    check_looks(page)


@by_night_on_both
def test_drawing(site: Site, hands: Hands) -> None:
    page = hands.page
    site.open("drawing", items=2)
    page.goto(site.worker_link("drawing"))
    hands.close_instructions()
    hands.question(1, 2)
    for x, y in ((240, 120), (240, 380)):
        page.mouse.click(*hands.place(x, y))
    page.get_by_text("2 of 4").wait_for()
    check_looks(page)
    hands.draw(FIRST)
    check_looks(page)
    page.locator("summary").filter(has_text=BOX_SIZE).click()
    page.get_by_label("Left", exact=True).wait_for()
    check_looks(page)


@by_night_on_both
def test_a_page_to_its_end(site: Site, hands: Hands) -> None:
    page = hands.page
    site.open("link", items=2, items_a_page={"link": 1}, reward={"link": 10})
    page.goto(site.worker_link("link"))
    hands.close_instructions()
    hands.question(1, 1)
    hands.choose(Stage.LINK, value=True)
    page.get_by_role("heading", name="Your answers").wait_for()
    check_looks(page)
    hands.send()
    hands.question(1, 1)
    page.get_by_text("Page sent: $0.10").wait_for()
    check_looks(page)
    hands.choose(Stage.LINK, value=False)
    hands.send()
    page.get_by_role("heading", name="Page done").wait_for()
    check_looks(page)
    hands.next_page()
    page.get_by_role("heading", name="Nothing to do here now").wait_for()
    check_looks(page)


@by_night_on_both
def test_giving_back(site: Site, hands: Hands) -> None:
    page = hands.page
    site.open("coverage", items=1)
    page.goto(site.worker_link("coverage"))
    hands.close_instructions()
    page.locator("summary").and_(page.get_by_label("More")).click()
    check_looks(page)
    hands.use(hands.button("Give the page back"))
    page.get_by_role("dialog").get_by_role("heading", name="Give this page back?").wait_for()
    check_looks(page)
    hands.use(page.get_by_role("dialog").get_by_role("button", name="Give the page back"))
    page.get_by_role("heading", name="Page given back").wait_for()
    check_looks(page)


@by_night_on_both
def test_open_in_another_tab(site: Site, hands: Hands) -> None:
    page = hands.page
    site.open("link", items=1)
    page.goto(site.worker_link("link"))
    hands.close_instructions()
    second = page.context.new_page()
    second.goto(f"{site.url}/work/link/")
    Mouse(second).question(1, 1)
    page.get_by_role("heading", name="Open in another tab").wait_for()
    check_looks(page)


@by_night_on_both
@pytest.mark.parametrize(
    ("status", "heading"),
    [(401, "Sign in"), (403, "This task is closed for you"), (500, "That did not work")],
)
def test_what_the_server_refuses(site: Site, page: Page, watch: Watch, status: int, heading: str) -> None:
    watch.allow(f"status of {status}")
    page.route(
        CLAIMS,
        lambda route: route.fulfill(status=status, body=REFUSAL, content_type="application/problem+json"),
    )
    page.goto(site.worker_link("link"))
    page.get_by_role("heading", name=heading).wait_for()
    check_looks(page)


@by_night_on_both
def test_without_a_network(site: Site, hands: Hands, watch: Watch) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    page = hands.page
    site.open("link", items=1)
    page.goto(site.worker_link("link"))
    hands.close_instructions()
    hands.question(1, 1)
    ready_for_no_network(page)
    page.context.set_offline(True)
    page.get_by_role("status").get_by_text("No network").wait_for()
    check_looks(page)
    hands.choose(Stage.LINK, value=True)
    hands.send()
    page.get_by_role("heading", name="Sending your answers").wait_for()
    check_looks(page)


@by_night_on_both
def test_without_the_photograph(site: Site, hands: Hands, watch: Watch) -> None:
    watch.allow("status of 404")
    page = hands.page
    site.open("link", items=1)
    page.route("**/media/**", lambda route: route.fulfill(status=404))
    page.goto(site.worker_link("link"))
    hands.close_instructions()
    page.get_by_role("alert").filter(has_text="cannot be loaded").wait_for()
    check_looks(page)


@by_night_on_both
def test_the_language_is_named(site: Site, page: Page) -> None:
    page.goto(site.worker_link())
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_label("Language").select_option("de")
    page.get_by_role("heading", name="Aufgaben").wait_for()
    assert page.locator("html").get_attribute("lang") == "de"
    check_looks(page)
    page.goto(f"{site.url}/work/me/")
    page.get_by_role("heading", name="Ihr Konto").wait_for()
    check_looks(page)
