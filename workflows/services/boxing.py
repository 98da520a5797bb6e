"""The five stages after the links: read decided items through the pipeline's table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from annotation.domain.answers import Answer, Stage
from annotation.models import Batch, Box, Chain, ImageWork, Item
from annotation.selectors import mentions_by_id
from workflows.domain.agreement import Verdict
from workflows.domain.pipeline import (
    BOX_STATES,
    COUNTS_AT_REQUIREMENT,
    FINISHED,
    PROTOCOLS,
    SPLIT,
    Progress,
    split,
)
from workflows.models import Transition
from workflows.services.batches import settings_of
from workflows.services.changes import PROGRESS_FIELDS, Changes
from workflows.services.linking import add_chain

Given = Mapping[int, Sequence[tuple[int, int, Answer]]]
"""Item id -> its (judgment id, worker id, answer), in the order they were given."""


def step_chains(
    items: Sequence[Item],
    works: Mapping[int, ImageWork],
    batches: Mapping[int, Batch],
    given: Given,
    changes: Changes,
) -> set[int]:
    """Move the chains of these items as far as their judgments decide. Works must be locked.

    Returns the works in which a chain came to its end, so that the image may be done.
    """
    chains = Chain.objects.in_bulk([item.chain_id for item in items])
    mentions = mentions_by_id([m for chain in chains.values() for m in chain.members])
    ended = set()
    for item in items:
        assert item.chain_id is not None
        chain, work = chains[item.chain_id], works[item.work_id]
        settings = settings_of(batches[item.batch_id])
        protocol = PROTOCOLS[settings.protocol]
        answers = [answer for _, _, answer in given[item.pk]]
        verdict = protocol.decide[item.stage](answers)
        if verdict is None:
            changes.items_asked_again.append(item.pk)
            continue
        members = [mentions[m] for m in chain.members]
        before = progress_of(chain)
        after, rule = protocol.step(before, verdict, members, settings)
        changes.items_done.append(item.pk)
        _apply(item, chain, before, after, rule, changes)
        box = _box(item, chain, verdict, given, rule, changes)
        if after.state in protocol.decide:
            _ask(item, chain, after, rule, box, given, changes)
        if after.state == SPLIT:
            for subset in split(members):
                add_chain(work, subset, chain.generation + 1, settings, changes)
        elif after.state in FINISHED:
            ended.add(work.pk)
    return ended


def progress_of(chain: Chain) -> Progress:
    """The chain as the rules see it."""
    return Progress(**{name: getattr(chain, name) for name in PROGRESS_FIELDS})


def _apply(item: Item, chain: Chain, before: Progress, after: Progress, rule: str, changes: Changes) -> None:
    for name in PROGRESS_FIELDS:
        setattr(chain, name, getattr(after, name))
    changes.moved_chains.append(chain)
    changes.transitions.append(
        Transition(
            work_id=item.work_id,
            chain_id=chain.pk,
            item_id=item.pk,
            rule=rule,
            source=before.state,
            target=after.state,
            created_at=changes.now,
        )
    )


def _box(item: Item, chain: Chain, verdict: Verdict, given: Given, rule: str, changes: Changes) -> Box | None:
    """The box the verdict draws; a box it accepts or rejects is marked."""
    if rule in BOX_STATES and item.box_id is not None:
        changes.boxes.setdefault(BOX_STATES[rule], []).append(item.box_id)
    if verdict.box is None:
        return None
    b = verdict.box
    box = Box(
        chain=chain,
        judgment_id=given[item.pk][-1][0],
        left=b.left,
        top=b.top,
        right=b.right,
        bottom=b.bottom,
    )
    changes.new_boxes.append(box)
    return box


def _ask(
    item: Item, chain: Chain, after: Progress, rule: str, box: Box | None, given: Given, changes: Changes
) -> None:
    """The chain's next item. Whoever drew the box, or said none is needed, is not asked about that."""
    judgment, worker, _ = given[item.pk][-1]
    counted = judgment if rule == COUNTS_AT_REQUIREMENT else None
    changes.new_items.append(
        Item(
            batch_id=item.batch_id,
            work_id=item.work_id,
            stage=after.state,
            chain=chain,
            visit=after.visits,
            box=box,
            counted_id=counted,
            author_id=worker if counted or after.state == Stage.QUALITY else None,
            queued_at=changes.now,
        )
    )
    chain.visits = after.visits + 1


def group_answers(rows: Sequence[tuple[int, int, int, Answer]]) -> dict[int, list[tuple[int, int, Answer]]]:
    """Rows of (item id, judgment id, worker id, answer) by item, in the order they come."""
    grouped: dict[int, list[tuple[int, int, Answer]]] = defaultdict(list)
    for item, judgment, worker, answer in rows:
        grouped[item].append((judgment, worker, answer))
    return grouped
