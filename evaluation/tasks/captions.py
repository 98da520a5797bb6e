"""The task `captions`: what the captions of a data set are like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Bools, Ints
from evaluation.caption_statistics import (
    MIN_WORDS,
    PAPER,
    length_shares,
    lengths,
    repeated,
    shares,
    shorter,
    verb_shares,
)
from evaluation.errors import InputError
from evaluation.report.model import Bars, Cell, Column, Lines, Report, Section, Table
from evaluation.retrieval import words
from evaluation.tasks.common import Inputs, said_dataset
from evaluation.word_tags import tagger

SPLITS = ("train", "val", "test")
MAX_COUNTED_WORDS = 40
EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Settings:
    """Captions with fewer than `least_words` are short. Verbs are looked for in `tagged` captions, or all."""

    least_words: int = MIN_WORDS
    tagged: int | None = None


@dataclass(frozen=True, slots=True)
class _Captions:
    texts: list[str]
    owner: Ints
    parts: dict[str, Bools]
    """Which captions are of all images, and of each split that has some."""


def evaluate(inputs: Inputs, settings: Settings) -> Report:
    """Return the report. Raise InputError if there is no caption, or if HanTa is missing."""
    found = _captions(inputs)
    drawn = np.arange(len(found.texts))
    if settings.tagged is not None and settings.tagged < len(drawn):
        drawn = np.sort(np.random.default_rng(inputs.seed).choice(drawn, settings.tagged, replace=False))
    verbs: list[list[str]] = []
    if len(drawn):
        tag = tagger()
        work = inputs.progress(drawn.tolist(), description="Tagging words", total=len(drawn))
        verbs = [tag.verbs(found.texts[at]) for at in work]
    sections = [_lengths_section(found), _shares_section(found, settings, inputs)]
    if verbs:
        sections.append(_verbs_section(found, drawn, verbs, inputs))
    sections.append(_examples_section(found))
    facts = (
        *said_dataset(inputs.dataset),
        ("Captions", f"{len(found.texts):,}"),
        ("Verbs looked for in", f"{len(drawn):,} captions"),
    )
    return Report("captions", f"Captions of {inputs.dataset.title}", facts, tuple(sections))


def _captions(inputs: Inputs) -> _Captions:
    texts, owner, splits = [], [], []
    for place, image in enumerate(inputs.dataset.images):
        for caption in image.captions:
            if words(text := " ".join(caption.tokens)):
                texts.append(text)
                owner.append(place)
                splits.append(image.split)
    if not texts:
        raise InputError(f"{inputs.dataset.title} has no caption")
    of_split = np.array(splits)
    parts = {"all": np.ones(len(texts), dtype=bool)}
    parts |= {split: of_split == split for split in SPLITS if (of_split == split).any()}
    return _Captions(texts, np.array(owner, dtype=np.int64), parts)


def _lengths_section(found: _Captions) -> Section:
    columns = (
        Column("captions of"),
        Column("images", "count"),
        Column("captions", "count"),
        Column("words a caption", "number"),
        Column("SD", "number"),
        Column("with marks", "number"),
        Column("different words", "count"),
        Column("of them once", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for name, part in found.parts.items():
        some = np.flatnonzero(part).tolist()
        one = lengths([found.texts[at] for at in some], found.owner[some].tolist())
        row = (one.images, one.captions, one.words, one.spread, one.with_marks, one.different, one.once)
        rows.append((name, *row))
    for name, paper in PAPER.items():
        rows.append((name, None, None, None, None, paper["length"], None, None))
    note = (
        "Words are split at hyphens, and have no marks. The paper does not say how it counts; on 929 of its "
        "1,000 test images, which Flickr30k has, too, its figure is reached with punctuation marks."
    )
    table = Table("lengths", "Length and words", columns, tuple(rows), note)
    title = f"Captions by their words ({MAX_COUNTED_WORDS} stands for more, too)"
    x = tuple(map(float, range(1, MAX_COUNTED_WORDS + 1)))
    chart = Lines(title, "words", x, {"captions": length_shares(found.texts, MAX_COUNTED_WORDS)})
    return Section("Length", "", (table, chart))


def _shares_section(found: _Captions, settings: Settings, inputs: Inputs) -> Section:
    within, across = repeated(found.texts, found.owner.tolist())
    short = f"fewer than {settings.least_words} words"
    which = {
        short: shorter(found.texts, settings.least_words),
        "repeats an earlier one of its image": within,
        "another image has it, too": across,
    }
    return Section(
        "Short and repeated captions",
        "Captions are the same if their words are.",
        (_shares_table("repeated", "Share of captions", which, found.owner, found.parts, inputs),),
    )


def _verbs_section(found: _Captions, drawn: Ints, verbs: list[list[str]], inputs: Inputs) -> Section:
    none, static = verb_shares(verbs)
    which = {"no verb": none, "only static": static}
    parts = {name: part[drawn] for name, part in found.parts.items() if part[drawn].any()}
    note = (
        "Static verbs are sit, stand, wear and look; helping verbs beside them do not count. Tags are "
        "HanTa's, with a search for verbs that it took for nouns [ours]. The paper does not name its tagger."
    )
    table = _shares_table("verbs", "Share of captions", which, found.owner[drawn], parts, inputs, note)
    common = Counter(verb for some in verbs for verb in set(some)).most_common(15)
    bars = Bars(
        "Captions with the commonest verbs",
        tuple(verb for verb, _ in common),
        {"captions": [times / len(verbs) for _, times in common]},
    )
    text = "Captions without a verb name things; those with a verb also say what happens."
    return Section("Verbs", text, (table, bars))


def _shares_table(
    name: str,
    title: str,
    which: dict[str, Bools],
    owner: Ints,
    parts: dict[str, Bools],
    inputs: Inputs,
    note: str = "",
) -> Table:
    columns = (
        Column("captions"),
        Column("of"),
        Column("share", "share"),
        Column("95% interval", "interval"),
    )
    found = {}
    for part, some in parts.items():
        rng = np.random.default_rng(inputs.seed)
        cut = {one: marked[some] for one, marked in which.items()}
        found[part] = shares(cut, owner[some], rng, resamples=inputs.resamples)
    rows: list[tuple[Cell, ...]] = []
    for one in which:
        for part, share in found.items():
            rows.append((one, part, share[one].value, (share[one].low, share[one].high)))
        rows += [(one, source, paper[one], None) for source, paper in PAPER.items() if one in paper]
    note = f"{note} Intervals are bootstraps over images.".strip()
    return Table(name, title, columns, tuple(rows), note)


def _examples_section(found: _Captions) -> Section:
    counts = Counter(" ".join(words(text)) for text in found.texts)
    common = [(text, times) for text, times in counts.most_common(EXAMPLES) if times > 1]
    columns = (Column("words of the caption"), Column("captions", "count"))
    order = sorted(range(len(found.texts)), key=lambda at: (len(words(found.texts[at])), found.texts[at]))
    short = tuple((found.texts[at], len(words(found.texts[at]))) for at in order[:EXAMPLES])
    tables = [
        Table("shortest", "The shortest", (Column("caption"), Column("words", "count")), short, folded=True)
    ]
    if common:
        tables.insert(0, Table("commonest", "The most repeated", columns, tuple(common), folded=True))
    return Section("Examples", "", tuple(tables))
