"""Accept, edit or refuse a caption that a worker wrote."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation.domain.answers import AnswerError, CampaignStage, WritingAnswer, parse_answer
from annotation.models import Case, Decision, Judgment
from annotation.transactions import write_transaction
from workflows.cases.review_queue import close_cases
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import apply_decision, follow_up, lock_work


def rule_on_caption(
    *,
    judgment_id: int,
    accept: bool,
    text: str | None,
    by: str,
    note: str,
    now: datetime,
    also: Callable[[], object] | None = None,
) -> Decision:
    """Accept the caption that the judgment wrote, with another `text` if it was edited, or refuse it.

    If it is refused, somebody else is asked for a caption. Its case is closed, and the batch is resumed if it
    has finished. `also` is called in the decision's transaction. Raises DecisionError if there is no such
    caption, if its judgment was set aside, if the text is no caption, or if the batch has released the image.
    """
    content: dict[str, Any] = {"judgment": judgment_id, "accepted": accept}
    if text is not None:
        content["text"] = _checked(text)
    with write_transaction():
        found = Judgment.objects.filter(pk=judgment_id, item__stage=CampaignStage.WRITING)
        work_id = found.values_list("item__work_id", flat=True).first()
        if work_id is None:
            raise DecisionError("judgment", f"there is no caption of judgment {judgment_id}")
        work = lock_work(work_id, None)
        row = WrittenCaption.objects.filter(judgment=judgment_id).first()
        if row is None or row.state == WrittenCaption.State.WITHDRAWN:
            raise DecisionError("judgment", "its caption does not count: its worker's answers were set aside")
        decision = Decision.objects.create(
            project_id=work.batch.project_id,
            kind=Decision.Kind.WRITTEN,
            by=by,
            note=note,
            content=content,
            work=work,
            worker_id=found.values_list("worker_id", flat=True).first(),
            batch=work.batch,
            stage=CampaignStage.WRITING,
            created_at=now,
        )
        ended = apply_decision(work, now=now)
        cases = Case.objects.filter(reason=Case.Reason.CAPTION, judgment=judgment_id, closed_at=None)
        close_cases(cases=cases.values_list("pk", flat=True), by=by, now=now, decision=decision)
        if also is not None:
            also()
    follow_up(work.batch_id, ended, now=now)
    return decision


def _checked(text: str) -> str:
    try:
        answer = parse_answer(CampaignStage.WRITING, {"caption": text})
    except AnswerError as error:
        raise DecisionError("text", str(error)) from error
    assert isinstance(answer, WritingAnswer)
    return answer.caption
