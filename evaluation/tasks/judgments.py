"""The task `judgments`: how far experts and a crowd agree on which captions describe which images."""

from __future__ import annotations

import numpy as np

from evaluation.agreement import Level, Votes, cohen_kappa, krippendorff_alpha, percent_agreement
from evaluation.arrays import Floats, Ints
from evaluation.audit import error_rate
from evaluation.errors import InputError
from evaluation.judgments import (
    CROWD_THRESHOLDS,
    EXPERT_THRESHOLDS,
    PAPER_BEST,
    RIGHT_GRADE,
    best_thresholds,
    kappa_of_two,
    kappa_with_others,
    reproduced,
)
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import Judgments, read_judgments
from evaluation.predictions.pairs import images_and_captions
from evaluation.report.model import Cell, Column, Item, Lines, Report, Section, Table
from evaluation.retrieval import GRADES, cumulative_grades, kappa_grid
from evaluation.significance import Estimate
from evaluation.tasks.common import Inputs, findings_section, said_settings
from evaluation.tasks.overlap_agreement import overlap_section

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")
MAX_LABELS = 20
"""Grades that differ. More of them are no scale that people judge on."""
MAX_JUDGES = 500
"""Judges whose agreement is shown: those with the most judgments."""


def evaluate(inputs: Inputs) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or without any."""
    if not inputs.predictions:
        raise InputError("judgments needs --predictions: files of grades or ticks")
    every = images_and_captions(inputs.dataset)
    findings: dict[str, Findings] = {}
    found: dict[str, Judgments] = {}
    for name, path in inputs.progress(
        inputs.predictions.items(), description="Reading files", total=len(inputs.predictions)
    ):
        findings[name] = Findings()
        found[name] = read_judgments(path, every, findings[name])
    sections = [_files_section(found)]
    experts = {name: one for name, one in found.items() if one.kind == "grade"}
    if experts:
        sections.append(_grades_section(experts))
    reference = next(iter(experts.values()), None)
    for name, one in experts.items():
        sections.append(overlap_section(name, _slug(name), one, inputs))
    for name, judgments in found.items():
        if judgments.judges or judgments.repeated:
            sections.append(_agreement_section(name, judgments, reference, inputs))
    for name, judgments in found.items():
        if judgments.kind == "ticked":
            for expert, grades in experts.items():
                sections.append(_thresholds_section(name, judgments, expert, grades, inputs))
    title = f"Judgments of {inputs.dataset.title}"
    return Report("judgments", title, said_settings(inputs), (*sections, *findings_section(findings)))


def _files_section(found: dict[str, Judgments]) -> Section:
    columns = (
        Column("file"),
        Column("kind"),
        Column("judgments", "count"),
        Column("pairs", "count"),
        Column("judges", "count"),
        Column("mean", "number"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, one in found.items():
        grades = "grades" if one.judges or one.repeated else "mean grades"
        kind = "ticks" if one.kind == "ticked" else grades
        pairs = len(np.unique(one.pair))
        rows.append((name, kind, len(one.pair), pairs, len(one.judges) or None, float(one.value.mean())))
    table = Table("files", "What was judged", columns, tuple(rows))
    return Section("Files", "Whether captions describe images, as people judged it.", (table,))


def _grades_section(experts: dict[str, Judgments]) -> Section:
    columns = (
        Column("mean grade of at least"),
        *(Column(name, "share") for name in experts),
    )
    shares = [cumulative_grades(one.means()[1]).tolist() for one in experts.values()]
    rows = tuple((_said(grade), *(share[at] for share in shares)) for at, grade in enumerate(GRADES))
    table = Table("grades", "Cumulative distribution of mean grades", columns, rows)
    return Section("Grades", "Of each judged pair, the mean of its grades (table 1 of the paper).", (table,))


def _agreement_section(name: str, judgments: Judgments, experts: Judgments | None, inputs: Inputs) -> Section:
    values, labels = np.unique(judgments.value, return_inverse=True)
    if len(values) > MAX_LABELS:
        raise InputError(
            f"{inputs.predictions[name]}: judges gave {len(values)} different grades, and at most "
            f"{MAX_LABELS} are a scale; leave out the judges of means"
        )
    pairs, items = np.unique(judgments.pair, return_inverse=True)
    names = tuple(f"{value:g}" for value in values)
    judges = judgments.judges or np.arange(int(judgments.judge.max(initial=0)) + 1)
    votes = Votes(items, judgments.judge, labels, pairs, judges, names)
    rng = np.random.default_rng(inputs.seed)
    rows = [_estimate("per cent agreement", percent_agreement(votes, rng, resamples=inputs.resamples))]
    for level in LEVELS if len(values) > 2 else LEVELS[:1]:  # two labels are as unlike at each level
        alpha = krippendorff_alpha(votes, rng, level=level, resamples=inputs.resamples)
        rows.append(_estimate(f"Krippendorff's α, {level}", alpha))
    if judgments.judges:
        kappa = cohen_kappa(votes, rng, resamples=inputs.resamples)
        rows.append(_estimate("Cohen's κ, mean of pairs", kappa))
    columns = (
        Column("measure"),
        Column("value", "number"),
        Column("from", "number"),
        Column("to", "number"),
        Column("note"),
    )
    note = "95% intervals over pairs."
    if not judgments.judges:
        note += " The file does not name its judges, so there is no κ of one with another."
    if judgments.kind == "grade":
        note += " The paper's α is .81, and it does not say at which level."
    prefix = _slug(name)
    items_of: list[Item] = [
        Table(f"{prefix}_agreement", f"Agreement of the judges of {name}", columns, tuple(rows), note)
    ]
    if judgments.judges:
        items_of.append(_judges_table(name, judgments, labels, experts, inputs, rng))
    text = "How far several judges of the same pair agree, beyond what chance would give them."
    return Section(f"Judges of {name}", text, tuple(items_of))


def _estimate(name: str, found: Estimate) -> tuple[Cell, ...]:
    return name, found.value, found.low, found.high, found.reason


def _judges_table(
    name: str,
    judgments: Judgments,
    labels: Ints,
    experts: Judgments | None,
    inputs: Inputs,
    rng: np.random.Generator,
) -> Table:
    crowd = judgments.kind == "ticked" and experts is not None
    columns = [
        Column("judge"),
        Column("judgments", "count"),
        Column("pairs shared", "count"),
        Column("κ with others", "number"),
        Column("from", "number"),
        Column("to", "number"),
        Column("finding"),
    ]
    if crowd:
        columns += [
            Column("pairs with grades", "count"),
            Column("as the grades say", "share"),
            Column("95% interval", "interval"),
        ]
    counts = np.bincount(judgments.judge, minlength=len(judgments.judges))
    shown = np.argsort(-counts, kind="stable")[:MAX_JUDGES]
    found: list[tuple[float, tuple[Cell, ...]]] = []
    for who in inputs.progress(shown.tolist(), description=f"Judges of {name}", total=len(shown)):
        shared, kappa = kappa_with_others(
            judgments.pair, judgments.judge, labels, who, rng, resamples=inputs.resamples
        )
        row: list[Cell] = [judgments.judges[who], int(counts[who]), shared]
        row += [kappa.value, kappa.low, kappa.high, _finding(kappa)]
        if crowd and experts is not None:
            mine = judgments.judge == who
            both, ticked, grades = _shared(judgments.pair[mine], judgments.value[mine], experts)
            right = (ticked > 0.5) == (grades >= RIGHT_GRADE - 1e-9)
            rate = error_rate(int(right.sum()), both)
            row += [both, rate.share, (rate.low, rate.high)]
        found.append((np.inf if kappa.value is None else kappa.value, tuple(row)))
    rows = tuple(row for _, row in sorted(found, key=lambda one: one[0]))
    note = "The lowest κ first. A judge is compared with each other judge of the same pair [ours]."
    if crowd:
        note += f" A tick is right if the experts' mean is {RIGHT_GRADE:g} or more."
    if len(counts) > len(shown):
        note += f" Shown are the {len(shown):,} of {len(counts):,} judges with the most judgments."
    return Table(f"{_slug(name)}_judges", "Each judge", tuple(columns), rows, note, folded=len(rows) > 30)


def _finding(kappa: Estimate) -> str:
    if kappa.value is None or kappa.low is None:
        return kappa.reason
    return "no better than chance" if kappa.low <= 0 else ""


def _shared(pair: Ints, value: Floats, experts: Judgments) -> tuple[int, Floats, Floats]:
    """Return how many of the pairs experts graded, and the values and grades of these."""
    graded, grades = experts.means()
    place = np.searchsorted(graded, pair)
    known = place < len(graded)
    known[known] = graded[place[known]] == pair[known]
    return int(known.sum()), value[known], grades[place[known]]


def _thresholds_section(
    name: str, judgments: Judgments, expert: str, experts: Judgments, inputs: Inputs
) -> Section:
    shared, ticks, grades = _shared(*judgments.means(), experts)
    title = f"{name} beside {expert}"
    if not shared:
        raise InputError(f"{inputs.predictions[name]} and {inputs.predictions[expert]} judge no pair both")
    grid = kappa_grid(ticks, grades, CROWD_THRESHOLDS, EXPERT_THRESHOLDS)
    prefix = f"{_slug(name)}_{_slug(expert)}"
    columns = (
        Column("mean grade of at least"),
        *(Column(f"κ, ticks ≥ {_said(one)}", "number") for one in CROWD_THRESHOLDS),
    )
    rows = tuple(
        (_said(grade), *(_known(float(value)) for value in grid[:, at]))
        for at, grade in enumerate(EXPERT_THRESHOLDS)
    )
    best, of_crowd, of_experts = best_thresholds(ticks, grades)
    note = f"Pairs with both: {shared:,}. "
    if not np.isnan(best):
        rng = np.random.default_rng(inputs.seed)
        yes, right = ticks >= of_crowd - 1e-9, grades >= of_experts - 1e-9
        kappa = kappa_of_two(yes, right, rng, resamples=inputs.resamples)
        between = "" if kappa.low is None or kappa.high is None else f" ({kappa.low:.2f} to {kappa.high:.2f})"
        note += (
            f"The best κ is {best:.2f}{between}, at {_said(of_crowd)} of the ticks and a grade of "
            f"{_said(of_experts)}. "
        )
    value, crowd, grade = PAPER_BEST
    note += f"The paper's best is {value:.2f}, at {_said(crowd)} and {_said(grade)}."
    items: list[Item] = [
        Table(f"{prefix}_kappa", "Cohen's κ over thresholds", columns, rows, note),
        Lines(
            "Cohen's κ over thresholds",
            "mean grade of at least",
            tuple(round(one, 2) for one in EXPERT_THRESHOLDS),
            {
                f"ticks ≥ {_said(one)}": [_above_zero(float(value)) for value in grid[at]]
                for at, one in enumerate(CROWD_THRESHOLDS)
            },
        ),
        _reproduced_table(prefix, ticks, grades),
    ]
    text = "How well the ticks of a crowd stand in for the grades of experts, where both judged a pair."
    return Section(title, text, tuple(items))


def _reproduced_table(prefix: str, ticks: Floats, grades: Floats) -> Table:
    columns = (
        Column("mean grade of at least"),
        Column("pairs", "count"),
        Column("precision", "share"),
        Column("recall", "share"),
        Column("F1", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    yes = ticks >= CROWD_THRESHOLDS[1] - 1e-9
    for grade in EXPERT_THRESHOLDS:
        right = grades >= grade - 1e-9
        reached = reproduced(yes, right)
        rows.append((_said(grade), int(right.sum()), reached.precision, reached.recall, reached.f1))
    title = "Pairs that two of three ticked, as a search for those with good grades"
    return Table(f"{prefix}_reproduced", title, columns, tuple(rows), "Table 10 (b) of the paper.")


def _said(threshold: float) -> str:
    return f"{np.floor(threshold * 100 + 1e-6) / 100:.2f}"


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


def _above_zero(value: float) -> float | None:
    """Return a kappa as a chart of shares shows it: below chance as 0."""
    return None if np.isnan(value) else max(value, 0.0)


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)
