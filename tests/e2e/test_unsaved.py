"""Whoever leaves a form of which something is not saved is asked."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.models import Chain, ImageWork, VerificationQuestion
from tests.e2e.researcher import log_in
from tests.e2e.site import Site
from tests.factories import NOW, make_batch, make_image
from workflows.questions.make import promote_chains


def stays(page: Page, link: Locator) -> str:
    """Press what leads away, and stay when the browser asks. Return the kind of its question."""
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as caught:
        link.click(no_wait_after=True)
    return str(caught.value.type)


def test_settings_that_are_not_saved_are_not_lost_without_a_word(site: Site, page: Page) -> None:
    site.open("coverage", items=1)
    make_image(site.project, [["man"]])
    batch = make_batch(site.project, launch=False, name="next")
    address = site.url + reverse("batches:settings", args=[batch.pk])
    log_in(page, address)
    field = page.locator("form.batch [name=lease_seconds]")
    page.get_by_role("link", name="Back", exact=True).click()
    expect(page).not_to_have_url(address)
    page.goto(address)
    page.locator("form.batch details").evaluate_all("all => all.forEach((one) => (one.open = true))")
    field.fill("777")
    for name in ("Back", "Launch"):
        link = page.locator("form.batch").get_by_role("link", name=name, exact=True)
        assert stays(page, link) == "beforeunload"
        expect(page).to_have_url(address)
    expect(field).to_have_value("777")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Changed:")).to_be_visible()


def test_marks_in_the_gallery_are_not_lost_without_a_word(site: Site, page: Page) -> None:
    site.open("coverage", items=1)
    chain = Chain.objects.order_by("pk")[0]
    Chain.objects.filter(work=chain.work).update(state="done")
    ImageWork.objects.filter(pk=chain.work_id).update(state="done")
    promote_chains(chain_ids=[chain.pk], by="ada", now=NOW)
    number = VerificationQuestion.objects.filter(state="proposed").count()
    address = f"{site.url}/admin/review/projects/{site.project.pk}/proposed-questions/"
    log_in(page, address)
    page.get_by_role("radio", name="Approve").first.check()
    assert stays(page, page.locator("form.filter").get_by_role("button", name="Show")) == "beforeunload"
    expect(page.get_by_role("radio", name="Approve").first).to_be_checked()
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.get_by_role("radio", name="Approve")).to_have_count(number - 1)
