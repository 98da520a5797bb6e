"""Load the rows of image works as the plain values that a replay takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Q

from annotation.domain.answers import parse_answer
from annotation.domain.mentions import Mention as PureMention
from annotation.models import Abstention, Batch, Box, Chain, Decision, ImageWork, Item, Judgment, Mention
from annotation.selectors import mentions_by_image
from workflows.pipeline.box_stages import progress_of
from workflows.pipeline.domain.photograph_reports import Report
from workflows.pipeline.domain.verdicts import ModelWeights
from workflows.pipeline.model_evidence import weights_of_items
from workflows.pipeline.replay.domain.contexts import Context, Given, Source
from workflows.pipeline.replay.domain.decisions import (
    ChainDecision,
    Regrouping,
    parse_chain,
    parse_regrouping,
)
from workflows.pipeline.replay.domain.image_fold import ChainKey
from workflows.pipeline.replay.domain.stored_rows import (
    Decided,
    StoredBox,
    StoredChain,
    StoredImage,
    StoredItem,
)

WHOLE = (Decision.Kind.REGROUP, Decision.Kind.ANNOTATE, Decision.Kind.CAPTION)
"""Decisions about an image as a whole. A change of a caption is one if its content has chains."""


@dataclass(slots=True)
class Loaded:
    """The rows of one image work, as model instances and as plain values."""

    work: ImageWork
    mentions: Sequence[PureMention]
    image: StoredImage
    items: dict[int, Item] = field(default_factory=dict)
    chains: dict[int, Chain] = field(default_factory=dict)


def load_works(
    works: Sequence[ImageWork],
    *,
    lock: bool = False,
    without: Collection[int] = (),
    without_reports: Collection[int] = (),
    undone: Collection[int] = (),
) -> dict[int, Loaded]:
    """Load these works, by id, in a handful of queries.

    The judgments `without` and the reports `without_reports` (ids) are treated as set aside, and the
    decisions `undone` (ids) as undone.

    With `lock`, nobody can lease their items until the transaction ends; the works must already be locked.
    Raises ValueError or LookupError if an answer or a decision cannot be read.
    """
    mentions = mentions_by_image([work.image_id for work in works])
    rows = Item.objects.filter(work__in=works).order_by("pk")
    items: dict[int, list[Item]] = defaultdict(list)
    for item in rows.select_for_update(no_key=True) if lock else rows:
        items[item.work_id].append(item)
    chains: dict[int, list[Chain]] = defaultdict(list)
    for chain in Chain.objects.filter(work__in=works).order_by("pk"):
        chains[chain.work_id].append(chain)
    boxes: dict[int, list[Box]] = defaultdict(list)
    for box in Box.objects.filter(chain__work__in=works).order_by("pk"):
        boxes[box.chain_id].append(box)
    given = _given(works, set(without))
    batches = Batch.objects.in_bulk({work.batch_id for work in works})
    models = weights_of_items(batches, Q(item__work__in=works))
    decided = _decided(works, chains, undone)
    reports, dismissed = reports_of(works)
    loaded = {}
    for work in works:
        decisions = decided.get(work.pk, Decided())
        stored = _stored(work, items[work.pk], chains[work.pk], boxes, given, models, decisions)
        loaded[work.pk] = Loaded(
            work,
            mentions.get(work.image_id, []),
            replace(
                stored,
                reports=reports[work.pk],
                dismissed=frozenset(dismissed[work.pk]).union(without_reports),
            ),
            {item.pk: item for item in items[work.pk]},
            {chain.pk: chain for chain in chains[work.pk]},
        )
    return loaded


def _given(works: Sequence[ImageWork], without: set[int]) -> dict[int, list[Given]]:
    """Return the judgments that count, by item, in the order they were given."""
    found: dict[int, list[Given]] = defaultdict(list)
    rows = Judgment.objects.filter(item__work__in=works, set_aside__isnull=True).order_by("pk")
    for pk, item, stage, worker, answer in rows.values_list(
        "pk", "item_id", "item__stage", "worker_id", "answer"
    ):
        if pk not in without:
            found[item].append(Given(pk, worker, parse_answer(stage, answer)))
    return found


def reports_of(works: Sequence[ImageWork]) -> tuple[dict[int, list[Report]], dict[int, set[int]]]:
    """Return by work who abstained from answering about it, and the reports that do not count (ids).

    These are the ones that a researcher dismissed, and those that were set aside with the judgments of who
    made them. Four queries, one if there is no report.
    """
    reports: dict[int, list[Report]] = defaultdict(list)
    rows = Abstention.objects.filter(work__in=works).order_by("pk")
    for work, pk, worker, broken, kind, item in rows.values_list(
        "work_id", "pk", "worker_id", "broken", "kind", "item_id"
    ):
        if work is not None:
            unsure = item if kind == Abstention.Kind.UNSURE else None
            reports[work].append(Report(pk, worker, broken, unsure))
    dismissed: dict[int, set[int]] = defaultdict(set)
    decisions = Decision.objects.filter(work__in=list(reports), kind=Decision.Kind.USABLE)
    for work, content in decisions.values_list("work_id", "content") if reports else ():
        dismissed[work].update(content["reports"])
    aside = _reports_set_aside({one.worker for of_work in reports.values() for one in of_work})
    for work, of_work in reports.items() if aside else ():
        dismissed[work].update(one.id for one in of_work if one.id in aside)
    return reports, dismissed


def _reports_set_aside(workers: Collection[int]) -> set[int]:
    """Return the reports of these workers (ids) that a decision set aside which was not undone."""
    if not workers:
        return set()
    Kind = Decision.Kind
    undone = Decision.objects.filter(worker__in=workers, kind=Kind.REINSTATE)
    over = set(undone.values_list("content__decision", flat=True))
    found = Decision.objects.filter(
        worker__in=workers, kind__in=(Kind.SET_ASIDE, Kind.REJECT), content__has_key="reports"
    )
    ids = found.values_list("pk", "content__reports")
    return {report for pk, reports in ids if pk not in over for report in reports}


def _decided(
    works: Sequence[ImageWork], chains: Mapping[int, Sequence[Chain]], more_undone: Collection[int]
) -> dict[int, Decided]:
    kinds = (Decision.Kind.CHAIN, Decision.Kind.UNDO, *WHOLE)
    rows = Decision.objects.filter(work__in=works, kind__in=kinds).order_by("pk")
    of_chains: dict[int, dict[ChainKey, list[tuple[int, ChainDecision]]]] = defaultdict(dict)
    regroupings: dict[int, list[tuple[int, Regrouping]]] = defaultdict(list)
    undone = set(more_undone)
    keys = {chain.pk: key_of(chain) for rows_of in chains.values() for chain in rows_of}
    for decision in rows:
        assert decision.work_id is not None
        if "undoes" in decision.content:
            undone.add(decision.content["undoes"])
        if decision.kind != Decision.Kind.CHAIN and "chains" not in decision.content:
            continue
        if decision.kind != Decision.Kind.CHAIN:
            regroupings[decision.work_id].append((decision.pk, parse_regrouping(decision.content)))
        elif decision.chain_id is not None:
            of_chain = of_chains[decision.work_id].setdefault(keys[decision.chain_id], [])
            of_chain.append((decision.pk, parse_chain(decision.content)))
    decided = of_chains.keys() | regroupings.keys()
    return {
        work: Decided(of_chains.get(work, {}), regroupings.get(work, ()), frozenset(undone))
        for work in decided
    }


def cut_since(works: Sequence[ImageWork]) -> set[int]:
    """Return the released works whose captions were chunked or edited since, outside of their batch.

    Their questions cannot be asked again, so they stay as they are.
    """
    over = {work.image_id for work in works if not work.active}
    if not over:
        return set()
    cut = set(Mention.objects.filter(image__in=over, superseded=True).values_list("image_id", flat=True))
    edits = Decision.objects.filter(image__in=over, kind=Decision.Kind.CAPTION)
    edited = set(edits.values_list("image_id", "work_id"))
    return {
        work.pk
        for work in works
        if not work.active
        and (work.image_id in cut or any(i == work.image_id and w != work.pk for i, w in edited))
    }


def key_of(chain: Chain) -> ChainKey:
    """Return the key that identifies the chain in a replay."""
    return chain.generation, tuple(chain.members)


def source_of(box: Box) -> Source:
    """Return the source that identifies the box in a replay."""
    return Source(box.judgment_id, box.decision_id, box.ordinal)


def _stored(
    work: ImageWork,
    items: Sequence[Item],
    chains: Sequence[Chain],
    boxes: Mapping[int, Sequence[Box]],
    given: Mapping[int, Sequence[Given]],
    models: Mapping[int, ModelWeights],
    decided: Decided,
) -> StoredImage:
    drawn = [box for chain in chains for box in boxes.get(chain.pk, ())]
    sources = {box.pk: source_of(box) for box in drawn}
    return StoredImage(
        work.state,
        [_item(item, sources, given.get(item.pk, ()), models.get(item.pk)) for item in items],
        [StoredChain(chain.pk, key_of(chain), progress_of(chain)) for chain in chains],
        [StoredBox(box.pk, box.chain_id, sources[box.pk], box.rectangle, box.state) for box in drawn],
        decided,
        work.active,
    )


def _item(
    item: Item, sources: Mapping[int, Source], given: Sequence[Given], model: ModelWeights | None
) -> StoredItem:
    pair = context = None
    if item.mention_a_id is not None and item.mention_b_id is not None:
        pair = item.mention_a_id, item.mention_b_id
    if item.chain_id is not None:
        context = Context(
            item.stage,
            tuple(sources[box] for box in item.shown),
            None if item.box_id is None else sources[item.box_id],
            item.counted_id,
            item.decision_id,
        )
    return StoredItem(
        item.pk,
        item.stage,
        item.state,
        item.needed,
        item.judged,
        item.leased,
        item.settling,
        item.visit,
        item.author_id,
        pair,
        item.chain_id,
        context,
        tuple(given),
        model,
    )
