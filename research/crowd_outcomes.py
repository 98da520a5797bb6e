"""What came of a crowd's work, read from the database: who is trusted, what was spent, how good it is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db.models import Count, Q
from django.utils import timezone

from annotation.domain.answers import Stage, parse_answer
from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from annotation.models import Assignment, Batch, Case, Chain, ImageWork, Item, Judgment, Project, Standing
from annotation.models import VerificationQuestion as VQ
from research.crew import Hand
from research.trust_scores import Worker
from simulation.agreement import compare
from simulation.characters import AWAKE, Character, Kind
from simulation.questions import read_question
from simulation.truth import Truth
from workflows.assignments.page_view import questions_shown
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.questions.domain.right_answers import is_right

TRIALS = 300
"""The number of answers by which the accuracy of a careless worker is found."""


def workers(hands: Sequence[Hand], batch: Batch, truth: Truth, seed: int) -> list[Worker]:
    """Return every worker in every stage they work in: how good they are, and how they stand."""
    settings = settings_of(batch)
    rows = {(row.worker_id, row.stage): row for row in Standing.objects.filter(worker__project=batch.project)}
    asked = {stage: _questions(batch.project, stage) for stage in Stage}
    found = []
    for hand in hands:
        for stage in hand.stages:
            row = rows.get((hand.worker_id, stage))
            found.append(
                Worker(
                    stage=stage,
                    kind=hand.character.kind,
                    accuracy=accuracy(hand.character, stage, asked[Stage(stage)], truth, settings, seed),
                    minimum=settings.minimum_score[stage],
                    state=row.state if row else "",
                    asked=row.asked if row else 0,
                    right=row.right if row else 0,
                )
            )
    return found


Known = Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
"""Questions as the API shows them, each with its right answer."""


def _questions(project: Project, stage: str) -> Known:
    rows = VQ.objects.filter(project=project, stage=stage, role=VQ.Role.GOLD).order_by("pk")
    known = list(rows.values_list("pk", "answer"))
    shown = questions_shown(stage, [pk for pk, _ in known], worker_id=0, now=timezone.now())
    return [(question, answer) for question, (_, answer) in zip(shown, known, strict=True)]


def accuracy(
    character: Character, stage: str, known: Known, truth: Truth, settings: BatchSettings, seed: int
) -> float:
    """Return the share of right answers in the long run.

    For a worker who reads, it is the one that was drawn beforehand. Other workers are tried out, and a
    sleeper is tried after they have stopped reading.
    """
    reads = character.kind in (Kind.HONEST, Kind.HASTY) or (
        character.kind == Kind.LOOSE and stage != "drawing"
    )
    if reads:
        return 1 - character.profile.rate(stage)
    rng = random.Random(f"{seed}/{stage}")
    right = 0
    for question, expected in rng.choices(known, k=TRIALS):
        asked = read_question(question, truth.image_of)
        answer = parse_answer(
            stage,
            character.answer(stage, asked, truth, AWAKE, rng),
            size=asked.size,
            minimum_side=settings.minimum_side,
        )
        right += is_right(stage, expected, answer, box_iou=settings.control.box_iou)
    return right / TRIALS


def spent(batch: Batch, hands: Sequence[Hand]) -> dict[str, int]:
    """Return the number of answers by what they were for, with those in qualification tests."""
    judgments = Judgment.objects.filter(assignment__batch=batch)
    counts = judgments.aggregate(
        ordinary=Count("pk", filter=Q(item__isnull=False)),
        set_aside=Count("pk", filter=Q(set_aside__isnull=False)),
        entrance=Count("pk", filter=Q(question__isnull=False, assignment__items=[])),
        checks=Count("pk", filter=Q(question__isnull=False) & ~Q(assignment__items=[])),
    )
    return {**counts, "tests": sum(hand.tested for hand in hands)}


def verdicts(batch: Batch) -> dict[str, dict[str, int]]:
    """Return the number of pages by verdict, for each stage."""
    found: dict[str, Counter[str]] = {stage: Counter() for stage in Stage}
    pages = Assignment.objects.filter(batch=batch).exclude(verdict="")
    for stage, verdict, count in pages.values_list("stage", "verdict").annotate(Count("pk")):
        found[stage][verdict] = count
    return {str(stage): dict(counts) for stage, counts in found.items()}


def outcome(batch: Batch, records: Sequence[ImageRecord], out: Path) -> dict[str, float]:
    """Export the project, and compare it with the truth."""
    call_command(
        *("export_dataset", str(out), "--project", batch.project.name, "--format", "flickr30k-entities"),
        "--include-unresolved",
        stdout=StringIO(),
    )
    found = [record for record in read(out) if isinstance(record, ImageRecord)]
    agreement = compare(records, found)
    names = ("precision", "recall", "f1", "exact_chains", "box_recall", "box_precision", "mean_iou")
    done = ImageWork.objects.filter(batch=batch, state=ImageWork.State.DONE).count()
    review = Chain.objects.filter(work__batch=batch, state="review").count()
    asked = Item.objects.filter(batch=batch, state=Item.State.OPEN).values("work").distinct().count()
    figures = {name: round(float(getattr(agreement, name)), 4) for name in names}
    counts = {"finished": done, "unfinished": asked, "review": review, "exported": agreement.images}
    return {**figures, **counts}


def paced(hands: Sequence[Hand]) -> dict[str, dict[str, int]]:
    """Return for each kind of worker how many there are, how many the pace check flagged, and for what."""
    flags: dict[int, set[str]] = {}
    for worker, detail in Case.objects.filter(reason=Case.Reason.PACE).values_list("worker_id", "detail"):
        flags.setdefault(worker, set()).update(flag["kind"] for flag in detail["flags"])
    found: dict[str, Counter[str]] = {}
    for hand in hands:
        counts = found.setdefault(str(hand.character.kind), Counter())
        counts["workers"] += 1
        counts["flagged"] += hand.worker_id in flags
        counts.update(flags.get(hand.worker_id, ()))
    return {kind: dict(counts) for kind, counts in found.items()}
