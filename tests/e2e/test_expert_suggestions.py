"""A model's boxes in expert mode: taken and moved by key, turned off, and left out if their code is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Caption, Decision, Image, Mention
from tests.e2e.axe import check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST, SECOND, SIZE, picture
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.suggesting_models import make_set


def _image(site: Site) -> Image:
    """Make an image of one phrase, for which a model suggests two boxes."""
    name = f"{site.project.name}/a.jpg"
    image = Image.objects.create(project=site.project, name="a.jpg", file=name, width=SIZE[0], height=SIZE[1])
    path = Path(image.file.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture(SIZE, (FIRST, SECOND)))
    caption = Caption.objects.create(image=image, index=0, text="A man waits .", tokens="A man waits .")
    Mention.objects.create(
        image=image, caption=caption, start=0, end=2, text="A man", head="man", types="people"
    )
    make_set(site.project, lambda mention: [[*FIRST, 0.9], [*SECOND, 0.4]])
    return image


def _opened(site: Site, page: Page) -> None:
    """Open the image, and take the chain of its phrase in hand."""
    log_in(page, f"{site.url}/admin/images/{_image(site).pk}/expert/")
    expect(page.locator("[data-expert] svg[data-phase=ready]")).to_be_visible()
    expect(page.locator("[data-at='0:0']")).to_be_focused()
    page.keyboard.press("Shift+A")
    page.locator("[data-at='0:0']").press("Enter")


def _saved(page: Page) -> Decision:
    page.keyboard.press("Control+Enter")
    wait_for(page, lambda: Decision.objects.filter(kind="annotate").exists())
    return Decision.objects.get(kind="annotate")


def test_a_suggestion_is_taken_and_moved_by_key(site: Site, page: Page) -> None:
    _opened(site, page)
    expect(page.locator("[data-suggestion]")).to_have_count(2)
    check_accessible(page)
    page.keyboard.press("g")
    expect(page.locator("[data-suggestion]")).to_have_count(0)
    page.keyboard.press("g")
    page.keyboard.press("2")
    expect(page.locator("[data-suggestion]")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Accept suggestion 1").click()
    expect(page.locator("[data-suggestion]")).to_have_count(0)
    # A reload brings back what is not saved, and from which suggestion it is.
    page.reload()
    expect(page.get_by_text("What you had not saved is here again.")).to_be_visible()
    left, top, right, bottom = SECOND
    decision = _saved(page)
    assert decision.content["suggestions"] == {
        "set": 1,
        "model": "detector/1",
        "boxes": [
            {"box": [left + 1, top, right + 1, bottom], "from": [*SECOND, 0.4]},
            {"box": list(FIRST), "from": [*FIRST, 0.9]},
        ],
    }


def test_known_answers_are_drawn_without(site: Site, page: Page) -> None:
    _opened(site, page)
    expect(page.locator("[data-suggestion]")).to_have_count(2)
    page.get_by_label("Gold").check()
    expect(page.locator("[data-suggestion]")).to_have_count(0)
    expect(page.get_by_text("No suggestions for known answers")).to_be_visible()


@pytest.mark.parametrize("lost", [True, False])
def test_if_their_code_cannot_be_loaded_the_decision_does_not_say_that_they_were_shown(
    site: Site, page: Page, watch: Watch, lost: bool
) -> None:
    watch.allow("net::ERR_FAILED .*suggestions-")
    if lost:
        page.route(re.compile("/static/pages/suggestions-"), lambda route: route.abort())
    _opened(site, page)
    expect(page.locator("[data-suggestion]")).to_have_count(0 if lost else 2)
    page.keyboard.press("n")
    assert ("suggestions" in _saved(page).content) is not lost
