"""The part of `retrieval` about the caption that a system ranks first for an image.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 4.2: experts' grades, Bleu and Rouge of
the first captions (tables 1 and 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evaluation.arrays import Floats, Ints
from evaluation.caption_overlap import bleu_of_pairs, encode, rouge_of_pairs
from evaluation.caption_words import content_words
from evaluation.predictions.pairs import Pairs, images_and_captions
from evaluation.predictions.retrieval import places_of
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.retrieval import GRADES, first_at_least, first_grade, first_grades, words
from evaluation.significance import mcnemar, randomization
from evaluation.tasks.common import Inputs, to_compare

MAX_TIED = 100
"""Of captions that are first with equal scores, so many are compared with the image's: more are drawn."""
RANDOM = "random caption"


@dataclass(frozen=True, slots=True)
class _First:
    """What each image's first caption reached, of shape (images,): nan where it was not graded."""

    bleu: Floats
    rouge: Floats
    corpus_bleu: float
    grade: Floats | None


def first_captions(
    inputs: Inputs,
    found: Pairs,
    systems: Mapping[str, Floats],
    grades: Floats | None,
    reassignments: int,
) -> Section:
    """Return the section. `systems` have scores and `grades` have grades of shape (images, captions)."""
    overlap = _Overlap(inputs, found)
    constant = np.broadcast_to(np.zeros(1), (len(found.images), len(found.captions)))
    first = {
        name: overlap.first(scores, None if grades is None else first_grade(scores, grades))
        for name, scores in systems.items()
    }
    first[RANDOM] = overlap.first(constant, None)
    tables = [_scores_table(first)]
    if len(systems) > 1:
        tables.append(_scores_significance(first, inputs, reassignments))
    if grades is not None:
        tables.append(_grades_table(systems, grades))
        if len(systems) > 1:
            tables.append(_grades_significance(systems, grades))
    text = (
        "Bleu-1 without its brevity penalty, and Rouge-1 of stems without stop words, against all captions "
        "of the image, as means over images."
    )
    return Section("First captions", text, tuple(tables))


class _Overlap:
    """Compares captions with those of images."""

    def __init__(self, inputs: Inputs, found: Pairs) -> None:
        every = images_and_captions(inputs.dataset)
        texts = [" ".join(one.tokens) for image in inputs.dataset.images for one in image.captions]
        self._words = encode([words(text) for text in texts], every.owner)
        self._stems = encode([content_words(text) for text in texts], every.owner)
        self._places = places_of(every.captions, found.captions)
        self._seed = inputs.seed

    def first(self, scores: Floats, grade: Floats | None) -> _First:
        images, captions = firsts(scores, np.random.default_rng(self._seed))
        candidates = self._places[captions]
        weights = 1 / np.bincount(images, minlength=len(scores))[images]
        bleu = bleu_of_pairs(self._words, images, candidates)
        rouge = rouge_of_pairs(self._stems, images, candidates)
        sizes = np.diff(self._words.offsets)[candidates] * weights
        corpus = float((bleu * sizes).sum() / max(sizes.sum(), 1e-12))

        def mean(values: Floats) -> Floats:
            of_images = np.bincount(images, weights=weights * values, minlength=len(scores))
            return of_images.astype(np.float64)

        return _First(mean(bleu), mean(rouge), corpus, grade)


def firsts(scores: Floats, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the images and captions that are first, one or more an image.

    Of captions that are first with equal scores, at most MAX_TIED of an image are taken, at random [ours].

    >>> firsts(np.array([[2.0, 1.0], [0.0, 0.0]]), np.random.default_rng(1))
    (array([0, 1, 1]), array([0, 0, 1]))
    """
    images: list[Ints] = []
    captions: list[Ints] = []
    for image, row in enumerate(scores):
        tied = np.flatnonzero(row == row.max())
        if len(tied) > MAX_TIED:
            tied = np.sort(rng.choice(tied, MAX_TIED, replace=False))
        images.append(np.full(len(tied), image, dtype=np.int64))
        captions.append(tied)
    return np.concatenate(images), np.concatenate(captions)


def randomized(
    a: Floats, b: Floats, seed: int, reassignments: int, figure: Literal["mean", "median"] = "mean"
) -> float | None:
    """Return the p of Fisher's randomization test of the items that both have, or None if there are none."""
    known = ~np.isnan(a) & ~np.isnan(b)
    if not known.any():
        return None
    rng = np.random.default_rng(seed)
    return randomization(a[known], b[known], rng, figure=figure, reassignments=reassignments).p


def _scores_table(first: Mapping[str, _First]) -> Table:
    graded = any(one.grade is not None for one in first.values())
    columns = (
        Column("system"),
        *((Column("graded images", "count"), Column("mean grade", "number")) if graded else ()),
        Column("images", "count"),
        Column("Bleu", "share"),
        Column("Bleu of all words together", "share"),
        Column("Rouge", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, one in first.items():
        row: list[Cell] = [name]
        if graded:
            known = np.zeros(0) if one.grade is None else one.grade[~np.isnan(one.grade)]
            row += [len(known), float(known.mean()) if len(known) else None]
        row += [len(one.bleu), float(one.bleu.mean()), one.corpus_bleu, float(one.rouge.mean())]
        rows.append(tuple(row))
    note = "Table 2 of the paper. Its footnote 6 has Bleu of all words together."
    return Table("first_scores", "Scores of the first captions", columns, tuple(rows), note)


def _scores_significance(first: Mapping[str, _First], inputs: Inputs, reassignments: int) -> Table:
    compared = to_compare([name for name in first if name != RANDOM])
    graded = any(one.grade is not None for one in first.values())
    columns = (
        Column("system"),
        Column("compared with"),
        *((Column("mean grade: p", "p"),) if graded else ()),
        Column("Bleu: p", "p"),
        Column("Rouge: p", "p"),
    )
    rows: list[tuple[Cell, ...]] = []
    for a, b in inputs.progress(compared, description="Comparing first captions", total=len(compared)):
        one, other = first[a], first[b]
        row: list[Cell] = [a, b]
        if one.grade is not None and other.grade is not None:
            row.append(randomized(one.grade, other.grade, inputs.seed, reassignments))
        row.append(randomized(one.bleu, other.bleu, inputs.seed, reassignments))
        row.append(randomized(one.rouge, other.rouge, inputs.seed, reassignments))
        rows.append(tuple(row))
    note = (
        f"Fisher's randomization, {reassignments:,} reassignments. Grades: of images that both have one for."
    )
    title = "Which scores of first captions differ"
    return Table("first_scores_significance", title, columns, tuple(rows), note)


def _grades_table(systems: Mapping[str, Floats], grades: Floats) -> Table:
    columns = (
        Column("system"),
        Column("images", "count"),
        *(Column(f"≥ {grade:.2f}", "share") for grade in GRADES),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, scores in systems.items():
        images, shares = first_grades(scores, grades)
        rows.append((name, images, *shares.tolist()))
    note = "Table 1 of the paper: of the images whose first caption was judged, shares by its mean grade."
    return Table("first_captions", "Grades of the first captions", columns, tuple(rows), note)


def _grades_significance(systems: Mapping[str, Floats], grades: Floats) -> Table:
    columns = (
        Column("system"),
        Column("compared with"),
        Column("images", "count"),
        *(Column(f"≥ {grade:.2f}: p", "p") for grade in GRADES),
    )
    reached = {name: first_at_least(scores, grades) for name, scores in systems.items()}
    rows: list[tuple[Cell, ...]] = []
    for a, b in to_compare(list(systems)):
        known = ~np.isnan(reached[a][:, 0]) & ~np.isnan(reached[b][:, 0])
        hits = [reached[name][known] >= 0.5 for name in (a, b)]
        p = [mcnemar(hits[0][:, at], hits[1][:, at]).p for at in range(len(GRADES))]
        rows.append((a, b, int(known.sum()), *p))
    note = (
        "McNemar's test of the images whose first caption was judged for both. A tie counts from a half on."
    )
    title = "Which grades of first captions differ"
    return Table("first_captions_significance", title, columns, tuple(rows), note)
