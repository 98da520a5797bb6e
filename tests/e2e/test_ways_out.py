"""The ways out of a page without a network: the list of tasks, and the instructions, not opened before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, PHONE, TABLET
from tests.e2e.keeping import UNREACHED
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch

SEEN = "localStorage.setItem('groundcrew-seen-link', 'yes')"
FETCHED = """performance.getEntriesByType("resource").map(({ name }) => name)
  .filter((name) => /(Home|Instructions|instructions|rest)-[^/]*\\.js|\\.webp/.test(name)).length >= 7"""
SHOWN = """dialog => [...dialog.querySelectorAll("image")].map((picture) => picture.href.baseVal)"""
LOADS = """urls => Promise.all(urls.map(async (url) => (await createImageBitmap(await (
  await fetch(url)).blob())).width))"""
CUT = """[...document.querySelectorAll("td, th, select, button, .scroll")].filter((one) => {
  const scrolls = one.matches(".scroll") && one.scrollWidth > one.clientWidth;
  return scrolls || one.getBoundingClientRect().right > innerWidth;
}).map((one) => one.outerHTML)"""
WORDS = {"en": ("Examples", "All tasks", "Tasks"), "de": ("Beispiele", "Alle Aufgaben", "Aufgaben")}


@pytest.mark.parametrize("language", ["en", "de"])
def test_home_and_the_instructions_work_offline(
    site: Site, new_context: NewContext, watch: Watch, language: str
) -> None:
    watch.allow(UNREACHED)
    examples, home, tasks = WORDS[language]
    page = new_context(locale=language).new_page()
    page.add_init_script(SEEN)
    site.open("link", items=1)
    page.goto(site.worker_link("link"))
    page.locator("svg[data-phase=ready]").wait_for()
    wait_for(page, lambda: page.evaluate(FETCHED))
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("heading", name=examples).wait_for()
    pictures = dialog.evaluate(SHOWN)
    assert pictures and all(page.evaluate(LOADS, pictures))
    page.keyboard.press("Escape")
    page.get_by_role("link", name=home).click()
    expect(page.get_by_role("heading", level=1, name=tasks)).to_be_visible()
    expect(page).to_have_title(f"{tasks} · Groundcrew")


@pytest.mark.parametrize("device", [DESK, PHONE], ids=["desk", "phone"])
def test_the_menu_leads_to_the_other_pages(
    site: Site, new_context: NewContext, device: Mapping[str, Any]
) -> None:
    """The menu closes as it is left. That comes when its page is gone already."""
    page = new_context(**device).new_page()
    page.add_init_script(SEEN)
    site.open("link", items=1)
    for link, heading in (("Your account", "Your account"), ("All tasks", "Tasks")):
        page.goto(site.worker_link("link"))
        page.locator("svg[data-phase=ready]").wait_for()
        page.get_by_label("More").click()
        page.locator("details[open]").get_by_role("link", name=link).click()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()


@pytest.mark.parametrize("language", ["es", "en"])
def test_nothing_of_the_workers_own_page_is_cut_on_a_phone(
    site: Site, new_context: NewContext, language: str
) -> None:
    """Spanish has the longest words in the table. Text of twice its size has the widest fields."""
    viewport = {"width": 360, "height": 740}
    page = new_context(locale=language, viewport=viewport, has_touch=True, is_mobile=True).new_page()
    site.open("link", items=1)
    page.goto(site.worker_link())
    page.get_by_role("main").wait_for()
    page.goto(f"{site.url}/work/me/")
    page.locator("tfoot").wait_for()
    assert page.evaluate(CUT) == []
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(CUT) == []


def test_the_list_of_tasks_names_no_key_on_a_touch_screen(site: Site, new_context: NewContext) -> None:
    page = new_context(**TABLET).new_page()
    site.open("link", items=1)
    page.goto(site.worker_link())
    page.get_by_text("Work is waiting").wait_for()
    expect(page.locator("kbd:visible")).to_have_count(0)
