"""The page of a worker: their standing, counts, pages, cases and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from annotation.domain.protocols import DEFAULT_PROTOCOL, stages_of
from annotation.models import (
    Assignment,
    Batch,
    Case,
    Decision,
    Standing,
    Worker,
)
from console.common.case_list import said_of
from console.common.charts import Chart
from console.common.labels import REASONS, STAGES
from console.common.numbers import amounts, per_cent
from console.workers.histories import Whose, history_charts
from console.workers.scores import Checked, Score, Tried, checked_of, minimum_by_stage, scores_of, tried_of
from workflows.analysis.counts.selectors import kept
from workflows.analysis.domain.kept_counts import WorkerStage
from workflows.analysis.models import WorkerCounts
from workflows.assignments.worker_account import bonuses_of
from workflows.workers.models import WorkerNote

PAGES = 25
EVENTS = 50


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page of the worker's, with what its verification questions came to."""

    assignment: Assignment
    stage: str
    score: str
    places: int
    over: bool  # whether it is still out, although its lease is over


@dataclass(frozen=True, slots=True)
class Event:
    """Something noticed or decided about the worker."""

    title: str
    says: str
    note: str
    by: str
    row: Case | Decision
    undoable: bool = False


@dataclass(frozen=True, slots=True)
class StageCounts:
    """What is kept of the worker in a stage, and of everybody in the project; shares in words."""

    stage: str
    own: WorkerStage
    agreement_of_all: str
    right_of_all: str
    seconds_of_all: float | None

    @property
    def agreement(self) -> str:
        """With the outcome."""
        return per_cent(self.own.agreement)

    @property
    def right(self) -> str:
        """Of the verification questions."""
        return per_cent(self.own.accuracy)

    @property
    def hours(self) -> str:
        """At work."""
        return "–" if self.own.hours is None else f"{self.own.hours:.2f}"


@dataclass(frozen=True, slots=True)
class InHand:
    """A page that the worker holds now."""

    stage: str
    places: int
    until: datetime
    over: bool  # whether its lease is over, so that others may get its items


@dataclass(frozen=True, slots=True)
class WorkerPage:
    """Everything the page shows."""

    worker: Worker
    scores: list[Score]
    histories: list[Chart]
    tried: list[Tried]
    checked: list[Checked]
    pages: list[PageRow]
    cases: list[Event]
    decisions: list[Event]
    batches: list[tuple[int, str]]
    project_stages: tuple[str, ...]  # of the protocols of these batches
    open_cases: list[Case]
    counts: WorkerCounts | None
    stages: list[StageCounts]
    notes: list[WorkerNote]  # the newest first
    in_hand: list[InHand]
    bonuses: Mapping[str, int]  # by currency, of today

    @property
    def earned(self) -> str:
        """Return what the worker earned, in words: rewards at the last count, and bonuses until now."""
        rewards = self.counts.earned if self.counts else {}
        kinds = ((rewards, "in rewards"), (self.bonuses, "in bonuses"))
        return " and ".join(f"{amounts(found)} {words}" for found, words in kinds if found)

    @property
    def open_standings(self) -> list[Score]:
        """Return the standings in stages where the worker gets work or is being tested."""
        return [score for score in self.scores if score.row.state != Standing.State.LOST]


def worker_page(pk: int, now: datetime) -> WorkerPage | None:
    """Return the page of this worker, or None if there is none. A fixed number of queries."""
    worker = Worker.objects.select_related("project", "counts").filter(pk=pk).first()
    if worker is None:
        return None
    counts = getattr(worker, "counts", None)
    scores = scores_of(worker)
    pages = list(
        Assignment.objects.filter(worker=worker).select_related("batch").order_by("-created_at")[:PAGES]
    )
    cases = list(Case.objects.filter(worker=worker).order_by("-pk")[:EVENTS])
    decisions = Decision.objects.filter(worker=worker).order_by("-pk")[:EVENTS]
    rows = Batch.objects.filter(project=worker.project_id).order_by("-pk")
    batches = list(rows.values_list("pk", "name", "settings__protocol")[:200])
    return WorkerPage(
        worker=worker,
        scores=scores,
        histories=history_charts([Whose(worker.pk, "accuracy", minimum_by_stage(scores))]),
        tried=tried_of(worker),
        checked=checked_of(worker),
        pages=[_page(row, now) for row in pages],
        cases=[Event(REASONS[c.reason][0], STAGES.get(c.stage, ""), said_of(c), "", c) for c in cases],
        decisions=_decisions(list(decisions)),
        batches=[(batch, name) for batch, name, _ in batches],
        project_stages=stages_of(protocol or DEFAULT_PROTOCOL for _, _, protocol in batches),
        open_cases=_open_cases(worker, cases),
        counts=counts,
        stages=_stages(worker, counts),
        notes=list(WorkerNote.objects.filter(worker=worker).order_by("-pk")[:EVENTS]),
        in_hand=_in_hand(worker, now),
        bonuses=bonuses_of(worker.pk),
    )


def _open_cases(worker: Worker, latest: list[Case]) -> list[Case]:
    """Return the open ones of the latest cases, and all that ask what to do about the worker."""
    about = Case.objects.filter(worker=worker, reason__in=Case.ABOUT_WORKERS, closed_at=None)
    earlier = about if len(latest) == EVENTS else ()
    found = {case.pk: case for case in (*latest, *earlier) if case.closed_at is None}
    return [found[pk] for pk in sorted(found)]


def _in_hand(worker: Worker, now: datetime) -> list[InHand]:
    # Whose answers are held until a platform confirms the worker has nothing left to do.
    live = Assignment.objects.filter(worker=worker, state=Assignment.State.LIVE, held__isnull=True)
    live = live.order_by("created_at")
    return [
        InHand(STAGES[row.stage], _places(row), row.expires_at, row.expires_at <= now) for row in live[:PAGES]
    ]


def _stages(worker: Worker, counts: WorkerCounts | None) -> list[StageCounts]:
    """Return the counts of the stages in which the worker answered, beside everybody's."""
    everybody = judgments.stages if (judgments := kept(project=worker.project_id).judgments) else {}
    found = []
    for stage, own in (counts.by_stage() if counts else {}).items():
        theirs = everybody.get(stage)
        found.append(
            StageCounts(
                stage=STAGES[stage],
                own=own,
                agreement_of_all=per_cent(theirs.agreement if theirs else None),
                right_of_all=per_cent(theirs.score if theirs else None),
                seconds_of_all=theirs.median if theirs else None,
            )
        )
    return found


_DECIDED: Mapping[str, str] = {
    Decision.Kind.SET_ASIDE: "Judgments set aside",
    Decision.Kind.REINSTATE: "Judgments count again",
    Decision.Kind.REJECT: "Pages below the minimum rejected",
    Decision.Kind.RESTORE: "May qualify again",
    Decision.Kind.BLOCK: "Blocked",
    Decision.Kind.UNBLOCK: "Unblocked",
    Decision.Kind.CLOSE: "Case closed without a change",
    Decision.Kind.UNDO: "Case opened again",
}


def _decisions(rows: list[Decision]) -> list[Event]:
    """Return decisions, the newest first. One that set judgments aside can be undone once."""
    undone = {row.content.get("decision") for row in rows if row.kind == Decision.Kind.REINSTATE}
    aside = (Decision.Kind.SET_ASIDE, Decision.Kind.REJECT)
    return [
        Event(
            _DECIDED.get(row.kind, row.kind),
            ", ".join(STAGES.get(stage, "") for stage in row.content.get("stages", [row.stage])),
            row.note,
            row.by,
            row,
            undoable=row.kind in aside and row.pk not in undone,
        )
        for row in rows
    ]


def _page(row: Assignment, now: datetime) -> PageRow:
    out = row.state == Assignment.State.LIVE and row.held is None
    return PageRow(
        row,
        STAGES[row.stage],
        f"{row.right} of {row.asked}" if row.asked else "",
        _places(row),
        over=out and row.expires_at <= now,
    )


def _places(row: Assignment) -> int:
    return len(row.items) + len(row.checks)
