"""The task `clean`: a copy of the captions with other words, and a diff of what was changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from evaluation.caption_cleaning import (
    COMMON,
    RARE,
    Change,
    as_lemmas,
    clean,
    compound_forms,
    count_words,
    spellings,
)
from evaluation.caption_words import read_words
from evaluation.errors import InputError
from evaluation.report.model import Cell, Column, Report, Section, Table
from evaluation.tasks.common import Inputs, said_dataset
from evaluation.word_tags import tagger
from evaluation.written import check_new, write_new

FREQUENT = 50
"""Changes that the report names."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is cleaned. `spelling` is a list of words, or "corpus" for the frequencies of the captions.

    `copy` gets the captions as a token file, and `diff` a line for each that was changed.
    """

    compounds: bool = False
    spelling: Path | Literal["corpus"] | None = None
    lemmas: bool = False
    copy: Path | None = None
    diff: Path | None = None


@dataclass(frozen=True, slots=True)
class _Cleaned:
    image: str
    index: int
    before: str
    after: str
    changes: list[Change]


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report, and write the copy and the diff. The data set itself stays as it is.

    Raise InputError if nothing is to be cleaned, or if a file exists already or cannot be written.
    """
    if not (settings.compounds or settings.spelling or settings.lemmas):
        raise InputError("nothing is to be cleaned: give --compounds, --spelling or --lemmas")
    for path in (settings.copy, settings.diff):
        if path:
            check_new(path)
    if settings.copy and settings.copy == settings.diff:
        raise InputError(f"{settings.copy} cannot be both the copy and the diff")
    cleaned = list(_cleaned(inputs, settings))
    if settings.copy:
        write_new(settings.copy, (f"{one.image}#{one.index}\t{one.after}\n".encode() for one in cleaned))
    if settings.diff:
        write_new(settings.diff, _diff(cleaned))
    facts = (
        *said_dataset(inputs.dataset),
        ("Cleaned", ", ".join(_said(settings))),
    )
    title = f"Cleaned captions of {inputs.dataset.title}"
    return Report("clean", title, facts, (_section(cleaned),))


def _cleaned(inputs: Inputs, settings: Settings) -> Iterator[_Cleaned]:
    captions = [
        (image.name, caption.index, " ".join(caption.tokens))
        for image in inputs.dataset.images
        for caption in image.captions
    ]
    counts = count_words(text for _, _, text in captions)
    compounds = compound_forms(counts) if settings.compounds else {}
    corrections: dict[str, str] = {}
    if settings.spelling:
        known: Collection[str] | None = None
        if isinstance(settings.spelling, Path):
            known = read_words(settings.spelling).keys()
        corrections = spellings(counts, known)
    tag = tagger() if settings.lemmas else None
    for name, index, text in inputs.progress(captions, description="Cleaning", total=len(captions)):
        after, changes = clean(text, compounds, corrections)
        if tag:
            after, more = as_lemmas(tag.tag(after))
            changes += more
        yield _Cleaned(name, index, text, after, changes)


def _said(settings: Settings) -> Iterator[str]:
    if settings.compounds:
        yield "compounds in their most frequent form"
    if settings.spelling == "corpus":
        yield f"words seen {RARE} times or less, one letter from a word seen {COMMON} times or more"
    elif settings.spelling:
        yield f"words that are not in {settings.spelling}, one letter from a word that is"
    if settings.lemmas:
        yield "lemmas"


def _diff(cleaned: list[_Cleaned]) -> Iterator[bytes]:
    for one in cleaned:
        if one.before != one.after:
            changes = [{"kind": it.kind, "before": it.before, "after": it.after} for it in one.changes]
            line = {
                "image": one.image,
                "caption": one.index,
                "before": one.before,
                "after": one.after,
                "changes": changes,
            }
            yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _section(cleaned: list[_Cleaned]) -> Section:
    counts = Counter(change for one in cleaned for change in one.changes)
    captions = Counter(kind for one in cleaned for kind in {change.kind for change in one.changes})
    rows: list[tuple[Cell, ...]] = []
    for kind in ("compound", "spelling", "lemma"):
        some = [change for change in counts if change.kind == kind]
        if some:
            total = sum(counts[change] for change in some)
            rows.append((kind, len(some), total, captions[kind], captions[kind] / len(cleaned)))
    columns = (
        Column("kind"),
        Column("different changes", "count"),
        Column("changes", "count"),
        Column("captions", "count"),
        Column("share of captions", "share"),
    )
    frequent = tuple(
        (change.kind, change.before, change.after, times) for change, times in counts.most_common(FREQUENT)
    )
    names = (Column("kind"), Column("before"), Column("after"), Column("times", "count"))
    tables = [Table("changes", "What was changed", columns, tuple(rows))]
    if frequent:
        tables.append(Table("frequent", "The most frequent changes", names, frequent, folded=True))
    text = "Rules do not know what a writer meant: look through the diff before you use the copy."
    return Section("Changes", text, tuple(tables))
