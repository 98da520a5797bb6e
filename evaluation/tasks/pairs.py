"""The task `pairs`: which pairs of an image and a caption people should judge, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
import orjson

from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError
from evaluation.pair_filter import (
    MIN_BLEU,
    PAPER_DROPPED,
    PAPER_LOST,
    THRESHOLDS,
    below,
    cost,
    fill_up,
    pooled,
)
from evaluation.predictions.candidates import Candidates
from evaluation.predictions.findings import Findings
from evaluation.predictions.retrieval import Scores, pairs, places_of, read_scores
from evaluation.report.model import Cell, Column, Report, Section, Table
from evaluation.tasks.common import Inputs, findings_section, said_settings
from evaluation.tasks.filter_tables import (
    GOOD,
    FilterSettings,
    Prepared,
    loss_section,
    random_sections,
    said,
)
from evaluation.written import check_new, write_new

DEPTH = 10
_ROWS = 1_000_000
"""Pairs of which Bleu is computed at a time."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Which pairs are looked at, which of them remain, and what a judgment takes.

    `depth` is that of the ranked lists, of which `direction` names those that count, and `random` the number
    of pairs drawn to measure the filter. `seconds` and `pay` are of one judgment, and `together` is how many
    captions a page shows of one image: with `fill`, pairs that the filter drops fill pages up. `most` is the
    most pairs that are written. A `least_bleu` of 0 drops no pair. Without `originals`, pairs of an image
    with its own caption are only those that systems rank.
    """

    least_bleu: float = MIN_BLEU
    candidates: Candidates = "all"
    references: Literal["all", "others"] = "all"
    stop_words: Path | None = None
    depth: int = DEPTH
    direction: Literal["both", "annotation", "search"] = "both"
    originals: bool = True
    fill: bool = False
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
    filled: int = 0
    kept: list[tuple[Ints, Ints, Floats]] = field(default_factory=list)


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
    if not settings.originals and not inputs.predictions:
        raise InputError("--no-originals leaves out what no system ranks: give rankings to --predictions")
    if settings.write:
        check_new(settings.write)
    asked = FilterSettings(settings.candidates, settings.references, settings.stop_words)
    prepared = Prepared(inputs, asked)
    findings: dict[str, Findings] = {}
    sections: list[Section] = []
    if settings.random:
        sections += random_sections(inputs, settings.random, prepared)
    else:
        parts: Iterator[tuple[Ints, Ints]]
        if inputs.predictions:
            table, found = _pool(inputs, settings, prepared, findings)
            sections.append(table)
            parts = iter([found])
        else:
            parts = _all_pairs(inputs, settings, prepared)
        left = _filtered(parts, prepared, settings, inputs.seed)
        sections += [_filter_section(left, settings), _cost_section(left, settings)]
        if settings.write:
            _check_number(left, settings)
            write_new(settings.write, _lines(left, prepared))
    if settings.relevance:
        findings[settings.relevance.name] = Findings()
        sections.append(loss_section(settings.relevance, prepared, findings[settings.relevance.name]))
    facts = (
        *said_settings(inputs),
        ("Captions", f"{len(prepared.every.captions):,} of {len(prepared.every.images):,} images"),
        ("Filter", _said_filter(settings)),
        ("Stop words", settings.stop_words.name if settings.stop_words else "built in [ours]"),
        ("References", _REFERENCES[settings.references]),
    )
    title = f"Pairs to judge of {inputs.dataset.title}"
    return Report("pairs", title, facts, (*sections, *findings_section(findings)))


def _said_filter(settings: Settings) -> str:
    if not settings.least_bleu:
        return "none: every pair remains"
    return f"Bleu-1 of at least {settings.least_bleu:g}, of Porter stems"


_REFERENCES = {
    "all": "all captions of the image",
    "others": "all captions of the image except the one that is judged",
}


def _all_pairs(inputs: Inputs, settings: Settings, prepared: Prepared) -> Iterator[tuple[Ints, Ints]]:
    pairs(inputs.dataset, settings.candidates, inputs.seed)  # refuses more than can be looked at
    number, candidates = len(prepared.every.images), prepared.candidates
    at_once = max(1, _ROWS // len(candidates))
    starts = range(0, number, at_once)
    for start in inputs.progress(starts, description="Comparing captions", total=len(starts)):
        images = np.arange(start, min(start + at_once, number))
        yield np.repeat(images, len(candidates)), np.tile(candidates, len(images))


def _pool(
    inputs: Inputs, settings: Settings, prepared: Prepared, findings: dict[str, Findings]
) -> tuple[Section, tuple[Ints, Ints]]:
    width = len(prepared.every.captions)
    together: set[int] = set()
    rows: list[tuple[Cell, ...]] = []
    for name, path in inputs.progress(
        inputs.predictions.items(), description="Reading files", total=len(inputs.predictions)
    ):
        findings[name] = Findings()
        found, scores = read_scores(path, inputs.dataset, findings[name], settings.candidates, inputs.seed)
        columns = places_of(prepared.every.captions, found.captions)
        ranked = _pooled(scores, columns, width, settings)
        rows.append((name, len(ranked), len(ranked - together)))
        together |= ranked
    text = f"What systems rank first, {_DIRECTIONS[settings.direction]}"
    if settings.originals:
        owners = prepared.every.owner[prepared.candidates]
        originals = set((owners * width + prepared.candidates).tolist())
        rows.append(("originals", len(originals), len(originals - together)))
        together |= originals
        text += ", and images with their own captions, which are relevant whatever systems rank"
    rows.append(("together", len(together), None))
    columns_of = (Column("system"), Column("pairs", "count"), Column("new ones", "count"))
    title = f"Pairs among the first {settings.depth} of a query"
    note = "A tie that reaches beyond that depth is left out. The paper's 30 systems have 113,006 pairs."
    text += ": nobody asks whether other pairs fit."
    table = Table("pool", title, columns_of, tuple(rows), note)
    keys = np.array(sorted(together), dtype=np.int64)
    return Section("Pool", text, (table,)), (keys // width, keys % width)


_DIRECTIONS = {"both": "in both directions", "annotation": "for images", "search": "for captions"}


def _pooled(scores: Scores, columns: Ints, width: int, settings: Settings) -> set[int]:
    keys: set[int] = set()
    if scores.annotation is not None and settings.direction != "search":
        images, captions = np.nonzero(pooled(scores.annotation, settings.depth))
        keys.update((images * width + columns[captions]).tolist())
    if scores.search is not None and settings.direction != "annotation":
        captions, images = np.nonzero(pooled(scores.search, settings.depth))
        keys.update((images * width + columns[captions]).tolist())
    return keys


def _filtered(
    parts: Iterator[tuple[Ints, Ints]], prepared: Prepared, settings: Settings, seed: int
) -> _Found:
    """Return what remains: pairs with enough Bleu, originals among them, and those that fill pages up."""
    left = _Found()
    rng = np.random.default_rng(seed)
    for images, captions in parts:
        bleu = prepared.bleu(images, captions)
        own = prepared.own(images, captions)
        left.looked_at += len(bleu)
        for threshold in THRESHOLDS:
            left.dropped[threshold] += below(bleu[~own], threshold)
        kept = own | (bleu >= settings.least_bleu - 1e-9)
        left.under += int((~kept).sum())
        left.own += int(own.sum())
        if settings.fill:
            filled = fill_up(images, kept, settings.together, rng)
            left.filled += int(filled.sum())
            kept |= filled
        left.kept.append((images[kept], captions[kept], bleu[kept]))
    return left


def _check_number(left: _Found, settings: Settings) -> None:
    remain = left.looked_at - left.under + left.filled
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
        *(Column(f"lost there, grade ≥ {said(one)}", "share") for one in GOOD),
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
        "are pairs that experts gave such a mean grade: with grades of your own, the report has your loss. "
        "An image with its own caption is never dropped. A "
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
        Column("judged pairs", "count"),
        Column("hours", "number"),
        Column("pay", "number"),
    )
    note = (
        "A batch counts a photograph with all captions of a question as one judgment, so it has fewer, and "
        "its forecast assumes times of its own. "
        f"{settings.judges} judges a pair, {settings.seconds:g} seconds and {settings.pay:g} of pay each. "
        "By default, these are an expert's time and a worker's pay in dollars in the paper. "
        + (
            f"Pairs that the filter drops fill pages up: {left.filled:,}."
            if settings.fill
            else "Here, pages are not filled up: they have fewer pairs, and cost the same, because a batch "
            "pays for pages. On the command line, `--fill` fills them up."
        )
    )
    title = f"What judging {int(counts.sum()):,} pairs costs"
    text = f"{left.own:,} of them are an image with a caption of its own."
    return Section("Cost", text, (Table("cost", title, columns, tuple(rows), note),))


def _lines(left: _Found, prepared: Prepared) -> Iterator[bytes]:
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
