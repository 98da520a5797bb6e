"""Move chains through the stages after the links, by the table of moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import count

from annotation.domain.answers import Answer
from annotation.domain.chain_states import FINISHED, REVIEW, SPLIT, UNTOLD
from annotation.models import Batch, Box, Case, Chain, ImageWork, Item
from annotation.selectors import mentions_by_id
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.change_set import PROGRESS_FIELDS, Changes
from workflows.pipeline.domain.disputes import disputed_pairs
from workflows.pipeline.domain.moves import PROTOCOLS, Progress, Protocol, split
from workflows.pipeline.domain.verdicts import Evidence, ModelWeights, Verdict
from workflows.pipeline.link_stage import add_chain, contradiction_cases
from workflows.pipeline.models import Transition

Given = Mapping[int, Sequence[tuple[int, int, Answer]]]
"""Item id -> its (judgment id, worker id, answer), in the order they were given."""


def step_chains(
    items: Sequence[Item],
    works: Mapping[int, ImageWork],
    batches: Mapping[int, Batch],
    given: Given,
    models: Mapping[int, ModelWeights],
    changes: Changes,
) -> set[int]:
    """Move the chains of these items as far as their judgments decide. The works must be locked.

    `models` has what a model adds to an item, by item. Return the works in which a chain was finished, so
    that the image may be done.
    """
    chains = Chain.objects.in_bulk([item.chain_id for item in items])
    mentions = mentions_by_id([m for chain in chains.values() for m in chain.members])
    protocols = {pk: PROTOCOLS[settings_of(batch).protocol] for pk, batch in batches.items()}
    drawn = _drawn(
        [
            i.chain_id
            for i in items
            if chains[i.chain_id].boxes_accepted or i.stage in protocols[i.batch_id].judging
        ]
    )
    ended = set()
    for item in items:
        assert item.chain_id is not None
        chain, work = chains[item.chain_id], works[item.work_id]
        settings = settings_of(batches[item.batch_id])
        protocol = protocols[item.batch_id]
        answers: list[Evidence] = [answer for _, _, answer in given.get(item.pk, ())]
        if item.pk in models:
            answers.insert(0, models[item.pk])
        elif not answers and protocol.waits_for_model(item.stage, settings):
            changes.items_held.append(item.pk)
            continue
        members = [mentions[m] for m in chain.members]
        verdict = protocol.verdict(item.stage, answers, members, settings)
        if verdict is None:
            changes.items_asked_again.append(item.pk)
            continue
        before = progress_of(chain)
        after, rule = protocol.step(before, verdict, members, settings)
        changes.items_done.append(item.pk)
        _apply(item, chain, before, after, rule, changes)
        accepted = _judge_boxes(item, drawn[chain.pk], verdict, rule, protocol, changes)
        boxes = _new_boxes(item, chain, verdict, given, changes)
        if after.state in protocol.decide:
            asked = _ask(item, chain, after, protocol, rule, given, changes)
            if protocol.waits_for_model(after.state, settings):
                asked.needed = 0
            # Of several boxes, the first stands for all: they are of one judgment.
            asked.box = boxes[0] if boxes else None
            asked.shown = accepted
        project = batches[item.batch_id].project_id
        if after.state == SPLIT:
            for subset in split(members):
                add_chain(work, subset, chain.generation + 1, settings, changes)
                part = changes.new_chains[-1]
                pairs = disputed_pairs(subset, (), generation=part.generation, before="", now=part.state)
                changes.cases += contradiction_cases(project, part, subset, pairs, changes.now)
            continue
        pairs = disputed_pairs(members, (), generation=chain.generation, before=before.state, now=after.state)
        changes.cases += contradiction_cases(project, chain, members, pairs, changes.now)
        if after.state in FINISHED:
            ended.add(work.pk)
        elif after.state == REVIEW:
            changes.cases.append(review_case(project, chain, changes.now))
    return ended


def review_case(project_id: int, chain: Chain, now: datetime) -> Case:
    """Return the unsaved case for a chain that went to review.

    It was going in circles, unless a decision about the whole image left it to a researcher, or workers could
    not tell an answer.
    """
    reasons = {"regrouped": Case.Reason.FLAG, UNTOLD: Case.Reason.UNSURE}
    return Case(
        project_id=project_id,
        reason=reasons.get(chain.reason, Case.Reason.CYCLE),
        work_id=chain.work_id,
        chain=chain,
        detail={"rule": chain.reason},
        opened_at=now,
    )


def _drawn(chains: Collection[int | None]) -> dict[int, list[tuple[int, Box.State]]]:
    """Return the accepted and the proposed boxes of these chains, in the order they were drawn."""
    drawn: dict[int, list[tuple[int, Box.State]]] = defaultdict(list)
    if not chains:
        return drawn
    rows = Box.objects.filter(chain__in=chains, state__in=(Box.State.ACCEPTED, Box.State.PROPOSED))
    for chain, pk, state in rows.order_by("pk").values_list("chain_id", "pk", "state"):
        drawn[chain].append((pk, Box.State(state)))
    return drawn


def progress_of(chain: Chain) -> Progress:
    """Return the chain's progress as the rules see it."""
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


def _judge_boxes(
    item: Item,
    drawn: Sequence[tuple[int, Box.State]],
    verdict: Verdict,
    rule: str,
    protocol: Protocol,
    changes: Changes,
) -> list[int]:
    """Accept or reject the proposed boxes of `drawn`, if the rule does. Return all that are accepted then."""
    accepted: list[int] = []
    judged = count()
    for pk, before in drawn:
        state: str = before
        if before == Box.State.PROPOSED and rule in protocol.box_states:
            state = protocol.state_of_box(rule, verdict, next(judged))
            changes.boxes.setdefault(state, []).append(pk)
            if item.author_id is not None:
                changes.drawers.add(item.author_id)
        if state == Box.State.ACCEPTED:
            accepted.append(pk)
    return accepted


def _new_boxes(item: Item, chain: Chain, verdict: Verdict, given: Given, changes: Changes) -> list[Box]:
    """Return the boxes that the verdict draws."""
    boxes = [
        Box(
            chain=chain,
            judgment_id=given[item.pk][-1][0],
            ordinal=ordinal,
            left=box.left,
            top=box.top,
            right=box.right,
            bottom=box.bottom,
        )
        for ordinal, box in enumerate(verdict.boxes)
    ]
    changes.new_boxes += boxes
    return boxes


def _ask(
    item: Item,
    chain: Chain,
    after: Progress,
    protocol: Protocol,
    rule: str,
    given: Given,
    changes: Changes,
) -> Item:
    """Return the chain's next item. The worker who drew the box, or said none is needed, is not asked it."""
    judgment, worker, _ = given[item.pk][-1]
    counts = rule in protocol.counts_next
    asked = Item(
        batch_id=item.batch_id,
        work_id=item.work_id,
        stage=after.state,
        chain=chain,
        visit=after.visits,
        counted_id=judgment if counts else None,
        author_id=worker if counts or after.state in protocol.not_by_author else None,
        queued_at=changes.now,
    )
    changes.new_items.append(asked)
    chain.visits = after.visits + 1
    return asked


def group_answers(rows: Sequence[tuple[int, int, int, Answer]]) -> dict[int, list[tuple[int, int, Answer]]]:
    """Group rows of (item id, judgment id, worker id, answer) by item, in the order they come."""
    grouped: dict[int, list[tuple[int, int, Answer]]] = defaultdict(list)
    for item, judgment, worker, answer in rows:
        grouped[item].append((judgment, worker, answer))
    return grouped
