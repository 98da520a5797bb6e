"""All that happened to a chain or an image, in order: what was asked, answered, concluded and decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import Count, Q, QuerySet, Value
from django.utils.formats import date_format
from django.utils.timezone import localtime

from annotation.domain.answers import AbstentionKind, Stage
from annotation.models import Abstention, Case, Chain, Decision, ImageWork, Item, Judgment
from console.common.case_list import chain_cases, say_detail
from console.common.labels import (
    ABSTENTIONS,
    DECIDED,
    FLAGS,
    REASONS,
    STAGES,
    say_answer,
    say_change,
    say_move,
    say_state,
)
from console.common.numbers import say_count
from console.common.regroup_history import changes, texts_of
from workflows.pipeline.models import Transition
from workflows.review.selectors import active_work, undoable_now


@dataclass(frozen=True, slots=True)
class Given:
    """One judgment as the history shows it; `aside` is the decision by which it does not count."""

    worker: int
    name: str
    answer: str
    seconds: float | None
    comment: str
    chunk_flag: bool
    at: datetime
    aside: Decision | None
    counted: bool = False  # was given where boxes are drawn, and counts here as "no box needed"
    id: int = 0  # of the judgment or, if it is a report, of the abstention
    report: bool = False


@dataclass(slots=True)
class Entry:
    """One line of the history, with what belongs to it; `kind` is link, visit, move, decision or case."""

    kind: str
    at: datetime
    title: str
    says: str = ""
    note: str = ""
    by: str = ""
    tone: str = ""  # good, bad, or neither
    mentions: tuple[int, ...] = ()
    given: list[Given] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    withdrawn: bool = False
    order: int = 0  # among those of one moment: a cause before its effects
    chain: tuple[int, str] | None = None  # (id, text) of the chain that it is about, on an image's page
    undo: int | None = None  # the decision (id) that this is about, if it can be undone now
    undone: bool = False


def lineage(chain: Chain, chains: Sequence[Chain]) -> list[Chain]:
    """Return the chain and those it was split from, the oldest first; `chains` are all of its image."""
    found = [chain]
    while found[0].generation % 2:
        parents = [
            other
            for other in chains
            if other.generation == found[0].generation - 1 and set(found[0].members) <= set(other.members)
        ]
        if not parents:
            break
        found.insert(0, min(parents, key=lambda other: (other.state == "withdrawn", other.pk)))
    return found


def history(
    chain: Chain, line: Sequence[Chain], texts: Mapping[int, str], undoable: Collection[int] = ()
) -> list[Entry]:
    """Return the history of a chain and those it was split from. Always eight queries.

    `texts` are the mentions that the image has or had: id -> text. `undoable` are the decisions (ids) that
    can be undone now.
    """
    ids = [one.pk for one in line]
    members = line[-1].members
    asked = list(
        Item.objects.filter(work=chain.work_id)
        .filter(
            Q(chain__in=ids) | Q(stage=Stage.LINK) & (Q(mention_a__in=members) | Q(mention_b__in=members))
        )
        .order_by("pk")
    )
    given = _given(asked)
    moves = list(Transition.objects.filter(chain__in=ids).order_by("pk"))
    by_item = defaultdict(list)
    for move in moves:
        by_item[move.item_id].append(move)
    entries = [_asked(item, given[item.pk], by_item[item.pk], texts) for item in asked]
    known = {item.pk for item in asked}
    entries += [_moved(move) for move in moves if move.item_id not in known]
    decisions = Decision.objects.filter(Q(chain__in=ids) | Q(work=chain.work_id, chain=None))
    entries += decided(decisions.order_by("pk"), texts, undoable)
    entries += _set_aside([one for some in given.values() for one in some])
    for case in chain_cases(chain):
        entries += _case(case)
    return _in_order(entries)


def _in_order(entries: Iterable[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda entry: (entry.at, entry.order))


@dataclass(frozen=True, slots=True)
class Numbers:
    """How much has happened to an image, in the same numbers wherever its history is linked."""

    judgments: int
    decisions: int

    def __str__(self) -> str:
        return f"{say_count(self.judgments, 'judgment')}, {say_count(self.decisions, 'decision')}"


def numbers_of(image_id: int) -> Numbers:
    """Return the numbers of judgments and decisions of an image's history. One query."""
    judgments = Judgment.objects.filter(item__work__image=image_id).annotate(of=Value("judgment"))
    decisions = _decisions_about(image_id).annotate(of=Value("decision"))
    both = [rows.order_by().values("of").annotate(number=Count("pk")) for rows in (judgments, decisions)]
    found = {row["of"]: row["number"] for row in both[0].union(both[1])}
    return Numbers(found.get("judgment", 0), found.get("decision", 0))


def _decisions_about(image_id: int) -> QuerySet[Decision]:
    return Decision.objects.filter(Q(work__image=image_id) | Q(image=image_id))


def image_history(image_id: int) -> list[Entry]:
    """Return everything that happened to an image in all its batches. A fixed number of queries.

    A question is an entry once somebody has answered it, or while it waits for an answer.
    """
    texts = texts_of(image_id)
    rows = Item.objects.filter(work__image=image_id).select_related("chain__representative")
    asked = list(rows.order_by("pk"))
    given = _given(asked)
    by_item = defaultdict(list)
    moves = Transition.objects.filter(work__image=image_id).select_related("chain__representative")
    # Nobody is asked by hand: without its annotation, an image is not linked there but in no batch.
    moves = moves.exclude(work__batch__by_hand=True, chain=None, target=ImageWork.State.LINKING)
    moves = moves.exclude(work__batch__by_hand=True, chain=None, rule="replayed")
    told = {item.pk for item in asked if given[item.pk] or item.state == Item.State.OPEN}
    entries = []
    for move in moves.order_by("pk"):
        if move.item_id in told:
            by_item[move.item_id].append(move)
        elif move.rule not in _DECISIONS:
            entries.append(replace(_moved(move), chain=_named(move.chain)))
    entries += [
        replace(_asked(item, given[item.pk], by_item[item.pk], texts), chain=_named(item.chain))
        for item in asked
        if item.pk in told
    ]
    decisions = list(_decisions_about(image_id).select_related("chain__representative").order_by("pk"))
    undoable = undoable_now(image_id, active_work(image_id))
    for decision, entry in zip(decisions, decided(decisions, texts, undoable), strict=True):
        entries.append(replace(entry, chain=_named(decision.chain)))
    entries += _set_aside([one for some in given.values() for one in some])
    about = Q(work__image=image_id) | Q(chain__work__image=image_id) | Q(caption__image=image_id)
    cases = Case.objects.filter(about).select_related("decision", "judgment__worker", "chain__representative")
    for case in cases.order_by("pk"):
        entries += [replace(entry, chain=_named(case.chain)) for entry in _case(case)]
    return _in_order(entries)


_DECISIONS = ("decided", "regrouped", "annotated", "caption-changed", "undone")
"""Rules of the log that say again what a decision says."""


def _named(chain: Chain | None) -> tuple[int, str] | None:
    return None if chain is None else (chain.pk, chain.representative.text)


def _given(items: Iterable[Item]) -> dict[int, list[Given]]:
    """Return the answers to these items; one that counts at a later item is listed there, too."""
    counted = {item.counted_id: item.pk for item in items if item.counted_id is not None}
    ids = [item.pk for item in items]
    rows = (
        Judgment.objects.filter(Q(item__in=ids) | Q(pk__in=counted))
        .select_related("item", "worker", "set_aside")
        .order_by("pk")
    )
    found: dict[int, list[Given]] = defaultdict(list)
    for row in rows:
        assert row.item_id is not None and row.item is not None
        found[row.item_id].append(_shown(row, row.item.stage))
        if row.pk in counted:
            found[counted[row.pk]].append(_shown(row, row.item.stage, counted=True))
    for one in Abstention.objects.filter(item__in=ids).select_related("worker").order_by("pk"):
        assert one.item_id is not None
        said = ABSTENTIONS[AbstentionKind(one.kind)]
        found[one.item_id].append(
            Given(
                one.worker_id,
                one.worker.external_id,
                said,
                one.seconds,
                one.comment,
                chunk_flag=False,
                at=one.created_at,
                aside=None,
                id=one.pk,
                report=True,
            )
        )
    return found


def _shown(row: Judgment, stage: str, *, counted: bool = False) -> Given:
    return Given(
        row.worker_id,
        row.worker.external_id,
        say_answer(stage, row.answer),
        row.seconds,
        row.comment,
        row.chunk_flag,
        row.created_at,
        row.set_aside,
        counted,
        row.pk,
    )


def _set_aside(given: Iterable[Given]) -> list[Entry]:
    """Return the decisions by which some of these did not count, or count again. One query."""
    judgments, reports = (
        {one.id: one for one in given if one.report == report and not one.counted} for report in (False, True)
    )
    kinds = Decision.Kind.SET_ASIDE, Decision.Kind.REJECT, Decision.Kind.REINSTATE
    workers = {one.worker for one in (*judgments.values(), *reports.values())}
    entries, says = [], dict[int, str]()
    for row in Decision.objects.filter(worker__in=workers, kind__in=kinds).order_by("pk"):
        about = [judgments[pk] for pk in row.content.get("judgments", ()) if pk in judgments]
        about += [reports[pk] for pk in row.content.get("reports", ()) if pk in reports]
        if about:
            names = ", ".join(sorted({one.name for one in about}))
            says[row.pk] = f"{say_count(len(about), 'answer')} of {names}"
        elif (again := row.content.get("decision")) in says:
            says[row.pk] = says[again]
        else:
            continue
        entries.append(replace(_decided(row, []), says=says[row.pk]))
    return entries


def _asked(item: Item, given: list[Given], moves: list[Transition], texts: Mapping[int, str]) -> Entry:
    own = [one.at for one in given if not one.counted]
    entry = Entry(
        kind="link" if item.stage == Stage.LINK else "visit",
        at=min(own) if own else item.queued_at,
        title=STAGES[item.stage].capitalize(),
        given=given,
        withdrawn=item.state == Item.State.WITHDRAWN,
        order=1 if own else 4,  # asked because of what stands before
    )
    if item.stage == Stage.LINK:
        pair = [pk for pk in (item.mention_a_id, item.mention_b_id) if pk is not None]
        entry.says = " and ".join(f"“{texts.get(pk, '?')}”" for pk in pair)
        entry.mentions = tuple(pair)
        if item.settling:
            entry.note = "asked again: three answers contradicted each other"
        elif len(own) > 1:
            entry.note = "asked more than once"
    elif item.state == Item.State.OPEN:
        entry.says = f"waits for an answer ({item.judged} of {item.needed})"
    for move in moves:
        entry.moves.append(_say_move(move))
        entry.tone = _tone(move.target)
    return entry


def _say_move(move: Transition) -> str:
    return say_move(move.rule, move.target)


def _tone(target: str) -> str:
    return {"done": "good", "nonvisual": "good", "review": "bad"}.get(target, "")


def _moved(move: Transition) -> Entry:
    return Entry("move", move.created_at, _say_move(move), tone=_tone(move.target), order=3)


def decided(
    decisions: Iterable[Decision], texts: Mapping[int, str], undoable: Collection[int] = ()
) -> list[Entry]:
    """Return decisions about an image and its chains; the rest is as in `history`. At most two queries."""
    found = list(decisions)
    changed = changes(found, texts)
    by_id = {one.pk: one for one in found}
    undone = {one.content.get("undoes") for one in found}
    return [
        replace(
            _decided(one, changed[one.pk].lines if one.pk in changed else []),
            says=_content(one, by_id.get(one.content.get("undoes", 0))),
            undo=one.pk if one.pk in undoable else None,
            undone=one.pk in undone,
        )
        for one in found
    ]


def _decided(decision: Decision, lines: list[str]) -> Entry:
    return Entry(
        kind="decision",
        at=decision.created_at,
        title=DECIDED.get(decision.kind, decision.kind),
        note=decision.note,
        by=decision.by,
        moves=lines,
        order=2,
    )


def _content(decision: Decision, undone: Decision | None) -> str:
    content = decision.content
    if decision.kind == Decision.Kind.UNDO:
        return f"{say_decision(undone)}" if undone is not None else ""
    if decision.kind == Decision.Kind.CAPTION:
        return say_change(content)
    if decision.kind != Decision.Kind.CHAIN:
        return ""
    boxes = content.get("boxes") or []
    parts = [say_count(len(boxes), "box", "boxes"), say_state(content.get("state", "?"))]
    if flag := content.get("flag"):
        parts.append(FLAGS.get(flag, flag))
    return ", ".join(parts)


def say_decision(decision: Decision) -> str:
    """Return which decision it is: what was done, who did it, and when."""
    at = date_format(localtime(decision.created_at), "j M Y, H:i")
    return f"“{DECIDED.get(decision.kind, decision.kind)}”, {decision.by}, {at}"


def _case(case: Case) -> list[Entry]:
    name = REASONS[case.reason][0]
    opened = Entry("case", case.opened_at, f"Put into the queue: {name.lower()}", order=5)
    if case.judgment and case.judgment.comment:
        opened.note, opened.by = case.judgment.comment, case.judgment.worker.external_id
    else:
        opened.note = say_detail(case.detail, case.stage)
    if case.closed_at is None or (case.decision and case.decision.kind == Decision.Kind.CLOSE):
        return [opened]
    return [opened, Entry("case", case.closed_at, f"Out of the queue: {name.lower()}", order=6)]
