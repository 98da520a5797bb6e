"""The list of verification questions, the page of one, and how workers answer them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest

from annotation.domain.answers import DRAWS_BOXES
from annotation.domain.protocols import ALL_STAGES
from annotation.models import (
    Caption,
    Case,
    Decision,
    Image,
    ImageWork,
    Judgment,
    Mention,
    QualificationTry,
    VerificationQuestion,
    Worker,
)
from console.common.chain_page import Line
from console.common.keyset import keyset_page
from console.common.labels import QUESTION_ROLES, STAGES, say_answer, say_right_answer
from console.common.numbers import share
from console.common.pages import project_names, read_number
from console.common.pictures import Picture, Piece, Shape, cut, picture, shapes_of
from console.common.reach import Reach, reach_of

ROWS = 40
ANSWERS = 30


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions are shown."""

    project: int | None
    stage: str
    role: str
    state: str
    reach: Reach

    def questions(self) -> QuerySet[VerificationQuestion]:
        """Return the questions that match."""
        named = {"project": self.project, "stage": self.stage, "role": self.role, "state": self.state}
        return VerificationQuestion.objects.filter(
            self.reach.rows(), **{name: value for name, value in named.items() if value}
        )


def read_wanted(request: HttpRequest) -> Wanted:
    """Read the filter from the request's address. Invalid values filter nothing."""
    data = request.GET

    def one_of(name: str, allowed: Any) -> str:
        value = data.get(name, "")
        return value if value in allowed else ""

    return Wanted(
        read_number(data, "project"),
        one_of("stage", ALL_STAGES),
        one_of("role", VerificationQuestion.Role.values),
        one_of("state", VerificationQuestion.State.values),
        reach_of(request),
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A question with its figures in words."""

    row: VerificationQuestion
    stage: str
    role: str
    answer: str
    right: str
    good: str


@dataclass(frozen=True, slots=True)
class QuestionList:
    """Questions, the newest first; `more` is the id to go on before, or 0."""

    rows: list[Row]
    projects: list[tuple[int, str]]
    more: int


def question_list(wanted: Wanted, *, before: int) -> QuestionList:
    """Return a page of questions, the newest first."""
    questions = wanted.questions().select_related("image", "project")
    found = keyset_page(questions, ROWS, before=before)
    projects = project_names(wanted.reach)
    return QuestionList([describe(row) for row in found.rows], projects, found.next)


def describe(row: VerificationQuestion) -> Row:
    return Row(
        row,
        STAGES[row.stage],
        QUESTION_ROLES[row.role],
        say_right_answer(row.stage, row.answer),
        share(row.right, row.asked),
        share(row.good_right, row.good_asked),
    )


@dataclass(frozen=True, slots=True)
class Answered:
    """A worker's answer to the question, on a page or in a qualification test."""

    worker: Worker
    right: bool
    answer: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """Everything the page shows."""

    row: VerificationQuestion
    shown: Row
    picture: Picture
    captions: list[Line]
    answers: list[Answered]
    open_cases: list[Case]
    decided: list[Decided]


@dataclass(frozen=True, slots=True)
class Decided:
    """Who made or ended the question, and why."""

    title: str
    row: Decision


_DECIDED: Mapping[str, str] = {
    Decision.Kind.WRITE: "Written",
    Decision.Kind.PROMOTE: "Made of a finished chain",
    Decision.Kind.RETIRE: "Retired",
    Decision.Kind.VOID: "Void",
    Decision.Kind.APPROVE: "Approved",
    Decision.Kind.REFUSE: "Refused",
    Decision.Kind.CORRECT: "Answer corrected",
}


def _decided(row: VerificationQuestion) -> list[Decided]:
    """Return the question's decisions, the newest first. Promoted ones share the moment of one decision."""
    several = (Decision.Kind.PROMOTE, Decision.Kind.APPROVE, Decision.Kind.REFUSE)
    alone = Q(kind__in=set(_DECIDED) - set(several), content__questions__0=row.pk)
    made = Q(kind=Decision.Kind.PROMOTE, created_at=row.created_at)
    approved = Q(kind__in=several[1:])
    found = Decision.objects.filter(alone | made | approved, project=row.project_id).order_by("-pk")
    return [Decided(_DECIDED[one.kind], one) for one in found if row.pk in one.content["questions"]]


def question_page(pk: int) -> QuestionPage | None:
    """Return the page of this question, or None if there is none. A fixed number of queries."""
    rows = VerificationQuestion.objects.select_related("image", "project", "chain")
    row = rows.filter(pk=pk).first()
    if row is None:
        return None
    cases = Case.objects.filter(question=row, closed_at=None).order_by("pk")
    return QuestionPage(
        row=row,
        shown=describe(row),
        picture=picture(row.image, question_shapes(row)),
        captions=[*marked(row.mentions), *whole(row.captions)],
        answers=_answers(row),
        open_cases=list(cases),
        decided=_decided(row),
    )


def question_shapes(row: VerificationQuestion) -> list[Shape]:
    """Return the boxes that the question shows, and those that are right to draw."""
    shapes = shapes_of(row.boxes, "accepted")
    shapes += shapes_of([*([row.box] if row.box else []), *row.new_boxes], "new")
    if row.stage in DRAWS_BOXES:
        shapes += shapes_of(row.answer.get("boxes") or [], "right")
    return shapes


def _answers(row: VerificationQuestion) -> list[Answered]:
    """Return the latest answers. Those of practice and tests are with the tries, not among the judgments."""
    if row.role == VerificationQuestion.Role.GOLD:
        given = Judgment.objects.filter(question=row).select_related("worker").order_by("-pk")[:ANSWERS]
        return [
            Answered(one.worker, bool(one.is_right), say_answer(row.stage, one.answer), one.comment)
            for one in given
        ]
    tries = QualificationTry.objects.filter(
        worker__project=row.project_id, stage=row.stage, answers__has_key=str(row.pk)
    )
    return [
        Answered(one.worker, bool(said["right"]), say_answer(row.stage, said["answer"]))
        for one in tries.select_related("worker").order_by("-pk")[:ANSWERS]
        for said in (one.answers[str(row.pk)],)
    ]


def marked(ids: list[int]) -> list[Line]:
    """Return the captions of these mentions, which are marked, in their order. One query."""
    rows = {row.pk: row for row in Mention.objects.filter(pk__in=ids).select_related("caption")}
    found = (rows[pk] for pk in ids if pk in rows)
    return [
        Line(
            mention.caption.index + 1,
            cut(
                mention.caption.text,
                mention.caption.tokens,
                [(mention.start, mention.end, Piece("", "own", mention.pk))],
            ),
        )
        for mention in found
    ]


def whole(texts: Iterable[str]) -> list[Line]:
    """Return captions in which nothing is marked: those of a question of a campaign, from 1."""
    return [Line(place, [Piece(text)]) for place, text in enumerate(texts, start=1)]


def by_caption(mentions: list[Mention]) -> list[tuple[int, str, list[Mention]]]:
    """Group mentions by caption, in reading order: the caption's place from 1, its text, its mentions."""
    found: dict[int, tuple[int, str, list[Mention]]] = {}
    for mention in mentions:
        caption = mention.caption
        found.setdefault(caption.pk, (caption.index + 1, caption.text, []))[2].append(mention)
    return list(found.values())


def own_captions(image: Image) -> list[str]:
    """Return the texts of the captions of the image that are in use, in their order."""
    captions = Caption.objects.in_use().filter(image=image).order_by("index")
    return list(captions.values_list("text", flat=True))


def in_work(image: Image) -> bool:
    """Return whether the image is being annotated. A question about it is not asked meanwhile."""
    return (
        ImageWork.objects.grounding()
        .filter(image=image, active=True)
        .exclude(state=ImageWork.State.DONE)
        .exists()
    )
