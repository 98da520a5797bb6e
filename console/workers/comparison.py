"""Two workers side by side: their figures, their accuracy over time, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.domain.answers import DRAWS_BOXES
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Judgment, Standing, Worker
from console.common.charts import Chart
from console.common.labels import STAGES
from console.common.numbers import UNKNOWN, per_cent, say, share
from console.workers.answers import Tile, tiles_of
from console.workers.histories import Whose, history_charts
from console.workers.scores import minimum_by_stage, say_trust, scores_of
from workflows.analysis.domain.kept_counts import WorkerStage
from workflows.analysis.models import WorkerCounts
from workflows.analysis.pair_agreement import Both, judged_by_both

MAX_DIFFERENCES = 30


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two workers. `name` tells the two apart."""

    worker: Worker
    name: str
    counts: WorkerCounts | None
    standings: Sequence[Standing]
    least: Mapping[str, float | None]

    @property
    def stages(self) -> dict[str, WorkerStage]:
        """The figures by stage."""
        return self.counts.by_stage() if self.counts else {}


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of both."""

    says: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Part:
    """The figures of a stage, or of all stages together."""

    title: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Agreement:
    """What both judged in a stage."""

    stage: str
    name: str
    both: int
    same: int

    @property
    def share(self) -> str:
        """How often they said the same."""
        return share(self.same, self.both)


@dataclass(frozen=True, slots=True)
class Difference:
    """An item or question about which they said different things. Each drew boxes of their own if `drawn`."""

    tiles: tuple[Tile, Tile]
    drawn: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the page shows. `cut` says that only the newest judgments of both are compared."""

    sides: tuple[Side, Side]
    parts: list[Part]
    histories: list[Chart]
    agreements: list[Agreement]
    cut: bool
    differ: int  # of the stage, if one is chosen
    differences: list[Difference]
    counted_at: datetime | None  # the older of the two counts


def compare(one: Worker, other: Worker, *, stage: str = "") -> Comparison:
    """Compare two workers of a project. The differences are of one stage, or of all. At most 20 queries."""
    alike = one.external_id == other.external_id
    sides = _side(one, alike=alike), _side(other, alike=alike)
    compared = judged_by_both(one.pk, other.pk)
    differ = [both for both in compared.both if not both.same and stage in ("", both.stage)]
    return Comparison(
        sides=sides,
        parts=list(_parts(*sides)),
        histories=history_charts([Whose(side.worker.pk, side.name, side.least) for side in sides]),
        agreements=_agreements(compared.both),
        cut=compared.cut,
        differ=len(differ),
        differences=_differences(differ[:MAX_DIFFERENCES]),
        counted_at=min((side.counts.counted_at for side in sides if side.counts), default=None),
    )


def _side(worker: Worker, *, alike: bool) -> Side:
    name = f"{worker.external_id} ({worker.provider})" if alike else worker.external_id
    scores = scores_of(worker)
    counts: WorkerCounts | None = getattr(worker, "counts", None)
    return Side(worker, name, counts, [score.row for score in scores], minimum_by_stage(scores))


def _parts(one: Side, other: Side) -> Iterator[Part]:
    yield Part("All stages", _lines(*(_overall(side.counts or WorkerCounts()) for side in (one, other))))
    for stage in ALL_STAGES:
        if stage in one.stages or stage in other.stages:
            yield Part(STAGES[stage].capitalize(), _lines(*(_in_stage(side, stage) for side in (one, other))))


def _lines(one: Mapping[str, str], other: Mapping[str, str]) -> list[Line]:
    return [Line(says, one[says], other[says]) for says in one]


def _overall(counts: WorkerCounts) -> dict[str, str]:
    return {
        "Judgments": say(counts.judgments),
        "Questions right": _right(counts.right, counts.questions),
        "Agreement": per_cent(counts.agreement),
        "Median": _seconds(counts.median_seconds),
        "Last active": f"{counts.last_at:%-d %b %Y %H:%M}" if counts.last_at else UNKNOWN,
    }


def _in_stage(side: Side, stage: str) -> dict[str, str]:
    own = side.stages.get(stage, WorkerStage())
    return {
        "Standing": say_trust(row for row in side.standings if row.stage == stage) or UNKNOWN,
        "Pages": say(own.pages),
        "Judgments": say(own.judgments),
        "Questions right": _right(own.right, own.questions),
        "Boxes accepted" if stage in DRAWS_BOXES else "Agreement": per_cent(own.agreement),
        "Median": _seconds(own.median_seconds),
        "Hours": UNKNOWN if own.hours is None else f"{own.hours:.2f}",
    }


def _right(right: int, asked: int) -> str:
    return f"{share(right, asked)} ({right} of {asked})" if asked else UNKNOWN


def _seconds(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.1f} s"


def _agreements(compared: Sequence[Both]) -> list[Agreement]:
    both = Counter(one.stage for one in compared)
    same = Counter(one.stage for one in compared if one.same)
    return [Agreement(stage, STAGES[stage], both[stage], same[stage]) for stage in ALL_STAGES if both[stage]]


def _differences(differ: Sequence[Both]) -> list[Difference]:
    judgments = Judgment.objects.filter(pk__in=[pk for both in differ for pk in (both.one, both.other)])
    tiles = {tile.judgment.pk: tile for tile in tiles_of(judgments)} if differ else {}
    return [Difference((tiles[both.one], tiles[both.other]), both.stage in DRAWS_BOXES) for both in differ]
