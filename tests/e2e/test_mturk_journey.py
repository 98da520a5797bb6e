"""A small data set through Mechanical Turk's emulator, worked on in a browser: to the export, and paid."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Image, Item
from simulation.mturk.handle import Handle
from simulation.mturk.running import emulator
from tests.e2e.conftest import NewContext
from tests.e2e.hands import Mouse
from tests.e2e.scenes import FIRST, Scene, make_image, picture
from tests.e2e.site import Site, wait_for
from tests.e2e.turking import ICON, InFrame, frame_of, mturk
from tests.e2e.watch import Watch
from tests.factories import make_batch
from tests.services import services_of_test
from workflows.crowd.accounts import MTurkAccount
from workflows.crowd.base import Environment
from workflows.crowd.registry import provider
from workflows.models import Participation, Problem
from workflows.services.advance import advance_pending
from workflows.services.crowd.stepping import step
from workflows.verifying import verify

SCENES = {
    "one.jpg": Scene(("a man", "a young man"), {}, (FIRST,)),
    "two.jpg": Scene(("a dog",), {}, (FIRST,)),
    "three.jpg": Scene(("a park",), {}, (FIRST,)),
}
WORKERS = ("A1ADA", "A2BOB", "A3CLEO", "A4DAN", "A5EVE")
MOST_PAGES = 40
SLOW = 30_000
"""Milliseconds for what goes to both sites and back."""
_BOX = r"<xmin>(\d+)</xmin>\s*<ymin>(\d+)</ymin>\s*<xmax>(\d+)</xmax>\s*<ymax>(\d+)</ymax>"
RETURN = "Please return this task on the platform"


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
        for name in WORKERS:
            turk.worker(name, approved=1000, rejected=5, country="US")
        yield turk


@pytest.fixture
def site(turk: Handle, settings: Any, transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    """At a port that is known before: the platform is told the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    settings.SITE = f"http://127.0.0.1:{port}"
    env = {"GROUNDCREW_SITE": settings.SITE, "GROUNDCREW_MTURK_QUEUE_URL": turk.queue_url, **mturk(turk)}
    with services_of_test(tmp_path / "logs", port, **env) as server:
        yield Site(server)


def test_all_stages_go_through_frames_of_mturk_to_the_export(
    site: Site,
    turk: Handle,
    new_context: NewContext,
    watch: Watch,
    tmp_path: Path,
    record_property: Any,
) -> None:
    watch.allow(ICON)
    batch = _launch(site)
    page = new_context(viewport={"width": 1280, "height": 1000}).new_page()
    page.goto(turk.url)
    expect(page.get_by_label("Worker ID")).to_be_visible()
    workers, seen, pages = cycle(WORKERS), set[str](), 0
    while _round(batch) == Batch.State.RUNNING:
        assert pages < MOST_PAGES, "the batch does not come to an end"
        stage = next(filter(None, (_work(page, turk, next(workers)) for _ in WORKERS)), None)
        assert stage, "nobody finds work"
        seen.add(stage)
        pages += 1
    assert seen == set(Stage)

    call_command("compare_books", project=site.project.name, mturk=turk.url)
    call_command("verify_ledger")
    assert verify(list(batch.works.values_list("pk", flat=True))) == []
    assert not Problem.objects.filter(closed_at=None).exists()
    answered = Participation.objects.filter(assignment__state=Assignment.State.SUBMITTED)
    assert answered.count() == pages == answered.filter(state="approved", confirmed=True).count()
    books = turk.books()
    assert books["rewards"] == 5 * pages

    out = tmp_path / "export"
    call_command("export_dataset", str(out), project=site.project.name, format="flickr30k-entities")
    assert {name: _boxes(out, name) for name in SCENES} == {"one.jpg": 1, "two.jpg": 1, "three.jpg": 0}
    told = f"{pages} pages through MTurk's frames; {books['rewards']} cents and {books['fees']} of fees agree"
    record_property("figure", told)


def _boxes(out: Path, name: str) -> int:
    """How many boxes the export has for an image; each is where it was drawn."""
    text = (out / "Annotations" / name).with_suffix(".xml").read_text()
    found = [tuple(map(int, box)) for box in re.findall(_BOX, text)]
    left, top, right, bottom = FIRST
    for box in found:
        # One-based and inclusive, as in that format.
        assert all(abs(a - b) <= 1 for a, b in zip(box, (left + 1, top + 1, right, bottom), strict=True)), box
    return len(found)


def _launch(site: Site) -> Batch:
    for name, scene in SCENES.items():
        path = Path(make_image(site.project, scene, name).file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(scene.size, scene.targets))
    return make_batch(
        site.project,
        name="turk",
        currency="USD",
        reward=dict.fromkeys(Stage, 5),
        crowd={"provider": "mturk", "cap": 2000, "open_pages": 3},
    )


def _round(batch: Batch) -> str:
    """What background processes do now and then, at once."""
    for _ in range(2):
        step(provider=provider("mturk"), now=timezone.now(), patient=False)
        advance_pending(now=timezone.now())
    batch.refresh_from_db()
    return batch.state


def _work(page: Page, turk: Handle, worker: str) -> str | None:
    """Take a HIT and do its page; its stage, or None where there is nothing for this worker."""
    if not turk.worker(worker).groups():
        return None
    page.goto(f"{turk.url}/worker?workerId={worker}")
    page.get_by_role("button", name="Accept").first.click()
    page.wait_for_url("**/mturk/work?*")
    frame = frame_of(page)
    frame.wait_for_url("**/work/crowd/**")
    found = re.search("/work/crowd/([a-z]+)/.*assignmentId=([A-Z0-9]+)", frame.url)
    assert found
    stage, key = Stage(found[1]), found[2]
    instructions, back = frame.get_by_role("dialog"), frame.get_by_role("heading", name=RETURN)
    first = frame.get_by_label(re.compile("^Question 1 of"))
    expect(instructions.or_(back).or_(first).first).to_be_visible(timeout=SLOW)
    if back.is_visible():
        page.get_by_role("button", name="Return").click()
        return None
    hands = Mouse(cast(Page, InFrame(page, frame)))
    wait_for(page, lambda: Assignment.objects.filter(key=key).exists())
    held = Assignment.objects.get(key=key)
    hands.question(1, len(held.items)) if not instructions.is_visible() else hands.close_instructions()
    for number in range(1, len(held.items) + 1):
        hands.question(number, len(held.items))
        _answer(hands, stage, held)
    hands.send()
    frame.get_by_text("Your work was submitted").wait_for(timeout=SLOW)
    return stage


def _answer(hands: Mouse, stage: Stage, held: Assignment) -> None:
    """What is right of the picture that is shown."""
    image = Image.objects.get(file=hands.picture())
    item = Item.objects.get(work__image=image, stage=stage, pk__in=held.items)
    if stage == Stage.DRAWING:
        assert item.chain
        if item.chain.boxes_accepted:
            hands.choose(stage, None)
        else:
            hands.draw(FIRST)
            hands.confirm_box()
    elif stage == Stage.REQUIREMENT:
        hands.choose(stage, "scene" if image.name == "three.jpg" else "box")
    else:
        hands.choose(stage, value=True)
