"""Whoever leaves a form of which something is not saved is asked."""

from __future__ import annotations

from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from annotation.models import Chain, ImageWork, VerificationQuestion
from tests.e2e.researcher import log_in
from tests.e2e.site import Site
from tests.factories import NOW, make_batch, make_image, make_worker
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


def test_a_note_is_not_lost_by_the_button_of_another_form(site: Site, page: Page) -> None:
    site.open("coverage", items=1)
    worker = make_worker(site.project)
    address = site.url + reverse("workers:worker", args=[worker.pk])
    log_in(page, address)
    note = page.get_by_label("A note for colleagues")
    note.fill("Draws loose boxes of trees")
    assert stays(page, page.get_by_role("button", name="Block", exact=True)) == "beforeunload"
    expect(note).to_have_value("Draws loose boxes of trees")
    worker.refresh_from_db()
    assert not worker.blocked
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("listitem").filter(has_text="Draws loose boxes of trees")).to_be_visible()
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("blocked", exact=True)).to_be_visible()


def test_the_name_of_a_new_batch_outlives_every_other_choice(site: Site, page: Page) -> None:
    site.open("coverage", items=1)
    make_image(site.project, [["man"]])
    address = site.url + reverse("batches:new", args=[site.project.pk])
    log_in(page, address)
    name = page.locator("form.batch [name=name]")
    name.fill("dogs-of-spring")
    for card in ("Paid crowd", "All boxes at once", "A few people I know"):
        page.get_by_role("link", name=card).click()
        expect(page.get_by_role("link", name=card)).to_have_attribute("aria-current", "true")
        expect(name).to_have_value("dogs-of-spring")
    # The server shows what was typed, and has not kept it.
    assert (
        stays(page, page.locator("form.batch").get_by_role("link", name="Back", exact=True)) == "beforeunload"
    )
    assert stays(page, page.get_by_role("button", name="Annotate", exact=True)) == "beforeunload"
    page.get_by_role("button", name="Make the draft").click()
    expect(page.get_by_text("Batch dogs-of-spring is a draft")).to_be_visible()
