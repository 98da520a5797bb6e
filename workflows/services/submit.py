"""Accept a page of answers, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import F

from annotation.domain.answers import Answer, AnswerError, Stage, parse_answer, to_json
from annotation.models import Assignment, Batch, Item, Judgment
from annotation.transactions import write_transaction
from workflows.domain.pointers import pointer
from workflows.services.batches import settings_of
from workflows.services.releasing import lock_works
from workflows.services.workers import lock_worker


class NoSuchAssignmentError(Exception):
    """The worker has no assignment of this id."""


class SubmissionError(Exception):
    """The page cannot be taken as it is; `errors` are (JSON pointer, what is wrong) pairs."""

    def __init__(self, errors: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{pointer}: {message}" for pointer, message in errors))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Reply:
    """One item's answer as it came in; `item` is its place on the page, from 1."""

    item: int
    answer: Mapping[str, Any]
    seconds: float | None = None
    comment: str = ""
    chunk_flag: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """How many answers count, how many came too late, and what is paid. The same for every replay."""

    accepted: int
    acknowledged: int
    replayed: bool
    reward: int = 0  # of the page, in the currency's smallest unit
    currency: str = ""


def submit(*, worker_id: int, assignment_id: UUID, replies: Sequence[Reply], now: datetime) -> Receipt:
    """Write the page's judgments; a page submitted before is answered as it was then.

    A page whose lease has run out counts where its items still need a judgment and is acknowledged where
    they do not. Raises NoSuchAssignmentError, SubmissionError, WorkerBlockedError; then nothing is written.
    """
    with write_transaction():
        # Work that was done before the worker was blocked is kept: what counts of it is decided elsewhere.
        lock_worker(worker_id, may_be_blocked=True)
        assignment = (
            Assignment.objects.select_for_update(no_key=True)
            .filter(pk=assignment_id, worker_id=worker_id)
            .first()
        )
        if assignment is None:
            raise NoSuchAssignmentError
        if assignment.receipt is not None:
            return _receipt(assignment, assignment.receipt, replayed=True)
        answers = _parse(assignment, replies)
        live = assignment.state == Assignment.State.LIVE
        lock_works(assignment.items)
        wanted = set(assignment.items) if live else _still_needing(assignment.items, worker_id)
        Judgment.objects.bulk_create(
            Judgment(
                item_id=item,
                worker_id=worker_id,
                assignment=assignment,
                answer=to_json(answer),
                seconds=reply.seconds,
                comment=reply.comment,
                chunk_flag=reply.chunk_flag,
                created_at=now,
            )
            for item, answer, reply in answers
            if item in wanted
        )
        if wanted:
            Item.objects.filter(pk__in=wanted).update(
                judged=F("judged") + 1, leased=F("leased") - int(live), unread=True
            )
        late = [
            {
                "item": item,
                "answer": to_json(answer),
                "seconds": reply.seconds,
                "comment": reply.comment,
                "chunk_flag": reply.chunk_flag,
            }
            for item, answer, reply in answers
            if item not in wanted
        ]
        receipt = {"accepted": len(wanted), "acknowledged": len(late)}
        assignment.late = late or None
        assignment.state = Assignment.State.SUBMITTED
        assignment.submitted_at = now
        assignment.receipt = receipt
        assignment.save(update_fields=["state", "submitted_at", "receipt", "late"])
    return _receipt(assignment, receipt, replayed=False)


def _receipt(assignment: Assignment, counts: Mapping[str, int], *, replayed: bool) -> Receipt:
    """A page pays what it promised, however late it came and whatever becomes of its answers."""
    return Receipt(**counts, replayed=replayed, reward=assignment.reward, currency=assignment.currency)


def _still_needing(items: Sequence[int], worker_id: int) -> set[int]:
    """Of a page whose lease is gone, the items that still need a judgment, and this worker's.

    They are locked: dispatch may be leasing them out right now.
    """
    needing = Item.objects.filter(
        pk__in=items, state=Item.State.OPEN, needed__gt=F("judged") + F("leased")
    ).select_for_update(no_key=True)
    free = set(needing.order_by("pk").values_list("pk", flat=True))
    answered = Judgment.objects.filter(item_id__in=free, worker_id=worker_id)
    return free - set(answered.values_list("item_id", flat=True))


def _parse(assignment: Assignment, replies: Sequence[Reply]) -> list[tuple[int, Answer, Reply]]:
    """Pair every item of the page with its answer. Raises SubmissionError naming each bad field."""
    errors: list[tuple[str, str]] = []
    parsed: dict[int, tuple[int, Answer, Reply]] = {}
    sizes, minimum_side = _drawing_limits(assignment)
    for place, reply in enumerate(replies):
        where = pointer("answers", place, "item")
        if not 1 <= reply.item <= len(assignment.items):
            errors.append((where, f"this page has the items 1 to {len(assignment.items)}"))
        elif reply.item in parsed:
            errors.append((where, f"item {reply.item} is answered twice"))
        else:
            item = assignment.items[reply.item - 1]
            try:
                answer = parse_answer(
                    assignment.stage, reply.answer, size=sizes.get(item), minimum_side=minimum_side
                )
            except AnswerError as error:
                path = ("answers", place, "answer", *([error.field] if error.field else ()))
                errors.append((pointer(*path), str(error)))
            else:
                parsed[reply.item] = (item, answer, reply)
    if not errors:
        missing = [str(n) for n in range(1, len(assignment.items) + 1) if n not in parsed]
        if missing:
            errors.append(("/answers", f"items without an answer: {', '.join(missing)}"))
    if errors:
        raise SubmissionError(errors)
    return [parsed[n] for n in range(1, len(assignment.items) + 1)]


def _drawing_limits(assignment: Assignment) -> tuple[dict[int, tuple[int, int]], int]:
    """Image sizes in pixels by item, and the batch's minimum side; only a drawing page needs them."""
    if assignment.stage != Stage.DRAWING:
        return {}, 1
    sizes = Item.objects.filter(pk__in=assignment.items).values_list(
        "pk", "work__image__width", "work__image__height"
    )
    settings = settings_of(Batch.objects.get(pk=assignment.batch_id))
    return {pk: (width, height) for pk, width, height in sizes if width and height}, settings.minimum_side
