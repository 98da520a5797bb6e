"""Reads the judgments that proposed verification questions rest on, and how far their workers are right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db.models import F

from annotation.domain.answer_labels import label_of
from annotation.domain.answers import DRAWS_BOXES, JUDGES_BOXES, BoxJudgment, JointStage, Stage
from annotation.models import Box, Chain, Item, Judgment, VerificationQuestion
from workflows.analysis.domain.suspicion import Evidence, Part, accuracy, part_of
from workflows.analysis.models import WorkerCounts
from workflows.workers.doubt import Doubt, doubt_in

_OF_BOXES = (*DRAWS_BOXES, *JUDGES_BOXES, Stage.COVERAGE)
_OF_CHAINS = (Stage.VERIFICATION, Stage.REQUIREMENT, Stage.COVERAGE, JointStage.CHECK)


def evidence_of(project_id: int, questions: Sequence[VerificationQuestion]) -> dict[int, Evidence]:
    """Return the evidence for each of the project's proposed questions, by id. Eight queries.

    Link and chain verification rest on the links among the mentions, box requirement also on its answers,
    and questions about boxes on who drew the boxes and on what was said about them. Judgments that were set
    aside do not count, and those of workers in doubt count as chance.
    """
    chains = Chain.objects.in_bulk({row.chain_id for row in questions if row.chain_id is not None})
    works = {chain.work_id for chain in chains.values()}
    accuracies = _Accuracies(project_id, works)
    links = _links(works, accuracies)
    answers = _answers(chains, accuracies)
    boxes = _boxes(chains, accuracies)
    found = {}
    for row in questions:
        chain = chains.get(row.chain_id or 0)
        if chain is None:
            found[row.pk] = Evidence()
            continue
        mentions = {*row.mentions, *chain.members}
        if row.stage == Stage.LINK:
            mentions = set(row.mentions)
        parts = [part for ends, part in links.get(chain.work_id, ()) if ends <= mentions]
        parts += answers.get((chain.pk, Stage.VERIFICATION), [])
        if row.stage not in (Stage.LINK, Stage.VERIFICATION):
            parts += answers.get((chain.pk, Stage.REQUIREMENT), [])
        if row.stage in _OF_BOXES:
            parts += boxes.get(chain.pk, [])
            for stage in (Stage.COVERAGE, JointStage.CHECK):
                parts += answers.get((chain.pk, stage), [])
        found[row.pk] = Evidence(tuple(parts))
    return found


class _Accuracies:
    """How often each worker who judged something about these works is right in a stage."""

    def __init__(self, project_id: int, works: Collection[int]) -> None:
        judged = Judgment.objects.filter(item__work__in=works)
        rows = WorkerCounts.objects.filter(project=project_id, worker__in=judged.values("worker"))
        self.kept: dict[int, tuple[Mapping[str, Any], float | None]] = {
            worker: (stages, agreement)
            for worker, stages, agreement in rows.values_list("worker_id", "stages", "agreement")
        }
        self.doubt: Doubt = doubt_in(project_id)
        self.known: dict[tuple[int, str], float] = {}

    def of(self, worker: int, stage: str) -> float:
        if (worker, stage) not in self.known:
            stages, everywhere = self.kept.get(worker, ({}, None))
            row = stages.get(stage, {})
            agreement = row.get("agreement")
            self.known[worker, stage] = accuracy(
                right=row.get("right", 0),
                asked=row.get("questions", 0),
                agreement=everywhere if agreement is None else agreement,
                in_doubt=self.doubt.includes(worker, stage),
            )
        return self.known[worker, stage]


def _links(works: Collection[int], accuracies: _Accuracies) -> dict[int, list[tuple[frozenset[int], Part]]]:
    """Return the links of these works that were asked about, with the mentions at their ends."""
    rows = Judgment.objects.filter(item__work__in=works, item__stage=Stage.LINK, set_aside=None)
    rows = rows.exclude(item__state=Item.State.WITHDRAWN).order_by("pk")
    votes: dict[tuple[int, frozenset[int]], list[tuple[bool, float]]] = defaultdict(list)
    columns = ("item__work_id", "item__mention_a", "item__mention_b", "worker_id", "answer")
    for work, a, b, worker, answer in rows.values_list(*columns):
        votes[work, frozenset((a, b))].append((answer["same"], accuracies.of(worker, Stage.LINK)))
    found: dict[int, list[tuple[frozenset[int], Part]]] = defaultdict(list)
    for (work, ends), given in votes.items():
        found[work].append((ends, part_of(Stage.LINK, given)))
    return dict(found)


def _answers(chains: Collection[int], accuracies: _Accuracies) -> dict[tuple[int, str], list[Part]]:
    """Return the answers about these chains, by chain and stage. The last visit to a stage decides."""
    rows = Judgment.objects.filter(item__chain__in=chains, item__stage__in=_OF_CHAINS, set_aside=None)
    rows = rows.exclude(item__state=Item.State.WITHDRAWN)
    last: dict[tuple[int, str], int] = {}
    votes: dict[tuple[int, str], list[tuple[bool, float]]] = {}
    columns = ("item_id", "item__chain_id", "item__stage", "worker_id", "answer")
    for item, chain, stage, worker, answer in rows.order_by("item_id", "pk").values_list(*columns):
        if last.get((chain, stage)) != item:
            last[chain, stage], votes[chain, stage] = item, []
        votes[chain, stage].append((_yes(stage, answer), accuracies.of(worker, stage)))
    return {key: [part_of(key[1], given)] for key, given in votes.items()}


_YES = {Stage.VERIFICATION: 1, Stage.REQUIREMENT: 0, Stage.COVERAGE: 1}
"""The label that counts as yes. Box requirement asks whether there is a box to draw."""


def _yes(stage: str, answer: Mapping[str, Any]) -> bool:
    """Return whether the answer is yes. Of a joint check, it is that nothing is missing."""
    if stage == JointStage.CHECK:
        return not answer["missing"]
    return label_of(stage, answer) == _YES[Stage(stage)]


def _boxes(chains: Collection[int], accuracies: _Accuracies) -> dict[int, list[Part]]:
    """Return the accepted boxes of these chains: who drew each, and who called it good or bad."""
    accepted = Box.objects.filter(chain__in=chains, state=Box.State.ACCEPTED).order_by("pk")
    boxes = list(accepted.values_list("pk", "chain_id", "judgment__worker_id", "judgment__item__stage"))
    said: dict[int, list[tuple[bool, float]]] = defaultdict(list)
    # A joint check is about all boxes of one answer, and its item names only the first of them.
    together = "item__box__judgment__boxes"
    judged = Judgment.objects.filter(
        **{f"{together}__in": [pk for pk, *_ in boxes], f"{together}__chain": F("item__chain")},
        item__stage__in=JUDGES_BOXES,
        set_aside=None,
    )
    columns = (together, f"{together}__ordinal", "item__stage", "worker_id", "answer")
    for box, place, stage, worker, answer in judged.order_by("pk").values_list(*columns):
        good = answer["boxes"][place] == BoxJudgment.GOOD if stage == JointStage.CHECK else answer["good"]
        said[box].append((good, accuracies.of(worker, stage)))
    found: dict[int, list[Part]] = defaultdict(list)
    for pk, chain, author, drawn_in in boxes:
        for_it = [value for vote, value in said[pk] if vote]
        against = [value for vote, value in said[pk] if not vote]
        if author is not None:
            for_it.insert(0, accuracies.of(author, drawn_in))
        what = JointStage.CHECK if drawn_in == JointStage.BOXES else Stage.QUALITY
        found[chain].append(Part(what, tuple(for_it), tuple(against), decided=author is None))
    return dict(found)
