"""Photographs that are missing or damaged do not hold a page up: one answer says so, by whatever hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Abstention, Image
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.devices import DESK, LARGE_DESK, LARGE_TABLET, PHONE, TABLET
from tests.e2e.keeping import UNREACHED, at_overview
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.e2e.working import UNREAD_MS, begin, question
from tests.selection import and_nightly

pytestmark = pytest.mark.django_db

UNUSABLE = "Photograph unusable"


def by_mouse(page: Page) -> None:
    page.get_by_role("button", name=UNUSABLE).click()


def by_touch(page: Page) -> None:
    page.get_by_role("button", name=UNUSABLE).tap()


def by_key(page: Page) -> None:
    page.wait_for_timeout(UNREAD_MS)
    page.keyboard.press("u")


HANDS = {"mouse": by_mouse, "touch": by_touch, "keys": by_key}


@pytest.mark.parametrize(
    ("hand", "device"),
    and_nightly(
        [("mouse", DESK), ("touch", PHONE), ("keys", DESK)],
        [("touch", TABLET), ("touch", LARGE_TABLET), ("mouse", LARGE_DESK)],
        "other sizes, the same answers",
    ),
)
def test_a_page_with_a_missing_and_a_damaged_photograph_is_sent_and_counted(
    site: Site, new_context: NewContext, watch: Watch, hand: str, device: Mapping[str, Any]
) -> None:
    watch.allow(UNREACHED)
    say = HANDS[hand]
    site.open("requirement", items=3, reward={"requirement": 9})
    link = site.worker_link("requirement")
    first_look = new_context(**device)
    claimed = first_look.new_page()
    claimed.goto(link)
    # The page is claimed by now. Which photograph is at which place is known from it.
    wait_for(claimed, lambda: site.assignments("requirement"))
    # Another browser opens it then: this one may have kept the photographs.
    first_look.close()
    [assignment] = site.assignments("requirement")
    files = dict(Image.objects.in_bulk(assignment.images).items())
    first, last = (files[assignment.images[place]].file for place in (0, 2))
    first.storage.delete(first.name)
    with open(last.path, "wb") as damaged:
        damaged.write(b"\xff\xd8\xff nothing")
    page = new_context(**device).new_page()
    page.goto(link)
    begin(page)
    expect(page.get_by_text("The photograph cannot be loaded.")).to_be_visible()
    expect(page.get_by_role("button", name="A box can be drawn")).to_be_disabled()
    check_accessible(page)
    page.keyboard.press("1")
    expect(page.get_by_label("Question 1 of 3", exact=True).and_(page.get_by_role("region"))).to_be_visible()
    say(page)
    shown = question(page, 2, 3)
    answer: Callable[[], None] = {
        "mouse": lambda: shown.get_by_role("button", name="A box can be drawn").click(),
        "touch": lambda: shown.get_by_role("button", name="A box can be drawn").tap(),
        "keys": lambda: page.keyboard.press("1"),
    }[hand]
    answer()
    expect(page.get_by_text("The photograph cannot be loaded.")).to_be_visible()
    say(page)
    at_overview(page)
    expect(page.get_by_text(UNUSABLE)).to_have_count(2)
    page.get_by_role("button", name="Send this page").click()
    expect(page.get_by_role("heading", name="Page done")).to_be_visible()
    assert [judgment.answer for judgment in site.judgments("requirement")] == [{"requirement": "box"}]
    said = Abstention.objects.order_by("pk").values_list("item_id", "kind", "broken")
    assert list(said) == [(assignment.items[place], "unusable", True) for place in (0, 2)]
    assignment.refresh_from_db()
    assert (assignment.state, assignment.reward) == ("submitted", 9)


def test_a_photograph_that_came_can_be_called_unusable_too(site: Site, page: Page, watch: Watch) -> None:
    site.open("drawing", items=1)
    page.goto(site.worker_link("drawing"))
    begin(page)
    question(page, 1, 1)
    page.keyboard.press("u")
    expect(page.get_by_text("Somebody else is asked")).to_be_visible()
    page.wait_for_timeout(2 * UNREAD_MS)
    page.keyboard.press("u")
    at_overview(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Page done")).to_be_visible()
    assert list(Abstention.objects.values_list("kind", "broken")) == [("unusable", False)]
