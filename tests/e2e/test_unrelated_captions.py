"""A worker says that a caption is about another photograph, by keys on a desk and by touch on a phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Case
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, PHONE
from tests.e2e.keeping import at_overview
from tests.e2e.site import Site
from tests.e2e.working import begin, question

pytestmark = pytest.mark.django_db


def _by_keys(page: Page) -> None:
    page.keyboard.press("o")
    expect(page.get_by_role("checkbox").first).to_be_focused()  # its code is fetched after the first question
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Escape")


def _by_touch(page: Page) -> None:
    page.get_by_role("button", name="Caption of another photograph").tap()
    page.get_by_role("checkbox").nth(1).tap()


@pytest.mark.parametrize(("device", "say"), [(DESK, _by_keys), (PHONE, _by_touch)])
def test_of_two_captions_the_second(
    site: Site, new_context: NewContext, device: Mapping[str, Any], say: Any
) -> None:
    site.open("link", items=1)
    page = new_context(**device).new_page()
    page.goto(site.worker_link("link"))
    begin(page)
    question(page, 1, 1)
    say(page)
    expect(page.get_by_role("checkbox").nth(1)).to_be_checked()
    check_accessible(page)
    page.reload()
    question(page, 1, 1)
    expect(page.get_by_role("checkbox").nth(1)).to_be_checked()
    page.keyboard.press("n")
    at_overview(page)
    expect(page.get_by_text("caption of another photograph")).to_be_visible()
    page.get_by_role("button", name="Send this page").click()
    expect(page.get_by_role("heading", name="Page done")).to_be_visible()
    [case] = Case.objects.filter(reason="unrelated")
    assert case.caption is not None and [one.unrelated for one in site.judgments("link")] == [
        [case.caption.index]
    ]
