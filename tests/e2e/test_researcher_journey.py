"""A new researcher's whole way in the browser: own photographs, own gold, a crowd, the queue, a release.

Only the crowd works without a browser. Every step's clicks, keys and minutes are shown at the end of the run.
More photographs, by hand: `GROUNDCREW_JOURNEY_IMAGES=40 pytest tests/e2e/test_researcher_journey.py`.
"""

from __future__ import annotations

import io
import json
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from playwright.sync_api import FilePayload, Locator, Page, expect

from annotation.domain.geometry import Box, iou
from annotation.models import Case, Decision, Project
from simulation.characters import Character, Kind, mixed_crowd
from simulation.crowd import Crowd, CrowdStalledError, Progress
from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from simulation.selectors import progress, why_stalled
from simulation.turkers import Turkers
from tests.e2e.axe import check_accessible
from tests.e2e.conftest import NewContext, StartSite
from tests.e2e.effort import Effort
from tests.e2e.journeying import site_known_before
from tests.e2e.own_photographs import SIZE, Photograph, archive, photographs, truth_of
from tests.e2e.scenes import Edges
from tests.e2e.site import Site
from tests.e2e.turking import mturk
from workflows.crowd.rounds.step import step
from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.provider import Environment
from workflows.platforms.registry import provider
from workflows.tasks import hint_advance

IMAGES = int(os.environ.get("GROUNDCREW_JOURNEY_IMAGES", "12"))
GOLD = 8
SAMPLE = 6
"""Finished chains that the researcher looks at."""
RIGHT = 0.7
"""The IoU from which a box is right, as for verification questions."""
PROJECT = "holidays"
NAME, PASSWORD = "mona", "only for this test"
ANNOTATE = re.compile("^Annotate .* yourself$")
PATIENCE = 60_000
"""Milliseconds for a job, since a worker process has to start it first."""

pytestmark = pytest.mark.nightly("test_console_journey, test_expert and test_review hold its parts")


class Journey:
    """What a researcher does, page by page. What pages say is all that she knows of Groundcrew."""

    def __init__(self, site: Site, page: Page) -> None:
        page.set_default_timeout(PATIENCE)
        self.site, self.page, self.effort = site, page, Effort(page)
        self.photographs = photographs(IMAGES)

    def log_in(self) -> None:
        user = User.objects.create_user(NAME, password=PASSWORD, is_staff=True)
        user.groups.add(Group.objects.get(name="manager"))
        self.page.goto(f"{self.site.url}/admin/")
        self.effort.type(self.page.get_by_label("Username"), NAME)
        self.effort.type(self.page.get_by_label("Password"), PASSWORD)
        self.page.get_by_role("button", name="Log in").click()
        expect(self.page.get_by_text("There is no project yet")).to_be_visible()

    def make_project(self) -> None:
        self.page.get_by_role("link", name="Make the first one").click()
        self.effort.type(self.page.get_by_label("Name"), PROJECT)
        self.page.get_by_role("button", name="Make the project").click()

    def import_photographs(self) -> None:
        packed = archive(self.photographs.values())
        file = FilePayload(name="holidays.zip", mimeType="application/zip", buffer=packed)
        self.page.get_by_label("Upload").set_input_files(file)
        self.effort.chose_file()
        self.page.get_by_role("button", name="Check first").click()
        expect(self.page.get_by_role("heading", name="What would happen")).to_be_visible()
        self.page.get_by_role("button", name="Import now").click()
        expect(self.page.get_by_role("heading", name="What happened")).to_be_visible()

    def annotate_gold(self) -> None:
        """Begin the queue from what the project's page says next, and annotate by key."""
        if not self.page.get_by_role("link", name=ANNOTATE).count():
            self._home()
            self.page.get_by_role("link", name="Make questions").click()
        self.page.get_by_role("link", name=ANNOTATE).click()
        self.effort.type(self.page.get_by_label("How many images"), str(GOLD))
        self.page.get_by_role("button", name="Draw and begin").click()
        for number in range(1, GOLD + 1):
            expect(self.page.get_by_text(f"image {number} of {GOLD}")).to_be_visible()
            expect(self.page.locator("[data-expert] svg[data-phase=ready]")).to_be_visible()
            expect(self.page.locator("[data-at='0:0']")).to_be_focused()
            self._annotate(self.photographs[self._title().removeprefix("Annotate ")])
            self.page.keyboard.press("Control+Enter")
        expect(self.page.get_by_text("All images of the queue are annotated.")).to_be_visible()

    def make_questions(self) -> None:
        self.page.get_by_role("link", name="Make verification questions").click()
        self.page.get_by_role("button", name=re.compile("^Make questions of")).click()
        expect(self.page.get_by_text(re.compile(r"\d+ verification questions made"))).to_be_visible()
        check_accessible(self.page)

    def draft(self, preset: str, name: str) -> None:
        self._place("Batches")
        self.page.get_by_role("link", name=re.compile("New batch|Make the first batch")).click()
        self.page.get_by_role("link", name=preset).click()
        self.effort.type(self.page.get_by_label("Name", exact=True), name)

    def make_draft(self) -> None:
        self.page.get_by_role("button", name="Make the draft").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text("Launch")
        check_accessible(self.page)

    def people_to_plan_for(self) -> int:
        """Return how many workers the launch says that the batch takes."""
        found = re.search(r"Plan for about (\d+)", said := self.page.locator(".checks").inner_text())
        assert found, said
        return int(found[1])

    def launch(self) -> None:
        assert not self.page.locator(".checks .bad").count(), self.page.locator(".checks").inner_text()
        self.page.get_by_role("button", name="Launch").click()
        expect(self.page.get_by_text("is launched").first).to_be_visible()

    def links(self, batch: str, workers: int) -> list[str]:
        """Make links for so many people, and return their tokens."""
        self._place("Batches")
        self.page.get_by_role("link", name=f"Links to {batch}").click()
        self.effort.type(self.page.get_by_label("How many workers"), str(workers))
        self.page.get_by_role("button", name="Make links").click()
        lines = self.page.get_by_label("One name and link per line").input_value().splitlines()
        return [line.partition("#token=")[2] for line in lines]

    def draw_sample(self, batch: str) -> None:
        """Put some finished chains into the queue, so that somebody looks at what the crowd made."""
        self._place("Review")
        self.effort.choose(self.page.get_by_label("Batch"), label=batch)
        self.page.get_by_role("button", name="Show").click()
        self.effort.type(self.page.get_by_label("Check a sample of"), str(SAMPLE))
        self.page.get_by_role("button", name="Draw sample").click()
        expect(self.page.get_by_text(re.compile("in the queue"))).to_be_visible()

    def clear_queue(self) -> int:
        """Decide about every case, and return how many there were."""
        opened = Case.objects.filter(closed_at=None).count()
        assert opened >= SAMPLE
        for _ in range(opened + 5):
            if not self.page.get_by_label("The case").count():
                self._place("Review")
                if (
                    self.page.get_by_text("Nothing waits for a researcher.")
                    .or_(self.page.get_by_text("No open case matches this filter."))
                    .count()
                ):
                    return opened
                self.page.get_by_role("link", name="Open", exact=True).first.click()
            self._close() if self._stays() else self._decide()
        left = Case.objects.filter(closed_at=None).values_list("reason", "opened_at")
        raise AssertionError(f"the queue of {opened} cases does not become empty: {list(left)}")

    def export(self, folder: Path) -> dict[str, Any]:
        """Export a version, download it, and return its manifest."""
        self._home()
        self.page.get_by_role("link", name=re.compile("^Export")).first.click()
        self.page.get_by_role("button", name="Export").click()
        self.page.get_by_role("link", name="Version 1").click()
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Download").click()
        with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as packed:
            packed.extractall(folder)  # our own archive, into a folder of this test
        manifest: dict[str, Any] = json.loads((folder / "about" / "manifest.json").read_bytes())
        return manifest

    def _home(self) -> None:
        self._place("Overview")

    def _place(self, name: str) -> None:
        self.page.get_by_role("navigation", name=PROJECT).get_by_role("link", name=name, exact=True).click()

    def _title(self) -> str:
        return self.page.get_by_role("heading", level=1).inner_text()

    def _annotate(self, shown: Photograph) -> None:
        """Press each phrase's letter, then draw the boxes of each chain."""
        keys, letters = self.page.keyboard, dict[str, str]()
        for phrase in self.page.locator("[data-at].mention").all():
            thing = shown.thing(" ".join(phrase.locator("[data-word]").all_inner_texts()))
            keys.press(f"Shift+{letters.setdefault(thing, 'ABCDEFGH'[len(letters)])}")
        keys.press("Enter")
        keys.press("Shift+A")
        for thing in letters:
            for number, box in enumerate(shown.things[thing]):
                if number:
                    keys.press("b")
                drag(self.page, self.page.locator("[data-expert] img"), box)
            if not shown.things[thing]:
                keys.press("s" if shown.is_scene(thing) else "x")
            keys.press("Enter")

    def _stays(self) -> bool:
        """Return whether what the page shows is right as it is, or cannot be decided about."""
        if not self.page.locator("#id_boxes").count():
            return True
        drawn = [list(map(int, line.split())) for line in self._numbers().splitlines()]
        waits = self.page.get_by_label("What happens next").input_value() == "review"
        close = [any(iou(Box(*one), Box(*box)) >= RIGHT for one in drawn) for box in self._boxes()]
        return not waits and all(close) and len(drawn) == len(close)

    def _boxes(self) -> tuple[Edges, ...]:
        """Return the boxes that the chain of this page has in the photograph."""
        shown = self._shown()
        return shown.things[shown.thing(self._title())]

    def _shown(self) -> Photograph:
        """Return the photograph that the page of a chain is about."""
        return self.photographs[self.page.locator(".facts a").first.inner_text()]

    def _numbers(self) -> str:
        return self.page.locator("#id_boxes").input_value().strip()

    def _decide(self) -> None:
        """Give the chain the boxes that it has in the photograph."""
        boxes, scene = self._boxes(), self._shown().is_scene(self._shown().thing(self._title()))
        editor = self.page.locator(".editor")
        expect(editor.locator("svg[data-phase=ready]")).to_be_visible()
        while self._numbers():
            editor.get_by_role("button", name=re.compile(r"^Box \d+ \d+ × ")).first.click()
            editor.get_by_role("button", name="Remove the box").click()
        for number, box in enumerate(boxes):
            if number:
                editor.get_by_role("button", name="+ Another box").click()
            drag(self.page, editor.locator("img"), box)
        if boxes:
            self.effort.choose(self.page.get_by_label("What happens next"), value="done")
        else:
            self.effort.choose(self.page.get_by_label("What happens next"), value="nonvisual")
            self.effort.choose(
                self.page.get_by_label("Why there is no box"), value="scene" if scene else "nobndbox"
            )
        self.effort.type(self.page.get_by_label("Why", exact=True), "Looked at it")
        # The page before may say the same of the case before.
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=re.compile("^Decide( and go on)?$")).click()
        expect(self.page.get_by_text("Decided about")).to_be_visible()

    def _close(self) -> None:
        """Close a case that needs no change, by key."""
        self.page.keyboard.press("c")
        self.page.keyboard.type("Looked at it")
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")
        expect(self.page.get_by_text(re.compile("case.* closed", re.IGNORECASE)).first).to_be_visible()


def drag(page: Page, photograph: Locator, box: Edges) -> None:
    """Drag from corner to corner of a box in the photograph."""
    photograph.scroll_into_view_if_needed()
    shown = photograph.bounding_box()
    assert shown
    scale = shown["width"] / SIZE[0]
    left, top, right, bottom = (edge * scale for edge in box)
    page.mouse.move(shown["x"] + left, shown["y"] + top)
    page.mouse.down()
    page.mouse.move(shown["x"] + right - 5, shown["y"] + bottom - 5, steps=4)
    page.mouse.move(shown["x"] + right, shown["y"] + bottom)
    page.mouse.up()


def page_of(new_context: NewContext) -> Page:
    return new_context(viewport={"width": 1280, "height": 1000}).new_page()


def begin(journey: Journey) -> None:
    """Go from an empty installation to imported photographs."""
    Project.objects.all().delete()  # the project that the site of a test comes with
    for name, act in {
        "log in": journey.log_in,
        "project": journey.make_project,
        "import": journey.import_photographs,
    }.items():
        with journey.effort.step(name):
            act()


def gold(journey: Journey) -> None:
    """Annotate images, and make verification questions of them."""
    with journey.effort.step(f"{GOLD} images as gold"):
        journey.annotate_gold()
    with journey.effort.step("questions"):
        journey.make_questions()
    assert Decision.objects.filter(kind="annotate", content__purpose="gold").count() == GOLD


def end(journey: Journey, batch: str, folder: Path) -> None:
    """Go from what the crowd has left to a data set that was taken home."""
    with journey.effort.step("queue"):
        journey.draw_sample(batch)
        cases = journey.clear_queue()
    assert not Case.objects.filter(closed_at=None).exists()
    with journey.effort.step(f"release after {cases} cases"):
        manifest = journey.export(folder)
    assert manifest["counts"]["images"] == IMAGES
    assert manifest["counts"]["boxes"] >= 4 * IMAGES


def test_a_few_people_whom_one_knows(
    start_site: StartSite,
    new_context: NewContext,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    journey = Journey(start_site(GROUNDCREW_SWEEP_SECONDS="1"), page_of(new_context))
    begin(journey)
    gold(journey)
    with journey.effort.step("batch"):
        journey.draft("A few people I know", "friends")
        journey.effort.type(journey.page.get_by_label("Own boxes after"), "0")
        journey.make_draft()
        journey.launch()
    with journey.effort.step("people"):
        tokens = journey.links("friends", 3)
    characters = [Character(), Character(Kind.RANDOM), Character()]
    crowd = Crowd(journey.site.url, tokens, 3, truth_of(journey.photographs), characters)
    crowd.explain = lambda: why_stalled(PROJECT)
    tally = crowd.run(lambda: progress(PROJECT), bar=False)
    end(journey, "friends", tmp_path / "taken")
    record_property("figure", f"people one knows, {tally.judgments} judgments: {journey.effort.told()}")


@pytest.fixture
def turk(settings: Any) -> Iterator[Handle]:
    with emulator(seed=7) as turk:
        settings.MTURK = MTurkAccount(
            endpoint=turk.url,
            environment=Environment.EMULATOR,
            key_id=turk.account.key_id,
            secret=turk.account.secret,
            queue_url=turk.queue_url,
            submit_origins=(turk.url,),
        )
        yield turk


@pytest.fixture
def paid(
    turk: Handle, settings: Any, transactional_db: None, new_context: NewContext, tmp_path: Path
) -> Iterator[Journey]:
    """A journey on a site whose workers come through the emulator."""
    # The whole crowd has one address, and gives back places for which it gets no page.
    env = {"GROUNDCREW_SWEEP_SECONDS": "1", "GROUNDCREW_SESSIONS_PER_ADDRESS": "100000", **mturk(turk)}
    env["GROUNDCREW_MTURK_QUEUE_URL"] = turk.queue_url
    with site_known_before(settings, tmp_path / "logs", **env) as site:
        yield Journey(site, page_of(new_context))


def _launch_paid(journey: Journey) -> int:
    """Go from an empty installation to a running batch. Return how many workers the launch says it takes."""
    begin(journey)
    with journey.effort.step("draft"):
        journey.draft("Paid crowd", "paid")
        # The page says that verification questions need images of their own.
        journey.effort.choose(journey.page.locator("select[name=take]"), value="number")
        journey.effort.type(journey.page.locator("input[name=number]"), str(IMAGES - GOLD))
        journey.effort.type(journey.page.get_by_label("Cap", exact=True), "500")
        journey.make_draft()
        journey.page.get_by_role("button", name="Ask fewer questions").click()
        expect(journey.page.get_by_text("asks fewer questions now")).to_be_visible()
    gold(journey)
    with journey.effort.step("launch"):
        journey.page.get_by_role("link", name="Back to the launch").click()
        workers = journey.people_to_plan_for()
        journey.launch()
    return workers


def test_a_paid_crowd(
    paid: Journey, turk: Handle, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    workers = _launch_paid(paid)
    tally = _crowd(paid, turk, mixed_crowd(workers, 1 / 3, seed=7)).run(_progress_by_steps, bar=False)
    end(paid, "paid", tmp_path / "taken")
    made = f"a paid crowd of {workers}, {tally.judgments} judgments, {turk.books()['rewards']} cents"
    record_property("figure", f"{made}: {paid.effort.told()}")


def test_a_paid_crowd_that_is_too_small(paid: Journey, turk: Handle, tmp_path: Path) -> None:
    """Work stops, the page says what it waits for, and goes on when more people come."""
    workers = _launch_paid(paid)
    few = _crowd(paid, turk, [Character(), Character(Kind.RANDOM), Character(Kind.RANDOM)])
    few.stalled_after = 30
    with pytest.raises(CrowdStalledError):
        few.run(_progress_by_steps, bar=False)
    paid.page.get_by_role("navigation", name=PROJECT).get_by_role("link", name="Overview").click()
    paid.page.get_by_role("button", name="Count again now").click()
    people = paid.page.get_by_role("listitem").filter(has_text="People")
    expect(people).to_contain_text("for a new worker")
    people.get_by_role("link", name="See what helps").click()
    expect(paid.page.get_by_role("link", name="Raise the rewards")).to_be_visible()
    expect(paid.page.get_by_text("those who are there can give no more").first).to_be_visible()
    check_accessible(paid.page)
    _crowd(paid, turk, [Character()] * workers, first=3).run(_progress_by_steps, bar=False)
    end(paid, "paid", tmp_path / "taken")


def _crowd(journey: Journey, turk: Handle, characters: Sequence[Character], first: int = 0) -> Turkers:
    """Return so many of the platform's workers. Their names are numbered, beginning with `first`."""
    names = [f"A{number}TURKER" for number in range(first, first + len(characters))]
    crowd = Turkers(journey.site.url, names, len(names), truth_of(journey.photographs), characters, turk=turk)
    crowd.explain = lambda: why_stalled(PROJECT)
    return crowd


def _progress_by_steps() -> Progress:
    """Make a round with the platform, which otherwise comes on its schedule, and return the progress."""
    if step(provider=provider("mturk"), now=timezone.now()).submissions:
        hint_advance()
    return progress(PROJECT)
