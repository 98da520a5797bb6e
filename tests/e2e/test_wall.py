"""A researcher scrolls through all boxes of a project, opens one and uses some, in a browser."""

from __future__ import annotations

import re

from django.core.files.base import ContentFile
from playwright.sync_api import Page, expect

from annotation.models import Batch
from console.boxes.wall import SHOWN
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.e2e.axe import check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST, SECOND, SIZE, picture
from tests.e2e.site import Site
from tests.factories import make_image

IMAGES = SHOWN + 20
DOGS = 5
CROPS = "#wall > li"


def _draw_boxes(site: Site) -> None:
    """Make images with a man and a dog. Each has a box around the man, the last ones also around the dog."""
    batch = Batch.objects.create(project=site.project, name="wall", state="running")
    shown = picture(SIZE, [FIRST, SECOND])
    for place in range(IMAGES):
        image = make_image(site.project, [["man", "dog"]], name=f"wall-{place:03}.jpg")
        image.file.storage.save(image.file.name, ContentFile(shown))
        dog = [SECOND] if place >= IMAGES - DOGS else []
        annotate(image, [Made((0,), [FIRST]), Made((1,), dog)], batch=batch)


def test_all_boxes_are_seen_by_scrolling_and_some_are_used(site: Site, page: Page) -> None:
    _draw_boxes(site)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/boxes/")
    check_accessible(page)
    told = page.locator("#wall-told")
    boxes = IMAGES + DOGS
    # The rest comes as the end comes near, each box once.
    page.locator(CROPS).last.scroll_into_view_if_needed()
    expect(page.locator(CROPS)).to_have_count(boxes)
    expect(told).to_have_text(f"These are all: {boxes} boxes.")
    expect(page.get_by_role("link", name="More")).to_have_count(0)
    links = page.locator(f"{CROPS} > a").evaluate_all("links => links.map((link) => link.href)")
    assert len(set(links)) == boxes

    # A word of the phrase finds those of the last images.
    page.get_by_label("Phrase").fill("dog")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(CROPS)).to_have_count(DOGS)
    # A crop opens its image at the chain of the box.
    page.locator(CROPS).first.get_by_role("link").click()
    expect(page).to_have_url(re.compile("#chain-B$"))
    expect(page.get_by_role("heading", name=f"wall-{IMAGES - DOGS:03}.jpg")).to_be_visible()
    page.go_back()

    # Boxes choose their images.
    for place in (0, 2):
        page.locator(CROPS).nth(place).get_by_role("checkbox").check()
    page.get_by_role("button", name="Use selected images").click()
    expect(page.get_by_role("heading", name="2 selected images")).to_be_visible()
    check_accessible(page)
