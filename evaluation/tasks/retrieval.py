"""The task `retrieval`: captions for images, and images for captions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from evaluation.arrays import Bools, Floats
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.pairs import Pairs
from evaluation.predictions.retrieval import Scores, pairs, read_grades, read_scores
from evaluation.report.model import Bars, Cell, Column, Item, Report, Section, Table
from evaluation.retrieval import GRADES as THRESHOLDS
from evaluation.retrieval import (
    RANKS,
    Retrieval,
    Ties,
    cumulative_grades,
    first_grades,
    kendall,
    retrieve,
    spearman,
)
from evaluation.significance import mcnemar, randomization
from evaluation.tasks.common import Inputs, findings_section, said_settings

RANDOM = "random ranking"
MIN_GRADE = 2 / 3
"""The least mean grade of a relevant pair: two of three workers."""
ANNOTATION, SEARCH = "annotation", "search"
TITLES = {ANNOTATION: "Annotation: captions for images", SEARCH: "Search: images for captions"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How rankings are judged. `relevance` is a file of grades, of which the least counts as relevant."""

    ties: Ties = "expected"
    relevance: Path | None = None
    least_grade: float = MIN_GRADE
    reassignments: int = 10_000


@dataclass(frozen=True, slots=True)
class _System:
    name: str
    found: Retrieval
    judged: Retrieval | None


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or without any."""
    inputs = inputs.beside((RANDOM,))
    findings: dict[str, Findings] = {}
    files: dict[str, tuple[Pairs, Scores]] = {}
    for name, path in inputs.progress(
        inputs.predictions.items(), description="Reading files", total=len(inputs.predictions)
    ):
        findings[name] = Findings()
        files[name] = read_scores(path, inputs.dataset, findings[name])
    sets = [found for found, _ in files.values()] or [pairs(inputs.dataset, one_each=False)]
    if not sets[0].captions:
        raise InputError(f"{inputs.dataset.title} has no caption")
    if any(found.captions != sets[0].captions for found in sets):
        raise InputError(
            "the files rank different captions: some have all captions of an image, some only the first"
        )
    grades = None
    if settings.relevance:
        findings[settings.relevance.name] = Findings()
        grades = read_grades(settings.relevance, sets[0], findings[settings.relevance.name])
    sections = []
    for direction, title in TITLES.items():
        systems = _systems(direction, files, sets[0], grades, settings)
        sections.append(_section(direction, title, systems, settings, inputs))
    if grades is not None and np.nanmax(grades, initial=0) >= THRESHOLDS[-1]:  # experts' grades, from 1 to 4
        first = {name: one.annotation for name, (_, one) in files.items() if one.annotation is not None}
        sections.append(_grades_section(grades, first))
    facts = (
        *said_settings(inputs),
        ("Captions", f"{len(sets[0].captions):,} of {len(sets[0].images):,} images"),
        ("Equal scores", _TIES[settings.ties]),
    )
    title = f"Retrieval on {inputs.dataset.title}"
    return Report("retrieval", title, facts, (*sections, *findings_section(findings)))


_TIES = {
    "expected": "are in random order: figures are expected values",
    "best": "relevant ones come first",
    "worst": "relevant ones come last",
}


def _systems(
    direction: str,
    files: dict[str, tuple[Pairs, Scores]],
    found: Pairs,
    grades: Floats | None,
    settings: Settings,
) -> list[_System]:
    own = found.relevant()
    judged = None if grades is None else np.nan_to_num(grades, nan=-np.inf) >= settings.least_grade - 1e-9
    if direction == SEARCH:
        own, judged = own.T, None if judged is None else judged.T

    def system(name: str, scores: Floats) -> _System:
        by_grade = None if judged is None else retrieve(scores, judged, ties=settings.ties)
        return _System(name, retrieve(scores, own, ties=settings.ties), by_grade)

    systems = []
    for name, (_, scores) in files.items():
        given = scores.annotation if direction == ANNOTATION else scores.search
        if given is not None:
            systems.append(system(name, given))
    constant = np.broadcast_to(np.zeros(1), own.shape)
    random = retrieve(constant, own, ties="expected")
    by_grade = None if judged is None else retrieve(constant, judged, ties="expected")
    return [*systems, _System(RANDOM, random, by_grade)]


def _section(
    direction: str, title: str, systems: list[_System], settings: Settings, inputs: Inputs
) -> Section:
    with_grades = systems[-1].judged is not None
    columns = [
        Column("system"),
        Column("queries", "count"),
        *(Column(f"R@{rank}", "share") for rank in RANKS),
        Column("median rank", "number"),
    ]
    if with_grades:
        columns += [*(Column(f"S@{rank}", "share") for rank in RANKS), Column("R-precision", "share")]
    rows: list[tuple[Cell, ...]] = []
    for system in systems:
        row: list[Cell] = [system.name, len(system.found.rank)]
        row += [system.found.share(place) for place in range(len(RANKS))]
        row.append(system.found.median_rank)
        if system.judged is not None:
            row += [system.judged.share(place) for place in range(len(RANKS))]
            row.append(system.judged.r_precision)
        rows.append(tuple(row))
    bars = {system.name: [system.found.share(place) for place in range(len(RANKS))] for system in systems}
    items: list[Item] = [
        Table(direction, title, tuple(columns), tuple(rows)),
        Bars("Recall", tuple(f"R@{rank}" for rank in RANKS), bars),
    ]
    if len(systems) > 2:
        items.append(_significance(direction, systems, settings, inputs))
    if with_grades and len(systems) > 3:
        items.append(_agreement(direction, systems[:-1]))
    text = "R@k: share of queries with an original item among the first k. Median rank: of the first of them."
    if with_grades:
        text += (
            f" S@k and R-precision: with the items that were judged {settings.least_grade:.2f} or more. "
            "R-precision is the precision at as many items as are relevant."
        )
    return Section(title, text, tuple(items))


def _significance(direction: str, systems: list[_System], settings: Settings, inputs: Inputs) -> Table:
    columns = (
        Column("system"),
        Column("compared with"),
        *(Column(f"R@{rank}: p", "p") for rank in RANKS),
        Column("median rank: p", "p"),
        *((Column("R-precision: p", "p"),) if systems[-1].judged is not None else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    compared = list(combinations(systems[:-1], 2))
    for a, b in inputs.progress(compared, description=f"Comparing {direction}", total=len(compared)):
        row: list[Cell] = [a.name, b.name]
        for place in range(len(RANKS)):
            hits = [_hit(one.found.success[:, place]) for one in (a, b)]
            row.append(mcnemar(*hits).p)
        row.append(_randomized(a, b, lambda one: one.found.rank, "median", settings, inputs))
        if a.judged is not None:
            row.append(_randomized(a, b, _precision, "mean", settings, inputs))
        rows.append(tuple(row))
    note = (
        f"Shares: McNemar's test. Median rank and R-precision: Fisher's randomization, "
        f"{settings.reassignments:,} reassignments. A query with a tie hits if its chance is at least a half."
    )
    return Table(f"{direction}_significance", "Which systems differ", columns, tuple(rows), note)


def _hit(chance: Floats) -> Bools:
    return np.asarray(np.nan_to_num(chance) >= 0.5)


def _precision(system: _System) -> Floats:
    assert system.judged is not None
    return system.judged.precision


def _randomized(
    a: _System,
    b: _System,
    figure: Callable[[_System], Floats],
    kind: str,
    settings: Settings,
    inputs: Inputs,
) -> float | None:
    first, second = figure(a), figure(b)
    known = ~np.isnan(first) & ~np.isnan(second)
    if not known.any():
        return None
    rng = np.random.default_rng(inputs.seed)
    return randomization(
        first[known],
        second[known],
        rng,
        figure="median" if kind == "median" else "mean",
        reassignments=settings.reassignments,
    ).p


def _agreement(direction: str, systems: list[_System]) -> Table:
    def figures(figure: Callable[[_System], float]) -> Floats:
        return np.array([figure(system) for system in systems])

    original = {
        **{f"R@{rank}": figures(lambda one, p=place: one.found.share(p)) for place, rank in enumerate(RANKS)},  # type: ignore[misc]
        "median rank": -figures(lambda one: one.found.median_rank),
    }
    precision = figures(lambda one: float(np.nanmean(_precision(one))))
    rows = tuple(
        (name, spearman(values, precision), kendall(values, precision)) for name, values in original.items()
    )
    columns = (Column("figure"), Column("Spearman's ρ", "number"), Column("Kendall's τ", "number"))
    title = "How far figures with original items rank systems as R-precision does"
    return Table(f"{direction}_agreement", title, columns, rows)


def _grades_section(grades: Floats, systems: dict[str, Floats]) -> Section:
    known = grades[~np.isnan(grades)]
    shares = cumulative_grades(known).tolist()
    columns = (Column("grade of at least"), Column("share of judged pairs", "share"))
    rows = tuple((f"{grade:.2f}", share) for grade, share in zip(THRESHOLDS, shares, strict=True))
    tables = [Table("grades", f"{len(known):,} judged pairs", columns, rows)]
    if systems:
        first = [(name, first_grades(scores, grades)) for name, scores in systems.items()]
        names = (
            Column("system"),
            Column("images", "count"),
            *(Column(f"≥ {grade:.2f}", "share") for grade in THRESHOLDS),
        )
        cells = tuple((name, images, *found.tolist()) for name, (images, found) in first)
        note = "Table 1 of the paper: of the images whose first caption was judged, shares by its mean grade."
        tables.append(Table("first_captions", "Grades of the first captions", names, cells, note))
    return Section("Grades", "", tuple(tables))
