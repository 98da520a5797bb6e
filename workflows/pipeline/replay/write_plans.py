"""Write the plans of a replay to the database, in a dozen statements, however many images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from annotation.domain.answers import Stage
from annotation.domain.chain_states import REVIEW, WITHDRAWN
from annotation.domain.mentions import Mention
from annotation.models import Box, Case, Chain, ImageWork, Item
from workflows.cases.review_queue import open_cases
from workflows.pipeline.box_stages import review_case
from workflows.pipeline.change_set import PROGRESS_FIELDS, ROWS_AT_ONCE, overwrite
from workflows.pipeline.domain.disputes import disputed_pairs
from workflows.pipeline.link_stage import contradiction_cases, make_chain
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.differences import (
    UNSURE,
    BoxChange,
    ChainChange,
    ItemChange,
    Logged,
    Plan,
)
from workflows.pipeline.replay.domain.image_fold import ChainKey
from workflows.pipeline.replay.load_rows import Loaded

_JUDGED = (Box.State.ACCEPTED, Box.State.REJECTED)
_ITEM_FIELDS = ("state", "needed", "judged", "settling", "visit", "author", "queued_at")

_Sources = dict[tuple[ChainKey, Source], Box | int]
"""The row of each box, or its id, by its chain and its source."""


class WorkRows:
    """What is written for works with and without chains. The works and their items must be locked."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.works: dict[str, list[int]] = {}
        self._log: list[Transition] = []
        self._cases: list[Case] = []
        self.judged: list[int] = []
        """Ids of the boxes, or judgments of captions, that were accepted or rejected before, or are now."""
        self.settled: list[int] = []
        """Ids of the items that were decided just now, or are not decided any more."""
        self.moved: list[int] = []
        """Ids of the works whose state changes."""

    def _image(self, work: ImageWork, line: Logged) -> None:
        self.works.setdefault(line.target, []).append(work.pk)
        self.moved.append(work.pk)
        self._logged(work, None, line)

    def _logged(self, work: ImageWork, chain: Chain | None, line: Logged) -> None:
        self._log.append(
            Transition(
                work_id=work.pk,
                chain=chain,
                item_id=line.item,
                rule=line.rule,
                source=line.source,
                target=line.target,
                created_at=self.now,
            )
        )

    def _write_images(self) -> None:
        for state, works in self.works.items():
            ImageWork.objects.filter(pk__in=works).update(state=state)
        Transition.objects.bulk_create(self._log, batch_size=ROWS_AT_ONCE)


class Rows(WorkRows):
    """The rows to write for works with links and chains."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now)
        # Visits and chains have unique keys: rows that give up a key are written first.
        self._leaving_items: list[int] = []
        self._leaving_chains: list[int] = []
        self._new_chains: list[Chain] = []
        self._moved_chains: list[Chain] = []
        self._new_boxes: list[Box] = []
        self._boxes: dict[str, list[int]] = {}
        self._new_items: list[tuple[Item, list[tuple[ChainKey, Source]], _Sources]] = []
        self._moved_items: list[Item] = []

    def add(
        self, loaded: Loaded, plan: Plan, project_id: int, ruled: int | None, *, every: bool = False
    ) -> None:
        """Add the plan of one work. The caller writes the log line of the chain `ruled`.

        `every` contradiction of links opens a case, also of chains that workers verify.
        """
        work = loaded.work
        if plan.image is not None:
            self._image(work, plan.image)
        if work.active:
            # An image that rests already may rest for another reason now. A case that is open stays.
            self._cases += [
                Case(
                    project_id=project_id,
                    reason=reason,
                    work_id=work.pk,
                    stage=Stage.LINK if reason == UNSURE else "",  # only links let an image rest for that
                    opened_at=self.now,
                )
                for reason in plan.rests_for
            ]
        chains = {row.key: loaded.chains[row.id] for row in loaded.image.rows().values()}
        by_id = {mention.id: mention for mention in loaded.mentions}
        for change in plan.chains:
            row = self._chain(work, change, loaded.chains, by_id)
            if change.progress.state != WITHDRAWN:
                chains[change.key] = row
            if change.before is not None and change.before.id == ruled:
                continue
            for line in change.log:
                self._logged(work, row, line)
            mentions = [by_id[member] for member in change.key[1] if member in by_id]  # not if chunked anew
            disputed = disputed_pairs(
                mentions,
                plan.contradictions,
                generation=change.key[0],
                before=change.before.progress.state if change.before else "",
                now=change.progress.state,
                every=every,
            )
            self._cases += contradiction_cases(project_id, row, mentions, disputed, self.now)
            if change.progress.state == REVIEW:
                self._cases.append(review_case(project_id, row, self.now))
        # A box that a regrouping kept has a row in the old chain and in the new one.
        of_chain = {row.id: row.key for row in loaded.image.chains}
        sources: _Sources = {
            (of_chain[box.chain], box.source): box.id
            for box in sorted(loaded.image.boxes, key=lambda box: chains[of_chain[box.chain]].pk == box.chain)
        }
        for box in plan.boxes:
            self._box(box, chains, sources)
        for item in plan.items:
            self._item(work, item, loaded.items, chains, sources)

    def _chain(
        self, work: ImageWork, change: ChainChange, rows: Mapping[int, Chain], mentions: Mapping[int, Mention]
    ) -> Chain:
        generation, members = change.key
        if change.before is None:
            row = make_chain(work.pk, [mentions[member] for member in members], generation)
            self._new_chains.append(row)
        else:
            row = rows[change.before.id]
            if change.progress.state == WITHDRAWN:
                self._leaving_chains.append(row.pk)
            else:
                self._moved_chains.append(row)
        for name in PROGRESS_FIELDS:
            setattr(row, name, getattr(change.progress, name))
        return row

    def _box(self, change: BoxChange, chains: Mapping[ChainKey, Chain], sources: _Sources) -> None:
        box, source = change.box.box, change.box.source
        if change.before is not None:
            self._boxes.setdefault(change.box.state, []).append(change.before.id)
            if (change.before.state in _JUDGED) or change.box.state in _JUDGED:
                self.judged.append(change.before.id)
            return
        row = Box(
            chain=chains[change.chain],
            judgment_id=source.judgment,
            decision_id=source.decision,
            ordinal=source.ordinal,
            left=box.left,
            top=box.top,
            right=box.right,
            bottom=box.bottom,
            state=change.box.state,
        )
        self._new_boxes.append(row)
        sources[change.chain, source] = row

    def _item(
        self,
        work: ImageWork,
        change: ItemChange,
        rows: Mapping[int, Item],
        chains: Mapping[ChainKey, Chain],
        sources: _Sources,
    ) -> None:
        if change.before is None:
            row = Item(batch_id=work.batch_id, work_id=work.pk, stage=change.stage)
            if change.pair is not None:
                row.mention_a_id, row.mention_b_id = change.pair
            if change.chain is not None:
                row.chain = chains[change.chain]
            shown: tuple[Source, ...] = ()
            if (context := change.context) is not None:
                row.counted_id, row.decision_id, shown = context.counted, context.decision, context.shown
                if context.new is not None and change.chain is not None:
                    new = sources[change.chain, context.new]
                    row.box_id, row.box = (new, None) if isinstance(new, int) else (None, new)
            named = [(change.chain, source) for source in shown if change.chain is not None]
            self._new_items.append((row, named, sources))
        else:
            row = rows[change.before.id]
            leaves = change.state == WITHDRAWN or change.visit != change.before.visit
            if leaves and change.before.state != WITHDRAWN:
                self._leaving_items.append(row.pk)
            self._moved_items.append(row)
            if (change.before.state == Item.State.DONE) != (change.state == Item.State.DONE):
                self.settled.append(row.pk)
        row.state, row.needed, row.judged = change.state, change.needed, change.judged
        row.settling, row.visit, row.author_id = change.settling, change.visit, change.author
        if change.waits_anew:
            row.queued_at = self.now

    def write(self) -> None:
        """Write everything: withdrawn rows first, then parents before children."""
        for items in _chunks(self._leaving_items):
            Item.objects.filter(pk__in=items).update(state=Item.State.WITHDRAWN)
        for chains in _chunks(self._leaving_chains):
            Chain.objects.filter(pk__in=chains).update(state=WITHDRAWN)
        Chain.objects.bulk_create(self._new_chains, batch_size=ROWS_AT_ONCE)
        overwrite(self._moved_chains, PROGRESS_FIELDS)
        Box.objects.bulk_create(self._new_boxes, batch_size=ROWS_AT_ONCE)
        self.judged += [box.pk for box in self._new_boxes if box.state in _JUDGED]
        for state, boxes in self._boxes.items():
            for some in _chunks(boxes):
                Box.objects.filter(pk__in=some).update(state=state)
        new_items = [_showing(row, shown, sources) for row, shown, sources in self._new_items]
        Item.objects.bulk_create(new_items, batch_size=ROWS_AT_ONCE)
        overwrite(self._moved_items, _ITEM_FIELDS)
        self._write_images()
        if self._cases:
            open_cases(self._cases)


def _showing(row: Item, shown: Sequence[tuple[ChainKey, Source]], sources: _Sources) -> Item:
    """Return the item with the ids of the boxes it shows, which are saved by now."""
    found = (sources[box] for box in shown)
    row.shown = [box if isinstance(box, int) else box.pk for box in found]
    if row.box is not None:
        row.box_id = row.box.pk
    return row


def _chunks(ids: list[int]) -> Iterable[list[int]]:
    return (ids[start : start + ROWS_AT_ONCE] for start in range(0, len(ids), ROWS_AT_ONCE))
