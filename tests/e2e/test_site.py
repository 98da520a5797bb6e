"""What the other browser tests rest on: the work that is opened, and that no fault stays unseen."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page

from annotation.domain.answers import Stage
from annotation.image_names import link_to
from annotation.models import Image
from tests.e2e.axe import check_accessible
from tests.e2e.scenes import SCENES
from tests.e2e.site import Site, wait_for
from tests.e2e.watch import Watch
from tests.factories import NOW, claim_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.paper import ITEMS_PER_PAGE


@pytest.mark.journey
def test_every_stage_has_work_whose_answers_are_known(site: Site) -> None:
    site.open(items=6)
    for stage in Stage:
        page = claim_page(site.worker(), stage=stage)
        right = site.right_answers(stage)
        assert len(right) == min(6, ITEMS_PER_PAGE[stage])
        assert all(scene.answer in right for scene in SCENES[stage])
        replies = [Reply(place, answer) for place, answer in enumerate(right, start=1)]
        submit(worker_id=page.worker_id, assignment_id=page.pk, replies=replies, now=NOW)
        assert [judgment.answer for judgment in site.judgments(stage)] == right


def test_items_have_their_pictures(site: Site, page: Page) -> None:
    site.open("drawing", items=1)
    (image,) = Image.objects.filter(pk__in=site.scenes)
    name = str(image.file)
    reply = page.request.get(f"{site.url}/media/{link_to(name, worker_id=1, now=timezone.now())}")
    assert reply.status == 200 and reply.headers["content-type"] == "image/jpeg"
    assert page.request.get(f"{site.url}/media/{name}").status == 404


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("console.error('no boxes')", "console: no boxes"),
        ("setTimeout(() => { throw new Error('lost') })", "uncaught: Error: lost"),
        ("Promise.reject(new Error('unhandled')) && 0", "uncaught: Error: unhandled"),
        ("fetch('https://example.org/x').catch(() => 0)", "request: https://example.org/x"),
        ("void document.body.append(Object.assign(new Image(), {src: 'http://192.0.2.1/i'}))", "192.0.2.1"),
    ],
)
def test_what_goes_wrong_on_a_page_fails_the_test(
    site: Site, page: Page, watch: Watch, script: str, expected: str
) -> None:
    page.goto(f"{site.url}/healthz")
    page.evaluate(script)
    wait_for(page, lambda: any(expected in trouble for trouble in watch.troubles))
    with pytest.raises(AssertionError, match="The page is not well") as failed:
        watch.check()
    assert expected in str(failed.value)
    watch.allow(".")
    watch.check()


def test_axe_tells_what_it_found(site: Site, page: Page, watch: Watch) -> None:
    watch.allow("favicon.ico")  # what the browser asks for if a page names no icon
    page.goto(f"{site.url}/healthz")
    page.evaluate("void (document.body.innerHTML = '<img src=\"/healthz\"><p id=fine>fine</p>')")
    check_accessible(page, "#fine")
    with pytest.raises(AssertionError, match=r"critical: Images must have alternative text \(image-alt\)"):
        check_accessible(page)
