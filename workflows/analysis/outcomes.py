"""Items with their votes as labels and the label that the rules decided on.

This module does not import numpy, since the web service reads it, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from django.db.models import QuerySet

from annotation.domain.answer_labels import NAMES, label_of
from annotation.domain.answers import JointStage, Stage, parse_answer
from annotation.models import Batch, Chain, Item, Judgment
from annotation.selectors import mentions_by_id
from workflows.batch_settings.domain.settings import ASKING_AGAIN
from workflows.batch_settings.selectors import settings_of
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.verdicts import Verdict, decide_link, most_said_link
from workflows.questions.domain.retirement import VOID

_VERDICTS = {
    "true": "same",
    "false": "different",
    "box drawn": "box",
    "boxes drawn": "box",
    "no further box": "none",
    "scene": "scene",
    "nobndbox": "nobox",
}


def label_of_verdict(stage: str, verdict: Verdict) -> int:
    """Return the label code of a verdict. Raises ValueError for a verdict of another stage."""
    if stage == JointStage.CHECK:
        return NAMES[stage].index(
            "fine" if verdict.name == "complete" and all(verdict.accepted) else "changes"
        )
    name = verdict.flag or verdict.name
    return NAMES[stage].index(_VERDICTS.get(name, name))


AT_ONCE = 5000
"""Rows in memory at a time while many are read."""
ITEMS_AT_ONCE = 500
"""Items whose outcomes are worked out together."""

_COLUMNS = (
    *("item_id", "item__batch_id", "item__chain_id", "item__settling"),
    *("item__batch__settings__protocol", "item__batch__settings__strategy"),
    *("item__counted__item__stage", "item__counted__answer", "item__counted__set_aside"),
    *("worker_id", "answer"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An item with the judgments that count, in the order in which they were given."""

    item: int
    chain: int  # 0 for a link
    label: int | None  # the rules' decision; None while they ask for more judgments
    votes: tuple[tuple[int, int], ...]  # (worker, label)
    answers: int  # how many the rules had: the votes, and an answer counted from box drawing


def judgments_of(
    *, project_id: int, stage: str, batch_id: int | None = None, questions: bool = False
) -> QuerySet[Judgment]:
    """Return the judgments of a stage that count: on its items, or on its verification questions.

    Void questions are left out.
    """
    found = Judgment.objects.filter(set_aside=None)
    if questions:
        found = found.filter(question__project=project_id, question__stage=stage)
        found = found.exclude(question__retired=VOID)
        return found.filter(assignment__batch=batch_id) if batch_id is not None else found
    found = found.filter(item__stage=stage, item__batch__project=project_id)
    return found.filter(item__batch=batch_id) if batch_id is not None else found


def outcomes_of(judgments: QuerySet[Judgment], *, stage: str) -> Iterator[Outcome]:
    """Yield the items of a stage that these judgments are about, without withdrawn ones.

    They must include all of an item's judgments or none. Items come in the order of their ids; a few are in
    memory at a time. Where a rule begins with a prior, every ITEMS_AT_ONCE of them take three more queries.
    """
    rows = judgments.exclude(item__state=Item.State.WITHDRAWN).order_by("item_id", "pk")
    groups = groupby(rows.values_list(*_COLUMNS).iterator(AT_ONCE), key=lambda row: row[0])
    items = (list(group) for _, group in groups)
    while some := list(islice(items, ITEMS_AT_ONCE)):
        yield from _outcomes(some, stage)


def _outcomes(items: Sequence[list[tuple[Any, ...]]], stage: str) -> Iterator[Outcome]:
    """Yield the outcome of each of these items. Each is given by the rows of its judgments."""
    priors = _priors([given[0] for given in items], stage)
    for given in items:
        item, _, chain, settling, protocol, strategy, counted_stage, counted, not_counted, _, _ = given[0]
        answers = [parse_answer(stage, answer) for *_, answer in given]
        if counted is not None and not_counted is None:
            answers.insert(0, parse_answer(counted_stage, counted))
        if stage == Stage.LINK and strategy in ASKING_AGAIN:
            verdict = most_said_link(answers)
        elif stage == Stage.LINK:
            verdict = decide_link(answers, settling=settling)
        elif protocol not in PROTOCOLS:
            yield _of_campaign(item, [(worker, label_of(stage, answer)) for *_, worker, answer in given])
            continue
        else:
            verdict = PROTOCOLS[protocol].verdict_with(priors.get(chain), stage, answers)
        yield Outcome(
            item=item,
            chain=chain or 0,
            label=None if verdict is None else label_of_verdict(stage, verdict),
            votes=tuple((worker, label_of(stage, answer)) for *_, worker, answer in given),
            answers=len(answers),
        )


def _of_campaign(item: int, votes: Sequence[tuple[int, int]]) -> Outcome:
    """Return the outcome of a campaign's item.

    Its rules decide no label, so that it is what most judgments say, or None if they tie.
    """
    (label, most), *others = Counter(label for _, label in votes).most_common()
    tied = bool(others) and others[0][1] == most
    return Outcome(item, chain=0, label=None if tied else label, votes=tuple(votes), answers=len(votes))


def _priors(rows: Sequence[tuple[Any, ...]], stage: str) -> dict[int, float | None]:
    """Return by chain how likely *yes* was before anybody was asked, where the rule begins with that."""
    chains = {chain: (batch, protocol) for _, batch, chain, _, protocol, *_ in rows}
    begun = {pk: of for pk, of in chains.items() if pk and stage in PROTOCOLS[of[1]].priors}
    if not begun:
        return {}
    members = dict(Chain.objects.filter(pk__in=begun).values_list("pk", "members"))
    mentions = mentions_by_id([mention for ids in members.values() for mention in ids])
    settings = {
        pk: settings_of(batch) for pk, batch in Batch.objects.in_bulk({b for b, _ in begun.values()}).items()
    }
    return {
        pk: PROTOCOLS[protocol].prior(stage, [mentions[one] for one in members[pk]], settings[batch])
        for pk, (batch, protocol) in begun.items()
    }
