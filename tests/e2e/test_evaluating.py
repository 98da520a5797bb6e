"""A researcher measures a data set in a browser: a spot check by keys, and an evaluation of a version."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect

from annotation.models import Chain, Image
from tests.annotation.exporting.annotated_projects import Made, annotate, make_batch
from tests.e2e.axe import COLOURS, check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import FIRST
from tests.e2e.site import Site
from tests.factories import make_image
from workflows.review.models import SpotCheckVerdict


def _finished(site: Site) -> Image:
    """Make a finished image of two chains, one of which has a box."""
    image = make_image(site.project, [["man", "dog"], ["man"]], name="finished.jpg", picture=False)
    chains = [Made([0, 2], [FIRST]), Made([1], (), "nonvisual", "nobndbox")]
    annotate(image, chains, batch=make_batch(site.project, "finished"))
    return image


def _check_themes(page: Page) -> None:
    check_accessible(page)
    light = page.screenshot()
    page.emulate_media(color_scheme="dark")
    page.reload()  # the console chooses its colours as a page loads
    assert page.screenshot() != light
    check_accessible(page, rules=COLOURS)
    page.emulate_media(color_scheme="light")
    page.reload()


def _press(page: Page, key: str) -> None:
    """Press a key once the page's script has shown the keys that it takes."""
    expect(page.get_by_text("Keys: J next")).to_be_visible()
    page.keyboard.press(key)


def test_a_spot_check_is_drawn_and_judged_by_keys(site: Site, page: Page) -> None:
    _finished(site)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/statistics/")
    page.get_by_role("link", name="Spot checks").click()
    _check_themes(page)
    page.get_by_label("Mentions").fill("0")
    page.get_by_role("button", name="Draw and begin").click()
    expect(page.get_by_text("Chain 1 of 3")).to_be_visible()
    _check_themes(page)
    _press(page, "r")
    expect(page.get_by_text("Chain 2 of 3")).to_be_visible()
    page.get_by_label("Note").fill("the other r is missing")  # a key that is typed is no verdict
    page.get_by_role("button", name="A mention of the same is missing").click()
    expect(page.get_by_text("Box 3 of 3")).to_be_visible()
    _press(page, "k")
    expect(page.get_by_text("the other r is missing")).to_be_visible()
    _press(page, "j")
    expect(page.get_by_text("Box 3 of 3")).to_be_visible()
    _press(page, "l")
    expect(page.get_by_text("Everything in this spot check has a verdict.")).to_be_visible()
    expect(page.get_by_role("row", name="Boxes")).to_contain_text("1 of 1 (100.0%)")
    _check_themes(page)
    said = SpotCheckVerdict.objects.order_by("place").values_list("right", "reason")
    assert list(said) == [(True, ""), (False, "missing"), (False, "loose")]


def test_a_version_is_evaluated_and_its_report_opened(site: Site, page: Page, tmp_path: Any) -> None:
    image = _finished(site)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/exports/")
    page.get_by_label("Format").select_option("jsonl")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("link", name="Version 1").click()
    page.get_by_role("link", name="Evaluate").click()
    _check_themes(page)
    man = {"image": image.name, "caption": 0, "start": 0, "end": 2, "boxes": [list(FIRST)]}
    file = tmp_path / "model.jsonl"
    file.write_text(json.dumps(man) + "\n")
    page.get_by_label("Predictions").set_input_files(file)
    page.get_by_role("button", name="Measure predictions").click()
    page.get_by_role("link", name="Open the report").click()
    expect(page.get_by_role("heading", name="Phrase localization")).to_be_visible()
    expect(page.get_by_role("row", name="model").first).to_contain_text("50.00%")
    _check_themes(page)
    page.go_back()
    page.get_by_role("link", name="All reports on version 1").click()
    expect(page.get_by_role("row", name="model.jsonl")).to_contain_text("R@1 50.00%")
    _check_themes(page)
    assert Chain.objects.filter(work__image=image).count() == 2
