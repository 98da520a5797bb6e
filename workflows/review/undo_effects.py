"""What undoing a decision does, told before it is done. Nothing is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotation.domain.chain_states import WITHDRAWN
from annotation.domain.mentions import Mention
from annotation.models import Batch, Case, Decision, ImageWork
from annotation.selectors import mentions_by_id
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import why_not_reopened
from workflows.pipeline.replay.domain.differences import Plan
from workflows.pipeline.replay.domain.stored_rows import WITHDRAWN as NOT_ASKED
from workflows.pipeline.replay.load_rows import Loaded, load_works
from workflows.pipeline.replay.replay import plan_of
from workflows.priors.selectors import pinned_priors
from workflows.questions.known_answers import made_of_known
from workflows.review.selectors import HeldPages, active_work, pages_holding, why_not_undoable
from workflows.review.undo import is_let_go


@dataclass(frozen=True, slots=True)
class Moved:
    """A chain that has another state then. `before` or `after` is empty if it is not there."""

    text: str
    before: str
    after: str
    boxes: tuple[int, int] = (0, 0)  # accepted, before and after


@dataclass(frozen=True, slots=True)
class UndoEffect:
    """What follows if a decision is undone now. If `why_not` says why, it cannot be."""

    why_not: str = ""
    chains: tuple[Moved, ...] = ()
    phrases: tuple[int, int] = (0, 0)  # that come back, and that are no mentions any more
    boxes_back: int = 0
    boxes_gone: int = 0
    count_again: int = 0  # judgments
    count_no_more: int = 0  # judgments
    asked: int = 0  # questions that are asked, again or for the first time
    pages: HeldPages = field(default_factory=HeldPages)  # about questions that are not asked any more
    image: tuple[str, str] = ("", "")  # the image's states, if they differ
    resumed: bool = False  # the batch is finished, and goes on
    pays: bool = False  # whether that costs rewards
    let_go: bool = False  # the image is in no batch again
    cases: tuple[Case, ...] = ()  # that are open again
    kept: tuple[tuple[Case, str], ...] = ()  # a worker's cases that stay closed, and why
    questions: int = 0  # made from the known chains of the decision, and retired


def effect_of_undo(decision: Decision) -> UndoEffect:
    """Return what follows if the decision is undone now. A fixed number of queries."""
    closed = list(Case.objects.filter(decision=decision).order_by("pk"))
    if decision.kind == Decision.Kind.CLOSE:
        return _reopened(decision, closed)
    image = decision.work.image_id if decision.work is not None else decision.image_id
    assert image is not None
    work = active_work(image)
    if why := why_not_undoable(decision.pk, image, work):
        return UndoEffect(f"The decision {why}.")
    content = decision.content
    phrases = len(content.get("gone", ())), len(content.get("new", ()))
    known = made_of_known(image, decision) if "known" in content else 0
    found = UndoEffect(phrases=phrases, cases=tuple(closed), questions=known)
    if work is None or work.state == ImageWork.State.QUEUED:
        return found
    if is_let_go(decision, work):
        return replace(found, let_go=True)
    (loaded,) = load_works([work], undone=[decision.pk]).values()
    loaded = replace(loaded, mentions=_mentions(loaded, content))
    settings = settings_of(work.batch)
    plan = plan_of(loaded, settings, pinned_priors([work.batch], [image]).get(work.batch_id))
    return _told(replace(found, pays=any(settings.reward.values())), loaded, plan)


def _reopened(decision: Decision, closed: Sequence[Case]) -> UndoEffect:
    whys = [(case, why_not_reopened(case, decision)) for case in closed]
    again = tuple(case for case, why in whys if not why)
    if not again:
        why = whys[0][1] if whys else "is open again already"
        return UndoEffect(f"The case {why}.", cases=tuple(closed))
    return UndoEffect(cases=again, kept=tuple((case, why) for case, why in whys if why))


def _mentions(loaded: Loaded, content: Mapping[str, Any]) -> list[Mention]:
    """Return the image's mentions as they were before the decision, in reading order."""
    spans = {pk: (start, end) for pk, start, end in content.get("kept", ())}
    over = {*content.get("new", ())}
    back = mentions_by_id(content.get("gone", ()))
    found = [one for one in loaded.mentions if one.id not in over]
    found = [
        replace(one, start=spans[one.id][0], end=spans[one.id][1]) if one.id in spans else one
        for one in found
    ]
    return sorted((*found, *back.values()), key=lambda one: (one.caption, one.start))


def _told(found: UndoEffect, loaded: Loaded, plan: Plan) -> UndoEffect:
    work = loaded.work
    again = [
        item
        for item in plan.items
        if item.before and item.before.state == NOT_ASKED and item.state != NOT_ASKED
    ]
    over = [
        item
        for item in plan.items
        if item.before and item.before.state != NOT_ASKED and item.state == NOT_ASKED
    ]
    held = {item.before.id for item in over if item.before and item.before.leased}
    end = plan.image.target if plan.image is not None else work.state
    return replace(
        found,
        chains=_moved(loaded, plan),
        boxes_back=sum(
            box.box.state == "accepted" and (box.before is None or box.before.state != "accepted")
            for box in plan.boxes
        ),
        boxes_gone=sum(
            box.before is not None and box.before.state == "accepted" != box.box.state for box in plan.boxes
        ),
        count_again=sum(len(item.before.given) for item in again if item.before),
        count_no_more=sum(len(item.before.given) for item in over if item.before),
        asked=sum(item.asks_again for item in plan.items),
        pages=pages_holding(work, held),
        image=(work.state, end) if end != work.state else ("", ""),
        resumed=work.batch.state == Batch.State.FINISHED and end in _ASKED,
    )


_ASKED = (ImageWork.State.LINKING, ImageWork.State.BOXING)


def _moved(loaded: Loaded, plan: Plan) -> tuple[Moved, ...]:
    texts = mentions_by_id({pk for change in plan.chains for pk in change.key[1]})
    found = []
    for change in plan.chains:
        before = change.before.progress if change.before is not None else None
        text = max((texts[pk].text for pk in change.key[1] if pk in texts), key=len, default="")
        found.append(
            Moved(
                text,
                before.state if before is not None and before.state != WITHDRAWN else "",
                change.progress.state if change.progress.state != WITHDRAWN else "",
                (before.boxes_accepted if before is not None else 0, change.progress.boxes_accepted),
            )
        )
    return tuple(one for one in found if one.before or one.after)
