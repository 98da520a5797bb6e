"""A simulated researcher, who decides about the captions that the rules flag, from the truth."""

from __future__ import annotations

from datetime import datetime

from annotation.models import ImageWork
from simulation.caption_answers import meant
from simulation.truth import Truth
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.written_captions import rule_on_caption

NAME = "simulated-researcher"
_State = WrittenCaption.State


def is_published(project: str) -> bool:
    """Return whether all accepted captions of done images are captions of the project by now."""
    accepted = WrittenCaption.objects.filter(work__batch__project__name=project, state=_State.ACCEPTED)
    return not accepted.filter(caption=None, work__state=ImageWork.State.DONE).exists()


def decide_captions(project: str, truth: Truth, now: datetime) -> int:
    """Decide about every caption that waits in the project, and return how many these were.

    What describes the photograph is accepted, without its mistakes, unless another worker wrote the same.
    """
    waiting = WrittenCaption.objects.filter(
        work__batch__project__name=project, work__active=True, state=_State.FLAGGED
    )
    decided = 0
    for row in waiting.select_related("work").order_by("judgment_id"):
        others = WrittenCaption.objects.filter(work=row.work_id, state__in=(_State.ACCEPTED, _State.PROPOSED))
        right = meant(row.text, truth.captions.get(row.work.image_id, ()))
        accept = right is not None and right not in set(others.values_list("text", flat=True))
        text = right if accept and right != row.text else None
        try:
            rule_on_caption(judgment_id=row.judgment_id, accept=accept, text=text, by=NAME, note="", now=now)
        except DecisionError:  # its worker's answers were set aside meanwhile
            continue
        decided += 1
    return decided
