"""Take the answers to a page, once, and write them down as judgments."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any
from uuid import UUID

from django.db.models import F

from annotation.domain.answers import (
    DRAWS_BOXES,
    AbstentionKind,
    Answer,
    AnswerError,
    JointStage,
    Stage,
    parse_answer,
    to_json,
)
from annotation.domain.page_entries import ITEM, QUESTION, merge_entries
from annotation.domain.suggested import copied_bits, count_shown, origins
from annotation.models import Assignment, Item, Judgment, VerificationQuestion
from annotation.selectors import barring, boxes_to_check
from annotation.transactions import write_transaction
from workflows.assignments.abstentions import is_vote, look_at_photographs, write_abstentions
from workflows.assignments.entries_shown import Suggested, captions_shown, suggested_on
from workflows.assignments.leases import lock_works
from workflows.assignments.replies import Entry, Given, Reply, digest_of
from workflows.batch_settings.domain.quality_control import Regime
from workflows.batch_settings.domain.settings import most_unsure
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import open_late_remarks, open_remarks
from workflows.cases.unrelated_captions import captions_that_can_be_unrelated, open_unrelated
from workflows.core.json_pointers import json_pointer
from workflows.money.domain.wage_floor import is_direct
from workflows.quality.page_scores import count_page, score_page
from workflows.questions.domain.right_answers import is_right
from workflows.questions.retire import NONE
from workflows.workers.enrolment import lock_worker


class NoSuchAssignmentError(Exception):
    """The worker has no assignment of this id."""


class OtherAnswersError(Exception):
    """The page was submitted before, with other answers. Those count, and these are not taken."""

    def __init__(self) -> None:
        super().__init__("This page was submitted before, with other answers. Those count.")


class SubmissionError(Exception):
    """The answers cannot be taken as they are. `errors` pairs a JSON pointer with what is wrong."""

    def __init__(self, errors: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{pointer}: {message}" for pointer, message in errors))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Receipt:
    """How many answers count, how many came too late, and what is paid. It is the same for every replay."""

    accepted: int
    acknowledged: int
    replayed: bool
    reward: int = 0  # of the page, in the currency's smallest unit
    currency: str = ""
    stage: str = field(default="", compare=False)


ANSWERS = "answers"
"""The key in a stored receipt of `digest_of` the answers that it is for. Older receipts have none."""
HOLDING = timedelta(hours=24)
"""How long the items of a page wait for the platform to say who answered them."""


def submit(*, worker_id: int, assignment_id: UUID, replies: Sequence[Reply], now: datetime) -> Receipt:
    """Write the page's judgments and return the receipt. The same answers again get the same receipt again.

    If the lease has run out, an answer counts if its item still needs a judgment, and is only acknowledged
    if it does not; verification questions are scored in any case. If the page's worker is not confirmed yet,
    the answers are kept and do not count yet.

    Raise NoSuchAssignmentError, SubmissionError, OtherAnswersError or WorkerBlockedError; then nothing is
    written.
    """
    replies = look_at_photographs(worker_id, assignment_id, replies)
    with write_transaction():
        # Work done before the worker was blocked is kept. Whether it counts is decided elsewhere.
        project_id = lock_worker(worker_id, may_be_blocked=True)
        assignment = lock_page(worker_id, assignment_id)
        if assignment.receipt is not None:
            if assignment.receipt.get(ANSWERS, digest := digest_of(replies)) != digest:
                raise OtherAnswersError
            return _receipt(assignment, replayed=True)
        if assignment.confirmed:
            take_answers(assignment, replies, project_id=project_id, now=now)
        else:
            _hold(assignment, replies, now)
    return _receipt(assignment, replayed=False)


def lock_page(worker_id: int, assignment_id: UUID) -> Assignment:
    """Lock the worker's page and return it with its batch and worker. Raise NoSuchAssignmentError."""
    assignment = (
        Assignment.objects.select_for_update(no_key=True, of=("self",))
        .select_related("batch", "worker")
        .filter(pk=assignment_id, worker_id=worker_id)
        .first()
    )
    if assignment is None:
        raise NoSuchAssignmentError
    return assignment


def take_answers(
    assignment: Assignment, replies: Sequence[Reply], *, project_id: int, now: datetime, checked: bool = False
) -> None:
    """Write the judgments of a page in the caller's transaction, which has locked the page and its worker.

    A receipt that the worker has got stays as it is. `checked` says that the answers were found valid
    before, under the settings of that time. Raise SubmissionError.
    """
    questions = _questions_of(assignment)
    suggested = suggested_on(assignment, _asked_on(assignment))
    answers = _parse(assignment, replies, questions, suggested, checked=checked)
    live = assignment.state == Assignment.State.LIVE
    lock_works(assignment.items)
    wanted = set(assignment.items) if live else _still_needing(assignment.items, assignment.worker_id)
    told = {(ITEM, item) for item in wanted} | _questions_told(assignment, wanted)
    # Questions are scored however late they are: a late page shows as well as any other how good a worker is.
    # Only a page of a platform's place has a key, and only such a page may have waited to be confirmed.
    again = _asked_before(assignment) if checked or assignment.key else frozenset()
    counting = [
        given for given in answers if given[0] not in again and (given[0] in told or given[0][0] == QUESTION)
    ]
    votes = [given for given in counting if is_vote(given)]
    judgments = _judgments(assignment, votes, questions, suggested, now)
    judged = {pk for (kind, pk), *_ in votes if kind == ITEM}
    if judged:
        Item.objects.filter(pk__in=judged).update(
            judged=F("judged") + 1, leased=F("leased") - int(live), unread=True
        )
    if abstained := [given for given in counting if not is_vote(given)]:
        write_abstentions(assignment, abstained, live=live, now=now)
    late = [_as_json(*given) for given in answers if given[0] not in told]
    on_time = [one for one, given in zip(judgments, votes, strict=True) if given[0] in told]
    open_remarks(judgments=on_time, project_id=project_id, now=now)
    assignment.late = late or None
    open_late_remarks(assignment=assignment, project_id=project_id, now=now)
    # Also of answers that are late or vote for nobody: what is wrong with the caption is as true.
    named = [(entry, reply.unrelated) for entry, _, reply in answers if reply.unrelated]
    open_unrelated(named=named, assignment=assignment, project_id=project_id, now=now)
    assignment.state = Assignment.State.SUBMITTED
    # Answers that were held count from when they came, not from when the platform said whose they are.
    assignment.submitted_at = assignment.submitted_at or now
    assignment.held = None
    # A platform pays its own workers; `crowd.direct.page_earnings` brings the others into the ledger.
    assignment.owed = is_direct(assignment.worker.provider) and bool(
        # Money may have been bound for a wage floor that is gone by now: `page_earnings` lets it go.
        assignment.reward or assignment.bound or settings_of(assignment.batch).crowd.hourly_wage
    )
    assignment.receipt = assignment.receipt or {
        "accepted": len(told),
        "acknowledged": len(late),
        ANSWERS: digest_of(replies),
    }
    score_page(assignment=assignment, judgments=judgments)
    assignment.save(
        update_fields=[
            *("state", "submitted_at", "held", "owed", "receipt", "late", "asked", "right", "verdict")
        ]
    )
    broken = [pk for (kind, pk), _, reply in abstained if kind == QUESTION and reply.broken]
    count_page(assignment=assignment, judgments=judgments, broken=broken, now=now)


def _asked_before(assignment: Assignment) -> frozenset[Entry]:
    """Return the page's questions that its worker has answered on another page.

    A question is asked anew if nobody has confirmed the page on which it was asked; both pages may be
    confirmed in the end. The answer that was confirmed first counts.
    """
    asked = [question for _, question in assignment.checks]
    answered = Judgment.objects.filter(worker=assignment.worker_id, question__in=asked)
    return frozenset((QUESTION, pk) for pk in answered.values_list("question_id", flat=True) if pk)


def _hold(assignment: Assignment, replies: Sequence[Reply], now: datetime) -> None:
    """Keep the answers until the worker is confirmed. The receipt says that all of them are accepted."""
    questions = _questions_of(assignment)
    given = _parse(assignment, replies, questions, suggested_on(assignment, _asked_on(assignment)))
    assignment.held = [{**asdict(reply), "answer": _to_json(answer)} for _, answer, reply in given]
    assignment.receipt = {"accepted": len(given), "acknowledged": 0, ANSWERS: digest_of(replies)}
    assignment.submitted_at = now
    assignment.expires_at = max(assignment.expires_at, now + HOLDING)
    assignment.save(update_fields=["held", "receipt", "submitted_at", "expires_at"])


def _receipt(assignment: Assignment, *, replayed: bool) -> Receipt:
    """Return the receipt. A page pays what it promised, however late it is and whatever its answers count."""
    said = assignment.receipt
    assert said is not None, "the page was submitted"
    return Receipt(
        accepted=said["accepted"],
        acknowledged=said["acknowledged"],
        replayed=replayed,
        reward=assignment.reward,
        currency=assignment.currency,
        stage=assignment.stage,
    )


def _questions_of(assignment: Assignment) -> dict[int, VerificationQuestion]:
    """Return the page's verification questions by id."""
    return VerificationQuestion.objects.in_bulk(_asked_on(assignment))


def _asked_on(assignment: Assignment) -> list[int]:
    """Return the ids of the page's verification questions, and that of no row if it has none.

    So it takes as many statements as a page with questions, and their time tells nothing. Where everybody's
    judgments count, no page has questions, and nothing is read.
    """
    asked = [question for _, question in assignment.checks]
    regime = settings_of(assignment.batch).regime[assignment.stage]
    return asked or ([] if regime == Regime.OPEN else [NONE])


def _questions_told(assignment: Assignment, wanted: Collection[int]) -> set[Entry]:
    """Return the verification questions of which the worker is told that their answers count.

    All answers to questions count. But the receipt and the account of a late page must not tell questions
    from items. So each question is told to share the fate of one of the page's items, which is drawn at
    random and is the same each time it is drawn for this page.
    """
    rng = Random(assignment.pk.int)
    return {
        (QUESTION, question)
        for _, question in assignment.checks
        if not assignment.items or rng.choice(assignment.items) in wanted
    }


def _judgments(
    assignment: Assignment,
    given: Given,
    questions: Mapping[int, VerificationQuestion],
    suggested: Suggested,
    now: datetime,
) -> list[Judgment]:
    """Write these answers as judgments, in the order of the page."""
    box_iou = settings_of(assignment.batch).control.box_iou
    shown = enumerate(pairwise(assignment.images), start=2)
    further = {place for place, (before, image) in shown if before == image}
    judgments = []
    for (kind, pk), answer, reply in given:
        correct, boxes = None, suggested.get((kind, pk))
        if isinstance(answer, AbstentionKind):
            correct = False
        elif kind == QUESTION:
            correct = is_right(assignment.stage, questions[pk].answer, answer, box_iou=box_iou)
        came = origins(answer, boxes or ())
        judgments.append(
            Judgment(
                item_id=pk if kind == ITEM else None,
                question_id=pk if kind == QUESTION else None,
                correct=correct,
                worker_id=assignment.worker_id,
                assignment=assignment,
                answer=_to_json(answer),
                seconds=reply.seconds,
                drawn_by=reply.drawn_by or "",
                further=reply.item in further,
                suggested=None if boxes is None else count_shown(boxes, came, told=reply.suggestions_shown),
                copied=copied_bits(came),
                comment=reply.comment,
                chunk_flag=reply.chunk_flag,
                unrelated=list(reply.unrelated) or None,
                created_at=now,
            )
        )
    return Judgment.objects.bulk_create(judgments)


def _to_json(answer: Answer | AbstentionKind) -> dict[str, Any]:
    return {answer.value: True} if isinstance(answer, AbstentionKind) else to_json(answer)


def _as_json(entry: Entry, answer: Answer | AbstentionKind, reply: Reply) -> dict[str, Any]:
    kind, pk = entry
    return {
        kind: pk,
        "answer": _to_json(answer),
        "seconds": reply.seconds,
        "comment": reply.comment,
        "chunk_flag": reply.chunk_flag,
        **({"unrelated": list(reply.unrelated)} if reply.unrelated else {}),
    }


def _still_needing(items: Sequence[int], worker_id: int) -> set[int]:
    """Return which items of a page whose lease is over still need a judgment that this worker may give.

    They are locked, since a claim may be leasing them to somebody else right now.
    """
    needing = Item.objects.waiting().filter(pk__in=items).select_for_update(no_key=True)
    free = set(needing.order_by("pk").values_list("pk", flat=True))
    answered = Judgment.objects.filter(item_id__in=free, worker_id=worker_id).values_list(
        "item_id", flat=True
    )
    abstained = barring().filter(item_id__in=free, worker_id=worker_id)
    # The worker may have been given some of them again. Then the answers on that other page count.
    again = Assignment.objects.filter(worker_id=worker_id, state=Assignment.State.LIVE)
    held = {item for items in again.values_list("items", flat=True) for item in items}
    return free - held - set(answered) - set(abstained.values_list("item_id", flat=True))


def _parse(
    assignment: Assignment,
    replies: Sequence[Reply],
    questions: Mapping[int, VerificationQuestion],
    suggested: Suggested,
    *,
    checked: bool = False,
) -> Given:
    """Pair each item and question with its answer. Raise SubmissionError, which names each bad field."""
    errors: list[tuple[str, str]] = []
    parsed: dict[int, tuple[Entry, Answer | AbstentionKind, Reply]] = {}
    sizes, minimum_side = _drawing_limits(assignment)
    new_boxes = boxes_to_check(assignment.items) if assignment.stage == JointStage.CHECK else {}
    captions = captions_shown(assignment, questions)
    flaggable = captions_that_can_be_unrelated(assignment) if any(one.unrelated for one in replies) else {}
    if checked:  # the batch may ask for larger boxes now than when the answers were given
        minimum_side = 1
    entries = merge_entries(assignment.items, assignment.checks)
    most = unsure = most_unsure(settings_of(assignment.batch), assignment.stage, len(entries))
    for place, reply in enumerate(replies):
        where = json_pointer("answers", place, "item")
        if not 1 <= reply.item <= len(entries):
            errors.append((where, f"this page has the items 1 to {len(entries)}"))
        elif reply.item in parsed:
            errors.append((where, f"item {reply.item} is answered twice"))
        else:
            entry = entries[reply.item - 1]
            if set(reply.unrelated) - flaggable.get(entry, set()):
                wrong = json_pointer("answers", place, "unrelated")
                errors.append((wrong, "may only name captions that this item shows, by their index"))
            if reply.drawn_by and assignment.stage not in DRAWS_BOXES:
                errors.append((json_pointer("answers", place, "drawn_by"), "belongs to boxes that are drawn"))
            try:
                kind = reply.abstention
                if kind is AbstentionKind.UNSURE and most > 0:
                    if (unsure := unsure - 1) < 0:
                        raise AnswerError("unsure", f"may be the answer to at most {most} of these items")
                elif kind is AbstentionKind.UNSURE:
                    raise AnswerError("unsure", "is not an answer to this page")
                answer = kind or parse_answer(
                    assignment.stage,
                    reply.answer,
                    size=sizes.get(entry),
                    minimum_side=minimum_side,
                    new_boxes=len(
                        new_boxes.get(entry[1], ()) if entry[0] == ITEM else questions[entry[1]].new_boxes
                    ),
                    captions=captions.get(entry),
                    suggestions=len(suggested.get(entry, ())),
                )
            except AnswerError as error:
                path = ("answers", place, "answer", *([error.field] if error.field else ()))
                errors.append((json_pointer(*path), str(error)))
            else:
                parsed[reply.item] = (entry, answer, reply)
    if not errors:
        missing = [str(n) for n in range(1, len(entries) + 1) if n not in parsed]
        if missing:
            errors.append(("/answers", f"items without an answer: {', '.join(missing)}"))
    if errors:
        raise SubmissionError(errors)
    return [parsed[n] for n in range(1, len(entries) + 1)]


def _drawing_limits(assignment: Assignment) -> tuple[dict[Entry, tuple[int, int]], int]:
    """Return image sizes (width, height) and a box's minimum side in pixels.

    Only stages whose answers have places in the image need them.
    """
    if assignment.stage not in (Stage.DRAWING, *JointStage):
        return {}, 1
    items = Item.objects.filter(pk__in=assignment.items).values_list(
        "pk", "work__image__width", "work__image__height"
    )
    asked = VerificationQuestion.objects.filter(pk__in=_asked_on(assignment)).values_list(
        "pk", "image__width", "image__height"
    )
    sizes: dict[Entry, tuple[int, int]] = {}
    for kind, rows in ((ITEM, items), (QUESTION, asked)):
        sizes |= {(kind, pk): (width, height) for pk, width, height in rows if width and height}
    return sizes, settings_of(assignment.batch).minimum_side
