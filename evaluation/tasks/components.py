"""The task `components`: the bias report of a data set, predictions by component IoU, and probes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.component_iou import RIGHT, Compared, bias_report, compare
from evaluation.component_probes import TABLE_1, Detections, Enlarged, probes
from evaluation.errors import InputError
from evaluation.localization import Queries, queries
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import read_localization
from evaluation.predictions.lookup import Lookup
from evaluation.predictions.proposals import read_proposals
from evaluation.predictions.vectors import read_vectors
from evaluation.ragged import RaggedBoxes
from evaluation.report.model import Bars, Cell, Column, Item, Report, Section, Table
from evaluation.tasks.common import Inputs, findings_section, said_settings

MAX_SET_BOXES = 100
"""Boxes of the set for one phrase: the area of a union takes time that grows with their square."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How sets of boxes are judged.

    `least_score` leaves out predicted boxes with a lower score. `detections` and `vectors` are files for the
    probes; without vectors, there is no reference system.
    """

    iou: float = RIGHT
    least_score: float | None = None
    detections: Path | None = None
    vectors: Path | None = None
    enlarged: Enlarged = "area"


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError for a file that cannot be used."""
    if settings.vectors and not settings.detections:
        raise InputError("--vectors is for the labels of --detections; give both")
    asked = queries(inputs.dataset)
    if not len(asked):
        raise InputError(f"{inputs.dataset.title} has no mention with a box")
    lookup = Lookup(inputs.dataset, asked)
    found: dict[str, Findings] = {}
    sections = [_bias_section(inputs)]
    if inputs.predictions:
        sections.append(_predictions_section(inputs, asked, lookup, settings, found))
    if settings.detections:
        sections.append(_probes_section(inputs, asked, lookup, settings, found))
    facts = (*said_settings(inputs), ("Right", f"an overlap of at least {settings.iou:g}"))
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


def _predictions_section(
    inputs: Inputs, asked: Queries, lookup: Lookup, settings: Settings, found: dict[str, Findings]
) -> Section:
    columns = (
        Column("system"),
        Column("phrases", "count"),
        Column("IoU", "share"),
        Column("c-IoU", "share"),
        Column("plural phrases", "count"),
        Column("IoU, plural", "share"),
        Column("c-IoU, plural", "share"),
    )
    rows = []
    for name, path in inputs.predictions.items():
        found[name] = Findings()
        sets: list[NDArray[np.float64]] = [np.empty((0, 4))] * len(asked)
        parts = read_localization(path, lookup, found[name])
        for part in inputs.progress(parts, description=f"Reading {name}"):
            if settings.least_score is not None and part.unscored is not None:
                raise InputError(
                    f"{path}: {lookup.name(part.unscored)} has no scores, which --least-score needs"
                )
            for at, row in enumerate(part.rows.tolist()):
                sets[row] = _set_of(part.ranked.lists, part.ranked.scores, at, settings)
                if len(sets[row]) > MAX_SET_BOXES:
                    raise InputError(
                        f"{path}: {lookup.name(row)} has {len(sets[row])} boxes, and a set has at most "
                        f"{MAX_SET_BOXES}; leave out unsure boxes, in the file or with --least-score"
                    )
        compared = compare(asked.truth, RaggedBoxes.of(sets), asked.plural, threshold=settings.iou)
        rows.append((name, *_cells(compared)))
    text = (
        "All boxes of a mention together are its prediction. IoU compares the boxes around both sets, and "
        "component IoU (c-IoU) what the boxes of both sets cover."
    )
    return Section("Predictions", text, (Table("predictions", "Right phrases", columns, tuple(rows)),))


def _set_of(
    lists: RaggedBoxes, scores: NDArray[np.float64], at: int, settings: Settings
) -> NDArray[np.float64]:
    boxes = lists[at]
    if settings.least_score is None:
        return boxes
    return boxes[scores[lists.offsets[at] : lists.offsets[at + 1]] >= settings.least_score]


def _cells(compared: Compared) -> tuple[Cell, ...]:
    every, plural = compared.all, compared.plural
    return (
        every.phrases,
        every.iou_share,
        every.component_share,
        plural.phrases,
        plural.iou_share,
        plural.component_share,
    )


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
    cells: list[tuple[Cell, ...]] = []
    for probe in rows:
        for measure, name in (("iou", "IoU"), ("component", "c-IoU")):
            paper = TABLE_1.get(probe.name, {}).get(measure, ())
            said = " / ".join("–" if one is None else f"{one:.2f}" for one in paper)
            cells.append((probe.name, name, *_four(probe.single, probe.several, measure), said))
    text = (
        "What plainly wrong predictions reach: the biggest box, boxes drawn at random, boxes that are too "
        "large. The less a measure gives them, the better it tells systems apart (table 1 of the paper)."
    )
    note = "The paper's figures are of another data set and detector, in the order of the columns."
    if vectors is None:
        note += " With labels and --vectors, there is a reference system, too."
    return Section("Probes", text, (Table("probes", "Probes", columns, tuple(cells), note),))


def _four(single: Compared | None, several: Compared | None, measure: str) -> tuple[float | None, ...]:
    def share(compared: Compared | None, *, plural: bool) -> float | None:
        if compared is None:
            return None
        accuracy = compared.plural if plural else compared.all
        return accuracy.iou_share if measure == "iou" else accuracy.component_share

    return (
        share(single, plural=False),
        share(several, plural=False),
        share(single, plural=True),
        share(several, plural=True),
    )
