"""A running site for tests: it makes work, gives links to workers, and reads what came to the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Page

from annotation.domain.answers import JointStage, Stage
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Assignment, Batch, Item, Judgment, Worker
from config.serve import Server
from tests.e2e.crowd import bring
from tests.e2e.scenes import SCENES, Scene, make_image, picture
from tests.factories import FAST, make_batch, make_project, make_worker
from workflows.api.authentication import make_link_token

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
        """What is known of each image, by its id."""

    @property
    def url(self) -> str:
        return self.server.url

    def open(
        self, *stages: str, items: int = 3, scenes: Sequence[Scene] | None = None, **options: Any
    ) -> dict[str, Batch]:
        """Let so many items wait in each of the stages, or in all of the paper's, each in a batch of its own.

        The items take the stage's scenes, or `scenes`, in turn. Their pictures are in the media root.
        `options` are settings of the batch, such as `drawing="extreme"` or `lease_seconds=30`.
        """
        # The last stage comes first. So a batch that is on its way is never in a stage that is opened later.
        return {stage: self._open(stage, items, scenes or SCENES[stage], options) for stage in _order(stages)}

    def _open(self, stage: str, items: int, scenes: Sequence[Scene], options: dict[str, Any]) -> Batch:
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
        if stage in set(JointStage):
            options = {"protocol": FAST, **options}
        batch = make_batch(self.project, name=f"{stage}-{number}", **options)
        bring(images, stage)
        return batch

    def worker(self, name: str = WORKER) -> Worker:
        """Return the worker of this name, who is enrolled on the first call."""
        return make_worker(self.project, name)

    def worker_link(self, stage: str | None = None, name: str = WORKER) -> str:
        """Return the address that is sent to a worker: that of a stage's page, or of the first page."""
        path = f"{stage}/" if stage else ""
        return f"{self.url}/work/{path}#token={make_link_token(self.worker(name))}"

    def assignments(self, stage: str, name: str = WORKER) -> list[Assignment]:
        """Return the pages of a stage that this worker was given, oldest first."""
        return list(Assignment.objects.filter(worker=self.worker(name), stage=stage).order_by("created_at"))

    def judgments(self, stage: str, name: str = WORKER) -> list[Judgment]:
        """Return this worker's judgments in a stage, in the order in which their items were shown."""
        shown = [item for page in self.assignments(stage, name) for item in page.items]
        given = {j.item_id: j for j in Judgment.objects.filter(worker=self.worker(name), item__stage=stage)}
        return [given[item] for item in shown if item in given]

    def right_answers(self, stage: str, name: str = WORKER) -> list[dict[str, Any]]:
        """Return the right answer to each item of this worker's pages, in the order of the items."""
        return [self.right_answer(item) for page in self.assignments(stage, name) for item in page.items]

    def right_answer(self, item: int) -> dict[str, Any]:
        """Return the right answer to the item with this id."""
        return dict(self.scenes[Item.objects.get(pk=item).work.image_id].answer)


def _order(stages: Sequence[str]) -> list[str]:
    return sorted(map(str, stages or Stage), key=ALL_STAGES.index, reverse=True)


def wait_for(page: Page, look: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
    """Return the first true value of `look`, which reads the database. The page goes on meanwhile."""
    return _first(look, lambda: page.wait_for_timeout(50), seconds)


def until(look: Callable[[], T], seconds: float = PATIENCE_SECONDS) -> T:
    """Return the first true value of `look`, without a page that has to go on."""
    return _first(look, lambda: time.sleep(0.05), seconds)


def _first(look: Callable[[], T], pause: Callable[[], None], seconds: float) -> T:
    end = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < end, f"nothing came within {seconds} seconds"
        pause()
    return seen
