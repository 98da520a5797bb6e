"""Batches of the protocol `entities-fast`, and answers to its stages."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.answers import JointStage
from annotation.models import Batch, Worker
from tests.factories import FAST, NOW, Answering, answer_page, make_running, make_worker
from workflows.pipeline.advance import advance_pending

ONE, TWO, THREE = [10, 20, 110, 220], [200, 20, 300, 220], [400, 0, 500, 90]
"""Boxes that do not overlap."""


def make_fast(captions: Sequence[Sequence[str]] = (("man",),), *, images: int = 1, **settings: Any) -> Batch:
    """Make a running batch of the protocol."""
    return make_running(captions, images=images, protocol=FAST, **settings)


def make_fast_at(stage: str) -> Batch:
    """Make a running batch with one chain, which waits in this joint stage."""
    batch = make_fast()
    if stage == JointStage.CHECK:
        answer(batch, drawn(ONE, TWO))
    return batch


def drawn(*boxes: list[int]) -> dict[str, Any]:
    return {"boxes": [{"box": box} for box in boxes]}


def said(*boxes: str, missing: bool = False, point: list[int] | None = None) -> dict[str, Any]:
    return {"boxes": list(boxes), "missing": missing} | ({"point": point} if point else {})


def answer(batch: Batch, given: Mapping[str, Any], worker: Worker | None = None) -> Worker:
    """Let a worker, or a new one, give this answer to every item of a page, and read the answers."""
    worker = worker or make_worker(batch.project)
    answer_page(worker, answering=lambda stage, question: dict(given))
    advance_pending(now=NOW)
    return worker


def unsteady(rng: random.Random) -> Answering:
    """Return a function whose answers are often wrong, so that every rule is used."""

    def given(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        match stage:
            case "link":
                return {"same": rng.random() < 0.5}
            case "requirement":
                return {"requirement": rng.choice(["box", "box", "scene", "nobox"])}
            case "boxes" if rng.random() < 0.7:
                lefts = rng.sample(range(0, 500, 60), rng.randint(1, 3))
                return drawn(*([left, 0, left + 50, 40] for left in lefts))
            case "boxes":
                return {"none": rng.choice(["scene", "nobox", "done"])}
        new = [rng.choice(["good", "good", "good", "loose", "double"]) for _ in question["new_boxes"]]
        return said(*new, missing=rng.random() < 0.25)

    return given
