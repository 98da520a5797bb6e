"""A researcher edits and previews the instructions of a stage. Workers see them, and pages keep which."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import Image, InstructionsVersion
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext
from tests.e2e.keeping import at_overview
from tests.e2e.researcher import log_in
from tests.e2e.site import Site
from tests.e2e.working import begin, question
from tests.factories import NOW
from workflows.instructions.domain import parse_content
from workflows.instructions.versions import save_instructions

TEXT = "Look at the wings.\n\n- Both wings\n- <b>And</b> the tail"


def _drag(page: Page, cut: Locator, edges: tuple[float, float, float, float]) -> None:
    """Drag from corner to corner; the edges are shares of the photograph."""
    photograph = cut.locator("img")
    photograph.scroll_into_view_if_needed()
    shown = photograph.bounding_box()
    assert shown
    xs = [shown["x"] + edge * shown["width"] for edge in edges[::2]]
    ys = [shown["y"] + edge * shown["height"] for edge in edges[1::2]]
    page.mouse.move(xs[0], ys[0])
    page.mouse.down()
    page.mouse.move((xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2, steps=3)
    page.mouse.move(xs[1], ys[1])
    page.mouse.up()


@pytest.mark.journey
def test_what_a_researcher_writes_is_what_workers_read(
    site: Site, page: Page, new_context: NewContext
) -> None:
    site.open("quality", items=1)
    page.set_viewport_size({"width": 1280, "height": 1000})
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/instructions/")
    expect(page.get_by_role("cell", name="built in")).to_have_count(6)
    check_accessible(page)
    page.get_by_role("link", name="Box quality", exact=True).click()
    page.get_by_role("button", name="Begin with the built-in text").first.click()
    expect(page.get_by_label("English", exact=True)).to_have_value(re.compile("^Somebody drew a new box"))
    page.get_by_label("English", exact=True).fill(TEXT)
    page.get_by_role("button", name="Add an example").click()
    cut = page.get_by_role("dialog")
    check_accessible(page)
    cut.get_by_role("listitem").first.get_by_role("button").click()
    cut.locator("svg[data-phase=ready]").wait_for()
    _drag(page, cut, (0.1, 0.1, 0.8, 0.9))
    cut.get_by_role("button", name="Box", exact=True).click()
    cut.locator("svg[data-phase=ready]").wait_for()
    _drag(page, cut, (0.2, 0.2, 0.5, 0.6))
    check_accessible(page)
    cut.get_by_role("button", name="Use this").click()
    page.get_by_label("Bad").check()
    page.get_by_label("Marked words").fill("a bird, its wing")
    page.get_by_label("Why, in English").fill("A wing is outside.")
    check_accessible(page)

    with page.expect_popup() as popup:
        page.get_by_role("button", name="Preview as a worker").click()
    preview = popup.value
    read = preview.get_by_role("dialog")
    expect(read.get_by_text("Look at the wings.")).to_be_visible()
    expect(read.get_by_role("listitem").filter(has_text="<b>And</b> the tail")).to_be_visible()
    expect(read.get_by_text("A wing is outside.")).to_be_visible()
    check_accessible(preview)
    begin(preview)
    question(preview, 1, 1)  # about the project's own photograph
    expect(preview.get_by_text("Preview of what is not saved yet.")).to_be_visible()
    preview.get_by_role("button", name="Deutsch").click()
    check_accessible(preview)
    preview.close()

    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Version 1 is saved.")).to_be_visible()
    first = InstructionsVersion.objects.get()
    (example,) = first.content["examples"]
    image = Image.objects.get(pk=example["image"])
    left, top, right, bottom = (
        edge / (size or 1)
        for edge, size in zip(example["view"], [image.width, image.height] * 2, strict=True)
    )
    assert (left, top, right, bottom) == pytest.approx((0.1, 0.1, 0.8, 0.9), abs=0.02)

    worker = new_context().new_page()
    worker.goto(site.worker_link("quality"))
    expect(worker.get_by_role("dialog").get_by_text("Look at the wings.")).to_be_visible()
    expect(worker.get_by_role("dialog").get_by_text("a bird", exact=True)).to_be_visible()
    check_accessible(worker)
    begin(worker)
    _answer(worker)
    (done,) = site.assignments("quality")
    assert done.instructions_id == first.pk
    # The worker tries the stage out: the instructions are the project's, and the scenes are ours.
    worker.goto(f"{site.url}/work/preview/quality/")
    question(worker, 1, 4)
    worker.keyboard.press("?")
    expect(worker.get_by_role("dialog").get_by_text("Look at the wings.")).to_be_visible()
    expect(worker.get_by_role("dialog").get_by_text("A wing is outside.")).to_be_visible()
    worker.goto(site.worker_link("quality"))

    # While the worker is at work, the researcher goes on.
    save_instructions(
        project_id=site.project.pk,
        stage="quality",
        content=parse_content({"texts": {"en": "Look at the beak."}}, "quality"),
        based_on=1,
        by="rita",
        now=NOW,
    )
    site.open("quality", items=1)
    worker.reload()
    changed = worker.get_by_role("dialog")
    expect(changed.get_by_text("These instructions have changed")).to_be_visible()
    expect(changed.get_by_text("Look at the beak.")).to_be_visible()
    check_accessible(worker)
    begin(worker)
    question(worker, 1, 1)
    worker.reload()
    question(worker, 1, 1)
    expect(worker.get_by_role("dialog")).to_have_count(0)
    page.goto(f"{site.url}/admin/review/worker/{site.worker().pk}/judgments/")
    expect(page.get_by_text("instructions: version 1")).to_be_visible()


def _answer(worker: Page) -> None:
    question(worker, 1, 1)
    worker.keyboard.press("y")
    at_overview(worker)
    worker.keyboard.press("Enter")
    expect(worker.get_by_role("heading", name="Page done")).to_be_visible()
