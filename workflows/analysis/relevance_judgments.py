"""Writes what is published of a campaign about captions: judgments, questions and instructions.

The package `evaluation` reads the judgments.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
from django.db.models import Q

from annotation.domain.answers import CampaignStage, GradingAnswer, RelevanceAnswer, parse_answer
from annotation.domain.protocols import Campaign
from annotation.models import Batch, Caption, Judgment, VerificationQuestion
from workflows.batch_settings.selectors import settings_of
from workflows.instructions.selectors import newest

JUDGMENTS, QUESTIONS, ABOUT = "judgments.jsonl", "questions.jsonl", "about.json"
ROWS_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: how many questions, and judgments of pairs by how many workers of how many pairs."""

    questions: int
    judgments: int
    judges: int
    pairs: int


def is_published(batch: Batch) -> bool:
    """Return whether a batch has something to publish here: it collects captions, or judges them."""
    return settings_of(batch).campaign in (Campaign.CAPTIONS, Campaign.RELEVANCE)


def judgment_lines(batch: Batch) -> Iterator[dict[str, Any]]:
    """Yield a judgment of a pair as `evaluation judgments` reads it, in the order they were given.

    Judgments that were set aside, and cards of verification questions, are left out. Workers are numbered, so
    that nobody is named.
    """
    rows = Judgment.objects.filter(item__batch=batch, set_aside__isnull=True).order_by("pk")
    stages = (CampaignStage.GRADING, CampaignStage.RELEVANCE)
    rows = rows.filter(item__stage__in=stages)
    names: dict[int, str] = {}
    captions: dict[int, tuple[str, int]] = {}
    for stage, worker, image, shown, data in rows.values_list(
        "item__stage", "worker_id", "item__work__image__name", "item__captions", "answer"
    ).iterator(chunk_size=ROWS_AT_ONCE):
        judge = names.setdefault(worker, f"judge {len(names) + 1}")
        if unknown := [pk for pk in shown if pk not in captions]:
            found = Caption.objects.filter(pk__in=unknown).values_list("pk", "image__name", "index")
            captions.update({pk: (name, index) for pk, name, index in found})
        answer = parse_answer(stage, data)
        said: list[dict[str, Any]] = []
        if isinstance(answer, GradingAnswer):
            said = [{"grade": answer.grade}]
        elif isinstance(answer, RelevanceAnswer):
            said = [{"ticked": one} for one in answer.describes]
        for caption, one in zip(shown, said, strict=True):
            yield {"image": image, "caption": list(captions[caption]), "judge": judge, **one}


def question_lines(batch: Batch) -> Iterator[dict[str, Any]]:
    """Yield the verification questions of the batch's stages, with their answers, oldest first.

    Those are controls, and the questions of the qualification test with its training. The source published
    its test with the data (ranking task, section 2.3.2). Left out are proposed questions, which were never
    asked, and questions about withdrawn images, which no export has. A sentence of the language test is about
    no image: it only loses the name of the one that it was shown beside.
    """
    stages = settings_of(batch).stages
    asked = VerificationQuestion.objects.filter(project=batch.project_id, stage__in=stages)
    asked = asked.filter(Q(image__withdrawn_at=None) | Q(stage=CampaignStage.WRITING))
    asked = asked.exclude(state=VerificationQuestion.State.PROPOSED)
    rows = asked.select_related("image").order_by("pk")
    for question in rows.iterator(chunk_size=ROWS_AT_ONCE):
        yield {
            "stage": question.stage,
            "role": question.role,
            "state": question.state,
            "image": question.image.name if question.image.withdrawn_at is None else None,
            "captions": question.captions,
            "answer": question.answer,
            "explanation": question.explanation,
            "asked": question.asked,
            "right": question.right,
        }


def instructions_of(batch: Batch) -> dict[str, Any]:
    """Return by stage the project's own instructions, or None where workers see the built-in ones."""
    versions = {stage: newest(batch.project_id, stage) for stage in settings_of(batch).stages}
    return {
        stage: {"version": version.number, "content": version.content} if version else None
        for stage, version in versions.items()
    }


def write_published(batch: Batch, out: Path, *, now: datetime) -> Written:
    """Write the questions of a batch, what they are, and its judgments of pairs, into a new folder.

    A batch that collects captions has no such judgments. Nothing is left if it fails halfway. Raises
    FileExistsError, and ValueError if the batch has nothing to publish (`is_published`).
    """
    if not is_published(batch):
        raise ValueError(f"batch {batch.name} neither collects captions nor judges them: export the data set")
    if out.exists():
        raise FileExistsError(out)
    partial = out.with_name(f".{out.name}.partial")
    partial.mkdir(parents=True)
    about: dict[str, Any] = {
        "project": batch.project.name,
        "batch": batch.name,
        "state": batch.state,
        "written_at": now.isoformat(),
    }
    try:
        numbers = {"judgments": 0, "judges": 0, "pairs": 0}
        if settings_of(batch).campaign is Campaign.RELEVANCE:
            digest, numbers = _write_judgments(batch, partial / JUDGMENTS)
            about |= {**numbers, "sha256": digest}
        about |= {"settings": settings_of(batch).to_json(), "instructions": instructions_of(batch)}
        questions = 0
        with (partial / QUESTIONS).open("wb") as file:
            for line in question_lines(batch):
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                questions += 1
        (partial / ABOUT).write_bytes(
            orjson.dumps(about, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )
        partial.rename(out)
    except BaseException:
        for name in (JUDGMENTS, QUESTIONS, ABOUT):
            (partial / name).unlink(missing_ok=True)
        partial.rmdir()
        raise
    return Written(questions, **numbers)


def _write_judgments(batch: Batch, path: Path) -> tuple[str, dict[str, int]]:
    """Write the judgments of pairs. Return the digest of the file, and what it has."""
    digest, number = hashlib.sha256(), 0
    judges, pairs = set(), set()
    with path.open("wb") as file:
        for line in judgment_lines(batch):
            content = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
            digest.update(content)
            file.write(content)
            number += 1
            judges.add(line["judge"])
            pairs.add((line["image"], *line["caption"]))
    return digest.hexdigest(), {"judgments": number, "judges": len(judges), "pairs": len(pairs)}
