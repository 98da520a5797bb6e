"""Measures of the filter of pairs: what it drops of random pairs, and what it loses of pairs that fit.

The source is Hodosh, Young and Hockenmaier (2013, JAIR 47), section 4.3.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.arrays import Bools, Floats, Ints
from evaluation.audit import error_rate
from evaluation.caption_overlap import Captions, bigrams, bleu_of_pairs, encode
from evaluation.caption_words import STOP_WORDS, content_words, porter, read_words
from evaluation.errors import InputError
from evaluation.pair_filter import (
    PAPER_CHECKED,
    PAPER_DROPPED,
    PAPER_LOST,
    PAPER_PLAIN,
    THRESHOLDS,
    below,
    random_pairs,
)
from evaluation.predictions.candidates import Candidates, candidates_of
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import Judgments, read_judgments
from evaluation.predictions.pairs import Pairs, images_and_captions
from evaluation.predictions.retrieval import places_of
from evaluation.report.model import Cell, Column, Item, Lines, Section, Table
from evaluation.retrieval import words
from evaluation.tasks.common import Inputs

GOOD = (8 / 3, 3.0)
"""The grades whose loss the paper names."""
TICKED = 2 / 3
"""The least share of ticks of a pair that fits: two of three workers."""
FOUR, ONE = 4, 1
ITSELF, PLAIN = "as above", "words as they are"
PAPERS = {
    **{(ITSELF, threshold): lost for threshold, (lost, _) in PAPER_LOST.items()},
    **{(PLAIN, threshold): lost for threshold, lost in PAPER_PLAIN.items()},
}
"""What the paper lost of pairs with a grade of 2 2/3 or more, by variant and threshold."""
Split = Callable[[str], Sequence[Hashable]]


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """Which captions are judged, and what they are compared with.

    `candidates` says which captions of an image are judged for all images, and `references` whether such a
    caption is a reference of its own image, too.
    """

    candidates: Candidates = "all"
    references: Literal["all", "others"] = "all"
    stop_words: Path | None = None


class Prepared:
    """The captions of a data set, prepared for the filter."""

    def __init__(self, inputs: Inputs, settings: FilterSettings) -> None:
        self.every = images_and_captions(inputs.dataset)
        if not self.every.captions:
            raise InputError(f"{inputs.dataset.title} has no caption")
        captions = [caption for image in inputs.dataset.images for caption in image.captions]
        self.texts = [" ".join(caption.tokens) for caption in captions]
        self.stop_words = STOP_WORDS if settings.stop_words is None else _stop_words(settings.stop_words)
        self.captions = self.encoded(lambda text: content_words(text, self.stop_words))
        wanted = candidates_of(inputs.dataset, settings.candidates, inputs.seed)
        self.candidates = places_of(self.every.captions, wanted.captions)
        self.references: Bools | None = None
        if settings.references == "others":
            self.references = np.ones(len(captions), dtype=bool)
            self.references[self.candidates] = False

    def encoded(self, split: Split, *, clipped: bool = True) -> Captions:
        return encode([split(text) for text in self.texts], self.every.owner, clipped=clipped)

    def bleu(self, images: Ints, candidates: Ints) -> Floats:
        return bleu_of_pairs(self.captions, images, candidates, self.references)

    def own(self, images: Ints, candidates: Ints) -> Bools:
        """Return which pairs are an image with a caption of its own."""
        return np.asarray(self.every.owner[candidates] == images)


@dataclass(frozen=True, slots=True)
class _Variant:
    """Another way to compare captions, and what its Bleu is of some pairs."""

    name: str
    bleu: Callable[[Ints, Ints], Floats]
    thresholds: tuple[float, ...] = (0.25, 0.26)
    """Those whose loss is shown."""


def _variants(prepared: Prepared) -> Iterator[_Variant]:
    """Yield the filter itself first, then its variants."""
    stop_words, references = prepared.stop_words, prepared.references

    def of(split: Split, *, clipped: bool = True) -> Callable[[Ints, Ints], Floats]:
        captions = prepared.encoded(split, clipped=clipped)
        return lambda images, candidates: bleu_of_pairs(captions, images, candidates, references)

    yield _Variant(ITSELF, prepared.bleu)
    yield _Variant("words, not stems", of(lambda text: content_words(text, stop_words, None)))
    yield _Variant("stems, with stop words", of(lambda text: content_words(text, (), porter)))
    yield _Variant(PLAIN, of(words), tuple(PAPER_PLAIN))
    yield _Variant(
        "a repeated word counts each time", of(lambda text: content_words(text, stop_words), clipped=False)
    )
    every = np.ones(len(prepared.texts), dtype=bool) if references is None else references
    for most, name in ((FOUR, "four captions an image as references"), (ONE, "one caption an image")):
        some = _at_most(prepared.every, every, most)
        yield _Variant(name, partial(bleu_of_pairs, prepared.captions, references=some))


def _at_most(every: Pairs, wanted: Bools, most: int) -> Bools:
    """Return the first `most` of the wanted captions of each image."""
    before: Ints = np.cumsum(wanted) - wanted
    starts = np.flatnonzero(np.diff(every.owner, prepend=-1) > 0)
    return np.asarray(wanted & (before - before[starts][every.owner] < most))


def _stop_words(path: Path) -> frozenset[str]:
    # "don't" is one word in a list, and "dont" in a caption.
    return frozenset("".join(words(word)) for word in read_words(path))


# Random pairs -----------------------------------------------------------------------------------------------


def random_sections(inputs: Inputs, number: int, prepared: Prepared) -> list[Section]:
    """Return what the filter and its variants drop of so many random pairs."""
    rng = np.random.default_rng(inputs.seed)
    images, drawn = random_pairs(rng, len(prepared.every.images), len(prepared.candidates), number)
    captions = prepared.candidates[drawn]
    bleu = prepared.bleu(images, captions)
    columns = (
        Column("Bleu of at least"),
        Column("dropped", "share"),
        Column("95% interval", "interval"),
        Column("dropped in the paper", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for threshold in THRESHOLDS:
        rate = error_rate(below(bleu, threshold), len(bleu))
        paper = PAPER_DROPPED.get(threshold)
        rows.append((f"{threshold:.2f}", rate.share, (rate.low, rate.high), paper))
    shown = np.linspace(0, 1, 21)
    lines = Lines(
        "Share of random pairs that are dropped",
        "Bleu of at least",
        tuple(shown.tolist()),
        {"dropped": [below(bleu, float(one)) / len(bleu) for one in shown]},
    )
    note = f"Of {len(bleu):,} random pairs. The interval is Wilson's, over pairs."
    text = "How much the filter drops where a caption and an image have nothing to do with each other."
    table = Table("random", "What the filter drops of random pairs", columns, tuple(rows), note)
    return [
        Section("Random pairs", text, (table, lines)),
        _variants_section(inputs, prepared, images, captions),
    ]


def _variants_section(inputs: Inputs, prepared: Prepared, images: Ints, captions: Ints) -> Section:
    thresholds = (0.25, 0.26, 0.33, 0.333)
    rows: list[tuple[Cell, ...]] = []
    for variant in inputs.progress(_variants(prepared), description="Comparing variants"):
        bleu = variant.bleu(images, captions)
        shares = [below(bleu, one) / len(bleu) for one in thresholds]
        rows.append((variant.name, *shares, float((bleu > 0).mean())))
    columns = (
        Column("variant"),
        *(Column(f"below {one:.3g}".replace("0.", "."), "share") for one in thresholds),
        Column("Bleu-1 above 0", "share"),
    )
    note = (
        "The paper: 86.0% below .25 and 90.4% below .26; of words as they are, 55% below .330 and 65% below "
        ".333."
    )
    table = Table("variants", "What the share depends on", columns, tuple(rows), note)
    shared: list[tuple[Cell, ...]] = []
    for name, split in (
        (PLAIN, words),
        ("stems, without stop words", lambda text: content_words(text, prepared.stop_words)),
    ):
        row: list[Cell] = [name]
        for parts in (split, lambda text, split=split: bigrams(split(text))):
            bleu = bleu_of_pairs(prepared.encoded(parts), images, captions, prepared.references)
            row.append(float((bleu > 0).mean()))
        shared.append(tuple(row))
    above = (Column("captions as"), Column("Bleu-1 above 0", "share"), Column("Bleu-2 above 0", "share"))
    paper = "The paper: 39.4% of all pairs have a Bleu-1 above 0, and 3.5% a Bleu-2."
    overlap = Table("overlap", "How many pairs share a word, and two neighbours", above, tuple(shared), paper)
    return Section("What the share depends on", "The same pairs, compared in other ways.", (table, overlap))


# What the filter loses --------------------------------------------------------------------------------------


def loss_section(path: Path, prepared: Prepared, findings: Findings) -> Section:
    """Return what the filter drops of the pairs that experts graded, or of which a crowd ticked some."""
    judgments = read_judgments(path, prepared.every, findings)
    if judgments.kind == "grade":
        return _grades_section(judgments, prepared)
    return _ticks_section(judgments, prepared)


def _grades_section(judgments: Judgments, prepared: Prepared) -> Section:
    pair, grades = judgments.means()
    width = len(prepared.every.captions)
    places = pair // width, pair % width
    bleu = prepared.bleu(*places)
    columns = (
        Column("Bleu of at least"),
        Column("judged pairs"),
        Column("dropped", "share"),
        Column("95% interval", "interval"),
        Column("dropped in the paper", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for threshold in THRESHOLDS:
        papers = PAPER_LOST.get(threshold, (None, None))
        for name, grade, paper in (
            ("all", -math.inf, None),
            *((f"grade of {said(one)} or more", one, lost) for one, lost in zip(GOOD, papers, strict=True)),
        ):
            good = grades >= grade - 1e-9
            rate = error_rate(below(bleu[good], threshold), int(good.sum()))
            rows.append((f"{threshold:.2f}", name, rate.share, (rate.low, rate.high), paper))
    numbers = ", ".join(f"{int((grades >= one - 1e-9).sum()):,} of {said(one)} or more" for one in GOOD)
    note = f"Of {len(grades):,} judged pairs: {numbers}. The interval is Wilson's, over pairs."
    table = Table("loss", "Good pairs that the filter drops", columns, tuple(rows), note)
    items: tuple[Item, ...] = (table, _variants_loss(prepared, places, grades))
    return Section("Loss", "Pairs that experts judged, and that would not be asked about.", items)


def _variants_loss(prepared: Prepared, places: tuple[Ints, Ints], grades: Floats) -> Table:
    columns = (
        Column("variant"),
        Column("Bleu of at least"),
        Column("all: dropped", "share"),
        *(Column(f"grade of {said(one)} or more: dropped", "share") for one in GOOD),
        Column(f"in the paper, of {said(GOOD[0])} or more", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for variant in _variants(prepared):
        bleu = variant.bleu(*places)
        for threshold in variant.thresholds:
            row: list[Cell] = [variant.name, f"{threshold:.3f}", below(bleu, threshold) / max(1, len(bleu))]
            for grade in GOOD:
                good = bleu[grades >= grade - 1e-9]
                row.append(below(good, threshold) / len(good) if len(good) else None)
            row.append(PAPERS.get((variant.name, threshold)))
            rows.append(tuple(row))
    note = (
        "Words as they are: the standard Bleu-1, with which the paper dropped 55% and 65% of all pairs. "
        "`--random` has the shares of random pairs."
    )
    return Table("loss_variants", "Good pairs that variants of the filter drop", columns, tuple(rows), note)


def _ticks_section(judgments: Judgments, prepared: Prepared) -> Section:
    """Return whether a crowd ticked pairs that the filter drops, and how many of all that it ticked."""
    pair, ticks = judgments.means()
    width = len(prepared.every.captions)
    places = pair // width, pair % width
    bleu = prepared.bleu(*places)
    others = ~prepared.own(*places)
    fits = ticks >= TICKED - 1e-9
    columns = (
        Column("Bleu of at least"),
        Column("judged pairs below", "count"),
        Column("nobody ticked", "share"),
        Column("95% interval", "interval"),
        Column("in the paper", "share"),
        Column("less than two thirds ticked", "share"),
        Column("95% interval of it", "interval"),
        Column("in the paper, the majority", "share"),
        Column("dropped of those that fit", "share"),
    )
    rows: list[tuple[Cell, ...]] = []
    for threshold in THRESHOLDS:
        dropped = (bleu < threshold - 1e-9) & others
        papers = PAPER_CHECKED if threshold == 0.25 else (None, None)
        row: list[Cell] = [f"{threshold:.2f}", int(dropped.sum())]
        for no, paper in zip((ticks <= 0, ~fits), papers, strict=True):
            rate = error_rate(int((no & dropped).sum()), int(dropped.sum()))
            row += [rate.share, (rate.low, rate.high), paper]
        row.append(int((fits & dropped).sum()) / max(1, int((fits & others).sum())))
        rows.append(tuple(row))
    note = (
        f"Of {int(others.sum()):,} judged pairs of an image with a caption of another, of which "
        f"{int((fits & others).sum()):,} fit. The paper judged 10,374 pairs that its filter had dropped; "
        "on the command line, `--fill` writes such pairs."
    )
    table = Table("check", "What a crowd says of pairs that the filter drops", columns, tuple(rows), note)
    return Section("Check", "Whether pairs that are not asked about do not fit indeed.", (table,))


def said(grade: float) -> str:
    """Return a threshold as the paper writes it: 2.66 for 8/3."""
    return f"{math.floor(grade * 100) / 100:g}"
