"""Opens a case if a worker seems to answer without looking. It changes nothing else: a researcher decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from annotation.domain.answer_labels import NAMES, label_of
from annotation.domain.answers import DRAWS_BOXES, Stage, abstention_of
from annotation.models import Caption, Case, Judgment, Mention, Worker
from annotation.transactions import write_transaction
from workflows.cases.review_queue import open_case
from workflows.quality.domain.pace import MIN_ANSWERS, Everybody, Flag, Given, Relative, flags

RECENT = 200
"""How many of a worker's newest answers are examined."""
OTHERS = 2000
"""How many of the newest answers of a stage everybody's rates are taken from."""
OTHERS_BOXES = 400
"""How many boxes of others a worker's boxes are compared with."""
NEWEST = 20_000
"""How many of the newest judgments a run searches for workers: three minutes' at a hundred a second."""
WORKERS_PER_RUN = 500

_SUBJECT = (
    *("item__mention_a_id", "item__mention_b_id", "item__chain__members", "item__chain__representative_id"),
    "question__mentions",
)
_CAPTIONS = ("item__captions", "question__captions", "item__written__answer")
_IMAGE = tuple(
    f"{path}__image__{column}" for path in ("item__work", "question") for column in ("id", "width", "height")
)
_PAGE = ("assignment_id", "assignment__created_at", "assignment__submitted_at")


def check_pace(
    *,
    now: datetime,
    since: timedelta = timedelta(minutes=15),
    worker_ids: Collection[int] | None = None,
    project_id: int | None = None,
) -> int:
    """Examine the recent answers of all who answered within `since` before `now`; return the cases opened.

    `worker_ids` are examined whenever they answered last; `project_id` limits the run to one project. A
    run examines at most WORKERS_PER_RUN pairs of worker and stage, those with the latest answers. A second
    run opens no second case. Answers given before a case of the same worker and stage was closed are not held
    against the worker again.
    """
    opened = 0
    rates: dict[tuple[int, str], _Stage] = {}
    for worker, project, stage in _active(now - since, worker_ids, project_id):
        cases = Case.objects.filter(reason=Case.Reason.PACE, worker=worker, stage=stage)
        if cases.filter(closed_at=None).exists():
            continue
        closed = cases.aggregate(closed=Max("closed_at"))["closed"]
        answers = _answers(worker, stage, after=closed)
        if len(answers) < MIN_ANSWERS:
            continue
        if (project, stage) not in rates:
            rates[project, stage] = _Stage(project, stage)
        found = flags(answers, rates[project, stage].without(worker))
        opened += bool(found) and _open(project, worker, stage, found, now)
    return opened


def _open(project: int, worker: int, stage: str, found: list[Flag], now: datetime) -> bool:
    with write_transaction():
        # The worker's row, as everybody who opens a case on a worker: two runs at once open one.
        Worker.objects.select_for_update(no_key=True).get(pk=worker)
        if Case.objects.filter(reason=Case.Reason.PACE, worker=worker, stage=stage, closed_at=None).exists():
            return False
        open_case(
            project_id=project,
            reason=Case.Reason.PACE,
            now=now,
            worker_id=worker,
            stage=stage,
            detail={"flags": [asdict(flag) for flag in found]},
        )
    return True


def _active(
    since: datetime, worker_ids: Collection[int] | None, project_id: int | None
) -> list[tuple[int, int, str]]:
    """Return (worker, project, stage) of recent answers, the latest first."""
    newest = Judgment.objects.order_by("-pk")
    if worker_ids is not None:
        newest = newest.filter(worker__in=worker_ids)
    if project_id is not None:
        newest = newest.filter(worker__project=project_id)
    columns = newest.values_list("worker_id", "worker__project_id", "assignment__stage", "created_at")
    found: dict[tuple[int, int, str], None] = {}
    for worker, project, stage, created in columns[:NEWEST]:
        if worker_ids is None and created < since:
            break
        found[worker, project, stage] = None
        if len(found) == WORKERS_PER_RUN:
            break
    return list(found)


class _Stage:
    """The newest answers of a stage in a project."""

    def __init__(self, project: int, stage: str) -> None:
        rows = Judgment.objects.filter(worker__project=project, assignment__stage=stage, set_aside=None)
        self.labels: Counter[tuple[int, str]] = Counter()
        self.boxes: list[tuple[int, Relative]] = []
        for worker, answer, *image in rows.order_by("-pk").values_list("worker_id", "answer", *_IMAGE)[
            :OTHERS
        ]:
            if abstention_of(answer):
                continue
            self.labels[worker, NAMES[stage][label_of(stage, answer)]] += 1
            self.boxes += [
                (worker, box) for box in _relative(stage, answer, *_of_either(image[:3], image[3:]))
            ]

    def without(self, worker: int) -> Everybody:
        labels: Counter[str] = Counter()
        for (other, label), times in self.labels.items():
            labels[label] += times if other != worker else 0
        boxes = [box for other, box in self.boxes if other != worker]
        return Everybody(labels, boxes[:OTHERS_BOXES])


def _answers(worker: int, stage: str, *, after: datetime | None) -> list[Given]:
    """Return the worker's newest answers of a stage, in the order in which they were given."""
    rows = Judgment.objects.filter(worker=worker, assignment__stage=stage, set_aside=None)
    if after is not None:
        rows = rows.filter(created_at__gt=after)
    columns = rows.order_by("-pk").values_list("answer", "seconds", *_SUBJECT, *_IMAGE, *_PAGE, *_CAPTIONS)
    newest = [row for row in columns[:RECENT] if not abstention_of(row[0])][::-1]
    shown = [_mentions(stage, *row[2:7]) for row in newest]
    spans = Mention.objects.filter(pk__in={pk for mentions in shown for pk in mentions})
    words = {pk: end - start for pk, start, end in spans.values_list("pk", "start", "end")}
    captions = _words_of_captions([row[-3:] for row in newest])
    answers = []
    for (answer, seconds, *row), mentions, more in zip(newest, shown, captions, strict=True):
        image, width, height = _of_either(row[5:8], row[8:11])
        page, claimed, submitted = row[11:14]
        answers.append(
            Given(
                label=NAMES[stage][label_of(stage, answer)],
                words=sum(words.get(pk, 0) for pk in mentions) + more,
                seconds=seconds,
                page=page,
                page_seconds=(submitted - claimed).total_seconds() if submitted else None,
                image=image,
                boxes=_relative(stage, answer, image, width, height),
            )
        )
    return answers


def _words_of_captions(shown: Sequence[Sequence[Any]]) -> list[int]:
    """Return how many words of whole captions each answer was about, in campaigns; else 0.

    `shown` has the columns `_CAPTIONS`. No query if no item shows captions.
    """
    ids = {pk for captions, _, _ in shown for pk in captions or ()}
    rows = Caption.objects.filter(pk__in=ids).values_list("pk", "text") if ids else ()
    words = {pk: len(text.split()) for pk, text in rows}
    return [
        sum(words.get(pk, 0) for pk in captions or ())
        + sum(len(text.split()) for text in asked or ())
        + len((written or {}).get("caption", "").split())
        for captions, asked, written in shown
    ]


def _mentions(
    stage: str, a: int | None, b: int | None, members: list[int], representative: int, asked: list[int] | None
) -> list[int]:
    """Return the highlighted mentions of an item, or those (`asked`) that a verification question names."""
    if asked is not None:
        return asked
    if a is not None and b is not None:
        return [a, b]
    return members if stage == Stage.VERIFICATION else [representative]


def _of_either(item: list[Any], question: list[Any]) -> tuple[int, int | None, int | None]:
    image, width, height = item if item[0] is not None else question
    return image, width, height


def _relative(
    stage: str, answer: dict[str, Any], _: int, width: int | None, height: int | None
) -> list[Relative]:
    """Return the drawn boxes as shares of their image; none if the size of the image is not known."""
    if stage not in DRAWS_BOXES or not width or not height:
        return []
    drawn = [one["box"] for one in answer.get("boxes", [answer]) if one.get("box")]
    return [
        (left / width, top / height, right / width, bottom / height) for left, top, right, bottom in drawn
    ]
