"""A worker's way through all pages of which pictures are taken, on a site that demos have left behind."""

from __future__ import annotations

import json
import random
import re
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Locator, Page, Route

if TYPE_CHECKING:
    from annotation.models import Project
    from simulation.truth import Truth

STAGES = ("link", "verification", "requirement", "drawing", "quality", "coverage")
JOINT = ("boxes", "check")
"""The joint stages."""
FAST_PAGES = ("visit", "boxes")
"""Pages of the project that is annotated by `entities-fast`. A visit asks about one photograph at a time."""
PAGES = (
    *("sign-in", "join", "home", *STAGES, "instructions", "overview", "done", "me", "no-such-page"),
    *FAST_PAGES,
    *(f"preview-{stage}" for stage in (*STAGES, *JOINT)),
    *("tasks-with-tests", "test-begins", "practice", "practice-explained", "test-ready", "test"),
    *("test-overview", "test-result", "standing"),
)
"""In the order in which one leads to the next."""
SCROLLED = ("sign-in", "join", "home", "me", "tasks-with-tests", "standing")
"""Pages of words, which are longer than the window."""
DOGS = ((377, 332, 496, 420), (522, 346, 638, 434))
"""The dogs of the first question of `boxes` in the preview (frontend/src/sample), in pixels of 640 × 480."""
PROJECT, FAST = "demo-1-open", "demo-2-open"
TRIED = "quality"
"""The stage of the open project that begins with a test."""
TEST_QUESTIONS = 4
READ_MS = 300
"""Milliseconds between two keys. A page ignores keys until somebody can have read the question."""
# A picture that was fetched may not be drawn yet.
DRAWN = """() => {
  // A picture far down the page is only fetched when somebody scrolls to it, and nobody does.
  for (const image of document.images) image.loading = "eager";
  const all = Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
  const late = new Promise((_, fail) => setTimeout(fail, 60000, "pictures of the page do not come"));
  return Promise.race([all, late])
    .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}"""
"""Waits for the pictures of a page. Playwright itself would wait for ever."""
_numbers = count(1)


class Site:
    """What a worker needs on the site at `url`: links, an invitation, and right answers."""

    def __init__(self, url: str) -> None:
        self.url = url

    @cached_property
    def worker(self) -> str:
        """Return the name of a worker of the open project who has passed its test."""
        from annotation.models import QualificationTry

        passed = QualificationTry.objects.filter(worker__project__name=PROJECT, stage=TRIED, state="passed")
        return passed.order_by("pk").values_list("worker__external_id", flat=True)[0]

    @cached_property
    def _truth(self) -> Truth:
        from simulation.selectors import load_truth

        return load_truth(PROJECT)

    def link(self, worker: str, project_name: str = PROJECT) -> str:
        """Return the address that is sent to this worker."""
        from workflows.api.authentication import make_link_token
        from workflows.workers.enrolment import enrol_worker

        project = _project(project_name)
        return f"{self.url}/work/#token={make_link_token(enrol_worker(project=project, external_id=worker))}"

    def invitation(self) -> str:
        """Return the code of a new invitation to the project."""
        from django.utils import timezone

        from workflows.crowd.invitations.invite import invite

        now = timezone.now()
        (made,) = invite(project=_project(PROJECT), label="lab", by="rita", now=now, passcode="open sesame")
        return made.code

    def right_answers(self, worker: str, stage: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """Return each question of the page that this worker holds, and its right answer.

        The questions are as the API shows them.
        """
        from django.utils import timezone

        from annotation.models import Assignment
        from simulation.answers import answer
        from simulation.profiles import PERFECT
        from simulation.questions import read_question
        from workflows.assignments.page_view import shown_page

        held = Assignment.objects.get(
            worker__project__name=PROJECT, worker__external_id=worker, stage=stage, state="live"
        )
        questions = [item["question"] for item in shown_page(held, now=timezone.now())["items"]]
        rng, image_of = random.Random(0), self._truth.image_of
        return [
            (question, answer(stage, read_question(question, image_of), self._truth, PERFECT, rng))
            for question in questions
        ]


def _project(name: str) -> Project:
    from annotation.models import Project

    return Project.objects.get(name=name)


class Walk:
    """A worker's way through all pages, in the order of PAGES.

    The only page that is submitted is one of links. So every device shows the same work, except that the page
    of links is the next one.
    """

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.site = page, Site(url)
        self.tests = Tests(page, self.site, next(_numbers))

    def to(self, name: str) -> None:
        page, url = self.page, self.site.url
        if name == "sign-in":
            page.goto(f"{url}/work/")
        elif name == "join":
            page.goto(f"{url}/work/join/#{self.site.invitation()}")
            page.get_by_label("Your name or e-mail").wait_for()
        elif name == "home":
            page.goto("about:blank")  # otherwise only the part after # would change
            page.goto(self.site.link(self.site.worker))
            page.get_by_text("Work is waiting").first.wait_for()
        elif name in STAGES:
            page.goto(f"{url}/work/{name}/")
            _close_instructions(page)
            if name == "drawing":
                self._draw()
        elif name == "instructions":
            page.goto(f"{url}/work/drawing/")
            _question(page, 1).wait_for()
            page.keyboard.press("?")
            page.get_by_role("dialog").wait_for()
        elif name == "overview":
            page.goto(f"{url}/work/link/")
            self._answer_links()
        elif name == "done":
            # Without this, the next page would follow at once.
            page.route("**/submission", _send_the_last_page)
            page.keyboard.press("Enter")
            page.get_by_role("heading", name="Page done").wait_for()
        elif name == "me":
            page.goto(f"{url}/work/me/")
        elif name == "no-such-page":
            page.goto(f"{url}/work/nothing/")
        elif name in FAST_PAGES:
            if name == FAST_PAGES[0]:
                page.goto("about:blank")
                page.goto(self.site.link("ada", FAST))
                page.get_by_text("Work is waiting").first.wait_for()
            page.goto(f"{url}/work/{'link' if name == 'visit' else name}/")
            _close_instructions(page)
        elif not name.startswith("preview-"):
            self.tests.to(name)
        else:
            page.goto(f"{url}/work/preview/{name.removeprefix('preview-')}/")
            _question(page, 1).wait_for()
            if name == "preview-boxes":
                self._draw_dogs()
            elif name == "preview-check":
                page.wait_for_timeout(READ_MS)
                page.keyboard.press("2")
                page.keyboard.press("3")

    def _draw(self) -> None:
        """Draw the first box that is wanted, by the four points that it reaches to."""
        question, answer = self.site.right_answers(self.site.worker, "drawing")[0]
        if answer["box"] is None:
            return
        self.page.wait_for_load_state("networkidle")
        self.page.evaluate(DRAWN)
        shown = self.page.locator("img[src*='/media/']").first.bounding_box()
        assert shown
        scale = shown["width"] / question["image"]["width"]
        left, top, right, bottom = (scale * edge for edge in answer["box"])
        middle, centre = (left + right) / 2, (top + bottom) / 2
        for x, y in ((middle, top), (middle, bottom), (left, centre), (right, centre)):
            self.page.mouse.click(shown["x"] + x, shown["y"] + y)

    def _draw_dogs(self) -> None:
        """Drag a box round each dog of the preview."""
        page = self.page
        page.locator("svg[data-phase=ready]").wait_for()
        page.wait_for_timeout(READ_MS)
        drag = page.get_by_role("group", name="How to draw").get_by_role("button", name="Drag")
        if drag.get_attribute("aria-pressed") == "false":
            page.keyboard.press("m")
        shown = page.get_by_role("img", name="The photograph").bounding_box()
        assert shown
        scale = shown["width"] / 640
        for left, top, right, bottom in DOGS:
            page.mouse.move(shown["x"] + scale * left, shown["y"] + scale * top)
            page.mouse.down()
            page.mouse.move(shown["x"] + scale * right, shown["y"] + scale * bottom, steps=4)
            page.mouse.up()

    def _answer_links(self) -> None:
        for number, (_, answer) in enumerate(self.site.right_answers(self.site.worker, "link"), start=1):
            _question(self.page, number).wait_for()
            self.page.wait_for_timeout(READ_MS)
            self.page.keyboard.press("y" if answer["same"] else "n")
        self.page.get_by_role("heading", name="Your answers").wait_for()


class Tests:
    """The way of somebody new to a stage: practice, a test, and its result.

    Each device and theme has one.
    """

    def __init__(self, page: Page, site: Site, number: int) -> None:
        self.page, self.site, self.number = page, site, number

    def to(self, name: str) -> None:
        page = self.page
        match name:
            case "tasks-with-tests":
                page.goto("about:blank")
                page.goto(self.site.link(f"newcomer-{self.number}"))
                page.get_by_text("A test comes first").first.wait_for()
            case "test-begins":
                page.goto(f"{self.site.url}/work/{TRIED}/")
                page.get_by_role("heading", name="Examples").wait_for()
            case "practice":
                page.get_by_role("button", name="Start").click()
                page.locator("svg[data-phase=ready]").wait_for()
            case "practice-explained":
                self._answer()
                page.get_by_role("button", name="On to the test").wait_for()
            case "test-ready":
                page.get_by_role("button", name="On to the test").click()
                page.get_by_role("heading", name="Now the test").wait_for()
            case "test":
                page.get_by_role("button", name="Begin the test").click()
                _question(page, 1).wait_for()
            case "test-overview":
                for number in range(1, TEST_QUESTIONS + 1):
                    _question(page, number).wait_for()
                    self._answer()
                page.get_by_role("heading", name="Your answers").wait_for()
            case "test-result":
                page.get_by_role("button", name="Hand in the test").click()
                page.get_by_role("heading", name=re.compile("Not passed this time|You passed")).wait_for()
            case _:
                page.goto(f"{self.site.url}/work/me/")
                page.get_by_role("heading").first.wait_for()

    def _answer(self) -> None:
        """Say that the box is not good."""
        self.page.locator("svg[data-phase=ready]").wait_for()
        self.page.wait_for_timeout(READ_MS)
        self.page.keyboard.press("n")


def _send_the_last_page(route: Route) -> None:
    answers = json.loads(route.request.post_data or "")["answers"]
    route.continue_(post_data=json.dumps({"answers": answers}))


def _question(page: Page, number: int) -> Locator:
    return page.locator(f"[aria-label^='Question {number} of ']")


def _close_instructions(page: Page) -> None:
    """Close the instructions that a stage shows first to somebody new, if they are shown."""
    dialog = page.get_by_role("dialog")
    dialog.or_(_question(page, 1)).first.wait_for()
    if dialog.is_visible():
        dialog.get_by_role("button", name="To the questions").click()
    _question(page, 1).wait_for()
