"""A worker who cannot tell says so by whatever hand, sees how often they may, and the page is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Abstention
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, LARGE_DESK, LARGE_TABLET, PHONE, TABLET
from tests.e2e.keeping import at_overview
from tests.e2e.site import Site
from tests.e2e.working import begin, question
from tests.selection import and_nightly

pytestmark = pytest.mark.django_db

Say = Callable[[Page, Locator, str], object]


def by_mouse(page: Page, shown: Locator, key: str) -> None:
    _button(shown, key).click()


def by_touch(page: Page, shown: Locator, key: str) -> None:
    _button(shown, key).tap()


def by_key(page: Page, shown: Locator, key: str) -> None:
    page.keyboard.press(key)


def _button(shown: Locator, key: str) -> Locator:
    return shown.get_by_role("button", name="Cannot tell" if key == "0" else "Yes, all are here")


OTHERS = [(DESK, by_mouse), (TABLET, by_touch), (LARGE_TABLET, by_touch), (LARGE_DESK, by_mouse)]


@pytest.mark.parametrize(
    ("device", "say"),
    and_nightly([(DESK, by_key), (PHONE, by_touch)], OTHERS, "other sizes, the same button"),
)
def test_one_of_three_items_is_answered_so(
    site: Site, new_context: NewContext, device: Mapping[str, Any], say: Say
) -> None:
    site.open("coverage", items=3, unsure_share=0.3)
    page = new_context(**device).new_page()
    page.goto(site.worker_link("coverage"))
    begin(page)
    first = question(page, 1, 3)
    expect(_button(first, "0")).to_contain_text("Cannot tell (1 left on this page)")
    check_accessible(page)
    say(page, first, "0")
    second = question(page, 2, 3)
    expect(_button(second, "0")).to_be_disabled()
    expect(_button(second, "0")).to_contain_text("(0 left on this page)")
    say(page, second, "1")
    say(page, question(page, 3, 3), "1")
    at_overview(page)
    expect(page.get_by_text("Cannot tell", exact=True)).to_have_count(1)
    page.get_by_role("button", name="Send this page").click()
    expect(page.get_by_role("heading", name="Page done")).to_be_visible()
    [assignment] = site.assignments("coverage")
    said = Abstention.objects.get()
    assert (said.kind, said.item_id, said.question_id) == ("unsure", assignment.items[0], None)
    assert [one.answer for one in site.judgments("coverage")] == [{"complete": True}] * 2
