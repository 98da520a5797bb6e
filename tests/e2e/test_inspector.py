"""A researcher looks at images in a browser: what lights up, what merging does, and the keys."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from playwright.sync_api import Page, expect

from annotation.domain.merge import MergeSettings
from annotation.models import Batch, Image
from console.inspector.domain.merge_diff import compare
from console.inspector.sources import choices, draft
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.e2e.axe import check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST, SECOND, SIZE, picture
from tests.e2e.site import Site
from tests.factories import make_image

NEAR = (FIRST[0] + 4, *FIRST[1:])
"""Its IoU with FIRST is 0.97."""


def _annotated(site: Site) -> list[Image]:
    """Make three images with two chains each.

    One chain has one box, and the other one has nearly the same box and another one.
    """
    batch = Batch.objects.create(project=site.project, name="inspected", state="running")
    made = []
    for place in range(3):
        image = make_image(site.project, [["man", "dog"], ["man"]], name=f"inspected-{place}.jpg")
        image.file.storage.save(image.file.name, ContentFile(picture(SIZE, [FIRST, SECOND])))
        annotate(image, [Made((0, 2), [FIRST]), Made((1,), [NEAR, SECOND])], batch=batch)
        made.append(image)
    return made


def _lit(page: Page, of: str) -> list[str]:
    found = page.locator(of).evaluate_all(
        "nodes => nodes.map(n => [n.dataset.chain ?? n.dataset.letters, n.classList.contains('lit')])"
    )
    return [letter for letter, lit in found if lit]


MENTIONS = ".captions a.mention"
RAW = "[data-photograph=raw] g.box"
MERGED = "[data-photograph=merged] g.box"


@pytest.mark.journey
def test_an_image_is_looked_at(site: Site, page: Page) -> None:
    first, second, third = _annotated(site)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/images/?phrase=a+dog")
    check_accessible(page)
    page.get_by_role("link", name=first.name).click()
    expect(page.locator(RAW)).to_have_count(3)

    # A mention lights up its chain and no other.
    page.locator(MENTIONS).filter(has_text="dog").hover()
    expect(page.locator(f"{RAW}.lit")).to_have_count(2)
    assert (_lit(page, MENTIONS), _lit(page, RAW)) == (["B"], ["B", "B"])
    # So does a box.
    shown = page.locator("[data-photograph=raw] img").bounding_box()
    assert shown
    scale = shown["width"] / SIZE[0]
    page.mouse.move(shown["x"] + (SECOND[0] + 20) * scale, shown["y"] + (SECOND[1] + 20) * scale)
    expect(page.locator(f"{MENTIONS}.lit")).to_have_count(1)
    # A click keeps the chain lit, also in the address, and fetches its history.
    page.locator(MENTIONS).first.click()
    page.mouse.move(0, 0)
    expect(page).to_have_url(f"{site.url}/admin/images/{first.pk}/?phrase=a+dog#chain-A")
    assert (_lit(page, MENTIONS), _lit(page, RAW)) == (["A", "A"], ["A"])
    expect(page.locator(".past ol.history > li")).to_have_count(2)
    check_accessible(page)

    # The merged view shows what merging does at an export, at any threshold.
    page.keyboard.press("m")
    slider = page.get_by_label("Boxes of IoU at least")
    found = draft(first.pk, choices(first.pk)[0])
    assert found
    for iou in (0.8, 0.99):
        slider.fill(str(iou))
        expected = compare(found.record, MergeSettings(iou=iou)).boxes
        expect(page.locator(MERGED)).to_have_count(len(expected))
        letters = page.locator(MERGED).evaluate_all("nodes => nodes.map(node => node.dataset.letters)")
        assert sorted(letters) == sorted(" ".join("AB"[n - 1] for n in box.chains) for box in expected)
    expect(page.get_by_text("Merging removes no box and no chain.")).to_be_visible()
    check_accessible(page)

    # Keys go on in the order of the search, and from chain to chain.
    page.keyboard.press("Escape")
    expect(page).to_have_url(f"{site.url}/admin/images/{first.pk}/?phrase=a+dog")
    page.get_by_role("heading", level=1).click()
    for key, image in (("j", second), ("ArrowRight", third), ("k", second)):
        page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(image.name)
        expect(page.locator(MERGED)).to_have_count(2)
    page.keyboard.press("p")
    expect(page).to_have_url(f"{site.url}/admin/images/{second.pk}/?phrase=a+dog#chain-B")
