"""The task `pairs`: which pairs of an image and a caption people should judge, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import orjson

from evaluation.arrays import Bools, Floats, Ints
from evaluation.audit import error_rate
from evaluation.caption_words import STOP_WORDS, content_words, porter, read_words
from evaluation.errors import InputError
from evaluation.pair_filter import (
    MIN_BLEU,
    PAPER_DROPPED,
    PAPER_LOST,
    THRESHOLDS,
    Captions,
    below,
    bleu_of_pairs,
    cost,
    encode,
    pooled,
    random_pairs,
)
from evaluation.predictions.findings import Findings
from evaluation.predictions.judgments import read_judgments
from evaluation.predictions.pairs import Pairs, images_and_captions
from evaluation.predictions.retrieval import Scores, pairs, read_scores
from evaluation.report.model import Cell, Column, Lines, Report, Section, Table
from evaluation.retrieval import words
from evaluation.tasks.common import Inputs, findings_section, said_settings
from evaluation.written import check_new, write_new

DEPTH = 10
GOOD = (8 / 3, 3.0)
"""The grades whose loss the paper names."""
FOUR, ONE = 4, 1
_ROWS = 1_000_000
"""Pairs of which Bleu is computed at a time."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Which pairs are looked at, which of them remain, and what a judgment takes.

    `candidates` says which captions of an image are judged for all images: the first, one that is drawn at
    random, or all. `references` says whether such a caption is a reference of its own image, too. `depth` is
    that of the ranked lists, and `random` the number of pairs drawn to measure the filter. `seconds` and
    `pay` are of one judgment, and `together` is how many captions a page shows of one image. `most` is the
    most pairs that are written.
    """

    least_bleu: float = MIN_BLEU
    candidates: Literal["first", "drawn", "all"] = "all"
    references: Literal["all", "others"] = "all"
    stop_words: Path | None = None
    depth: int = DEPTH
    random: int = 0
    relevance: Path | None = None
    judges: int = 3
    seconds: float = 12.0
    pay: float = 0.003
    together: int = 10
    write: Path | None = None
    most: int | None = None


@dataclass(slots=True)
class _Found:
    """What the filter left of the pairs that were looked at. `kept` has (images, captions, bleu)."""

    looked_at: int = 0
    dropped: dict[float, int] = field(default_factory=lambda: dict.fromkeys(THRESHOLDS, 0))
    under: int = 0
    own: int = 0
    kept: list[tuple[Ints, Ints, Floats]] = field(default_factory=list)


class _Filter:
    """The captions of a data set, prepared for the filter."""

    def __init__(self, inputs: Inputs, settings: Settings) -> None:
        self.every = images_and_captions(inputs.dataset)
        if not self.every.captions:
            raise InputError(f"{inputs.dataset.title} has no caption")
        captions = [caption for image in inputs.dataset.images for caption in image.captions]
        self.texts = [" ".join(caption.tokens) for caption in captions]
        self.stop_words = STOP_WORDS if settings.stop_words is None else _stop_words(settings.stop_words)
        self.captions = self.encoded(lambda text: content_words(text, self.stop_words))
        self.candidates = _one_of_each(self.every.owner, settings.candidates, inputs.seed)
        self.references: Bools | None = None
        if settings.references == "others":
            self.references = np.ones(len(captions), dtype=bool)
            self.references[self.candidates] = False

    def encoded(self, split: Callable[[str], list[str]], *, clipped: bool = True) -> Captions:
        return encode([split(text) for text in self.texts], self.every.owner, clipped=clipped)

    def bleu(self, images: Ints, candidates: Ints) -> Floats:
        return bleu_of_pairs(self.captions, images, candidates, self.references)


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report, and write the pairs that remain where the settings say so. Raise InputError.

    With predictions, the pairs are those that they rank first; with `random`, drawn ones, which are never
    written; otherwise all.
    """
    if settings.references == "others" and settings.candidates == "all":
        raise InputError(
            "--references others needs --candidates drawn or first: no caption is another of all"
        )
    if settings.random and (settings.write or inputs.predictions):
        raise InputError("--random measures the filter; leave it out to get pairs to judge")
    if settings.write:
        check_new(settings.write)
    prepared = _Filter(inputs, settings)
    findings: dict[str, Findings] = {}
    sections: list[Section] = []
    if settings.random:
        sections += _random_sections(inputs, settings, prepared)
    else:
        parts: Iterator[tuple[Ints, Ints]]
        if inputs.predictions:
            table, found = _pool(inputs, settings, prepared, findings)
            sections.append(table)
            parts = iter([found])
        else:
            parts = _all_pairs(inputs, settings, prepared)
        left = _filtered(parts, prepared, settings)
        sections += [_filter_section(left, settings), _cost_section(left, settings)]
        if settings.write:
            _check_number(left, settings)
            write_new(settings.write, _lines(left, prepared))
    if settings.relevance:
        findings[settings.relevance.name] = Findings()
        sections.append(_loss_section(settings.relevance, prepared, findings[settings.relevance.name]))
    facts = (
        *said_settings(inputs),
        ("Captions", f"{len(prepared.every.captions):,} of {len(prepared.every.images):,} images"),
        ("Filter", f"Bleu-1 of at least {settings.least_bleu:g}, of Porter stems"),
        ("Stop words", settings.stop_words.name if settings.stop_words else "built in [ours]"),
        ("References", _REFERENCES[settings.references]),
    )
    title = f"Pairs to judge of {inputs.dataset.title}"
    return Report("pairs", title, facts, (*sections, *findings_section(findings)))


_REFERENCES = {
    "all": "all captions of the image",
    "others": "all captions of the image except the one that is judged",
}


def _one_of_each(owner: Ints, which: str, seed: int) -> Ints | None:
    """Return the first caption of each image, or one that is drawn; None stands for all captions."""
    starts = np.flatnonzero(np.diff(owner, prepend=-1) > 0)
    if which == "first":
        return starts
    if which == "drawn":
        sizes = np.diff([*starts.tolist(), len(owner)])
        return np.asarray(starts + np.random.default_rng(seed).integers(sizes), dtype=np.int64)
    return None


def _stop_words(path: Path) -> frozenset[str]:
    # "don't" is one word in a list, and "dont" in a caption.
    return frozenset("".join(words(word)) for word in read_words(path))


def _all_pairs(inputs: Inputs, settings: Settings, prepared: _Filter) -> Iterator[tuple[Ints, Ints]]:
    pairs(inputs.dataset, one_each=settings.candidates != "all")  # refuses more than can be looked at
    number = len(prepared.every.images)
    candidates = np.arange(len(prepared.texts)) if prepared.candidates is None else prepared.candidates
    at_once = max(1, _ROWS // len(candidates))
    starts = range(0, number, at_once)
    for start in inputs.progress(starts, description="Comparing captions", total=len(starts)):
        images = np.arange(start, min(start + at_once, number))
        yield np.repeat(images, len(candidates)), np.tile(candidates, len(images))


def _pool(
    inputs: Inputs, settings: Settings, prepared: _Filter, findings: dict[str, Findings]
) -> tuple[Section, tuple[Ints, Ints]]:
    width = len(prepared.every.captions)
    together: set[int] = set()
    rows: list[tuple[Cell, ...]] = []
    for name, path in inputs.progress(
        inputs.predictions.items(), description="Reading files", total=len(inputs.predictions)
    ):
        findings[name] = Findings()
        found, scores = read_scores(path, inputs.dataset, findings[name])
        places = {caption: at for at, caption in enumerate(prepared.every.captions)}
        columns = np.array([places[caption] for caption in found.captions], dtype=np.int64)
        own = _pooled(scores, columns, width, settings.depth)
        rows.append((name, len(own), len(own - together)))
        together |= own
    rows.append(("together", len(together), None))
    columns_of = (Column("system"), Column("pairs", "count"), Column("new ones", "count"))
    title = f"Pairs among the first {settings.depth} of a query"
    note = "A tie that reaches beyond that depth is left out. The paper's 30 systems have 113,006 pairs."
    text = "What systems rank first, in both directions: nobody asks whether other pairs fit."
    table = Table("pool", title, columns_of, tuple(rows), note)
    keys = np.array(sorted(together), dtype=np.int64)
    return Section("Pool", text, (table,)), (keys // width, keys % width)


def _pooled(scores: Scores, columns: Ints, width: int, depth: int) -> set[int]:
    keys: set[int] = set()
    if scores.annotation is not None:
        images, captions = np.nonzero(pooled(scores.annotation, depth))
        keys.update((images * width + columns[captions]).tolist())
    if scores.search is not None:
        captions, images = np.nonzero(pooled(scores.search, depth))
        keys.update((images * width + columns[captions]).tolist())
    return keys


def _filtered(parts: Iterator[tuple[Ints, Ints]], prepared: _Filter, settings: Settings) -> _Found:
    left = _Found()
    for images, captions in parts:
        bleu = prepared.bleu(images, captions)
        left.looked_at += len(bleu)
        for threshold in THRESHOLDS:
            left.dropped[threshold] += below(bleu, threshold)
        left.under += below(bleu, settings.least_bleu)
        kept = bleu >= settings.least_bleu - 1e-9
        left.own += int((prepared.every.owner[captions[kept]] == images[kept]).sum())
        left.kept.append((images[kept], captions[kept], bleu[kept]))
    return left


def _check_number(left: _Found, settings: Settings) -> None:
    remain = left.looked_at - left.under
    if settings.most is not None and remain > settings.most:
        raise InputError(
            f"{remain:,} of {left.looked_at:,} pairs remain, and {settings.most:,} can be judged: ask for a "
            f"higher Bleu than {settings.least_bleu:g}, fewer captions an image, or a part of the images"
        )
    if settings.most is not None and not remain:
        raise InputError(
            f"none of {left.looked_at:,} pairs remains: ask for a lower Bleu than {settings.least_bleu:g}"
        )


def _filter_section(left: _Found, settings: Settings) -> Section:
    chosen = Table(
        "chosen",
        f"What remains with a Bleu of at least {settings.least_bleu:g}",
        (Column("pairs looked at", "count"), Column("remain", "count"), Column("dropped", "share")),
        ((left.looked_at, left.looked_at - left.under, left.under / max(left.looked_at, 1)),),
    )
    columns = (
        Column("Bleu of at least"),
        Column("pairs that remain", "count"),
        Column("dropped", "share"),
        Column("dropped in the paper", "share"),
        *(Column(f"lost there, grade ≥ {_said(one)}", "share") for one in GOOD),
    )
    rows = tuple(
        (
            f"{threshold:.2f}",
            left.looked_at - dropped,
            dropped / max(left.looked_at, 1),
            PAPER_DROPPED.get(threshold),
            *PAPER_LOST.get(threshold, (None, None)),
        )
        for threshold, dropped in left.dropped.items()
    )
    note = (
        f"Of {left.looked_at:,} pairs. The paper's are all pairs of 1,000 images and captions. What it lost "
        "are pairs that experts gave such a mean grade: with grades of your own, the report has your loss. A "
        "caption of four words in common use has a Bleu of .25, so that the share rises by steps."
    )
    table = Table("filter", "What the filter drops", columns, rows, note)
    text = "Captions that share too few words with those of an image are not asked about."
    return Section("Filter", text, (chosen, table))


def _cost_section(left: _Found, settings: Settings) -> Section:
    images = np.concatenate([images for images, _, _ in left.kept]) if left.kept else np.zeros(0, dtype=int)
    counts = np.unique(images, return_counts=True)[1].astype(np.int64)
    rows: list[tuple[Cell, ...]] = []
    for together, words_of in (
        (1, "one by one"),
        (settings.together, f"{settings.together} captions an image, filled up"),
    ):
        found = cost(
            counts, judges=settings.judges, seconds=settings.seconds, pay=settings.pay, together=together
        )
        rows.append((words_of, found.judgments, found.seconds / 3600, found.pay))
    columns = (
        Column("shown"),
        Column("judgments", "count"),
        Column("hours", "number"),
        Column("pay", "number"),
    )
    note = (
        f"{settings.judges} judges a pair, {settings.seconds:g} seconds and {settings.pay:g} of pay each. "
        "By default, these are an expert's time and a worker's pay in dollars in the paper."
    )
    title = f"What judging {int(counts.sum()):,} pairs costs"
    text = f"{left.own:,} of them are an image with a caption of its own."
    return Section("Cost", text, (Table("cost", title, columns, tuple(rows), note),))


def _random_sections(inputs: Inputs, settings: Settings, prepared: _Filter) -> list[Section]:
    rng = np.random.default_rng(inputs.seed)
    pool = len(prepared.texts) if prepared.candidates is None else len(prepared.candidates)
    images, drawn = random_pairs(rng, len(prepared.every.images), pool, settings.random)
    captions = drawn if prepared.candidates is None else prepared.candidates[drawn]
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
    counts = [below(bleu, float(one)) / len(bleu) for one in shown]
    note = f"Of {len(bleu):,} random pairs. The interval is Wilson's, over pairs."
    text = "How much the filter drops where a caption and an image have nothing to do with each other."
    return [
        Section(
            "Random pairs",
            text,
            (
                Table("random", "What the filter drops of random pairs", columns, tuple(rows), note),
                Lines(
                    "Share of random pairs that are dropped",
                    "Bleu of at least",
                    tuple(shown.tolist()),
                    {"dropped": counts},
                ),
            ),
        ),
        _variants_section(inputs, settings, prepared, (images, captions), bleu),
    ]


def _variants_section(
    inputs: Inputs, settings: Settings, prepared: _Filter, drawn: tuple[Ints, Ints], bleu: Floats
) -> Section:
    stop_words = prepared.stop_words
    variants: list[tuple[str, Callable[[], Floats]]] = [
        ("as above", lambda: bleu),
        (
            "words, not stems",
            lambda: bleu_of_pairs(
                prepared.encoded(lambda text: content_words(text, stop_words, None)),
                *drawn,
                prepared.references,
            ),
        ),
        (
            "stems, with stop words",
            lambda: bleu_of_pairs(
                prepared.encoded(lambda text: content_words(text, (), porter)), *drawn, prepared.references
            ),
        ),
        (
            "words as they are",
            lambda: bleu_of_pairs(prepared.encoded(words), *drawn, prepared.references),
        ),
        (
            "a repeated word counts each time",
            lambda: bleu_of_pairs(
                prepared.encoded(lambda text: content_words(text, stop_words), clipped=False),
                *drawn,
                prepared.references,
            ),
        ),
    ]
    every = np.ones(len(prepared.texts), dtype=bool) if prepared.references is None else prepared.references
    for most, name in ((FOUR, "four captions an image as references"), (ONE, "one caption an image")):
        some = _at_most(prepared.every, every, most)
        variants.append((name, lambda some=some: bleu_of_pairs(prepared.captions, *drawn, some)))  # type: ignore[misc]
    rows: list[tuple[Cell, ...]] = []
    for name, variant in inputs.progress(variants, description="Comparing variants", total=len(variants)):
        found = variant()
        shares = [below(found, one) / len(found) for one in (0.25, 0.26, 0.33)]
        rows.append((name, *shares, float((found <= 0).mean())))
    columns = (
        Column("variant"),
        Column("below .25", "share"),
        Column("below .26", "share"),
        Column("below .33", "share"),
        Column("no word shared", "share"),
    )
    note = "The paper: 86.0% below .25 and 90.4% below .26, and of words as they are 55% below .33."
    table = Table("variants", "What the share depends on", columns, tuple(rows), note)
    return Section("What the share depends on", "The same pairs, compared in other ways.", (table,))


def _at_most(every: Pairs, wanted: Bools, most: int) -> Bools:
    """Return the first `most` of the wanted captions of each image."""
    before: Ints = np.cumsum(wanted) - wanted
    starts = np.flatnonzero(np.diff(every.owner, prepend=-1) > 0)
    return np.asarray(wanted & (before - before[starts][every.owner] < most))


def _loss_section(path: Path, prepared: _Filter, findings: Findings) -> Section:
    judgments = read_judgments(path, prepared.every, findings)
    if judgments.kind != "grade":
        raise InputError(f"{path}: has ticks; the loss is computed from grades of experts")
    pair, grades = judgments.means()
    width = len(prepared.every.captions)
    bleu = prepared.bleu(pair // width, pair % width)
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
            *((f"grade of {_said(one)} or more", one, lost) for one, lost in zip(GOOD, papers, strict=True)),
        ):
            good = grades >= grade - 1e-9
            rate = error_rate(below(bleu[good], threshold), int(good.sum()))
            rows.append((f"{threshold:.2f}", name, rate.share, (rate.low, rate.high), paper))
    numbers = ", ".join(f"{int((grades >= one - 1e-9).sum()):,} of {_said(one)} or more" for one in GOOD)
    note = f"Of {len(grades):,} judged pairs: {numbers}. The interval is Wilson's, over pairs."
    table = Table("loss", "Good pairs that the filter drops", columns, tuple(rows), note)
    return Section("Loss", "Pairs that experts judged, and that would not be asked about.", (table,))


def _said(grade: float) -> str:
    return f"{math.floor(grade * 100) / 100:g}"


def _lines(left: _Found, prepared: _Filter) -> Iterator[bytes]:
    every: Sequence[tuple[str, int]] = prepared.every.captions
    for images, captions, bleu in left.kept:
        for image, caption, value in zip(images.tolist(), captions.tolist(), bleu.tolist(), strict=True):
            line = {
                "image": prepared.every.images[image],
                "caption": every[caption],
                "text": prepared.texts[caption],
                "bleu": round(value, 4),
            }
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
