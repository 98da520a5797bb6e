"""The task `components`: the bias report of a data set, predictions by component IoU, and probes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.arrays import Bools, Floats
from evaluation.component_iou import (
    RIGHT,
    Accuracy,
    Compared,
    bias_report,
    component_ious,
    enclosing_ious,
    judge,
)
from evaluation.component_probes import TABLE_1, Detections, Enlarged, Probe, probes
from evaluation.errors import InputError
from evaluation.localization import Queries, queries
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import PredictionsFormat
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup, name_of
from evaluation.predictions.proposals import read_proposals
from evaluation.predictions.vectors import read_vectors
from evaluation.ragged import RaggedBoxes
from evaluation.report.model import (
    Bars,
    Cell,
    Column,
    Gallery,
    Item,
    Outline,
    Picture,
    Report,
    Section,
    Table,
)
from evaluation.report.pictures import check_pictures, find_image, picture
from evaluation.tasks.common import Inputs, check_language, findings_section, said_settings
from evaluation.tasks.models_in_truth import models_tables, not_independent, said_models

EXAMPLES = 12
"""How many phrases are shown about which IoU and component IoU disagree."""
MAX_SET_BOXES = 100
"""Boxes of the set for one phrase: the area of a union takes time that grows with their square."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How sets of boxes are judged.

    `least_score` leaves out predicted boxes with a lower score. `detections` and `vectors` are files for the
    probes; without vectors, there is no reference system. `images` is a folder of photographs, to show
    phrases about which IoU and component IoU disagree. `predictions_format` says what the
    numbers of predicted boxes are, and how models write them in answers.
    """

    iou: float = RIGHT
    least_score: float | None = None
    detections: Path | None = None
    vectors: Path | None = None
    enlarged: Enlarged = "area"
    images: Path | None = None
    predictions_format: PredictionsFormat | None = None


@dataclass(frozen=True, slots=True)
class _System:
    """What a file predicts for each phrase, and how far that overlaps the truth by both measures."""

    name: str
    sets: RaggedBoxes
    usual: Floats
    component: Floats


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError for a file that cannot be used."""
    if settings.vectors and not settings.detections:
        raise InputError("--vectors is for the labels of --detections; give both")
    if settings.images:
        check_pictures(settings.images)
    check_language(inputs.dataset)
    asked = queries(inputs.dataset)
    if not len(asked):
        raise InputError(f"{inputs.dataset.title} has no mention with a box")
    lookup = Lookup(inputs.dataset, asked)
    found: dict[str, Findings] = {}
    sections = [_bias_section(inputs)]
    if inputs.predictions:
        systems = [
            _system(name, path, inputs, lookup, settings, found.setdefault(name, Findings()))
            for name, path in inputs.predictions.items()
        ]
        sections.append(_predictions_section(systems, asked, settings, inputs))
        sections.append(_disagreement_section(systems, asked, inputs, settings))
    if settings.detections:
        sections.append(_probes_section(inputs, asked, lookup, settings, found))
    facts = (
        *said_settings(inputs),
        *said_models(inputs),
        ("Right", f"an overlap of at least {settings.iou:g}"),
    )
    title = f"Component IoU on {inputs.dataset.title}"
    return Report("components", title, facts, (*sections, *findings_section(found)))


def _bias_section(inputs: Inputs) -> Section:
    report = bias_report(inputs.dataset)
    columns = (Column("figure"), Column("here", "number"), Column("paper", "number"))
    rows: list[tuple[Cell, ...]] = []
    for figure in report.figures:
        per = 100 if figure.share else 1
        unit = " (%)" if figure.share else ""
        value = float(figure.value) * per
        whole = value.is_integer() and not figure.share
        paper = None if figure.paper is None else round(figure.paper * per, 2)
        rows.append((figure.name + unit, int(value) if whole else value, paper))
    edges = np.linspace(0, 1, 11)
    counts, _ = np.histogram(report.cover, bins=edges)
    labels = tuple(f"{low:.0%} to {high:.0%}" for low, high in pairwise(edges.tolist()))
    shares = [count / max(len(report.cover), 1) for count in counts.tolist()]
    items: list[Item] = [Table("bias", "Plural phrases", columns, tuple(rows))]
    if len(report.cover):
        title = "Share of its enclosing box that a phrase's several boxes cover"
        items.append(Bars(title, labels, {"phrases": shares}))
    text = (
        "Several boxes of a phrase usually count as the one box around them. The more of that box is empty, "
        "the more a large box is favoured that shows none of the things."
    )
    return Section("How far large boxes are favoured", text, tuple(items))


def _system(
    name: str, path: Path, inputs: Inputs, lookup: Lookup, settings: Settings, findings: Findings
) -> _System:
    asked = lookup.queries
    sets: list[Floats] = [np.empty((0, 4))] * len(asked)
    parts = read_localization(path, lookup, findings, predictions_format=settings.predictions_format)
    for part in inputs.progress(parts, description=f"Reading {name}"):
        if settings.least_score is not None and part.unscored is not None:
            raise InputError(f"{path}: {lookup.name(part.unscored)} has no scores, which --least-score needs")
        for at, row in enumerate(part.rows.tolist()):
            sets[row] = _set_of(part.ranked.lists, part.ranked.scores, at, settings)
            if len(sets[row]) > MAX_SET_BOXES:
                raise InputError(
                    f"{path}: {lookup.name(row)} has {len(sets[row])} boxes, and a set has at most "
                    f"{MAX_SET_BOXES}; leave out unsure boxes, in the file or with --least-score"
                )
    predicted = RaggedBoxes.of(sets)
    usual, component = enclosing_ious(asked.truth, predicted), component_ious(asked.truth, predicted)
    return _System(name, predicted, usual, component)


def _set_of(lists: RaggedBoxes, scores: Floats, at: int, settings: Settings) -> Floats:
    boxes = lists[at]
    if settings.least_score is None:
        return boxes
    return boxes[scores[lists.offsets[at] : lists.offsets[at + 1]] >= settings.least_score]


def _predictions_section(
    systems: list[_System], asked: Queries, settings: Settings, inputs: Inputs
) -> Section:
    columns = [Column("system")]
    for more in ("", ", plural"):
        columns.append(Column("plural phrases" if more else "phrases", "count"))
        columns += [Column(f"{name}{more}", "share") for name in ("IoU", "c-IoU", "both")]
    rows = []
    for system in systems:
        usual, component = system.usual >= settings.iou, system.component >= settings.iou
        compared = judge(usual, component, usual & component, asked.plural)
        rows.append((system.name, *_cells(compared.all), *_cells(compared.plural)))
    text = (
        "All boxes of a mention together are its prediction. IoU compares the boxes around both sets, and "
        "component IoU (c-IoU) what the boxes of both sets cover. Both: right by IoU and by c-IoU."
    )
    note = not_independent(inputs).strip()
    table = Table("predictions", "Right phrases", tuple(columns), tuple(rows), note)
    return Section("Predictions", text, (table, *models_tables(inputs)))


def _cells(accuracy: Accuracy) -> tuple[Cell, ...]:
    return accuracy.phrases, accuracy.iou_share, accuracy.component_share, accuracy.both_share


def _disagreement_section(
    systems: list[_System], asked: Queries, inputs: Inputs, settings: Settings
) -> Section:
    items: list[Item] = []
    missing = 0
    for place, system in enumerate(systems):
        usual, component = system.usual >= settings.iou, system.component >= settings.iou
        for title, name, unlike in (
            ("IoU accepts and c-IoU rejects", "iou_alone", usual & ~component),
            ("c-IoU accepts and IoU rejects", "component_alone", component & ~usual),
        ):
            rows = _examples(system, asked, unlike)
            said = f"{system.name}: {int(unlike.sum()):,} phrases that {title}"
            if settings.images:
                pictures = _pictures(rows, system, asked, inputs, settings.images)
                missing += len(rows) - len(pictures)
                items.append(Gallery(said, pictures))
            else:
                items.append(_examples_table(f"{name}_{place + 1}", said, rows, system, asked))
    text = (
        f"The {EXAMPLES} phrases with the largest difference, one from each image (figures 2 and 3 of the "
        "paper)."
    )
    if missing:
        text += f" Not found in {settings.images}: {missing:,} of the pictures."
    if not settings.images:
        text += " With --images DIR, they are shown as pictures."
    return Section("Where the measures disagree", text, tuple(items))


def _examples(system: _System, asked: Queries, unlike: Bools) -> list[int]:
    rows = np.flatnonzero(unlike)
    order = rows[np.argsort(-np.abs(system.usual - system.component)[rows], kind="stable")]
    _, first = np.unique(asked.image[order], return_index=True)
    return [int(row) for row in order[np.sort(first)][:EXAMPLES]]


def _examples_table(name: str, title: str, rows: list[int], system: _System, asked: Queries) -> Table:
    columns = (
        Column("phrase"),
        Column("mention"),
        Column("true boxes", "count"),
        Column("predicted boxes", "count"),
        Column("IoU", "number"),
        Column("c-IoU", "number"),
    )
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            asked.phrases[row],
            name_of(asked.keys[row]),
            len(asked.truth[row]),
            len(system.sets[row]),
            float(system.usual[row]),
            float(system.component[row]),
        )
        for row in rows
    )
    return Table(name, title, columns, cells)


def _pictures(
    rows: list[int], system: _System, asked: Queries, inputs: Inputs, folder: Path
) -> tuple[Picture, ...]:
    found = []
    for row in rows:
        image = inputs.dataset.images[int(asked.image[row])]
        path = find_image(folder, image.name)
        if path is None:
            continue
        outlines = [_outline(box, "truth") for box in asked.truth[row]]
        outlines += [_outline(box, "predicted") for box in system.sets[row]]
        text = f"{image.name}: IoU {system.usual[row]:.2f}, c-IoU {system.component[row]:.2f}"
        size = (image.width, image.height)
        found.append(picture(path, size, outlines, f"“{asked.phrases[row]}”", text))
    return tuple(found)


def _outline(box: Floats, kind: Literal["truth", "predicted"]) -> Outline:
    left, top, right, bottom = map(float, box)
    return Outline((left, top, right, bottom), kind)


def _probes_section(
    inputs: Inputs, asked: Queries, lookup: Lookup, settings: Settings, found: dict[str, Findings]
) -> Section:
    assert settings.detections
    findings = found.setdefault(settings.detections.name, Findings())
    proposals = read_proposals(settings.detections, lookup, findings)
    vectors = None
    if settings.vectors:
        if not proposals.names:
            raise InputError(f"{settings.detections}: labels: are missing, and --vectors needs them")
        words = read_vectors(settings.vectors)
        vectors = (words.of_texts(asked.phrases), words.of_texts(proposals.names))
    rows = probes(
        asked.truth,
        asked.plural,
        asked.image,
        Detections(proposals.ranked.lists, proposals.labels),
        np.random.default_rng(inputs.seed),
        vectors=vectors,
        sizes=asked.sizes,
        enlarged=settings.enlarged,
        threshold=settings.iou,
    )
    columns = (
        Column("prediction"),
        Column("measure"),
        Column("all, single boxes", "share"),
        Column("all, also sets", "share"),
        Column("plural, single boxes", "share"),
        Column("plural, also sets", "share"),
        Column("paper"),
    )
    cells = tuple(cells for probe in rows for cells in _probe_rows(probe))
    text = (
        "What plainly wrong predictions reach: the whole image, all its objects, boxes drawn at random, "
        "boxes that are too large. The less a measure gives them, the better it tells systems apart (table 1 "
        "of the paper)."
    )
    note = (
        "The paper's figures are of another data set and detector, in the order of the columns. It calls the "
        "upper bound [+prun.], but describes it without pruning, so that both are here. Its max box is the "
        "whole image in section 2.2, and all objects in section 4."
    )
    if vectors is None:
        note += " With labels and --vectors, there is a reference system, too."
    return Section("Probes", text, (Table("probes", "Probes", columns, cells, note),))


def _probe_rows(probe: Probe) -> Iterator[tuple[Cell, ...]]:
    known = TABLE_1.get(probe.name)
    name = probe.name if known else f"{probe.name} [ours]"
    for measure, said in (("iou", "IoU"), ("component", "c-IoU"), ("both", "both")):
        paper = " / ".join("–" if one is None else f"{one:.2f}" for one in (known or {}).get(measure, ()))
        yield name, said, *_four(probe.single, probe.several, measure), paper


def _four(single: Compared | None, several: Compared | None, measure: str) -> tuple[float | None, ...]:
    def share(accuracy: Accuracy | None) -> float | None:
        if accuracy is None:
            return None
        shares = {"iou": accuracy.iou_share, "component": accuracy.component_share}
        return shares.get(measure, accuracy.both_share)

    both = single, several
    every = [share(one.all if one else None) for one in both]
    return (*every, *(share(one.plural if one else None) for one in both))
