"""Keep how good models have turned out to be: a new record for every few answers that workers judged, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from annotation.domain.answers import CheckAnswer, parse_answer
from annotation.models import Batch, Case, Item, JudgeRecord, Judgment, ModelAnswer, ModelVersion
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import open_case
from workflows.judges.comparison import audit_of, beside_people
from workflows.judges.distrust import distrust_model
from workflows.judges.domain.kinds import PEOPLE
from workflows.judges.selectors import JUDGED, kinds_of_boxes
from workflows.judges.versions import find_model

if TYPE_CHECKING:  # numpy takes a second to import, and the web service reads this module
    from workflows.judges.domain.gate import Record

ANSWERS_PER_RECORD = 20
"""A record is renewed after so many sealed answers more: soon enough to find that a model gets worse."""
MAX_ANSWERS = 5000
"""The newest sealed answers that a record rests on."""
NO_TIME = ""
POLICY = "policy:judge"
"""Who decides that answers are set aside since a model became worse."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sealed answer, and what workers said of the same boxes, or what is known of them."""

    at: str  # when it was told, in ISO 8601
    answered: str  # when the model gave it
    image: int
    answer: CheckAnswer
    kinds: tuple[str, ...]  # where each new box came from
    people: tuple[CheckAnswer, ...]
    truth: CheckAnswer | None


def renew_records(*, now: datetime) -> int:
    """Write a new record for each model that judges and has enough new sealed answers.

    Return how many were written. A call that comes twice writes nothing twice.
    """
    written = 0
    for model in _judging():
        _take_back(model, now)
        with write_transaction():
            # Of two processes, the second finds that nothing is new.
            ModelVersion.objects.select_for_update(no_key=True).get(pk=model.pk)
            before = newest_record(model)
            number = sealed_answers(model).count() + _known(model).count()
            if abs(number - (before.answers if before else 0)) < ANSWERS_PER_RECORD:
                continue
            told = sorted(_told(model), key=lambda one: one.at)
            content = _renewed(model, before.content if before else None, told)
            JudgeRecord.objects.create(
                model=model, stage=JUDGED, content=content, answers=number, created_at=now
            )
            if before and before.content["open"] and content["since_at"] != before.content["since_at"]:
                open_case(
                    project_id=model.project_id,
                    reason=Case.Reason.MODEL,
                    now=now,
                    stage=JUDGED,
                    detail={
                        "model": str(model),
                        "note": f"{model} got worse: workers contradict it more often than before. Its "
                        "answers do not count until new ones have shown that it is good enough. Those that "
                        "counted since it probably became worse are set aside, and workers are asked "
                        "instead. If you trust none of its answers any more, take them all back with "
                        "`manage.py model distrust`",
                    },
                )
            written += 1
        _take_back(model, now)
    return written


def _take_back(model: ModelVersion, now: datetime) -> None:
    """Set aside what counted since the model became worse, if a record says that it did.

    If it is stopped half-way, the next call goes on.
    """
    closing = JudgeRecord.objects.filter(model=model, content__has_key="worse_since").order_by("-pk").first()
    if closing is None:
        return
    since = datetime.fromisoformat(closing.content["worse_since"])
    counted = Q(created_at__gte=since, record__lt=closing.pk, weights__isnull=False)
    if ModelAnswer.objects.filter(counted, model=model, set_aside=None).exists():
        note = "it became worse: answers since then do not count"
        distrust_model(model=model, by=POLICY, note=note, now=now, some=counted)


def newest_record(model: ModelVersion) -> JudgeRecord | None:
    """Return the model's newest record, or None if it has none."""
    return JudgeRecord.objects.filter(model=model, stage=JUDGED).order_by("-pk").first()


def _judging() -> Iterator[ModelVersion]:
    """Yield the models of batches that run, and of those that have ended: their last answers count, too."""
    seen = set()
    launched = Batch.objects.exclude(state=Batch.State.DRAFT).filter(settings__has_key="judge")
    for batch in launched.order_by("pk"):
        named = settings_of(batch).judge.model
        model = find_model(project_id=batch.project_id, named=named) if named else None
        if model is not None and model.pk not in seen:
            seen.add(model.pk)
            yield model


def sealed_answers(model: ModelVersion) -> QuerySet[ModelAnswer]:
    """Return the sealed answers to items that workers decided."""
    return ModelAnswer.objects.filter(
        model=model,
        answer__isnull=False,
        weights__isnull=True,
        set_aside=None,
        item__state=Item.State.DONE,
        item__judged__gt=0,
    )


def _known(model: ModelVersion) -> QuerySet[ModelAnswer]:
    """Return the answers to questions whose answer is known."""
    answers = ModelAnswer.objects.filter(model=model, question__isnull=False, answer__isnull=False)
    return answers.filter(set_aside=None).exclude(question__retired="void")


def _told(model: ModelVersion) -> Iterator[Told]:
    columns = ("item_id", "item__work__image_id", "answer", "created_at")
    sealed = list(sealed_answers(model).order_by("-pk").values_list(*columns)[:MAX_ANSWERS])
    kinds = kinds_of_boxes([item for item, *_ in sealed])
    people: dict[int, list[tuple[datetime, CheckAnswer]]] = defaultdict(list)
    judgments = Judgment.objects.filter(item__in=[item for item, *_ in sealed], set_aside=None)
    for item, at, answer in judgments.order_by("pk").values_list("item_id", "created_at", "answer"):
        people[item].append((at, _parsed(answer)))
    for item, image, answer, given in sealed:
        if item in people:
            last = max(at for at, _ in people[item]).isoformat()
            votes = tuple(answer for _, answer in people[item])
            yield Told(last, given.isoformat(), image, _parsed(answer), kinds.get(item, ()), votes, None)
    known = (
        _known(model)
        .order_by("-pk")
        .values_list("question__image_id", "created_at", "answer", "question__answer")
    )
    for image, at, answer, truth in known[:MAX_ANSWERS]:
        said = _parsed(answer)
        kinds_of = (PEOPLE,) * len(said.boxes)
        yield Told(at.isoformat(), at.isoformat(), image, said, kinds_of, (), _parsed(truth))


def _parsed(answer: object) -> CheckAnswer:
    found = parse_answer(JUDGED, answer)
    assert isinstance(found, CheckAnswer)
    return found


def _renewed(model: ModelVersion, before: Mapping[str, Any] | None, told: Sequence[Told]) -> dict[str, Any]:
    """Return the content of the next record.

    What was read before is known by its time, and not by its place: judgments may have been set aside since.
    """
    import numpy as np

    from workflows.judges.domain.accuracy import SealedAnswer, rated
    from workflows.judges.domain.gate import NOTHING_KNOWN, parse_record, renew, worse_since

    rows, times, given = [], [], []
    for one in told:
        of_answer = rated([SealedAnswer(one.image, one.answer, one.kinds, one.people, one.truth)])
        rows += of_answer
        times += [one.at] * len(of_answer)
        given += [one.answered] * len(of_answer)
    read = NOTHING_KNOWN
    seen, since = (before["seen_at"], before["since_at"]) if before else (NO_TIME, NO_TIME)
    if before:
        read = replace(
            parse_record(before),
            seen=sum(at <= seen for at in times),
            since=sum(at <= since for at in times),
        )
    found: Record = renew(read, rows, np.random.default_rng([model.pk, len(rows)]))
    newest = max([*times, seen])
    compared: dict[str, Any] = {
        "people": beside_people(told, _known(model), np.random.default_rng([len(rows)])),
        "audit": None,
    }
    if found.open:
        told_open = before if before and before["open"] else None
        audit = (told_open or {}).get("audit")
        opened = audit["opened_at"] if audit else told_open["seen_at"] if told_open else newest
        compared["audit"] = audit_of(told, found, opened)
    content = {**found.to_json(), **compared, "seen_at": newest}
    if found.since == read.since:
        return {**content, "since_at": since}
    by_time = sorted(zip(given[read.since :], rows[read.since :], strict=True), key=lambda one: one[0])
    place = worse_since(read, [row for _, row in by_time])
    # If no answers speak for it by the newest rates, all count that came since the last record.
    worse = by_time[place][0] if place < len(by_time) else seen
    return {**content, "since_at": newest, "worse_since": worse}
