"""The task `localization`: recall of predicted boxes, beside references that look at no phrase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.boxes import SUPPRESSION, areas
from evaluation.errors import InputError
from evaluation.localization import (
    HIT,
    RANKS,
    Localization,
    Outcomes,
    Queries,
    Recall,
    Rule,
    join,
    localize,
    queries,
    summarize,
)
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import PredictionsFormat
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup, name_of
from evaluation.predictions.parts import MAX_PART_QUERIES, Part
from evaluation.predictions.proposals import MAX_POOLED, Pool, for_queries, read_proposals
from evaluation.predictions.windows import windows
from evaluation.ragged import RaggedBoxes, RankedBoxes
from evaluation.references import NAMES, references
from evaluation.report.model import (
    Bars,
    Cell,
    Column,
    Gallery,
    Item,
    Lines,
    Matrix,
    Outline,
    Picture,
    Report,
    Section,
    Table,
)
from evaluation.report.pictures import check_pictures, find_image, picture
from evaluation.significance import compare_means, mcnemar
from evaluation.tasks.common import Inputs, as_published, findings_section, said_settings
from evaluation.tasks.localization_examples import best_section
from evaluation.tasks.models_in_truth import models_tables, not_independent, said_models

WORST = 12
"""How many of the worst examples of a system are shown."""
BINS = 20
"""Bins of the distribution of IoU."""
Proposed = Callable[[NDArray[np.int64]], RaggedBoxes] | None
"""A function from places of queries to the proposals of their images."""
RULE_TEXT = {
    "merged": "several true boxes count as the one box around them",
    "any": "a hit on one of several true boxes is enough",
    "component": "a box is compared with all that several true boxes cover together",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """How boxes are judged. `published` reads true boxes as MDETR's and GLIP's evaluators do.

    `proposals` is a file of boxes of images, or `windows` for those of `evaluation.predictions.windows`.
    `predictions_format` says what the numbers of predicted boxes are, and how models write them in answers.
    """

    rule: Rule = "merged"
    iou: float = HIT
    suppression: float | None = SUPPRESSION
    published: bool = False
    proposals: Path | Literal["windows"] | None = None
    images: Path | None = None
    predictions_format: PredictionsFormat | None = None


@dataclass(frozen=True, slots=True)
class System:
    """What a file or a reference reached: `outcomes` has one entry a query, in their order."""

    name: str
    outcomes: Outcomes
    tables: Localization
    is_reference: bool


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or if nothing can be compared."""
    inputs = inputs.beside(NAMES)
    if settings.images:
        check_pictures(settings.images)
    dataset = as_published(inputs.dataset) if settings.published else inputs.dataset
    asked = queries(dataset)
    if not len(asked):
        raise InputError(f"{inputs.dataset.title} has no mention with a box, so there is nothing to localize")
    lookup = Lookup(dataset, asked)
    found: dict[str, Findings] = {}
    proposed: Proposed = None
    source = ""
    if settings.proposals == "windows":
        source = "windows slid over each image"
        if not (asked.sizes[asked.image] > 0).all():
            raise InputError(f"{inputs.dataset.title} does not say how large its images are; give a file")

        def proposed(rows: NDArray[np.int64]) -> RaggedBoxes:
            return windows(asked.sizes[asked.image[rows]])

    elif settings.proposals:
        source = settings.proposals.name
        found[source] = Findings()
        proposed = _of_images(read_proposals(settings.proposals, lookup, found[source]).ranked.lists, asked)
    outcomes: dict[str, list[Outcomes]] = {}
    rng = np.random.default_rng(inputs.seed)
    for name, path in inputs.predictions.items():
        found[name] = Findings()
        parts = read_localization(path, lookup, found[name], predictions_format=settings.predictions_format)
        pool = None if source else Pool(asked)
        for part in inputs.progress(parts, description=f"Reading {name}"):
            outcomes.setdefault(name, []).append(_localize(asked, part, settings))
            if pool:
                pool.add(part)
        if pool:
            source = f"up to {MAX_POOLED} boxes an image, of those that {name} has for its phrases"
            proposed = _of_images(pool.lists(), asked)
    for part_of, ranked_by_name in _references(asked, proposed, rng, inputs):
        for reference, ranked in ranked_by_name.items():
            outcomes.setdefault(reference, []).append(_localize(asked, Part(part_of, ranked), settings))
    if not outcomes:
        raise InputError(
            f"{inputs.dataset.title} does not say how large its images are, so that there is no reference "
            "to compare with; give --predictions or --proposals"
        )
    order = [*inputs.predictions, *(name for name in NAMES if name in outcomes)]
    systems = []
    for name in inputs.progress(order, description="Resampling images", total=len(order)):
        whole = _in_order(join(outcomes.pop(name)))
        tables = summarize(asked, whole, np.random.default_rng(inputs.seed), resamples=inputs.resamples)
        systems.append(System(name, whole, tables, name not in inputs.predictions))
    facts = (
        *said_settings(inputs),
        *said_models(inputs),
        ("Queries", f"{len(asked):,} mentions that have a box"),
        ("Hit", f"IoU of at least {settings.iou:g}; {RULE_TEXT[settings.rule]} (--rule {settings.rule})"),
        ("Overlapping predictions", _said_suppression(settings.suppression)),
        ("Boxes", "as MDETR and GLIP compute" if settings.published else "pixel edges"),
        *((("Proposals", source),) if source else ()),
    )
    sections = (
        _recall_section(systems, inputs, asked),
        _groups_section(systems, asked),
        _distribution_section(systems, settings),
        _errors_section(systems, asked),
        *best_section(
            {system.name: system.outcomes for system in _shown(systems)}, asked, dataset, settings.images
        ),
        _worst_section(systems, asked, inputs, settings),
        *findings_section(found),
        Section("All numbers", "", (_all_rows(systems),)),
    )
    return Report("localization", f"Phrase localization on {inputs.dataset.title}", facts, sections)


def _of_images(lists: RaggedBoxes, asked: Queries) -> Proposed:
    return lambda rows: for_queries(lists, asked.image[rows])


def _localize(asked: Queries, part: Part, settings: Settings) -> Outcomes:
    return localize(
        asked,
        part.rows,
        part.ranked,
        rule=settings.rule,
        iou=settings.iou,
        suppression=settings.suppression,
    )


def _references(
    asked: Queries, proposed: Proposed, rng: np.random.Generator, inputs: Inputs
) -> Iterator[tuple[NDArray[np.int64], Mapping[str, RankedBoxes]]]:
    begins = range(0, len(asked), MAX_PART_QUERIES if proposed is None else MAX_PART_QUERIES // 10)
    for begin in inputs.progress(begins, description="References", total=len(begins)):
        rows = np.arange(begin, min(begin + begins.step, len(asked)))
        yield rows, references(asked, rows, proposed(rows) if proposed else None, rng)


def _in_order(outcomes: Outcomes) -> Outcomes:
    order = np.argsort(outcomes.rows)
    return Outcomes(
        rows=outcomes.rows[order],
        rank=outcomes.rank[order],
        reachable=outcomes.reachable[order],
        overlap=outcomes.overlap[order],
        instead=outcomes.instead[order],
        first=outcomes.first[order],
    )


def _said_suppression(suppression: float | None) -> str:
    if suppression is None:
        return "all are kept (--nms off)"
    return f"of two with an IoU above {suppression:g}, the worse is left out (--nms {suppression:g})"


REACHED = (
    Column("queries", "count"),
    Column("R@1", "share"),
    Column("95% interval", "interval"),
    Column("R@5", "share"),
    Column("R@10", "share"),
    Column("upper bound", "share"),
)


def _recall_section(systems: list[System], inputs: Inputs, asked: Queries) -> Section:
    columns = (Column("system"), *REACHED)
    rows = tuple((system.name, *recall_cells(system.tables.total)) for system in systems)
    ranks = tuple(range(1, RANKS[-1] + 1))
    curves = {
        system.name: [
            float(((system.outcomes.rank > 0) & (system.outcomes.rank <= rank)).mean()) for rank in ranks
        ]
        for system in systems
    }
    items: list[Item] = [
        Table(
            "recall",
            "Recall at K",
            columns,
            rows,
            f"Intervals: bootstrap over images.{not_independent(inputs)}",
        ),
        *models_tables(inputs),
        Lines("Recall at K, from 1 to 10", "K: the first K boxes count", tuple(map(float, ranks)), curves),
    ]
    if len(systems) > 1 and any(not system.is_reference for system in systems):
        items.append(_significance(systems, inputs, asked))
    text = (
        "R@K is the share of queries for which one of the first K boxes is a hit. The upper bound is the "
        "share that any predicted box satisfies. References look at no phrase. A system must beat them."
    )
    return Section("Recall", text, tuple(items))


def recall_cells(recall: Recall) -> tuple[Cell, ...]:
    """Return the cells of the columns REACHED."""
    interval = recall.intervals[0] if recall.intervals else None
    shares = [recall.share(place) for place in range(len(RANKS))]
    return (recall.queries, shares[0], interval, *shares[1:], recall.bound)


def _significance(systems: list[System], inputs: Inputs, asked: Queries) -> Table:
    files = [system for system in systems if not system.is_reference]
    others = [system for system in systems if system.is_reference]
    pairs = list(combinations(files, 2))
    if others:
        best = max(others, key=lambda system: system.tables.total.share(0))
        pairs += [(system, best) for system in files]
    rows = []
    for a, b in pairs:
        first, second = a.outcomes.rank == 1, b.outcomes.rank == 1
        rng = np.random.default_rng(inputs.seed)
        gain = compare_means(first, second, asked.image, rng, resamples=inputs.resamples)
        test = mcnemar(first, second)
        known = gain.low is not None and gain.high is not None
        interval = (gain.low or 0.0, gain.high or 0.0) if known else None
        rows.append((a.name, b.name, gain.value, interval, test.only_a, test.only_b, test.p))
    columns = (
        Column("system"),
        Column("compared with"),
        Column("difference of R@1", "share"),
        Column("95% interval", "interval"),
        Column("only the first hits", "count"),
        Column("only the second hits", "count"),
        Column("McNemar's p", "p"),
    )
    note = (
        "The interval is over resampled images, and takes into account that queries of an image are alike. "
        "McNemar's test counts each query as independent. The p values are not corrected for several pairs."
    )
    return Table("significance", "Which systems differ", columns, tuple(rows), note)


def _groups_section(systems: list[System], asked: Queries) -> Section:
    def bars(title: str, groups: list[tuple[Recall, ...]]) -> Bars:
        known = [place for place, recall in enumerate(groups[0]) if recall.queries]
        return Bars(
            title,
            tuple(groups[0][place].name for place in known),
            {
                system.name: [recalls[place].share(0) for place in known]
                for system, recalls in zip(systems, groups, strict=True)
            },
        )

    def table(name: str, title: str, groups: list[tuple[Recall, ...]]) -> Table:
        columns = (
            Column("group"),
            Column("queries", "count"),
            *(Column(system.name, "share") for system in systems),
        )
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (recall.name, recall.queries, *(own[place].share(0) for own in groups))
            for place, recall in enumerate(groups[0])
            if recall.queries
        )
        return Table(name, title, columns, rows, folded=len(rows) > len(asked.type_names))

    by_type = [system.tables.by_type for system in systems]
    by_size = [system.tables.by_size for system in systems]
    by_number = [system.tables.by_number for system in systems]
    by_phrase = [system.tables.by_phrase for system in systems]
    items = (
        bars("R@1 by type", by_type),
        table("by_type", "R@1 by type", by_type),
        bars("R@1 by size of the true box", by_size),
        table("by_size", "R@1 by size of the true box", by_size),
        table("by_number", "R@1 of singular and plural phrases", by_number),
        table("by_phrase", "R@1 of the commonest phrases", by_phrase),
    )
    text = (
        "A mention of several types counts in each of its rows, and once in the total. Size is the square "
        "root of the area of the true box."
    )
    return Section("By type, size and phrase", text, items)


def _distribution_section(systems: list[System], settings: Settings) -> Section:
    edges = np.linspace(0, 1, BINS + 1)
    shares, reached = {}, {}
    for system in systems:
        overlap = system.outcomes.overlap
        counts, _ = np.histogram(overlap, bins=edges)
        shares[system.name] = (counts / len(overlap)).tolist()
        reached[system.name] = [float((overlap >= edge).mean()) for edge in edges]
    what = "component IoU" if settings.rule == "component" else "IoU"
    items = (
        Lines(f"First boxes by {what}, in bins of {1 / BINS:g}", f"{what} from", tuple(edges[:-1]), shares),
        Lines(f"R@1 by the least {what} of a hit", f"least {what} of a hit", tuple(edges), reached),
    )
    return Section("How well the first box fits", "A query without a box counts as 0.", items)


def _errors_section(systems: list[System], asked: Queries) -> Section:
    columns = (
        Column("system"),
        Column("hits", "share"),
        Column("another phrase", "share"),
        Column("poor fit", "share"),
        Column("background", "share"),
        Column("no box", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    matrices = []
    shown = {system.name for system in _shown(systems)}
    for place, system in enumerate(systems):
        found, count = system.tables.errors, len(system.outcomes)
        counts = (found.hits, found.other_phrase, found.poor, found.background, found.without_box)
        rows.append((system.name, *(one / count for one in counts)))
        if system.name in shown:
            matrices.append(
                Matrix(
                    f"confusion_{place + 1}",
                    f"{system.name}: type of the phrase (row), and of the one that was hit instead (column)",
                    asked.type_names,
                    asked.type_names,
                    tuple(tuple(row) for row in found.confusion.tolist()),
                )
            )
    text = (
        "Where the first box went. Another phrase: it misses, but hits the truth of another phrase of the "
        "image with an IoU of at least 0.5. Poor fit: it overlaps the truth by at least 0.1. Background: "
        "the rest."
    )
    note = "In the paper, 13% of the first boxes hit another phrase."
    table = Table("errors", "First boxes", columns, tuple(rows), note)
    return Section("Errors", text, (table, *matrices))


def _worst_section(systems: list[System], asked: Queries, inputs: Inputs, settings: Settings) -> Section:
    items: list[Item] = []
    missing = 0
    for place, system in enumerate(_shown(systems)):
        rows = _worst(system, asked)
        if settings.images:
            pictures, lost = _pictures(rows, system, asked, inputs, settings.images)
            missing += lost
            items.append(Gallery(f"{system.name}: the worst", tuple(pictures)))
        else:
            items.append(_worst_table(f"worst_{place + 1}", system, rows, asked))
    text = "Misses with the least overlap of the first box, one from each image, the largest true box first."
    if missing:
        text += f" Not found in {settings.images}: {missing:,} of the pictures."
    if not settings.images:
        text += " With --images DIR, they are shown as pictures."
    return Section("Worst examples", text, tuple(items))


def _shown(systems: list[System]) -> list[System]:
    """Return the systems whose errors are shown one by one: those of files, or else the best reference."""
    files = [system for system in systems if not system.is_reference]
    return files or [max(systems, key=lambda system: system.tables.total.share(0))]


def _worst(system: System, asked: Queries) -> list[int]:
    outcomes = system.outcomes
    missed = np.flatnonzero(outcomes.rank != 1)
    order = missed[np.lexsort((-areas(asked.enclosing[missed]), outcomes.overlap[missed]))]
    _, first = np.unique(asked.image[order], return_index=True)
    return [int(row) for row in order[np.sort(first)][:WORST]]


def _said_query(row: int, asked: Queries, outcomes: Outcomes) -> str:
    types = "/".join(name for name, has in zip(asked.type_names, asked.types[row], strict=True) if has)
    words = f"{types or 'no type'}, IoU {outcomes.overlap[row]:.2f}"
    if np.isnan(outcomes.first[row, 0]):
        words += ", no box predicted"
    elif outcomes.instead[row] >= 0:
        words += f', hits "{asked.phrases[int(outcomes.instead[row])]}" instead'
    return words


def _pictures(
    rows: list[int], system: System, asked: Queries, inputs: Inputs, folder: Path
) -> tuple[list[Picture], int]:
    found, missing = [], 0
    for row in rows:
        image = inputs.dataset.images[int(asked.image[row])]
        path = find_image(folder, image.name)
        if path is None:
            missing += 1
            continue
        outlines = [Outline(_edges(box), "truth") for box in asked.truth[row]]
        first = system.outcomes.first[row]
        if not np.isnan(first[0]):
            outlines.append(Outline(_edges(first), "predicted"))
        title = f"“{asked.phrases[row]}”"
        text = f"{image.name}: {_said_query(row, asked, system.outcomes)}"
        found.append(picture(path, (image.width, image.height), outlines, title, text))
    return found, missing


def _edges(box: NDArray[np.float64]) -> tuple[float, float, float, float]:
    left, top, right, bottom = (float(edge) for edge in box)
    return left, top, right, bottom


def _worst_table(name: str, system: System, rows: list[int], asked: Queries) -> Table:
    columns = (Column("phrase"), Column("mention"), Column("what happened"))
    cells = tuple(
        (asked.phrases[row], name_of(asked.keys[row]), _said_query(row, asked, system.outcomes))
        for row in rows
    )
    return Table(name, f"{system.name}: the worst", columns, cells)


def _all_rows(systems: list[System]) -> Table:
    columns = (
        Column("system"),
        Column("group"),
        Column("kind"),
        *REACHED,
        *(Column(f"hits at {rank}", "count") for rank in RANKS),
        Column("reachable", "count"),
    )
    rows = []
    for system in systems:
        tables = system.tables
        for kind, recalls in (
            ("all", (tables.total,)),
            ("type", tables.by_type),
            ("number", tables.by_number),
            ("size", tables.by_size),
            ("phrase", tables.by_phrase),
        ):
            rows += [
                (system.name, recall.name, kind, *recall_cells(recall), *recall.hits, recall.reachable)
                for recall in recalls
                if recall.queries
            ]
    return Table("all", "Every system and group", columns, tuple(rows), folded=True)
