"""A small data set goes through a platform's emulator and a browser, until it is exported and paid."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, cast

from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Frame, Locator, Page, expect

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Image, Item
from tests.e2e.hands import Mouse
from tests.e2e.scenes import FIRST, Scene, make_image, picture
from tests.e2e.site import Site, until, wait_for
from tests.factories import make_batch
from tests.services import services_of_test
from workflows.crowd.models import Problem
from workflows.crowd.rounds.step import step
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.replay.verify_state import verify
from workflows.platforms.registry import provider
from workflows.workers.models import Participation

SCENES = {
    "one.jpg": Scene(("a man", "a young man"), {}, (FIRST,)),
    "two.jpg": Scene(("a dog",), {}, (FIRST,)),
    "three.jpg": Scene(("a park",), {}, (FIRST,)),
}
BOXES = {"one.jpg": 1, "two.jpg": 1, "three.jpg": 0}
REWARD = 5
MAX_PAGES = 40
SLOW = 30_000
"""Milliseconds for what goes to both sites and back."""
_BOX = r"<xmin>(\d+)</xmin>\s*<ymin>(\d+)</ymin>\s*<xmax>(\d+)</xmax>\s*<ymax>(\d+)</ymax>"
NOTHING = re.compile("^Please return this task on the platform|^There is no page for you in it now")


@contextmanager
def site_known_before(settings: Any, logs: Path, **env: str) -> Iterator[Site]:
    """Run a site at a port that is known before its services run, since the platform is told the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    settings.SITE = f"http://127.0.0.1:{port}"
    with services_of_test(logs, port, GROUNDCREW_SITE=settings.SITE, **env) as server:
        yield Site(server)


def launch(site: Site, platform: str, currency: str) -> Batch:
    for name, scene in SCENES.items():
        path = Path(make_image(site.project, scene, name).file.path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture(scene.size, scene.targets))
    return make_batch(
        site.project,
        name=platform,
        currency=currency,
        reward=dict.fromkeys(Stage, REWARD),
        crowd={"provider": platform, "cap": 2000, "open_pages": 3},
    )


def go_through(
    batch: Batch, platform: str, workers: Sequence[str], work: Callable[[str], Stage | None]
) -> int:
    """Let workers do pages in turn until the batch is finished, in all six stages. Return how many.

    `work` lets a worker take a place and do its page. It returns the stage, or None if there is nothing for
    them.
    """
    turns, seen, pages = cycle(workers), set[Stage](), 0
    while _round(batch, platform) == Batch.State.RUNNING:
        assert pages < MAX_PAGES, "the batch does not come to an end"
        stage = next(filter(None, (work(next(turns)) for _ in workers)), None)
        assert stage, "nobody finds work"
        seen.add(stage)
        pages += 1
    assert seen == set(Stage)
    return pages


def check_paid(batch: Batch, pages: int, platform: str, url: str) -> None:
    """Assert that every page was confirmed and paid, and that both sides' books agree."""
    call_command("compare_books", "--project", batch.project.name, f"--{platform}", url)
    call_command("verify_ledger")
    assert verify(list(batch.works.values_list("pk", flat=True))) == []
    assert not Problem.objects.filter(closed_at=None).exists()
    answered = Participation.objects.filter(assignment__state=Assignment.State.SUBMITTED)
    assert answered.count() == pages == answered.filter(state="approved", confirmed=True).count()


def check_exported(batch: Batch, out: Path) -> None:
    call_command("export_dataset", str(out), project=batch.project.name, format="flickr30k-entities")
    assert {name: _boxes(out, name) for name in SCENES} == BOXES


def do_page(page: Page, shown: Frame | Page, hands: Mouse, stage: Stage, key: str) -> bool:
    """Do the page of the place `key`, in `shown`. Return False if there is none for this worker."""
    instructions, back = shown.get_by_role("dialog"), shown.get_by_role("heading", name=NOTHING)
    first: Locator = shown.get_by_label(re.compile("^Question 1 of"))
    expect(instructions.or_(back).or_(first).first).to_be_visible(timeout=SLOW)
    if back.is_visible():
        return False
    wait_for(page, lambda: Assignment.objects.filter(key=key).exists())
    held = Assignment.objects.get(key=key)
    hands.question(1, len(held.items)) if not instructions.is_visible() else hands.close_instructions()
    for number in range(1, len(held.items) + 1):
        hands.question(number, len(held.items))
        _answer(hands, stage, held)
    hands.send()
    return True


def mouse(page: object) -> Mouse:
    return Mouse(cast(Page, page))


def _round(batch: Batch, platform: str) -> str:
    """Do at once what background processes do now and then. They may be doing it at the same time."""
    for _ in range(2):
        until(lambda: not step(provider=provider(platform), now=timezone.now(), patient=False).busy)
        until(lambda: _all_read(batch))
    batch.refresh_from_db()
    return batch.state


def _all_read(batch: Batch) -> bool:
    advance_pending(now=timezone.now())
    return not Item.objects.unread().filter(work__batch=batch).exists()


def _boxes(out: Path, name: str) -> int:
    """Return how many boxes the export has for an image, and assert that each is where it was drawn."""
    text = (out / "Annotations" / name).with_suffix(".xml").read_text()
    found = [tuple(map(int, box)) for box in re.findall(_BOX, text)]
    left, top, right, bottom = FIRST
    for box in found:
        # One-based and inclusive, as in that format.
        assert all(abs(a - b) <= 1 for a, b in zip(box, (left + 1, top + 1, right, bottom), strict=True)), box
    return len(found)


def _answer(hands: Mouse, stage: Stage, held: Assignment) -> None:
    """Give the right answer about the picture that is shown."""
    image = Image.objects.get(file=hands.picture())
    item = Item.objects.get(work__image=image, stage=stage, pk__in=held.items)
    if stage == Stage.DRAWING:
        assert item.chain
        hands.give(stage, {"box": None if item.chain.boxes_accepted else FIRST})
    elif stage == Stage.REQUIREMENT:
        hands.give(stage, {"requirement": "scene" if image.name == "three.jpg" else "box"})
    else:
        hands.give(stage, {"yes": True})
