"""Take the answers of models that judge, and let those that do not answer in time be passed over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from annotation.domain.answers import AnswerError, CheckAnswer, parse_answer
from annotation.domain.records import TEST_SPLIT
from annotation.models import Batch, Item, ModelAnswer, ModelVersion, VerificationQuestion
from annotation.selectors import boxes_to_check
from annotation.transactions import write_transaction
from workflows.assignments.leases import lock_works
from workflows.batch_settings.selectors import settings_of
from workflows.core.json_pointers import json_pointer
from workflows.judges.domain.question_keys import Key, read_key
from workflows.judges.paid_questions import charge, spend_what_came
from workflows.judges.records import newest_record
from workflows.judges.selectors import JUDGED, held_items, kinds_of_boxes
from workflows.judges.versions import find_model
from workflows.money.model_calls import room_for_calls
from workflows.pipeline.domain.verdicts import SEALED

MAX_ANSWERS_AT_ONCE = 200
ITEMS_AT_ONCE = 500


class Outcome(StrEnum):
    """What became of an answer."""

    STORED = "stored"
    SAME = "same"  # it was stored before
    LATE = "late"  # workers are asked already, or nobody is any more
    OTHER = "other"  # the model has answered something else before, which stays


class ModelAnswersError(Exception):
    """Answers that cannot be taken. `errors` are pairs of a JSON pointer and what is wrong there."""

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        super().__init__("; ".join(f"{pointer}: {message}" for pointer, message in errors))
        self.errors = list(errors)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it came: the key of its question, and an answer of the stage as JSON."""

    key: str
    answer: Mapping[str, Any]


def take_model_answers(*, model: ModelVersion, replies: Sequence[Reply], now: datetime) -> list[Outcome]:
    """Store the answers and return what became of each. The same answers again change nothing.

    The items that they are about are then read by `advance`. Raises ModelAnswersError, which names each bad
    field; then nothing is stored.
    """
    keys = _keys(replies)
    with write_transaction():
        ids = sorted({key.item for key in keys if key.item is not None})
        lock_works(ids)
        items = Item.objects.filter(pk__in=ids, batch__project=model.project_id, stage=JUDGED)
        rows = items.select_related("work__image", "chain").order_by("pk")
        held = {item.pk: item for item in rows.select_for_update(no_key=True, of=("self",))}
        of_batch = Batch.objects.in_bulk({item.batch_id for item in held.values()})
        asked = {pk for pk, one in of_batch.items() if settings_of(one).judge.model == str(model)}
        known = VerificationQuestion.objects.filter(project=model.project_id, stage=JUDGED)
        questions = known.in_bulk([key.question for key in keys if key.question is not None])
        given = _parse(
            keys, replies, {pk: one for pk, one in held.items() if one.batch_id in asked}, questions
        )
        before = {
            Key(item=answer.item_id, question=answer.question_id): answer.answer
            for answer in _answers_before(model, ids, list(questions))
        }
        weigh = _Weighing(model, held, of_batch)
        outcomes: list[Outcome] = []
        made: dict[int, ModelAnswer] = {}
        for place, (key, answer) in enumerate(given):
            waits = key.item is None or _waits(held[key.item])
            if key in before:
                same = Outcome.SAME if before[key] == answer else Outcome.OTHER
                outcomes.append(Outcome.LATE if before[key] is None else same)
            elif not waits:
                outcomes.append(Outcome.LATE)
            else:
                outcomes.append(Outcome.STORED)
                made[place] = weigh.row(key, answer, now)
                before[key] = answer
        paying = {pk: of_batch[item.batch_id] for pk, item in held.items()}
        unpaid = charge(model, list(made.values()), paying, now=now)
        for place, row in made.items():
            if row in unpaid:
                outcomes[place] = Outcome.LATE
        _store([row for row in made.values() if row not in unpaid])
        _store([_row(model, Key(item=row.item_id), None, now) for row in unpaid if row.item_id is not None])
        spend_what_came(made.values(), now=now)
    return outcomes


def _store(rows: Sequence[ModelAnswer]) -> None:
    """Store what a model answered or let pass, and have `advance` read these items."""
    ModelAnswer.objects.bulk_create(rows)
    _let_read([one.item_id for one in rows if one.item_id is not None])


def _keys(replies: Sequence[Reply]) -> list[Key]:
    if not 0 < len(replies) <= MAX_ANSWERS_AT_ONCE:
        raise ModelAnswersError([("/answers", f"must be 1 to {MAX_ANSWERS_AT_ONCE} answers")])
    keys = [read_key(reply.key) for reply in replies]
    errors = [
        (json_pointer("answers", place, "key"), "is not the key of a question")
        for place, key in enumerate(keys)
        if key is None
    ]
    found = [key for key in keys if key is not None]
    errors += [
        (json_pointer("answers", place, "key"), "is answered twice")
        for place, key in enumerate(keys)
        if key is not None and key in found[:place]
    ]
    if errors:
        raise ModelAnswersError(errors)
    return found


def _parse(
    keys: Sequence[Key],
    replies: Sequence[Reply],
    items: Mapping[int, Item],
    questions: Mapping[int, VerificationQuestion],
) -> list[tuple[Key, dict[str, Any]]]:
    """Pair each key with its answer as it is stored. Raises ModelAnswersError."""
    new_boxes = boxes_to_check(list(items))
    errors: list[tuple[str, str]] = []
    given = []
    for place, (key, reply) in enumerate(zip(keys, replies, strict=True)):
        if key.item is not None:
            number = len(new_boxes.get(key.item, ())) if key.item in items else None
        else:
            question = questions.get(key.question or 0)
            number = None if question is None else len(question.new_boxes)
        if number is None:
            errors.append((json_pointer("answers", place, "key"), "is no question for this model"))
            continue
        try:
            answer = parse_answer(JUDGED, reply.answer, new_boxes=number)
        except AnswerError as error:
            path = ("answers", place, "answer", *([error.field] if error.field else ()))
            errors.append((json_pointer(*path), str(error)))
        else:
            assert isinstance(answer, CheckAnswer)
            given.append((key, {"boxes": [str(one) for one in answer.boxes], "missing": answer.missing}))
    if errors:
        raise ModelAnswersError(errors)
    return given


def _answers_before(model: ModelVersion, items: Sequence[int], questions: Sequence[int]) -> list[ModelAnswer]:
    answers = ModelAnswer.objects.filter(model=model)
    return [*answers.filter(item__in=items), *answers.filter(question__in=questions)]


def _waits(item: Item) -> bool:
    """Return whether the item still waits for its model: until then, no worker is asked."""
    return item.state == Item.State.OPEN and item.needed == 0


class _Weighing:
    """Decides what each answer of a model adds, by its newest record."""

    def __init__(self, model: ModelVersion, items: Mapping[int, Item], batches: Mapping[int, Batch]) -> None:
        self.model, self.items, self.batches = model, items, batches
        self.record = newest_record(model) if items else None
        if self.record is not None:
            # Only here, because it takes a second to import, and the web service reads this module.
            from workflows.judges.domain.gate import parse_record

            self.known = parse_record(self.record.content)
            self.kinds = kinds_of_boxes(items)

    def row(self, key: Key, answer: dict[str, Any], now: datetime) -> ModelAnswer:
        """Return the unsaved answer with its weights, or sealed."""
        made = _row(self.model, key, answer, now)
        item = self.items.get(key.item or 0)
        if item is None or self.record is None or not self._may_count(item):
            return made
        from workflows.judges.domain.gate import weights

        said = parse_answer(JUDGED, answer)
        assert isinstance(said, CheckAnswer)
        given = weights(self.known, said, self.kinds.get(item.pk, ()))
        if given != SEALED:
            made.weights, made.record = {"boxes": list(given.boxes), "complete": given.complete}, self.record
        return made

    def _may_count(self, item: Item) -> bool:
        from workflows.judges.domain.gate import stays_sealed

        settings, image = settings_of(self.batches[item.batch_id]), item.work.image
        if not settings.judge.counts or (image.split == TEST_SPLIT and not settings.judge.test_split):
            return False
        assert item.chain is not None
        return not stays_sealed(str(settings.seed), image.pk, item.chain.members, item.visit)


def _row(model: ModelVersion, key: Key, answer: dict[str, Any] | None, now: datetime) -> ModelAnswer:
    return ModelAnswer(model=model, item_id=key.item, question_id=key.question, answer=answer, created_at=now)


def _let_read(items: Sequence[int]) -> None:
    """Have `advance` read these items, which a model has answered or let pass."""
    if items:
        Item.objects.filter(pk__in=items).update(unread=True)


def pass_over_models(*, now: datetime) -> int:
    """Let workers be asked what a batch's model has not answered in time, or what its cap has no room for.

    Return how many items that are.

    That no answer came is stored like an answer, so that one that comes later changes nothing.
    """
    total = 0
    for batch in Batch.objects.filter(state=Batch.State.RUNNING).order_by("pk"):
        judge = settings_of(batch).judge
        model = find_model(project_id=batch.project_id, named=judge.model) if judge.model else None
        if model is None:
            continue
        waiting = held_items([batch.pk]).order_by("pk")
        late = waiting.filter(queued_at__lte=now - timedelta(seconds=judge.seconds))
        while ids := list(late.values_list("pk", flat=True)[:ITEMS_AT_ONCE]):
            total += _pass_over(model, ids, now)
        if (room := room_for_calls(batch)) is not None:
            while ids := list(
                waiting.values_list("pk", flat=True)[max(0, room) : max(0, room) + ITEMS_AT_ONCE]
            ):
                total += _pass_over(model, ids, now)
    return total


def _pass_over(model: ModelVersion, ids: Sequence[int], now: datetime) -> int:
    with write_transaction():
        lock_works(ids)
        rows = Item.objects.filter(pk__in=ids, unread=False).order_by("pk").select_for_update(no_key=True)
        late = [item.pk for item in rows if _waits(item)]
        answered = set(
            ModelAnswer.objects.filter(model=model, item__in=late).values_list("item_id", flat=True)
        )
        ModelAnswer.objects.bulk_create(
            [_row(model, Key(item=pk), None, now) for pk in late if pk not in answered]
        )
        _let_read(late)
    return len(late)
