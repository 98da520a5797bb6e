"""The changes of one run of `advance`: collected first, then written in a handful of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from django.db.models import F, Model

from annotation.models import Box, Case, Chain, ImageWork, Item
from workflows.cases.review_queue import open_cases
from workflows.pipeline.models import Transition

Row = TypeVar("Row", bound=Model)
ROWS_AT_ONCE = 500
PROGRESS_FIELDS = (
    "state",
    "visits",
    "boxes_accepted",
    "boxes_rejected",
    "returns",
    "fruitless",
    "flag",
    "reason",
)
"""The fields of a chain that moves change. workflows.pipeline.domain.moves.Progress has the same names."""


@dataclass(slots=True)
class Changes:
    """The rows to write: ids where every row changes alike, objects where each row has its own values."""

    now: datetime
    items_done: list[int] = field(default_factory=list)
    items_asked_again: list[int] = field(default_factory=list)  # one more judgment
    items_held: list[int] = field(default_factory=list)  # they still wait for a model
    new_items: list[Item] = field(default_factory=list)
    new_chains: list[Chain] = field(default_factory=list)
    moved_chains: list[Chain] = field(default_factory=list)
    new_boxes: list[Box] = field(default_factory=list)
    boxes: dict[str, list[int]] = field(default_factory=dict)  # state -> proposed boxes that get it
    drawers: set[int] = field(default_factory=set)  # workers who drew a box that was judged
    links_to_settle: list[int] = field(default_factory=list)
    links_to_ask_again: list[int] = field(default_factory=list)
    works: dict[str, list[int]] = field(default_factory=dict)  # state -> work ids
    transitions: list[Transition] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    def image_moves(self, work: int, source: str, target: str, rule: str) -> None:
        """Record that an image moves to another state, with a line for the log."""
        self.works.setdefault(target, []).append(work)
        self.transitions.append(
            Transition(work_id=work, rule=rule, source=source, target=target, created_at=self.now)
        )

    def write(self) -> None:
        """Write everything, parents before children. Needs `write_transaction` and the works' locks."""
        if self.items_done:
            done = Item.objects.filter(pk__in=self.items_done)
            done.update(state=Item.State.DONE, unread=False)
        if self.items_asked_again:
            again = Item.objects.filter(pk__in=self.items_asked_again)
            again.update(needed=F("judged") + 1, unread=False, queued_at=self.now)
        if self.items_held:
            Item.objects.filter(pk__in=self.items_held).update(unread=False)
        if self.links_to_settle:
            settle = Item.objects.filter(pk__in=self.links_to_settle)
            settle.update(state=Item.State.OPEN, settling=True, needed=F("needed") + 1, queued_at=self.now)
        if self.links_to_ask_again:
            again = Item.objects.filter(pk__in=self.links_to_ask_again)
            again.update(state=Item.State.OPEN, needed=F("needed") + 1, queued_at=self.now)
        for state, works in self.works.items():
            ImageWork.objects.filter(pk__in=works).update(state=state)
        for state, boxes in self.boxes.items():
            Box.objects.filter(pk__in=boxes).update(state=state)
        Chain.objects.bulk_create(self.new_chains)
        overwrite(self.moved_chains, PROGRESS_FIELDS)
        Box.objects.bulk_create(self.new_boxes)
        Item.objects.bulk_create(self.new_items)
        Transition.objects.bulk_create(self.transitions)
        if self.cases:
            open_cases(self.cases)


def overwrite(rows: Sequence[Row], fields: Sequence[str]) -> None:
    """Write these fields of rows that are stored already. It is one statement for many rows: an upsert."""
    if rows:
        type(rows[0])._default_manager.bulk_create(
            rows, batch_size=ROWS_AT_ONCE, update_conflicts=True, unique_fields=["id"], update_fields=fields
        )
