"""Reads of an image's captions: what they say, what a phrase can join, and what was changed.

`captions` has the services that change them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from annotation.domain.chain_states import SPLIT, WITHDRAWN
from annotation.domain.geometry import Box as Rectangle
from annotation.models import Assignment, Box, Caption, Case, Chain, Decision, GoldChain, ImageWork, Mention
from workflows.pipeline.selectors import LINKS_SETTLED
from workflows.review.domain.captions import Known
from workflows.review.domain.undo_rules import UNDONE, About, Made, why_not_undone

EDIT, WITHDRAW, BRING_BACK, UNDO = "edit", "withdraw", "bring-back", "undo"
"""What a decision of the kind `caption` does: its content's `action`."""


@dataclass(frozen=True, slots=True)
class Place:
    """A chain that a new phrase can join. `key` names it; `pk` is that of the crowd's chain, if it is one."""

    key: str
    members: tuple[int, ...]
    boxes: tuple[Rectangle, ...]
    flag: str
    state: str = ""
    pk: int | None = None


def is_linked(work: ImageWork) -> bool:
    """Return whether the image's links are settled. One that rests for its photograph may have chains."""
    if work.state == ImageWork.State.RESTING:
        return Chain.objects.filter(work=work).exclude(state__in=(SPLIT, WITHDRAWN)).exists()
    return work.state in LINKS_SETTLED


def decisions_of(image_id: int) -> list[Made]:
    """Return the decisions about the image that can be undone and were not, in order. Two queries."""
    of_image = Decision.objects.filter(Q(image=image_id) | Q(work__image=image_id), kind__in=_ABOUT)
    columns = ("pk", "kind", "work_id", "chain__members", "content")
    rows = list(of_image.order_by("pk").values_list(*columns))
    undone = {content["undoes"] for *_, content in rows if "undoes" in content}
    closing = [pk for pk, kind, *_ in rows if kind == Decision.Kind.CLOSE and pk not in undone]
    cases = Case.objects.filter(work__image=image_id, decision__in=closing)
    closed = set(cases.values_list("decision_id", flat=True))
    return [
        Made(
            pk,
            about,
            work,
            frozenset(members or ()),
            chains="chains" in content,
            # Annotations of earlier versions cut captions without saying what was there.
            knows_before="gone" in content or not content.get("cuts"),
        )
        for pk, kind, work, members, content in rows
        if (about := _ABOUT[kind]) is not None and "undoes" not in content and pk not in undone
        if about != About.CASE or pk in closed
    ]


_ABOUT: Mapping[str, About | None] = MappingProxyType(
    {
        Decision.Kind.CHAIN: About.CHAIN,
        Decision.Kind.REGROUP: About.IMAGE,
        Decision.Kind.ANNOTATE: About.IMAGE,
        Decision.Kind.CAPTION: About.CAPTION,
        Decision.Kind.CLOSE: About.CASE,
        Decision.Kind.UNDO: None,
    }
)


def undoable_now(image_id: int, work: ImageWork | None) -> list[int]:
    """Return the decisions about the image (ids) that can be undone now. `work` is its active work."""
    made = decisions_of(image_id)
    linked = work is not None and is_linked(work) if made else False
    pk = work.pk if work is not None else None
    return [one.id for one in made if not why_not_undone(one, made, work=pk, linked=linked)]


def why_not_undoable(decision_id: int, image_id: int, work: ImageWork | None) -> str:
    """Return why this decision about the image cannot be undone now, or ""."""
    made = decisions_of(image_id)
    one = next((one for one in made if one.id == decision_id), None)
    linked = work is not None and is_linked(work)
    return (
        UNDONE
        if one is None
        else why_not_undone(one, made, work=work.pk if work is not None else None, linked=linked)
    )


def places_of(image_id: int, work: ImageWork | None) -> list[Place]:
    """Return the chains that the image's mentions are in: those of its batch, else those known beforehand."""
    if work is not None and is_linked(work):
        rows = Chain.objects.filter(work=work).exclude(state__in=(SPLIT, WITHDRAWN)).order_by("pk")
        chains = list(rows)
        boxes: dict[int, list[Rectangle]] = {chain.pk: [] for chain in chains}
        for box in Box.objects.filter(chain__in=boxes, state=Box.State.ACCEPTED).order_by("pk"):
            boxes[box.chain_id].append(box.rectangle)
        return [
            Place(f"c{c.pk}", tuple(c.members), tuple(boxes[c.pk]), c.flag, c.state, c.pk) for c in chains
        ]
    known = GoldChain.objects.filter(image=image_id, superseded=False).order_by("number")
    return [known_place(row) for row in known]


def captions_of(image_id: int) -> list[Caption]:
    """Return the image's captions in order: the version in use of each, or the one that was withdrawn."""
    versions: dict[int, list[Caption]] = {}
    for row in Caption.objects.filter(image=image_id).order_by("index", "version"):
        versions.setdefault(row.index, []).append(row)
    gone = [index for index, rows in versions.items() if all(row.superseded for row in rows)]
    withdrawn = _withdrawn_versions(image_id) if gone else {}
    return [
        next(
            row
            for row in rows
            if not row.superseded or (index in gone and row.version == withdrawn.get(index, row.version))
        )
        for index, rows in versions.items()
    ]


def _withdrawn_versions(image_id: int) -> dict[int, int]:
    """Return the version of each caption that was in use when it was withdrawn last, by index."""
    return {content["caption"]: content["versions"][0] for content in _withdrawals(image_id)}


def _withdrawals(image_id: int) -> list[dict[str, Any]]:
    """Return the decisions that took captions of the image out of the data set, the latest last."""
    decisions = Decision.objects.filter(image=image_id, kind=Decision.Kind.CAPTION).order_by("pk")
    contents = decisions.values_list("content", flat=True)
    return [one for one in contents if one["versions"][0] is not None and one["versions"][1] is None]


def known_mentions(caption: Caption) -> list[Known]:
    """Return the caption's mentions, visual or not, in order. A withdrawn caption has none."""
    return _known(Mention.objects.filter(caption=caption, superseded=False))


def withdrawn_mentions(caption: Caption) -> list[Known]:
    """Return the mentions that a withdrawn caption had, in order."""
    for content in reversed(_withdrawals(caption.image_id)):
        if (content["caption"], content["versions"][0]) == (caption.index, caption.version):
            return _known(Mention.objects.filter(pk__in=content["gone"], caption=caption))
    return []


def _known(rows: QuerySet[Mention]) -> list[Known]:
    columns = ("pk", "start", "end", "types", "annotatable")
    return [Known(*row) for row in rows.order_by("start").values_list(*columns)]


def active_work(image_id: int) -> ImageWork | None:
    """Return the image's work in the batch that has it, with the batch, or None."""
    return ImageWork.objects.grounding().select_related("batch").filter(image=image_id, active=True).first()


class HeldPages(NamedTuple):
    """Pages in workers' hands, and how many of them promise a reward."""

    number: int = 0
    paid: int = 0


def pages_holding(work: ImageWork | None, items: Collection[int]) -> HeldPages:
    """Return the pages in workers' hands that hold one of these items of the work."""
    if work is None or not items:
        return HeldPages()
    live = Assignment.objects.filter(batch=work.batch_id, state=Assignment.State.LIVE)
    found = live.values_list("items", "reward")
    rewards = [reward for held, reward in found if not set(held).isdisjoint(items)]
    return HeldPages(len(rewards), sum(reward > 0 for reward in rewards))


def known_place(row: GoldChain) -> Place:
    """Return the place of a chain that is known beforehand."""
    flag = "scene" if row.scene else "nobndbox" if row.nobndbox else ""
    return Place(f"g{row.pk}", tuple(row.members), tuple(Rectangle(*box) for box in row.boxes), flag)
