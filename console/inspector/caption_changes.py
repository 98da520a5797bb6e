"""The captions of an image with what researchers did to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.models import Caption, Decision
from console.common.chain_page import Line
from console.common.labels import say_change
from workflows.review.selectors import WITHDRAW, active_work, captions_of, undoable

MAX_CHANGES = 50


@dataclass(frozen=True, slots=True)
class Told:
    """A caption in use, with the id of its row."""

    line: Line
    pk: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A caption that was withdrawn. If `undo` names the decision, undoing it brings the caption back."""

    caption: Caption
    undo: int | None

    @property
    def place(self) -> int:
        """Its place from 1."""
        return self.caption.index + 1


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of a caption, in words."""

    decision: Decision
    says: str
    can_undo: bool


@dataclass(frozen=True, slots=True)
class Captions:
    """Everything about an image's captions that its page shows."""

    told: list[Told]
    withdrawn: list[Withdrawn]
    changes: list[Changed]


def captions_on_page(image_id: int, lines: Sequence[Line]) -> Captions:
    """Return the captions; `lines` are those in use with their phrases. At most seven queries."""
    rows = captions_of(image_id)
    pks = {row.index + 1: row.pk for row in rows if not row.superseded}
    told = [Told(line, pks[line.index]) for line in lines]
    about = Decision.objects.filter(image=image_id, kind=Decision.Kind.CAPTION)
    decisions = list(about.order_by("-pk")[:MAX_CHANGES])
    if not decisions:
        return Captions(told, [], [])
    last = undoable(image_id, active_work(image_id))
    undoes = {one.content["caption"]: one.pk for one in decisions if one.pk == last and _withdraws(one)}
    withdrawn = [Withdrawn(row, undoes.get(row.index)) for row in rows if row.superseded]
    return Captions(
        told, withdrawn, [Changed(one, say_change(one.content), one.pk == last) for one in decisions]
    )


def _withdraws(decision: Decision) -> bool:
    return bool(decision.content["action"] == WITHDRAW)
