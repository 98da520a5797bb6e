"""Workers of crowd platforms do their pages in a frame of another origin, and the platform is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, Route, expect

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Judgment, QualificationTry, Worker
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext, StartSite
from tests.e2e.examining import ask_for_a_test
from tests.e2e.platform import platform
from tests.e2e.site import Site, wait_for
from tests.e2e.turking import ICON, accept, frame_of, mturk, open_hit, publish, statuses
from tests.e2e.watch import Watch
from tests.e2e.working import begin, press_answers, question
from tests.workflows.crowd_made import make_publication
from workflows.crowd.participations.held_answers import confirm_pages
from workflows.platforms.prolific.completion_codes import completion_code
from workflows.workers.models import Participation

WIDE = {"width": 1280, "height": 1000}
REPORT = "**/mturk/externalSubmit"
NO_WORK = "This task is closed for you"
SUBMITTED = (["Submitted"], ["Approved"])
"""The site's own rounds may have paid it by now."""
RETURN = "Please return this task on the platform"


@pytest.fixture(scope="module")
def turk() -> Iterator[Handle]:
    with emulator(seed=1) as turk:
        yield turk


@pytest.fixture
def turk_site(shared_site: StartSite, turk: Handle) -> Site:
    return shared_site(**mturk(turk))


@pytest.fixture(autouse=True)
def no_icon(watch: Watch) -> None:
    watch.allow(ICON)


@pytest.mark.journey
def test_preview_accept_work_and_submit(turk_site: Site, turk: Handle, new_context: NewContext) -> None:
    site = turk_site
    publication = publish(site, turk, "link")
    page = new_context(viewport=WIDE).new_page()
    frame = open_hit(page, turk, publication, "A1")
    frame.get_by_text("Accept the task to begin").wait_for()
    assert not Participation.objects.exists() and not Worker.objects.filter(provider="mturk").exists()

    frame = accept(page)
    begin(frame)
    question(frame, 1, 4)
    expect(frame.locator('a[href^="work/"]:visible')).to_have_count(0)
    held = Assignment.objects.get()
    right = [site.right_answer(item) for item in held.items]
    before: list[int] = []

    def tell(route: Route) -> None:
        """From now on, let the platform tell who took the place. The site's own rounds may ask it, too."""
        before.append(Judgment.objects.count())
        route.continue_()

    page.route(REPORT, tell)
    press_answers(page, frame, ["y" if answer["same"] else "n" for answer in right])
    with page.expect_request(REPORT) as told:
        page.keyboard.press("Enter")
    frame.get_by_text("Your work was submitted").wait_for()
    assert statuses(turk, publication) in SUBMITTED
    fields = parse_qs(told.value.post_data or "")
    assert fields == {"assignmentId": [held.key], "page": [publication.token]}
    assert urlsplit(told.value.url)._replace(path="").geturl() == turk.url
    assert page.context.cookies() == []

    participation = Participation.objects.get()
    assert (participation.worker.external_id, participation.assignment_id) == ("A1", held.pk)
    assert before == [0], "nobody had confirmed the worker"
    assert confirm_pages(participation_id=participation.pk, now=timezone.now())
    answers = dict(Judgment.objects.values_list("item", "answer"))
    assert [answers[item] for item in held.items] == right


def test_a_place_of_two_pages_is_done_in_one_frame_and_told_once(
    turk_site: Site, turk: Handle, new_context: NewContext
) -> None:
    publication = publish(turk_site, turk, "link", pages=2, items_a_page={"link": 2})
    page = new_context(viewport=WIDE).new_page()
    open_hit(page, turk, publication, "A1")
    frame = accept(page)
    told: list[str] = []
    page.on("request", lambda request: told.append(request.url) if "externalSubmit" in request.url else None)
    begin(frame)
    for done in (1, 2):
        assert not told, "the platform is told after the last page"
        press_answers(page, frame, ["y"] * 2)
        page.keyboard.press("Enter")
        wait_for(page, lambda done=done: Assignment.objects.exclude(receipt=None).count() == done)  # type: ignore[misc]
    frame.get_by_text("Your work was submitted").wait_for()
    assert len(told) == 1 and statuses(turk, publication) in SUBMITTED
    assert Participation.objects.get().page_number == 2


def test_a_place_without_work_for_its_second_page_is_handed_in(
    turk_site: Site, turk: Handle, new_context: NewContext
) -> None:
    publication = publish(turk_site, turk, "link", pages=2)
    page = new_context(viewport=WIDE).new_page()
    open_hit(page, turk, publication, "A1")
    frame = accept(page)
    begin(frame)
    question(frame, 1, 4)
    held = Assignment.objects.get()
    publication.batch.items.exclude(pk__in=held.items).update(state="done")
    press_answers(page, frame, ["y"] * 4)
    page.keyboard.press("Enter")
    frame.get_by_text("Your work was submitted").wait_for()
    assert statuses(turk, publication) in SUBMITTED and Assignment.objects.count() == 1
    assert Participation.objects.get().ended_early


@pytest.mark.full_chromium
def test_the_platform_is_told_after_a_reload_where_nothing_can_be_stored(
    turk_site: Site,
    turk: Handle,
    storing_nothing: BrowserContext,
    watch: Watch,
) -> None:
    """psiTurk #390: work was submitted here, but not on the platform."""
    watch.allow("ERR_FAILED", "chrome-error")
    site = turk_site
    publication = publish(site, turk, "link")
    page = storing_nothing.new_page()
    page.set_viewport_size(WIDE)  # type: ignore[arg-type]
    open_hit(page, turk, publication, "A1")
    frame = accept(page)

    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.abort()

    page.route(REPORT, lose)
    begin(frame)
    press_answers(page, frame, ["y"] * 4)
    page.keyboard.press("Enter")
    wait_for(page, lambda: lost)
    assert (
        statuses(turk, publication) == ["Pending"]
        and Assignment.objects.filter(held__isnull=False).count() == 1
    )
    page.unroute(REPORT)
    page.reload()
    frame_of(page).get_by_text("Your work was submitted").wait_for()
    assert statuses(turk, publication) in SUBMITTED
    assert Assignment.objects.count() == 1


def test_other_addresses_and_tasks_without_work_are_said_plainly(
    turk_site: Site, turk: Handle, page: Page, watch: Watch
) -> None:
    watch.allow("status of 400", "status of 404")
    site = turk_site
    publication = publish(site, turk, "link", places=9)
    ours = f"{site.url}/work/crowd/link/{publication.token}/"
    came = f"{ours}?assignmentId=S1&hitId=H&workerId=A1&turkSubmitTo="

    page.goto(f"{came}https%3A%2F%2Fevil.example.org")
    expect(page.get_by_role("heading", name=RETURN)).to_be_visible()
    expect(page.get_by_text("This page is not at the address that the platform gives")).to_be_visible()
    assert not Participation.objects.exists()

    page.goto(ours.replace(publication.token, "ffff") + "?assignmentId=S1&workerId=A1")
    expect(page.get_by_text("It has ended here")).to_be_visible()
    page.goto(ours)
    expect(page.get_by_role("heading", name="Open this task on its platform")).to_be_visible()
    check_accessible(page)

    page.goto(came + turk.url)
    begin(page)
    page.goto(came.replace("S1", "S2").replace("A1", "A2") + turk.url)
    expect(page.get_by_text("There is no page for you in it now")).to_be_visible()
    check_accessible(page)
    expect(page.locator('a[href^="work/"]:visible')).to_have_count(0)


def test_a_test_comes_first_and_who_may_not_work_returns_the_task(
    turk_site: Site, turk: Handle, page: Page, watch: Watch
) -> None:
    watch.allow("status of 403")
    site = turk_site
    ask_for_a_test(site, Stage.LINK)
    publication = make_publication(Batch.objects.get(), "link", places=9)
    came = (
        f"{site.url}/work/crowd/link/{publication.token}/?assignmentId=S1&hitId=H&workerId=A1&turkSubmitTo="
    )
    refused = "If you cannot or do not want to go on here, return the task on the platform."
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))

    page.goto(came + turk.url)
    expect(page.get_by_role("heading", name="A short test first")).to_be_visible()
    expect(page.get_by_text(refused)).to_be_visible()
    check_accessible(page)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_label("Practice question 1 of 2", exact=True).first).to_be_visible()
    assert QualificationTry.objects.get().worker.external_id == "A1"
    page.reload()
    expect(page.get_by_label("Practice question 1 of 2", exact=True).first).to_be_visible()
    # Even with the strip above it. Otherwise the tools would be below the frame's edge, out of sight.
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    Worker.objects.filter(external_id="A1").update(blocked=True)
    page.reload()
    expect(page.get_by_text(refused)).to_be_visible()
    expect(page.get_by_role("heading", name=NO_WORK)).to_be_visible()
    expect(page.locator('a[href^="work/"]:visible')).to_have_count(0)
    assert not {"/api/v1/me", "/api/v1/token"} & set(asked)


@pytest.mark.journey
def test_a_participant_goes_back_by_the_completion_link(
    shared_site: StartSite, page: Page, watch: Watch
) -> None:
    watch.hosts.add("localhost")
    with platform() as prolific:
        site = shared_site(
            GROUNDCREW_PROLIFIC_TOKEN="t",
            GROUNDCREW_PROLIFIC_ENDPOINT=prolific.origin,
            GROUNDCREW_PROLIFIC_SITE=prolific.origin,
        )
        prolific.framed = "about:blank"
        batch = site.open("link", items=4)["link"]
        publication = make_publication(batch, "link", provider="prolific")
        page.goto(
            f"{site.url}/work/crowd/link/{publication.token}/?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1"
        )
        begin(page)
        press_answers(page, page, ["y"] * 4)
        page.keyboard.press("Enter")
        page.wait_for_url(re.compile("/submissions/complete"))
        assert parse_qs(urlsplit(page.url).query)["cc"] == [completion_code(publication.token)]
        assert Participation.objects.get().worker.provider == "prolific"
