"""The console's frame in a browser. Violations of its policy and requests to other hosts fail (watch.py)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Chain, Image
from tests.e2e.axe import COLOURS, check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.researcher import log_in
from tests.e2e.site import Site
from tests.e2e.watch import Watch
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch


@pytest.mark.journey
def test_pages_of_every_kind_keep_to_the_policy_by_day_and_by_night(
    site: Site, page: Page, watch: Watch
) -> None:
    watch.allow("status of 403")  # of the page on which this is said
    site.open("coverage", items=1)
    chain, image = Chain.objects.order_by("pk")[0], Image.objects.order_by("pk")[0]
    log_in(page, f"{site.url}/admin/")
    for theme in ("Light", "Dark"):
        page.goto(f"{site.url}/admin/")
        page.get_by_role("button", name=theme).click()
        expect(page.locator("html")).to_have_css("color-scheme", theme.lower())
        for path in (
            *("", "annotation/image/", f"annotation/image/{image.pk}/change/"),
            *(f"annotation/batch/{site.project.batches.get().pk}/change/", "auth/group/1/delete/"),
            *(f"review/chain/{chain.pk}/", "auth/user/add/"),
        ):
            page.goto(f"{site.url}/admin/{path}")
            expect(page.get_by_role("navigation", name="Console")).to_be_visible()
            check_accessible(page, rules=() if theme == "Light" else COLOURS)


def test_the_menu_opens_by_keyboard_on_a_narrow_screen(site: Site, new_context: NewContext) -> None:
    page = new_context(viewport={"width": 390, "height": 844}).new_page()
    log_in(page, f"{site.url}/admin/")
    menu = page.get_by_role("navigation", name="Console")
    expect(menu).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.get_by_role("button", name="Menu").press("Enter")
    expect(menu).to_be_visible()
    check_accessible(page)
    page.get_by_role("button", name="Close the menu").press("Enter")
    expect(menu).to_be_hidden()


def test_a_page_shows_without_scripts(site: Site, new_context: NewContext) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{site.url}/admin/")
    expect(page.get_by_label("Username")).to_be_visible()


def test_a_button_that_may_not_be_used_does_not_look_like_the_one_to_use(site: Site, page: Page) -> None:
    site.open("link", items=1)
    image = Image.objects.create(project=site.project, name="bare.jpg")
    draft = create_batch(
        project=site.project, name="draft", settings=parse_settings({"regime": "open"}), images=[image.pk]
    )
    log_in(page, f"{site.url}/admin/")
    page.goto(f"{site.url}/admin/batches/{draft.pk}/launch/")
    launch = page.get_by_role("button", name="Launch batch")
    expect(launch).to_be_disabled()
    colour = launch.evaluate("button => getComputedStyle(button).backgroundColor")
    launch.evaluate("button => { button.disabled = false; }")
    expect(launch).not_to_have_css("background-color", colour)


def test_another_card_of_a_new_batch_keeps_what_was_typed(site: Site, page: Page) -> None:
    log_in(page, f"{site.url}/admin/")
    page.goto(f"{site.url}/admin/projects/{site.project.pk}/batches/new/?preset=known")
    page.get_by_label("Name", exact=True).fill("mine")
    page.get_by_label("Images", exact=True).last.select_option("number")
    page.get_by_label("How many").fill("2")
    for card in ("Paper exactly", "All boxes at once"):
        page.get_by_role("link", name=card).click()
        expect(page.get_by_role("link", name=card)).to_have_attribute("aria-current", "true")
        expect(page.get_by_label("Name", exact=True)).to_have_value("mine")
        expect(page.get_by_label("Images", exact=True).last).to_have_value("number")
        expect(page.get_by_label("How many")).to_have_value("2")
