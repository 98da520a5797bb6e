"""The part of `judgments` that compares Bleu and Rouge with experts' grades.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 4.2.2 and tables 8 and 9, called R below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Bools, Floats, Ints
from evaluation.caption_overlap import bleu_of_pairs, encode, rouge_of_pairs
from evaluation.caption_words import content_words
from evaluation.judgments import EXPERT_THRESHOLDS, SCORE_THRESHOLDS, best_thresholds
from evaluation.predictions.candidates import judged_of_each, one_of_each
from evaluation.predictions.judgments import Judgments
from evaluation.predictions.pairs import Pairs, images_and_captions
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.retrieval import kappa_grid, words
from evaluation.tasks.common import Inputs

METRICS = {"Bleu": bleu_of_pairs, "Rouge": rouge_of_pairs}


@dataclass(frozen=True, slots=True)
class _References:
    """One of the paper's four sets of references: which captions are in it, and the paper's best kappas."""

    name: str
    title: str
    captions: Bools
    paper: tuple[float, float]
    """Of Bleu and of Rouge."""


def overlap_section(name: str, slug: str, experts: Judgments, inputs: Inputs) -> Section:
    """Return how far Bleu and Rouge of judged pairs agree with their grades, for each set of references."""
    every = images_and_captions(inputs.dataset)
    texts = [" ".join(one.tokens) for image in inputs.dataset.images for one in image.captions]
    captions = {
        "Bleu": encode([words(text) for text in texts], every.owner),
        "Rouge": encode([content_words(text) for text in texts], every.owner),
    }
    pair, grades = experts.means()
    images, candidates = np.divmod(pair, len(every.captions))
    best: list[tuple[Cell, ...]] = []
    tables: list[Table] = []
    for references in _reference_sets(every, candidates, inputs.seed):
        known = np.bincount(every.owner, weights=references.captions)[images] > 0
        row: list[Cell] = [references.title, int(known.sum())]
        for (metric, score), paper in zip(METRICS.items(), references.paper, strict=True):
            found = score(captions[metric], images[known], candidates[known], references.captions)
            kappa, of_score, of_grade = best_thresholds(found, grades[known], SCORE_THRESHOLDS)
            row += [*(None if np.isnan(one) else one for one in (kappa, of_score, of_grade)), paper]
            prefix = f"{slug}_{metric.lower()}_{references.name}"
            tables.append(_grid(prefix, f"{metric}, {references.title}", found, grades[known]))
        best.append(tuple(row))
    columns = [Column("references"), Column("pairs", "count")]
    for metric in METRICS:
        columns += [
            Column(f"{metric}: best κ", "number"),
            Column(f"{metric} of at least", "number"),
            Column(f"grade of at least ({metric})", "number"),
            Column(f"{metric}: best κ of the paper", "number"),
        ]
    note = (
        "Candidates are the captions that were judged. Of an image with several of them, or none, the one "
        "of `itself` is drawn; `others` are never judged [ours]. Images without such references are left out."
    )
    title = f"Best Cohen's κ of Bleu and Rouge with the grades of {name}"
    text = "Whether words that captions share tell what experts say: tables 8 and 9 of the paper."
    summary = Table(f"{slug}_overlap", title, tuple(columns), tuple(best), note)
    return Section(f"Bleu and Rouge beside {name}", text, (summary, *tables))


def _reference_sets(every: Pairs, candidates: Ints, seed: int) -> Iterator[_References]:
    judged = np.zeros(len(every.captions), dtype=bool)
    judged[candidates] = True
    gold = judged_of_each(every, judged, seed)
    others = ~judged & ~gold
    yield _References("all", "all captions", np.ones(len(judged), dtype=bool), (0.72, 0.54))
    yield _References("itself", "the one candidate of the image itself", gold, (0.71, 0.69))
    yield _References("others", "the others, which are no candidates", others, (0.52, 0.51))
    one = one_of_each(every, others, seed)
    yield _References("other", "one other, which is no candidate", one, (0.36, 0.42))


def _grid(name: str, title: str, scores: Floats, grades: Floats) -> Table:
    grid = kappa_grid(scores, grades, SCORE_THRESHOLDS, EXPERT_THRESHOLDS)
    columns = (
        Column("of at least", "number"),
        *(
            Column(f"κ, grade ≥ {np.floor(one * 100 + 1e-6) / 100:.2f}", "number")
            for one in EXPERT_THRESHOLDS
        ),
    )
    rows = tuple(
        (threshold, *(None if np.isnan(value) else float(value) for value in row))
        for threshold, row in zip(SCORE_THRESHOLDS, grid, strict=True)
    )
    return Table(name, title, columns, rows, folded=True)
