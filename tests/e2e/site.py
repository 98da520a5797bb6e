"""A running site as a test sees it: work to open, links for workers, and what came to the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Page

from annotation.domain.answers import Stage
from annotation.models import Assignment, Batch, Item, Judgment, Worker
from config.serve import Server
from tests.e2e.crowd import bring
from tests.e2e.scenes import SCENES, Scene, make_image, picture
from tests.factories import make_batch, make_project, make_worker
from workflows.api.authentication import make_token

WORKER = "ada"
PATIENCE_SECONDS = 15
_numbers = count(1)
T = TypeVar("T")


class Site:
    """The services, and a project of its own in which nothing waits yet."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.project = make_project()
        self.scenes: dict[int, Scene] = {}
        """Image id -> what is known of it."""

    @property
    def url(self) -> str:
        return self.server.url

    def open(
        self, *stages: str, items: int = 3, scenes: Sequence[Scene] | None = None, **options: Any
    ) -> dict[Stage, Batch]:
        """In each stage that many items wait, in a batch of their own; without stages, in each of the six.

        They take the stage's scenes (or these) in turn, each with its picture in the media root. `options`
        are settings of the batch, such as `drawing="extreme"` or `lease_seconds=30`.
        """
        # From the last stage: what one batch has on its way is never in a stage that another opens later.
        return {stage: self._open(stage, items, scenes or SCENES[stage], options) for stage in _order(stages)}

    def _open(self, stage: Stage, items: int, scenes: Sequence[Scene], options: dict[str, Any]) -> Batch:
        number = next(_numbers)
        images = {}
        for place in range(items):
            scene = scenes[place % len(scenes)]
            image = make_image(self.project, scene, f"{stage}-{number}-{place}.jpg")
            path = Path(image.file.path)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(scene.picture or picture(scene.size, scene.targets))
            images[image.pk] = scene
        self.scenes |= images
        batch = make_batch(self.project, name=f"{stage}-{number}", **options)
        bring(images, stage)
        return batch

    def worker(self, name: str = WORKER) -> Worker:
        """The worker of this name, enrolled on the first call."""
        return make_worker(self.project, name)

    def worker_link(self, stage: str | None = None, name: str = WORKER) -> str:
        """The address that a worker is sent: of a stage's page, or of home."""
        path = f"{stage}/" if stage else ""
        return f"{self.url}/work/{path}#token={make_token(self.worker(name))}"

    def assignments(self, stage: str, name: str = WORKER) -> list[Assignment]:
        """The pages of a stage this worker was given, oldest first."""
        return list(Assignment.objects.filter(worker=self.worker(name), stage=stage).order_by("created_at"))

    def judgments(self, stage: str, name: str = WORKER) -> list[Judgment]:
        """What this worker has answered in a stage, in the order in which it was shown."""
        shown = [item for page in self.assignments(stage, name) for item in page.items]
        given = {j.item_id: j for j in Judgment.objects.filter(worker=self.worker(name), item__stage=stage)}
        return [given[item] for item in shown if item in given]

    def right_answers(self, stage: str, name: str = WORKER) -> list[dict[str, Any]]:
        """The right answer to each item of this worker's pages, in the order in which they are shown."""
        return [self.right_answer(item) for page in self.assignments(stage, name) for item in page.items]

    def right_answer(self, item: int) -> dict[str, Any]:
        """The answer that is right for the item with this id."""
        return dict(self.scenes[Item.objects.get(pk=item).work.image_id].answer)


def _order(stages: Sequence[str]) -> list[Stage]:
    return sorted((Stage(stage) for stage in stages or Stage), key=list(Stage).index, reverse=True)


def wait_for(page: Page, look: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
    """The first true value of `look`, which sees the database. The page goes on meanwhile."""
    return _first(look, lambda: page.wait_for_timeout(50), seconds)


def until(look: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
    """The same where no page has to go on."""
    return _first(look, lambda: time.sleep(0.05), seconds)


def _first(look: Callable[[], T], pause: Callable[[], None], seconds: float) -> T:
    end = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < end, f"nothing came within {seconds} seconds"
        pause()
    return seen
