"""Runs qualification tests: begins a try, explains its training, and scores its test.

A try under a name that no platform has confirmed belongs to its participation. Until the platform confirms
the worker it counts nowhere else, neither for nor against anybody. If that never happens, it is void.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db.models import Case, F, Max, Q, QuerySet, When

from annotation.domain.answers import (
    AbstentionKind,
    Answer,
    AnswerError,
    abstention_of,
    parse_answer,
    to_json,
)
from annotation.models import Exposure, QualificationTry, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.assignments.submit import SubmissionError
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.core.json_pointers import json_pointer
from workflows.core.photographs import is_broken
from workflows.money.domain.wage_floor import test_bonus
from workflows.quality.admission import (
    asking_batch,
    box_iou_of,
    screened,
    settings_of_test,
    situations,
    tries_of,
)
from workflows.quality.domain.admission import OPEN, Part, TooFewQuestionsError, draw_questions, passed
from workflows.questions.domain.right_answers import is_right
from workflows.questions.retire import tally_answers
from workflows.workers.enrolment import lock_worker
from workflows.workers.places import (
    batch_of_participation,
    unconfirmed_participation,
    unconfirmed_participations,
)

State = QualificationTry.State
BROKEN = "broken"
"""The key in a stored answer that calls the photograph unusable, if the server finds it broken, too."""


class TryError(Exception):
    """The test cannot go on like this now; the message says what to do."""


class NoSuchTryError(Exception):
    """The worker has no try of this number at this stage."""


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation of a training item: whether the answer was right, why, and the right answer."""

    right: bool
    explanation: str
    answer: Mapping[str, Any]


def begin_try(
    *, worker_id: int, stage: str, now: datetime, rng: Random, participation_id: int | None = None
) -> tuple[QualificationTry, bool]:
    """Return the worker's open try at the stage, or a new one; and whether it is new.

    `participation_id` is the participation that the worker's token is bound to, if any. Raise
    WorkerBlockedError, or TryError if no test is needed, no try is left, or the worker has to wait.
    """
    with write_transaction():
        lock_worker(worker_id)
        place = unconfirmed_participation(participation_id)
        tries = tries_of(worker_id=worker_id, place=place).filter(stage=stage)
        if (held := tries.filter(state__in=OPEN).last()) is not None:
            return held, False
        batch_id = batch_of_participation(participation_id)
        asking = asking_batch(worker_id=worker_id, stage=stage, running=True, batch_id=batch_id)
        if asking is None:
            raise TryError("No test is needed for this task now: look again once it has work.")
        batch, settings = asking
        if not screened(worker_id=worker_id, settings=settings):
            raise TryError("This task asks for more approved tasks on the platform than you have.")
        found = situations(worker_id=worker_id, settings=settings, stages=[stage], now=now, place=place)
        part = found[stage].part
        if part != Part.NONE:
            raise TryError(_REFUSED[part])
        training, test = _draw(worker_id, stage, place, settings, rng)
        made = QualificationTry.objects.create(
            worker_id=worker_id,
            stage=stage,
            number=_next(tries),
            state=State.TRAINING if training else State.TESTING,
            training=training,
            test=test,
            pass_mark=settings.pass_mark[stage],
            batch=batch,
            bonus=test_bonus(settings, stage),
            currency=settings.currency,
            started_at=now,
            place=place,
        )
        if place is None:
            _expose(worker_id, [*training, *test], now)
    return made, True


_REFUSED = {
    Part.PASSED: "You have passed this test: claim a page.",
    Part.WAITING: "The last try was not long ago: wait until the next one is possible.",
    Part.FAILED: "You have no tries left. Write to the researcher.",
}


def _draw(
    worker_id: int, stage: str, place: int | None, settings: BatchSettings, rng: Random
) -> tuple[list[int], list[int]]:
    Role = VerificationQuestion.Role
    questions = VerificationQuestion.objects.filter(
        project__workers=worker_id, stage=stage, state=VerificationQuestion.State.ACTIVE
    )
    pools: dict[str, list[int]] = {Role.TRAINING: [], Role.TEST: []}
    for pk, role in questions.filter(role__in=pools).order_by("pk").values_list("pk", "role"):
        pools[role].append(pk)
    asked = [*pools[Role.TRAINING], *pools[Role.TEST]]
    exposed = Exposure.objects.filter(worker_id=worker_id, question__in=asked)
    seen = set(exposed.values_list("question_id", flat=True))
    here = seen | _asked_in(tries_of(worker_id=worker_id, place=place).filter(stage=stage))
    # Questions of unconfirmed tries under this name are asked again only if there are no others: a worker who
    # gave a place back has seen them, but a worker whose name somebody else used has not.
    anywhere = here | _asked_in(QualificationTry.objects.filter(worker_id=worker_id, stage=stage))
    enough = len(set(pools[Role.TEST]) - anywhere) >= settings.screening.test_items
    try:
        return draw_questions(
            training=pools[Role.TRAINING],
            test=pools[Role.TEST],
            seen=anywhere if enough else here,
            screening=settings.screening,
            rng=rng,
        )
    except TooFewQuestionsError as error:
        raise TryError(f"The test cannot begin: {error}. Write to the researcher.") from error


def _asked_in(tries: QuerySet[QualificationTry]) -> set[int]:
    void = tries.filter(place__isnull=False).values_list("training", "test")
    return {question for training, test in void for question in (*training, *test)}


def count_tries(*, worker_id: int, place: int, origin: str, now: datetime) -> None:
    """Make the tries of a place count, now that the platform has confirmed its worker.

    Tries under the same name in places that were opened from the same `origin` count as well. An open try is
    void if the worker has begun another meanwhile. Call this in a transaction that has locked the worker; it
    locks questions.
    """
    nearby = unconfirmed_participations(worker_id=worker_id).filter(origin=origin).values("pk")
    tries = QualificationTry.objects.filter(worker_id=worker_id)
    for made in tries.filter(Q(place=place) | Q(place__in=nearby)).order_by("started_at", "pk"):
        counting = tries_of(worker_id=worker_id, place=None).filter(stage=made.stage)
        if made.state in OPEN and counting.filter(state__in=OPEN).exists():
            continue
        where = made.place
        made.place, made.number = None, _next(counting)
        made.save(update_fields=["place", "number"])
        _expose(worker_id, [*made.training, *made.test], now)
        if made.state not in OPEN:
            _tally(made, _terms(worker_id, made.stage, where), now)


def _next(tries: QuerySet[QualificationTry]) -> int:
    """Return the number of the next try. It is not their count, since tries of a place may be forgotten."""
    return (tries.aggregate(Max("number"))["number__max"] or 0) + 1


def _tally(held: QualificationTry, settings: BatchSettings, now: datetime) -> None:
    given = {pk: held.answers[str(pk)] for pk in held.test}
    tally_answers(
        outcomes={pk: bool(one["right"]) for pk, one in given.items() if not one.get(BROKEN)},
        broken=[pk for pk, one in given.items() if one.get(BROKEN)],
        trusted=False,
        control=settings.control,
        now=now,
    )


def _expose(worker_id: int, questions: Sequence[int], now: datetime) -> None:
    """Keep that the worker sees these questions, so that they come in no other scored part and on no page."""
    before = Exposure.objects.filter(worker_id=worker_id, question__in=questions)
    new = sorted(set(questions) - set(before.values_list("question_id", flat=True)))
    rows = VerificationQuestion.objects.filter(pk__in=new)
    list(rows.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    rows.update(exposures=F("exposures") + 1)
    Exposure.objects.bulk_create(
        Exposure(worker_id=worker_id, question_id=question, created_at=now) for question in new
    )


def answer_training(
    *,
    worker_id: int,
    stage: str,
    number: int,
    item: int,
    answer: Mapping[str, Any],
    participation_id: int | None = None,
) -> Explained:
    """Take the answer to a training item (counted from 1) and explain it.

    The first answer is kept, and a later one gets the same explanation. Once all items are answered the try
    goes on to the scored part. Raise NoSuchTryError, or SubmissionError for an answer that is not valid.
    """
    broken = _look_at_photographs(
        worker_id, stage, number, participation_id, State.TRAINING, [(item, answer)]
    )
    with write_transaction():
        lock_worker(worker_id, may_be_blocked=True)
        held = _held(worker_id, stage, number, participation_id)
        if not 1 <= item <= len(held.training):
            raise SubmissionError([("/item", f"this training has the items 1 to {len(held.training)}")])
        question = VerificationQuestion.objects.select_related("image").get(pk=held.training[item - 1])
        key = str(question.pk)
        if key not in held.answers:
            settings = _terms(worker_id, stage, participation_id)
            try:
                parsed = _parse(question, answer, settings)
            except AnswerError as error:
                raise SubmissionError([(_field(("answer",), error), str(error))]) from error
            held.answers[key] = _scored(question, parsed, box_iou_of(held), broken)
            if all(str(pk) in held.answers for pk in held.training):
                held.state = State.TESTING
            held.save(update_fields=["answers", "state"])
    return Explained(held.answers[key]["right"], question.explanation, question.answer)


def hand_in_test(
    *,
    worker_id: int,
    stage: str,
    number: int,
    answers: Sequence[tuple[int, Mapping[str, Any]]],
    now: datetime,
    participation_id: int | None = None,
) -> tuple[QualificationTry, bool]:
    """Score the test; return the try as it ended, and whether it ended just now.

    `answers` are pairs of an item, counted from 1, and its answer. A try that has ended is returned as it
    is. Raise NoSuchTryError, TryError if the training is not done, or SubmissionError naming each bad field;
    then nothing is kept.
    """
    broken = _look_at_photographs(worker_id, stage, number, participation_id, State.TESTING, answers)
    with write_transaction():
        lock_worker(worker_id, may_be_blocked=True)
        held = _held(worker_id, stage, number, participation_id)
        if held.state not in OPEN:
            return held, False
        if held.state == State.TRAINING:
            raise TryError("Answer the training items first: the test comes after them.")
        settings = _terms(worker_id, stage, participation_id)
        questions = VerificationQuestion.objects.select_related("image").in_bulk(held.test)
        given = _parse_all([questions[pk] for pk in held.test], answers, settings)
        box_iou = box_iou_of(held)
        results = {pk: _scored(questions[pk], answer, box_iou, broken) for pk, answer in given.items()}
        held.answers |= {str(pk): one for pk, one in results.items()}
        # What nobody can see is not asked: the share is of the other questions.
        held.asked = sum(BROKEN not in one for one in results.values())
        held.right = sum(one["right"] for one in results.values())
        well = passed(right=held.right, asked=held.asked, mark=held.pass_mark)
        held.state = State.PASSED if well else State.FAILED
        held.owed = well and held.bonus > 0
        held.ended_at = now
        held.save(update_fields=["answers", "asked", "right", "state", "owed", "ended_at"])
        if held.place is None:
            _tally(held, settings, now)
    return held, True


def _look_at_photographs(
    worker_id: int,
    stage: str,
    number: int,
    participation_id: int | None,
    part: State,
    answers: Sequence[tuple[int, Mapping[str, Any]]],
) -> set[int]:
    """Return the questions whose photographs are called unusable in this part, and are found to be broken.

    Photographs are read before anything is locked, since that may take a while.
    """
    called = {item for item, answer in answers if abstention_of(answer) is AbstentionKind.UNUSABLE}
    if not called:
        return set()
    held = _held(worker_id, stage, number, participation_id)
    if held.state != part:
        return set()
    asked = held.training if part == State.TRAINING else held.test
    shown = [pk for item, pk in enumerate(asked, start=1) if item in called and str(pk) not in held.answers]
    files = dict(VerificationQuestion.objects.filter(pk__in=shown).values_list("pk", "image__file"))
    broken = {file for file in set(files.values()) if is_broken(file)}
    return {pk for pk, file in files.items() if file in broken}


def _held(worker_id: int, stage: str, number: int, participation_id: int | None) -> QualificationTry:
    place = unconfirmed_participation(participation_id)
    tries = tries_of(worker_id=worker_id, place=place).filter(stage=stage, number=number)
    # A number may have been given twice: to a try of this place, and to one nearby or confirmed meanwhile.
    here = Case(When(place=place, then=0), When(place=None, then=2), default=1)
    found = tries.order_by(here, "pk").first()
    if found is None:
        raise NoSuchTryError
    return found


def _terms(worker_id: int, stage: str, participation_id: int | None) -> BatchSettings:
    """Return the settings that answers are scored by. A try that has begun can be ended without its batch."""
    batch_id = batch_of_participation(participation_id)
    return settings_of_test(worker_id=worker_id, stage=stage, batch_id=batch_id) or BatchSettings()


def _parse(
    question: VerificationQuestion, answer: object, settings: BatchSettings
) -> Answer | AbstentionKind:
    if (kind := abstention_of(answer)) is AbstentionKind.UNUSABLE:
        return kind
    width, height = question.image.width, question.image.height
    size = (width, height) if width and height else None
    return parse_answer(
        question.stage,
        answer,
        size=size,
        minimum_side=settings.minimum_side,
        new_boxes=len(question.new_boxes),
    )


def _parse_all(
    questions: Sequence[VerificationQuestion],
    answers: Sequence[tuple[int, Mapping[str, Any]]],
    settings: BatchSettings,
) -> dict[int, Answer | AbstentionKind]:
    """Return the answers by question id. Raise SubmissionError naming each bad field."""
    errors: list[tuple[str, str]] = []
    parsed: dict[int, Answer | AbstentionKind] = {}
    for place, (item, answer) in enumerate(answers):
        if not 1 <= item <= len(questions):
            errors.append(
                (json_pointer("answers", place, "item"), f"this test has the items 1 to {len(questions)}")
            )
            continue
        question = questions[item - 1]
        if question.pk in parsed:
            errors.append((json_pointer("answers", place, "item"), f"item {item} is answered twice"))
            continue
        try:
            parsed[question.pk] = _parse(question, answer, settings)
        except AnswerError as error:
            errors.append((_field(("answers", place, "answer"), error), str(error)))
    missing = [str(n) for n, question in enumerate(questions, start=1) if question.pk not in parsed]
    if missing and not errors:
        errors.append(("/answers", f"items without an answer: {', '.join(missing)}"))
    if errors:
        raise SubmissionError(errors)
    return parsed


def _field(path: tuple[object, ...], error: AnswerError) -> str:
    return json_pointer(*path, *([error.field] if error.field else ()))


def _scored(
    question: VerificationQuestion,
    answer: Answer | AbstentionKind,
    box_iou: float,
    broken: Collection[int],
) -> dict[str, Any]:
    """Return what is kept of an answer: the answer, and whether it is right.

    *Photograph unusable* is wrong if the photograph is fine, and counts for nobody if the question is among
    the `broken` ones.
    """
    if isinstance(answer, AbstentionKind):
        said = {"answer": {answer.value: True}, "right": False}
        return said | {BROKEN: True} if question.pk in broken else said
    right = is_right(question.stage, question.answer, answer, box_iou=box_iou)
    return {"answer": to_json(answer), "right": right}
