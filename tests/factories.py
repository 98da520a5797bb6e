"""Plain functions that make what tests need: projects, images with captions, batches, workers, answers."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from unittest.mock import patch

from annotation.domain.answers import CampaignStage, JointStage, Stage
from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import (
    Assignment,
    Batch,
    Caption,
    Image,
    Item,
    Mention,
    Project,
    VerificationQuestion,
    Worker,
)
from annotation.row_changes import changing
from tests.made_once import made_once
from workflows.assignments.claim import Claim, claim
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import Receipt, submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.pipeline.advance import advance_pending, open_queued
from workflows.workers.enrolment import enrol_worker

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
"""A time after the end of every default lease that begins at NOW."""

TYPES = {
    "man": "people",
    "woman": "people",
    "dog": "animals",
    "ball": "other",
    "red shirt": "clothing",
    "park": "scene",
}
"""The words that captions are made of here, by the type of the mention *a <words>*."""

SIZE = (640, 480)
"""Width and height of every image here, in pixels."""

_numbers = count(1)

Answering = Callable[[str, Mapping[str, Any]], dict[str, Any]]
"""A function from a stage and a question, as the API shows it, to the answer object."""


def make_project(name: str = "") -> Project:
    return Project.objects.create(name=name or f"project-{next(_numbers)}")


def make_image(
    project: Project, captions: Sequence[Sequence[str]], *, name: str = "", picture: bool = True
) -> Image:
    """Make an image whose captions each say *a <word> a <word> …*. Every *a <word>* is a mention."""
    return _make_images(project, captions, [name or f"{next(_numbers)}.jpg"], picture=picture)[0]


def make_images(project: Project, captions: Sequence[Sequence[str]], count: int) -> list[Image]:
    """Make so many images that all have these captions."""
    return _make_images(project, captions, [f"{next(_numbers)}.jpg" for _ in range(count)])


def _make_images(
    project: Project, captions: Sequence[Sequence[str]], names: Sequence[str], *, picture: bool = True
) -> list[Image]:
    width, height = SIZE
    images = Image.objects.bulk_create(
        Image(
            project=project,
            name=name,
            file=f"{project.name}/{name}" if picture else "",
            width=width,
            height=height,
        )
        for name in names
    )
    made = [(words, [f"a {word}" for word in words]) for words in captions]
    texts = [" ".join(chunks) for _, chunks in made]
    rows = Caption.objects.bulk_create(
        Caption(image=image, index=index, text=text, tokens=text)
        for image in images
        for index, text in enumerate(texts)
    )
    mentions = []
    for caption, (words, chunks) in zip(rows, made * len(images), strict=True):
        place = 0
        for word, chunk in zip(words, chunks, strict=True):
            tokens = chunk.split()
            mentions.append(
                Mention(
                    image=caption.image,
                    caption=caption,
                    start=place,
                    end=place + len(tokens),
                    text=chunk,
                    head=tokens[-1],
                    types=TYPES[word],
                )
            )
            place += len(tokens)
    Mention.objects.bulk_create(mentions)
    return images


def make_random_image(project: Project, rng: random.Random, *, captions: int = 3, words: int = 2) -> Image:
    return make_image(project, [rng.sample(sorted(TYPES), words) for _ in range(captions)])


def make_batch(project: Project, *, name: str = "main", launch: bool = True, **settings: Any) -> Batch:
    """Make a batch of all free images. It is launched and opened unless told otherwise.

    Everybody's judgments count.
    """
    settings.setdefault("regime", "open")
    batch = create_batch(project=project, name=name, settings=parse_settings(settings))
    if launch:
        # Tests of crowd platforms test what they need of the server's environment, and with caps that bind.
        with (
            patch("workflows.batches.launch_checks.crowd_obstacles", return_value=[]),
            patch("workflows.batches.launch_checks.cap_of", return_value=None),
            patch("workflows.batches.launch_checks.forecast_batch", return_value=None),  # takes 60 ms
        ):
            batch = move_batch(batch=batch, action="launch")
        open_queued(batch_id=batch.pk, now=NOW)
    return batch


RIGHT: Mapping[str, dict[str, Any]] = {
    Stage.LINK: {"same": True},
    Stage.VERIFICATION: {"same": True},
    Stage.REQUIREMENT: {"requirement": "box"},
    Stage.DRAWING: {"boxes": [[10, 20, 110, 220]]},
    Stage.QUALITY: {"good": True},
    Stage.COVERAGE: {"complete": True},
}
"""The answers of made questions. `willing` is right about an item without boxes."""
FAST = "entities-fast"
"""The second protocol. `tests.entities_fast` makes batches of it."""
RIGHT_OF_JOINT: Mapping[str, dict[str, Any]] = {
    JointStage.BOXES: {"boxes": [[10, 20, 110, 220]]},
    JointStage.CHECK: {"boxes": ["good"], "missing": False},
}
"""The same for the stages that only the protocol FAST has."""


def protocol_with(stage: str) -> str:
    """Return the first protocol that has the stage."""
    return next(name for name, stages in PROTOCOL_STAGES.items() if stage in stages)


def make_questions(
    project: Project, stage: str, *, images: int = 1, each: int = 1, role: str = "gold"
) -> list[VerificationQuestion]:
    """Make `each` questions about each of so many new images. They look like items of this stage."""
    new = make_images(project, [["man"], ["man"]], images)
    mentions: dict[int, list[int]] = {image.pk: [] for image in new}
    found = Mention.objects.filter(image__in=new).order_by("pk")
    for image_id, pk in found.values_list("image_id", "pk"):
        mentions[image_id].append(pk)
    several = stage in (Stage.LINK, Stage.VERIFICATION)
    made = [
        VerificationQuestion(
            project=project,
            image=image,
            stage=stage,
            role=role,
            source=VerificationQuestion.Source.WRITTEN,
            kind="made",
            mentions=mentions[image.pk] if several else mentions[image.pk][:1],
            boxes=[[10, 20, 110, 220]] if stage == Stage.COVERAGE else [],
            box=[10, 20, 110, 220] if stage == Stage.QUALITY else None,
            new_boxes=[[10, 20, 110, 220]] if stage == JointStage.CHECK else [],
            answer={**RIGHT, **RIGHT_OF_JOINT}[stage],
            content=f"made-{next(_numbers)}",
            created_at=NOW,
        )
        for image in new
        for _ in range(each)
    ]
    return VerificationQuestion.objects.bulk_create(made)


@made_once
def make_controlled(
    stage: str, regime: str, *, images: int = 20, questions: int = 60, **settings: Any
) -> Batch:
    """Make a running batch with one chain an image that waits in `stage`, with this regime and no test.

    All other stages are open. There are at most five questions about an image.
    """
    batch = make_at_stage(stage, images=images)
    make_questions(batch.project, stage, images=-(-questions // 5), each=5)
    given = {
        "regime": dict.fromkeys(PROTOCOL_STAGES[protocol_with(stage)], "open") | {str(stage): regime},
        "screening": {"test": False},
    }
    batch.settings = parse_settings(batch.settings | given | settings).to_json()
    with changing(batch, "settings"):
        batch.save()
    return batch


def make_worker(project: Project, name: str = "") -> Worker:
    return enrol_worker(project=project, external_id=name or f"worker-{next(_numbers)}")


@made_once
def make_running(captions: Sequence[Sequence[str]], *, images: int = 1, **settings: Any) -> Batch:
    """Make a running batch of images that all have these captions."""
    project = make_project()
    make_images(project, captions, images)
    return make_batch(project, **settings)


@made_once
def make_at_stage(stage: str, *, images: int = 1, **settings: Any) -> Batch:
    """Make a running batch with one chain an image, which waits in `stage` after answers of many workers."""
    captions: dict[str, list[list[str]]] = {
        Stage.LINK: [["man"], ["man"]],
        Stage.VERIFICATION: [["man"], ["man"]],
        Stage.REQUIREMENT: [["dog"]],
    }
    settings.setdefault("protocol", protocol_with(stage))
    batch = make_running(captions.get(stage, [["man"]]), images=images, **settings)
    stages = PROTOCOL_STAGES[settings["protocol"]]
    before = stages[: stages.index(stage)]
    for _ in range(20 * images):
        todo = Item.objects.filter(batch=batch, state=Item.State.OPEN, stage__in=before).first()
        if todo is None:
            return batch
        answer_page(make_worker(batch.project), stage=todo.stage)
        advance_pending(now=NOW)
    raise AssertionError(f"no chain came to {stage}")


def always(answer: dict[str, Any]) -> Answering:
    """Return a function that gives this answer to every question."""
    return lambda stage, question: dict(answer)


def make_chain_back(*, drawer: bool = False, **settings: Any) -> tuple[Batch, list[Worker]]:
    """Return a batch whose only chain came back to box requirement, and the three who voted there before.

    The last of them found nothing to draw, or a fourth one did, the `drawer`.
    """
    batch = make_running([["dog"]], **settings)
    people = [make_worker(batch.project) for _ in range(3)]
    for worker, vote in zip(people, ("nobox", "box", "box"), strict=True):
        answer_page(worker, stage=Stage.REQUIREMENT, answering=always({"requirement": vote}))
        advance_pending(now=NOW)
    people += [make_worker(batch.project)] if drawer else []
    answer_page(people[-1], stage=Stage.DRAWING, answering=always({"box": None}))
    advance_pending(now=NOW)
    assert batch.items.get(state="open").stage == Stage.REQUIREMENT
    return batch, people


def willing(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer yes to everything, and draw one box for each chain."""
    match stage:
        case Stage.LINK | Stage.VERIFICATION:
            return {"same": True}
        case Stage.REQUIREMENT:
            return {"requirement": "box"}
        case Stage.DRAWING:
            return {"box": None if question["boxes"] else [10, 20, 110, 220]}
        case Stage.QUALITY:
            return {"good": True}
        case JointStage.BOXES:
            return {"none": "done"} if question["boxes"] else {"boxes": [{"box": [10, 20, 110, 220]}]}
        case JointStage.CHECK:
            return {"boxes": ["good"] * len(question["new_boxes"]), "missing": False}
        case CampaignStage.WRITING:
            return {
                "caption": question["correct"] or f"Dog {next(_numbers)} runs fast ."
            }  # nobody repeats another
        case CampaignStage.CAPTION_CHECK:
            return {"caption": "right"}
        case CampaignStage.GRADING:
            return {"grade": 4}
        case CampaignStage.RELEVANCE:
            return {"describes": [True] * len(question["captions"])}
    return {"complete": True}


def unsteady(rng: random.Random) -> Answering:
    """Return a function whose answers are often wrong and never agree for long.

    With them, every rule of the table is used.
    """

    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        match stage:
            case Stage.LINK:
                a, b = (
                    [part["text"] for part in caption["segments"] if part["mention"]]
                    for caption in question["captions"]
                )
                return {"same": (a == b) != (rng.random() < 0.15)}
            case Stage.VERIFICATION:
                return {"same": rng.random() < 0.8}
            case Stage.REQUIREMENT:
                return {"requirement": rng.choice(["box", "box", "scene", "nobox"])}
            case Stage.DRAWING:
                left, top = rng.randrange(500), rng.randrange(400)
                return {"box": None if rng.random() < 0.4 else [left, top, left + 50.5, top + 20]}
            case Stage.QUALITY:
                return {"good": rng.random() < 0.75}
        return {"complete": rng.random() < 0.7}

    return answer


def forget_page(page: Assignment) -> None:
    """Let the worker of a page that was given back get others with its items."""
    Assignment.objects.filter(pk=page.pk).update(key=str(page.pk), items=[])


def claim_page(worker: Worker, *, stage: str | None = None, now: datetime = NOW) -> Assignment:
    """Claim a page, and assert that there is one."""
    found = claim_maybe(worker, stage=stage, now=now)
    assert found is not None, "there is no work for this worker"
    return found.assignment


def claim_maybe(worker: Worker, *, stage: str | None = None, now: datetime = NOW) -> Claim | None:
    return claim(worker_id=worker.pk, stage=stage, now=now)


def replies(assignment: Assignment, answering: Answering = willing) -> list[Reply]:
    """Return an answer to every item of the page, given what the API shows of it."""
    shown = shown_page(assignment, now=NOW)
    return [
        Reply(
            item=entry["item"],
            answer=answering(shown["stage"], entry["question"]),
            suggestions_shown=bool(entry["question"].get("suggestions")),
        )
        for entry in shown["items"]
    ]


def answer_page(
    worker: Worker,
    *,
    stage: str | None = None,
    answering: Answering = willing,
    now: datetime = NOW,
) -> Receipt:
    """Claim a page, assert that there is one, and submit it."""
    return submit_page(claim_page(worker, stage=stage, now=now), answering=answering, now=now)


def submit_page(assignment: Assignment, *, answering: Answering = willing, now: datetime = NOW) -> Receipt:
    """Submit the page for its worker."""
    return submit(
        worker_id=assignment.worker_id,
        assignment_id=assignment.pk,
        replies=replies(assignment, answering),
        now=now,
    )
