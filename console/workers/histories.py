"""Charts of how workers' accuracy changed, of one worker or of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotation.domain.protocols import ALL_STAGES
from console.common.charts import Chart, steps
from console.common.labels import STAGES
from workflows.analysis.answer_histories import answers_by_stage
from workflows.analysis.domain.accuracy_history import Answer, run_length, runs_of

MAX_POINTS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Whose:
    """A worker with a line in a chart, and the minimum score by stage."""

    worker: int
    name: str
    least: Mapping[str, float | None]


def history_charts(whose: Sequence[Whose]) -> list[Chart]:
    """Return a chart of these workers' accuracy for each stage where one has two points or more. One query.

    The runs of all have the same length, so that points above each other are of as many answers.
    """
    given = answers_by_stage([one.worker for one in whose])
    return [
        chart
        for stage in ALL_STAGES
        if (chart := _chart(stage, {one: given[one.worker].get(stage, ()) for one in whose}))
    ]


def _chart(stage: str, answers: Mapping[Whose, Sequence[Answer]]) -> Chart | None:
    length = run_length(max(map(len, answers.values())), MAX_POINTS)
    runs = {one: runs_of(given, length) for one, given in answers.items()}
    longest = max(runs.values(), key=len)
    if len(longest) < 2:
        return None
    series: dict[str, list[float | None]] = {}
    for one, own in runs.items():
        series[one.name] = [100 * run.accuracy for run in own] + [None] * (len(longest) - len(own))
    least = {one.name: value for one in runs if (value := one.least.get(stage)) is not None}
    if len(set(least.values())) == 1:
        least = {"": next(iter(least.values()))}
    for name, value in least.items():
        line = f"minimum of {name}" if name else "minimum"
        while line in series:  # a worker is called so
            line += " score"
        series[line] = [100 * value] * len(longest)
    if len(runs) == 1:
        labels = [f"{run.first} to {run.last}, {run.until:%-d %b %Y}" for run in longest]
    else:  # the last runs may end at different answers
        labels = [f"from {run.first}" for run in longest]
    return steps(
        STAGES[stage].capitalize(),
        labels,
        series,
        ticks=[str(run.last if len(runs) == 1 else run.first) for run in longest],
        corner="answers",
        below="verification questions answered",
        unit="%",
    )
