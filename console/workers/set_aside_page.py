"""What the page says that sets judgments aside: whose, and who said the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from annotation.domain.protocols import ALL_STAGES
from annotation.models import Batch, Worker
from console.common.labels import STAGES
from console.common.numbers import per_cent
from workflows.analysis.models import WorkerCounts
from workflows.review.set_aside_preview import Preview

MAX_SET_ASIDE_AT_ONCE = 20
"""The most other workers whose judgments one request sets aside."""
MAX_SUPPORTERS = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose judgments are set aside, and which of them."""

    worker: int
    stage: str  # or several, with commas between them; empty: all stages
    batch: Batch | None
    every: bool  # also those that others support
    others: tuple[int, ...]  # workers whose judgments are set aside together with these
    case: int | None

    @property
    def workers(self) -> tuple[int, ...]:
        return self.worker, *self.others

    @property
    def stages(self) -> tuple[str, ...]:
        return tuple(self.stage.split(",")) if self.stage else ALL_STAGES

    @property
    def batch_id(self) -> int | None:
        return self.batch.pk if self.batch else None

    @property
    def stage_name(self) -> str:
        return ", ".join(STAGES[stage] for stage in self.stages) if self.stage else "all stages"

    @property
    def query(self) -> str:
        """Return the query of the address of this page."""
        said = {"stage": self.stage, "batch": self.batch_id, "every": "1" if self.every else None}
        pairs = [(name, str(value)) for name, value in (*said.items(), ("case", self.case)) if value]
        return "?" + urlencode([*pairs, *(("with", str(other)) for other in self.others)])

    def without(self, worker: int) -> Wanted:
        return replace(self, others=tuple(one for one in self.others if one != worker))

    def together_with(self, worker: int) -> Wanted:
        return replace(self, others=tuple(sorted({*self.others, worker})))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who said the same, or whose judgments are set aside together with the worker's."""

    worker: Worker
    supports: int  # judgments
    keeps: int  # of these
    leaning: int  # own judgments that are set aside because they lean on these
    agreement: str
    together: bool
    change: str  # the query of this page with or without this worker; empty if there can be no more


def people_of(preview: Preview, wanted: Wanted, worker: Worker) -> list[Person]:
    """Return everybody whom the preview names, those who keep most first. Two queries."""
    leaning = dict(preview.leaning)
    support = {one.worker_id: one for one in preview.supporters if one.worker_id != worker.pk}
    shown = list(dict.fromkeys([*wanted.others, *list(support)[:MAX_SUPPORTERS], *leaning]))
    rows = Worker.objects.in_bulk(shown)
    agreed = dict(WorkerCounts.objects.filter(worker__in=shown).values_list("worker_id", "agreement"))
    found = []
    for pk in shown:
        together = pk in wanted.others
        if together:
            change = wanted.without(pk).query
        else:
            change = wanted.together_with(pk).query if len(wanted.others) < MAX_SET_ASIDE_AT_ONCE else ""
        given = support.get(pk)
        found.append(
            Person(
                worker=rows[pk],
                supports=given.judgments if given else 0,
                keeps=given.kept if given else 0,
                leaning=leaning.get(pk, 0),
                agreement=per_cent(agreed.get(pk)),
                together=together,
                change=change,
            )
        )
    return found
