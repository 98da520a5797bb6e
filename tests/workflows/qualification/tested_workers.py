"""Projects with a qualification test, and workers who take it."""

from __future__ import annotations

from datetime import datetime
from itertools import count
from random import Random
from typing import Any

from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import Batch, Image, Mention, QualificationTry, VerificationQuestion, Worker
from tests.factories import NOW, make_image, make_running, protocol_with
from tests.made_once import made_once
from workflows.batch_settings.domain.settings import parse_settings
from workflows.qualification.tries import answer_training, begin_try, hand_in_test

RIGHT: dict[str, dict[str, Any]] = {
    "link": {"same": True},
    "verification": {"same": True},
    "requirement": {"requirement": "scene"},
    "drawing": {"boxes": [[10, 20, 110, 220]]},
    "quality": {"good": False},
    "coverage": {"complete": True},
    "boxes": {"boxes": [[10, 20, 110, 220]]},
    "check": {"boxes": ["good", "loose"], "missing": False},
}
"""The right answer to every question here."""

GIVEN: dict[str, dict[str, Any]] = {
    **RIGHT,
    "drawing": {"box": [10, 20, 110, 220]},
    "boxes": {"boxes": [{"box": [10, 20, 110, 220]}]},
}
"""The same answers, as a worker gives them."""

WRONG: dict[str, dict[str, Any]] = {
    "link": {"same": False},
    "verification": {"same": False},
    "requirement": {"requirement": "box"},
    "drawing": {"box": [300, 300, 400, 400]},
    "quality": {"good": True},
    "coverage": {"complete": False},
    "boxes": {"none": "scene"},
    "check": {"boxes": ["good", "good"], "missing": False},
}

_numbers = count(1)


def make_question(image: Image, stage: str, role: str, **more: Any) -> VerificationQuestion:
    """Make a question about the first mentions of the image. Its right answer is in RIGHT."""
    mentions = list(Mention.objects.filter(image=image).order_by("pk").values_list("pk", flat=True))
    return VerificationQuestion.objects.create(
        project=image.project,
        image=image,
        stage=stage,
        role=role,
        source=VerificationQuestion.Source.WRITTEN,
        kind="example",
        mentions=mentions[: 2 if stage in ("link", "verification") else 1],
        box=[5, 5, 50, 60] if stage == "quality" else None,
        new_boxes=[[5, 5, 50, 60], [100, 5, 200, 60]] if stage == "check" else [],
        answer=RIGHT[stage],
        explanation="Because of what can be seen.",
        content=f"made-{next(_numbers)}",
        created_at=NOW,
        **more,
    )


@made_once
def make_tested(stage: str = "link", *, training: int = 2, test: int = 8, **screening: Any) -> Batch:
    """Make a running batch whose `stage` has a test of 2 training and 4 scored items, with its questions.

    It is launched as if everybody's judgments counted, so it has no verification questions to mix into pages.
    """
    protocol = protocol_with(stage)
    batch = make_running([["man"], ["man"]], images=2, protocol=protocol)
    screening = {"training_items": 2, "test_items": 4, **screening}
    batch.settings = parse_settings(
        {
            "protocol": protocol,
            "regime": {**dict.fromkeys(PROTOCOL_STAGES[protocol], "open"), stage: "trusted"},
            "screening": screening,
        }
    ).to_json()
    batch.save()
    image = make_image(batch.project, [["man"], ["man"]])
    for role, number in (("training", training), ("test", test)):
        for _ in range(number):
            make_question(image, stage, role)
    return batch


def take(
    worker: Worker,
    stage: str = "link",
    *,
    right: int = 4,
    now: datetime = NOW,
    participation_id: int | None = None,
) -> QualificationTry:
    """Take a whole try, with so many right answers in its scored part."""
    held = in_the_test(worker, stage, now=now, participation_id=participation_id)
    answers = [(n, (GIVEN if n <= right else WRONG)[stage]) for n in range(1, len(held.test) + 1)]
    return hand_in_test(
        worker_id=worker.pk,
        stage=stage,
        number=held.number,
        answers=answers,
        now=now,
        participation_id=participation_id,
    )[0]


def in_the_test(
    worker: Worker, stage: str = "link", *, now: datetime = NOW, participation_id: int | None = None
) -> QualificationTry:
    """Begin a try and do its training."""
    held, _ = begin_try(
        worker_id=worker.pk, stage=stage, now=now, rng=Random(1), participation_id=participation_id
    )
    for item in range(1, len(held.training) + 1):
        answer_training(
            worker_id=worker.pk,
            stage=stage,
            number=held.number,
            item=item,
            answer=GIVEN[stage],
            participation_id=participation_id,
        )
    held.refresh_from_db()
    return held
