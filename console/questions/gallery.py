"""The gallery: proposed verification questions of a project, the most doubtful first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.domain.answers import DRAWS_BOXES, JointStage, Stage
from annotation.models import Mention, Project, VerificationQuestion
from console.common.chain_page import Line
from console.common.labels import QUESTION_ROLES, STAGES, say_right_answer
from console.common.pictures import Picture, Piece, cut, picture
from console.questions.question_list import question_shapes
from workflows.analysis.domain.suspicion import Evidence
from workflows.analysis.question_evidence import evidence_of
from workflows.questions.images import settled

SHOWN = 24
"""Questions on one page."""
IMAGES = 60
"""The images of which questions are put in order; the others follow when these are decided."""

_QUESTIONS: Mapping[str, str] = {
    Stage.LINK: "Are these the same?",
    Stage.VERIFICATION: "Are all of these the same?",
    Stage.REQUIREMENT: "Is there a box to draw?",
    Stage.DRAWING: "Draw a box that is missing.",
    Stage.QUALITY: "Is the new box good?",
    Stage.COVERAGE: "Are all boxes there?",
    JointStage.BOXES: "Draw all boxes that are missing.",
    JointStage.CHECK: "Is each new box good, and is something missing?",
}


@dataclass(frozen=True, slots=True)
class Card:
    """A proposed question as the gallery shows it."""

    row: VerificationQuestion
    stage: str
    role: str
    asks: str
    answer: str
    picture: Picture
    captions: list[Line]
    suspicion: int  # per cent
    why: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """A page of the gallery. `waiting` counts all proposals of the project, `unsettled` those in flux."""

    cards: list[Card]
    waiting: int
    unsettled: int
    by_stage: list[tuple[str, str, int]]


def gallery(
    project: Project, *, stage: str, role: str, missing: Mapping[tuple[str, str], int] | None = None
) -> Gallery:
    """Return the most doubtful proposals of the project. A fixed number of queries.

    With `missing`, return no more of a stage and role than are missing: the least doubtful ones.
    """
    proposed = VerificationQuestion.objects.filter(project=project, state=VerificationQuestion.State.PROPOSED)
    counts = dict(proposed.order_by().values_list("stage").annotate(Count("pk")))
    ready = settled(proposed)
    unsettled = sum(counts.values()) - ready.count()
    images = ready.order_by("image").values_list("image", flat=True).distinct()[:IMAGES]
    wanted = ready.filter(image__in=list(images)).select_related("image")
    for name, value in (("stage", stage), ("role", role)):
        if value:
            wanted = wanted.filter(**{name: value})
    rows = list(wanted.order_by("pk"))
    evidence = evidence_of(project.pk, rows)
    rows.sort(key=lambda row: (-evidence[row.pk].suspicion, row.pk))
    if missing is not None:
        rows = _only(rows, missing)
    shown = rows[:SHOWN]
    captions = _captions(shown)
    return Gallery(
        [_card(row, evidence[row.pk], captions) for row in shown],
        waiting=sum(counts.values()),
        unsettled=unsettled,
        by_stage=[(name, words, counts.get(name, 0)) for name, words in STAGES.items()],
    )


def _only(
    rows: Sequence[VerificationQuestion], missing: Mapping[tuple[str, str], int]
) -> list[VerificationQuestion]:
    left = Counter(missing)
    kept = set()
    for row in reversed(rows):
        if left[row.stage, row.role] > 0:
            left[row.stage, row.role] -= 1
            kept.add(row.pk)
    return [row for row in rows if row.pk in kept]


def _card(row: VerificationQuestion, evidence: Evidence, captions: Mapping[int, Line]) -> Card:
    # Boxes in words would be numbers that nobody can compare with the picture.
    boxes = row.answer.get("boxes") if row.stage in DRAWS_BOXES else None
    return Card(
        row=row,
        stage=STAGES[row.stage],
        role=QUESTION_ROLES[row.role],
        asks=_QUESTIONS[row.stage],
        answer=f"{len(boxes)} missing, as drawn" if boxes else say_right_answer(row.stage, row.answer),
        picture=picture(row.image, question_shapes(row)),
        captions=[captions[pk] for pk in row.mentions if pk in captions],
        suspicion=round(100 * evidence.suspicion),
        why=_why(evidence),
    )


def _why(evidence: Evidence) -> str:
    """Return in words what is least sure about the work that the question rests on."""
    if (part := evidence.weakest) is None:
        return "No worker was asked about this."
    if part.decided:
        return "A researcher decided it."
    voices = f"{len(part.in_favour)} for, {len(part.against)} against"
    who = min(part.in_favour, default=0.5)
    return f"Least sure: {STAGES[part.what]} ({voices}). Who said so is right about {who:.0%} of the time."


def _captions(rows: Sequence[VerificationQuestion]) -> dict[int, Line]:
    """Return the caption of each mention, which is marked, by mention. One query."""
    ids = {pk for row in rows for pk in row.mentions}
    found = {}
    for mention in Mention.objects.filter(pk__in=ids).select_related("caption"):
        mark = (mention.start, mention.end, Piece("", "own", mention.pk))
        pieces = cut(mention.caption.text, mention.caption.tokens, [mark])
        found[mention.pk] = Line(mention.caption.index + 1, pieces)
    return found
