"""Researchers' decisions about an image. They are never changed, and they are replayed like judgments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import Max, Q

from annotation.domain.chain_states import REVIEW, SPLIT, WITHDRAWN
from annotation.domain.geometry import Box
from annotation.models import Batch, Case, Chain, Decision, ImageWork
from annotation.models import Box as BoxRow
from annotation.selectors import mentions_by_id, mentions_by_image
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.cases.review_queue import keep_in_queue
from workflows.pipeline.batch_completion import finish_if_done
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import (
    ChainDecision,
    Cut,
    DecidedBox,
    DecisionError,
    Group,
    NewGroup,
    Regrouping,
    check_boxes,
)
from workflows.pipeline.replay.load_rows import reports_of, source_of
from workflows.pipeline.replay.replay import replay, resume_batches
from workflows.quality.standings import reassess_stale
from workflows.review.domain.rulings import KnownBox, check_state, name_sources, resolve_groups
from workflows.review.rechunk import recut, retire_recut


class StaleDecisionError(Exception):
    """The image has changed since the researcher saw it."""


def version_of(work: ImageWork) -> int:
    """Return a number that grows with every change of state of the image or one of its chains."""
    newest = Transition.objects.filter(work=work).aggregate(Max("pk"))["pk__max"]
    return newest or 0


def decide_chain(
    *,
    chain_id: int,
    by: str,
    note: str,
    now: datetime,
    state: str,
    boxes: Sequence[Box],
    flag: str = "",
    version: int,
    also: Callable[[], object] | None = None,
) -> Decision:
    """Give the chain exactly these accepted boxes and this flag, and have it go on from `state`.

    `state` is a stage of the protocol to be asked next, or done, nonvisual or review. A box that the chain
    already has stays the same box. Judgments of earlier questions do not move the chain any more. `also` is
    called in the decision's transaction, under its locks. Raises DecisionError if this cannot be decided, and
    StaleDecisionError if the image changed since `version`.
    """
    with write_transaction():
        chain = Chain.objects.filter(pk=chain_id).first()
        if chain is None:
            raise DecisionError("chain", f"there is no chain {chain_id}")
        work = lock_work(chain.work_id, version)
        chain.refresh_from_db()
        if chain.state in (SPLIT, WITHDRAWN):
            raise DecisionError("chain", f"is {chain.state}: decide about the chains that took its place")
        settings = settings_of(work.batch)
        by_id = mentions_by_id(chain.members)
        members = [by_id[member] for member in chain.members]
        size = work.image.width, work.image.height
        check_boxes(boxes, "boxes", size=size, minimum_side=settings.minimum_side)
        check_state(state, flag, len(boxes), members, PROTOCOLS[settings.protocol])
        decision = Decision.objects.create(
            project_id=work.batch.project_id,
            kind=Decision.Kind.CHAIN,
            by=by,
            note=note,
            content=ChainDecision(state, flag, _kept(chain, boxes)).to_json(),
            work=work,
            chain=chain,
            created_at=now,
        )
        Transition.objects.create(
            work=work, chain=chain, rule="decided", source=chain.state, target=state, created_at=now
        )
        ended = apply_decision(work, now=now, ruled=chain.pk)
        if state == REVIEW:
            keep_in_queue(chain=chain, project_id=work.batch.project_id, by=by, note=note, now=now)
        if also is not None:
            also()
    follow_up(work.batch_id, ended, now=now)
    return decision


def regroup_locked(
    work: ImageWork,
    *,
    by: str,
    note: str,
    now: datetime,
    chains: Sequence[NewGroup],
    cuts: Sequence[Cut],
    kind: Decision.Kind,
    more: Mapping[str, Any] = MappingProxyType({}),
    image_id: int | None = None,
) -> tuple[Decision, list[int]]:
    """Give the image exactly these chains, and chunk these captions as `cuts` say.

    An existing chain whose mentions stay the same goes on; all others begin anew. A box that a chain of the
    image has already stays its author's. This settles the links of the image. `more` is kept with the
    decision's content. Call it in a transaction with the work locked, and `follow_up` after that. Return the
    decision, and the works that are done now. Raises DecisionError if this cannot be decided.
    """
    if work.state == ImageWork.State.QUEUED and work.batch.state == Batch.State.DRAFT:
        raise DecisionError("work", "the image is in a batch that is a draft: launch the batch first")
    settings = settings_of(work.batch)
    phrases = recut(work.image_id, cuts) if cuts else {}
    # A split or withdrawn chain does not go on, even if its mentions are put together again.
    rows = list(Chain.objects.filter(work=work).exclude(state__in=(SPLIT, WITHDRAWN)))
    groups = resolve_groups(
        chains,
        mentions_by_image([work.image_id]).get(work.image_id, []),
        {tuple(row.members): row.generation for row in rows},
        size=(work.image.width, work.image.height),
        protocol=PROTOCOLS[settings.protocol],
        settings=settings,
    )
    by_key = {(row.generation, tuple(row.members)): row for row in rows}
    groups = tuple(_with_ruled_sources(group, by_key) for group in _with_sources(work, groups))
    decision = Decision.objects.create(
        project_id=work.batch.project_id,
        kind=kind,
        by=by,
        note=note,
        content={**Regrouping(groups, tuple(cuts)).to_json(), **phrases, **more},
        work=work,
        image_id=image_id,
        created_at=now,
    )
    rule = _RULES.get(kind, "regrouped")
    Transition.objects.create(work=work, rule=rule, source=work.state, target=work.state, created_at=now)
    ended = apply_decision(work, now=now)
    retire_recut(work.image_id)
    return decision, ended


_RULES = {Decision.Kind.ANNOTATE: "annotated", Decision.Kind.CAPTION: "caption-changed"}


def _with_ruled_sources(group: Group, rows: Mapping[tuple[int, tuple[int, ...]], Chain]) -> Group:
    """Return the group; in its ruling, boxes that its chain has already are named by their sources."""
    if group.kept is None or group.ruling is None:
        return group
    boxes = _kept(rows[group.kept, group.members], [decided.box for decided in group.ruling.boxes])
    return replace(group, ruling=replace(group.ruling, boxes=boxes))


def lock_work(work_id: int, version: int | None) -> ImageWork:
    """Lock the work and return it with its batch and image.

    Raises DecisionError if there is no such work or its batch has released it, and StaleDecisionError if the
    image changed since `version`, unless the caller compares that (None).
    """
    locked = ImageWork.objects.select_for_update(no_key=True, of=("self",))
    work = locked.select_related("batch", "image").filter(pk=work_id).first()
    if work is None:
        raise DecisionError("work", f"there is no image work {work_id}")
    if not work.active:
        raise DecisionError(
            "work", "its batch has released the image: decide about it in the batch that has it now"
        )
    if version is not None and version_of(work) != version:
        raise StaleDecisionError("The image has changed since: look at it again before you decide.")
    return work


def apply_decision(work: ImageWork, *, now: datetime, ruled: int | None = None) -> list[int]:
    """Replay the work, which must be locked, with its new decision. Return its id if it is done now."""
    work.replayed = True
    work.save(update_fields=["replayed"])
    return replay([work], now=now, ruled=ruled)


def follow_up(batch_id: int, ended: Sequence[int], *, now: datetime) -> None:
    """Do what follows a decision outside its transaction. If this is lost, the sweep does it."""
    reassess_stale(now=now)
    resume_batches(now=now)
    if ended:
        finish_if_done(batch_id=batch_id, now=now)


def _with_sources(work: ImageWork, groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return the groups; boxes that a chain of the image has already are named by their sources."""
    if not any(group.boxes for group in groups):
        return tuple(groups)
    rows = BoxRow.objects.filter(chain__work=work, state=BoxRow.State.ACCEPTED).select_related("chain")
    known = [
        KnownBox(frozenset(row.chain.members), row.rectangle, source_of(row)) for row in rows.order_by("pk")
    ]
    return tuple(name_sources(group, known) for group in groups)


def _kept(chain: Chain, boxes: Sequence[Box]) -> tuple[DecidedBox, ...]:
    """Return the boxes as the decision stores them: a box that the chain has or had is named by its source.

    If several rows have the same rectangle, an accepted one is taken first.
    """
    order = [BoxRow.State.WITHDRAWN, BoxRow.State.REJECTED, BoxRow.State.PROPOSED, BoxRow.State.ACCEPTED]
    rows = BoxRow.objects.filter(chain=chain).order_by("-pk")
    undone = Decision.objects.filter(work=chain.work_id, kind=Decision.Kind.UNDO)
    taken_back = Q(judgment__set_aside__isnull=False) | Q(
        decision__in=list(undone.values_list("content__undoes", flat=True))
    )
    rows = rows.exclude(taken_back, state=BoxRow.State.WITHDRAWN)
    known = {row.rectangle: row for row in sorted(rows, key=lambda r: order.index(BoxRow.State(r.state)))}
    return tuple(DecidedBox(box, source_of(known[box]) if box in known else None) for box in boxes)


def let_go_on(
    *, work_id: int, by: str, note: str, now: datetime, also: Callable[[], object] | None = None
) -> Decision:
    """Decide that the image is asked about again: reports so far do not count, and the image goes on.

    Its photograph can be seen, or the questions that workers could not answer can be answered. Its case is
    closed. If the batch has finished, it is resumed. `also` is called in the decision's
    transaction. Raise DecisionError if nobody has abstained, or the batch has released the image.
    """
    with write_transaction():
        work = lock_work(work_id, None)
        reports, dismissed = reports_of([work])
        said = [one.id for one in reports[work.pk]]
        if dismissed[work.pk].issuperset(said):
            raise DecisionError("work", "no worker says that it cannot be answered")
        decision = Decision.objects.create(
            project_id=work.batch.project_id,
            kind=Decision.Kind.USABLE,
            by=by,
            note=note,
            # With those that were set aside: they do not count again if they are reinstated.
            content={"reports": said},
            work=work,
            created_at=now,
        )
        ended = apply_decision(work, now=now)
        cases = Case.objects.filter(work=work, reason__in=Case.OF_RESTING_IMAGES, closed_at=None)
        # A researcher may have kept a chain in review: then this is the case by which it is found.
        cases.exclude(chain__state=REVIEW).update(closed_at=now, decision=decision)
        if also is not None:
            also()
    follow_up(work.batch_id, ended, now=now)
    return decision
