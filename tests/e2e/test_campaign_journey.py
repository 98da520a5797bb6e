"""A researcher has captions judged, and captions written, by the console alone."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from annotation.models import Batch, Image, Project
from tests.e2e.axe import COLOURS, check_accessible
from tests.e2e.researcher import log_in
from tests.e2e.scenes import picture
from tests.e2e.site import Site
from tests.factories import make_images
from tests.workflows.questions.test_make_caption_questions import described
from workflows.pipeline.models import JudgedPair


def _check_themes(page: Page) -> None:
    check_accessible(page)
    page.emulate_media(color_scheme="dark")
    page.reload()  # the console chooses its colours as a page loads
    check_accessible(page, rules=COLOURS)
    page.emulate_media(color_scheme="light")
    page.reload()


def give_pictures(project: Project) -> None:
    for image in Image.objects.filter(project=project):
        Path(image.file.path).parent.mkdir(parents=True, exist_ok=True)
        Path(image.file.path).write_bytes(picture())


def test_pairs_are_chosen_and_a_crowd_is_asked_about_them(site: Site, page: Page) -> None:
    described(40, site.project)
    give_pictures(site.project)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/batches/")
    page.get_by_role("link", name="Collect or judge captions").click()
    _check_themes(page)
    page.get_by_role("link", name="Choose pairs").click()
    _check_themes(page)
    page.get_by_label("Least Bleu").fill("0.5")
    page.get_by_role("button", name="Choose pairs").click()
    page.get_by_role("link", name="Open the report").click()
    expect(page.get_by_role("heading", name="Filter", exact=True)).to_be_visible()
    _check_themes(page)
    page.go_back()
    _check_themes(page)
    page.get_by_role("link", name="Judge these pairs").click()
    expect(page.get_by_label("What workers do")).to_have_value("relevance-crowd")
    page.get_by_label("Name of the batch").fill("crowd")
    page.keyboard.press("Enter")
    expect(page.get_by_text("are taken out of this draft")).to_be_visible()
    _check_themes(page)
    page.get_by_role("button", name="Make the questions").click()
    expect(page.get_by_text("verification questions made")).to_be_visible()
    page.get_by_role("button", name="Launch batch").click()
    page.wait_for_url(lambda url: "/launch/" not in url)
    batch = Batch.objects.get(project=site.project, name="crowd")
    assert batch.state == Batch.State.RUNNING
    assert JudgedPair.objects.filter(work__batch=batch).count() >= batch.works.count() > 0


def test_photographs_alone_lead_to_writers(site: Site, page: Page) -> None:
    make_images(site.project, [], 3)
    give_pictures(site.project)
    log_in(page, f"{site.url}/admin/projects/{site.project.pk}/")
    page.get_by_role("link", name="Have captions written").click()
    page.get_by_label("Name of the batch").fill("writing")
    page.get_by_role("button", name="Make the draft").click()
    _check_themes(page)
    page.get_by_role("button", name="Make the test").click()
    expect(page.get_by_text("24 verification questions made")).to_be_visible()
    page.get_by_role("button", name="Launch batch").click()
    page.wait_for_url(lambda url: "/launch/" not in url)
    assert Batch.objects.get(project=site.project).state == Batch.State.RUNNING
