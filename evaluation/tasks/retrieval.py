"""The task `retrieval`: captions for images, and images for captions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evaluation.arrays import Bools, Floats
from evaluation.errors import InputError
from evaluation.predictions.candidates import Candidates, said_candidates
from evaluation.predictions.findings import Findings
from evaluation.predictions.pairs import Pairs, images_and_captions
from evaluation.predictions.retrieval import Scores, pairs, read_grades, read_scores
from evaluation.report.model import Bars, Cell, Column, Item, Report, Section, Table
from evaluation.retrieval import GRADES as THRESHOLDS
from evaluation.retrieval import (
    RANKS,
    Retrieval,
    Ties,
    cumulative_grades,
    kendall,
    numbers_of_relevant,
    retrieve,
    spearman,
)
from evaluation.significance import REASSIGNMENTS, mcnemar
from evaluation.tasks.common import Inputs, findings_section, said_settings, to_compare
from evaluation.tasks.first_captions import first_captions, randomized

PAPER_IMAGES, PAPER_CAPTIONS = (331, 202, 100, 317), (446, 202, 100, 252)
"""How many of the paper's test images and captions have 1, 2, 3, and 4 or more relevant items."""
RANDOM = "random ranking"
MIN_TICKS = 2 / 3
"""The least mean of a relevant pair: two of three workers."""
MIN_GRADE = 8 / 3
"""The least mean of experts' grades of "a good caption" (R, section 4.2.1)."""
ANNOTATION, SEARCH = "annotation", "search"
TITLES = {ANNOTATION: "Annotation: captions for images", SEARCH: "Search: images for captions"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How rankings are judged.

    `candidates` says which captions of an image are ranked: `drawn` is the paper's "one, arbitrarily chosen,
    caption". `relevance` is a file of grades or ticks. A pair is relevant from `least_grade` on: by default
    MIN_TICKS, or MIN_GRADE of experts' grades.
    """

    ties: Ties = "expected"
    candidates: Candidates = "all"
    relevance: Path | None = None
    least_grade: float | None = None
    reassignments: int = REASSIGNMENTS


@dataclass(frozen=True, slots=True)
class _System:
    name: str
    found: Retrieval
    judged: Retrieval | None


@dataclass(frozen=True, slots=True)
class _Relevance:
    """Which captions fit which images, of shape (images, captions): the originals, and those judged so."""

    grades: Floats
    fits: Bools
    graded: bool
    """Whether there are experts' grades, from 1 to 4."""
    least: float


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or without any."""
    inputs = inputs.beside((RANDOM,))
    findings: dict[str, Findings] = {}
    files: dict[str, tuple[Pairs, Scores]] = {}
    for name, path in inputs.progress(
        inputs.predictions.items(), description="Reading files", total=len(inputs.predictions)
    ):
        findings[name] = Findings()
        files[name] = read_scores(path, inputs.dataset, findings[name], settings.candidates, inputs.seed)
    sets = [found for found, _ in files.values()]
    sets = sets or [pairs(inputs.dataset, settings.candidates, inputs.seed)]
    if not sets[0].captions:
        raise InputError(f"{inputs.dataset.title} has no caption")
    if any(found.captions != sets[0].captions for found in sets):
        raise InputError(
            "the files rank different captions: some have all captions of an image, some only one"
        )
    relevance = None
    if settings.relevance:
        findings[settings.relevance.name] = Findings()
        relevance = _relevance(settings, sets[0], inputs, findings[settings.relevance.name])
    sections = []
    for direction, title in TITLES.items():
        systems = _systems(direction, files, sets[0], relevance, settings)
        sections.append(_section(direction, title, systems, relevance, settings, inputs))
    first = {name: one.annotation for name, (_, one) in files.items() if one.annotation is not None}
    if first:
        grades = relevance.grades if relevance and relevance.graded else None
        sections.append(first_captions(inputs, sets[0], first, grades, settings.reassignments))
    if relevance:
        sections.append(_relevance_section(relevance))
    facts = (
        *said_settings(inputs),
        ("Captions", f"{len(sets[0].captions):,} of {len(sets[0].images):,} images"),
        ("Candidates", said_candidates(_ranked(settings, sets[0], inputs))),
        ("Equal scores", _TIES[settings.ties]),
    )
    title = f"Retrieval on {inputs.dataset.title}"
    return Report("retrieval", title, facts, (*sections, *findings_section(findings)))


def _ranked(settings: Settings, found: Pairs, inputs: Inputs) -> Candidates:
    """Return which captions of an image were ranked: the first if nothing is said and matrices are square."""
    every = images_and_captions(inputs.dataset).captions
    return "first" if settings.candidates == "all" and found.captions != every else settings.candidates


def _relevance(settings: Settings, found: Pairs, inputs: Inputs, findings: Findings) -> _Relevance:
    assert settings.relevance
    kind, grades = read_grades(settings.relevance, found, inputs.dataset, findings)
    graded = kind == "grade" and bool(np.nanmax(grades, initial=0) >= THRESHOLDS[-1])
    least = settings.least_grade
    if least is None:
        least = MIN_GRADE if graded else MIN_TICKS
    fits = np.nan_to_num(grades, nan=-np.inf) >= least - 1e-9
    return _Relevance(grades, fits | found.relevant(), graded, least)


_TIES = {
    "expected": "are in random order: figures are expected values",
    "best": "relevant ones come first",
    "worst": "relevant ones come last",
}


def _systems(
    direction: str,
    files: dict[str, tuple[Pairs, Scores]],
    found: Pairs,
    relevance: _Relevance | None,
    settings: Settings,
) -> list[_System]:
    own, judged = found.relevant(), None if relevance is None else relevance.fits
    if direction == SEARCH:
        own, judged = own.T, None if judged is None else judged.T

    def system(name: str, scores: Floats, ties: Ties) -> _System:
        by_people = None if judged is None else retrieve(scores, judged, ties=ties)
        return _System(name, retrieve(scores, own, ties=ties), by_people)

    systems = []
    for name, (_, scores) in files.items():
        given = scores.annotation if direction == ANNOTATION else scores.search
        if given is not None:
            systems.append(system(name, given, settings.ties))
    return [*systems, system(RANDOM, np.broadcast_to(np.zeros(1), own.shape), "expected")]


def _section(
    direction: str,
    title: str,
    systems: list[_System],
    relevance: _Relevance | None,
    settings: Settings,
    inputs: Inputs,
) -> Section:
    columns = [
        Column("system"),
        Column("queries", "count"),
        *(Column(f"R@{rank}", "share") for rank in RANKS),
        Column("median rank", "number"),
    ]
    judged = 0
    if relevance:
        columns += [
            Column("queries of S@k", "count"),
            Column("with judgments", "count"),
            *(Column(f"S@{rank}", "share") for rank in RANKS),
            Column("R-precision", "share"),
        ]
        judged = int((~np.isnan(relevance.grades)).any(axis=1 if direction == ANNOTATION else 0).sum())
    rows: list[tuple[Cell, ...]] = []
    for system in systems:
        row: list[Cell] = [system.name, len(system.found.rank)]
        row += [system.found.share(place) for place in range(len(RANKS))]
        row.append(system.found.median_rank)
        if system.judged is not None:
            row += [len(system.judged.rank), judged]
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
    if relevance and len(systems) > 3:
        items += _agreement(direction, systems[:-1])
    text = "R@k: share of queries with an original item among the first k. Median rank: of the first of them."
    if relevance:
        text += (
            " S@k and R-precision: with the originals and the items that were judged "
            f"{relevance.least:.2f} or more. R-precision is the precision at as many items as are "
            "relevant."
        )
    return Section(title, text, tuple(items))


def _significance(direction: str, systems: list[_System], settings: Settings, inputs: Inputs) -> Table:
    with_people = systems[-1].judged is not None
    columns = (
        Column("system"),
        Column("compared with"),
        *(Column(f"R@{rank}: p", "p") for rank in RANKS),
        Column("median rank: p", "p"),
        *((Column(f"S@{rank}: p", "p") for rank in RANKS) if with_people else ()),
        *((Column("R-precision: p", "p"),) if with_people else ()),
    )
    rows: list[tuple[Cell, ...]] = []
    compared = to_compare(systems[:-1])
    for a, b in inputs.progress(compared, description=f"Comparing {direction}", total=len(compared)):
        row: list[Cell] = [a.name, b.name, *_hits(a.found, b.found)]
        row.append(randomized(a.found.rank, b.found.rank, inputs.seed, settings.reassignments, "median"))
        if a.judged is not None and b.judged is not None:
            row += _hits(a.judged, b.judged)
            row.append(
                randomized(a.judged.precision, b.judged.precision, inputs.seed, settings.reassignments)
            )
        rows.append(tuple(row))
    note = (
        f"Shares: McNemar's test. Median rank and R-precision: Fisher's randomization, "
        f"{settings.reassignments:,} reassignments. A query with a tie hits if its chance is at least a half."
    )
    return Table(f"{direction}_significance", "Which systems differ", columns, tuple(rows), note)


def _hits(a: Retrieval, b: Retrieval) -> list[Cell]:
    """Return the p of McNemar's test for each of RANKS."""
    return [
        mcnemar(*(np.nan_to_num(one.success[:, place]) >= 0.5 for one in (a, b))).p
        for place in range(len(RANKS))
    ]


def _agreement(direction: str, systems: list[_System]) -> list[Item]:
    """Return how far figures of originals rank the systems as people's judgments do (tables 7a and 7b)."""

    def figures(figure: Callable[[_System], float]) -> Floats:
        return np.array([figure(system) for system in systems])

    recall = {f"R@{rank}": figures(lambda one, p=at: one.found.share(p)) for at, rank in enumerate(RANKS)}  # type: ignore[misc]
    success = {f"S@{rank}": figures(lambda one, p=at: _judged(one).share(p)) for at, rank in enumerate(RANKS)}  # type: ignore[misc]
    by_rank = {"median rank": -figures(lambda one: one.found.median_rank)}
    precision = figures(lambda one: _judged(one).r_precision)
    coefficients = (Column("Spearman's ρ", "number"), Column("Kendall's τ", "number"))
    pairwise = tuple(
        (
            f"{people} and {original}",
            spearman(success[people], recall[original]),
            kendall(success[people], recall[original]),
        )
        for people, original in zip(success, recall, strict=True)
    )
    with_precision = tuple(
        (name, spearman(values, precision), kendall(values, precision))
        for name, values in (recall | by_rank).items()
    )
    note = f"Of {len(systems)} systems; the paper has 30."
    return [
        Table(
            f"{direction}_success_agreement",
            "How far R@k ranks systems as S@k does",
            (Column("figures"), *coefficients),
            pairwise,
            f"Table 7 (a) of the paper. {note}",
        ),
        Table(
            f"{direction}_agreement",
            "How far figures with original items rank systems as R-precision does",
            (Column("figure"), *coefficients),
            with_precision,
            f"Table 7 (b) of the paper. {note}",
        ),
    ]


def _judged(system: _System) -> Retrieval:
    assert system.judged is not None
    return system.judged


def _relevance_section(relevance: _Relevance) -> Section:
    """Return how many captions and images have how many relevant items."""
    sides = [numbers_of_relevant(one).tolist() for one in (relevance.fits, relevance.fits.T)]
    rows = tuple(
        (
            f"{at + 1}" if at < 3 else "4 or more",
            sides[0][at],
            PAPER_IMAGES[at],
            sides[1][at],
            PAPER_CAPTIONS[at],
        )
        for at in range(4)
    )
    columns = (
        Column("relevant items"),
        Column("images", "count"),
        Column("images in the paper", "count"),
        Column("captions", "count"),
        Column("captions in the paper", "count"),
    )
    images, captions = relevance.fits.shape
    own, more = captions, int(relevance.fits.sum()) - captions
    note = (
        f"Originals are always relevant: {own:,} pairs. Judgments add {more:,}; in the paper, 2,031 to "
        "1,000. The paper's numbers of images sum to 950."
    )
    table = Table("relevant", "How many items are relevant", columns, rows, note)
    known = relevance.grades[~np.isnan(relevance.grades)]
    tables = [table]
    if relevance.graded:
        shares = cumulative_grades(known).tolist()
        of_grades = (Column("grade of at least"), Column("share of judged pairs", "share"))
        cells = tuple((f"{grade:.2f}", share) for grade, share in zip(THRESHOLDS, shares, strict=True))
        tables.append(Table("grades", f"{len(known):,} judged pairs", of_grades, cells))
    text = f"{len(known):,} of {images * captions:,} pairs were judged."
    return Section("Relevance", text, tuple(tables))
