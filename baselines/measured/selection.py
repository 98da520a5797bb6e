"""The part of the page about content selection."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from baselines.selection import (
    BIGRAMS,
    POSITION,
    RANDOM,
    SIZE,
    UNIGRAMS,
    ContentSelection,
    images_with_boxes,
    toy_sentence,
)
from baselines.work import Work
from evaluation.content_selection import MAX_SELECTED, Instances, Selection, human_bound, score, select
from evaluation.report.model import Cell, Column, Section, Table
from evaluation.tasks.selection import note_on_boxes

SYSTEMS = (
    *((RANDOM,), (POSITION,), (SIZE,), (UNIGRAMS,), (BIGRAMS,)),
    *((SIZE, UNIGRAMS), (SIZE, BIGRAMS), (POSITION, UNIGRAMS), (POSITION, BIGRAMS)),
)
"""The single systems and the combinations of the paper (sections 4 and 5.1)."""
EXAMPLES = 3
MAX_IN_SENTENCES = 3
"""The k of the paper's figure 5."""


def measure(work: Work) -> tuple[Section, ...]:
    """Return the table of all systems, and toy sentences of some images."""
    parts = (work.train, work.validation, work.test)
    train, validation, test = (images_with_boxes(part, work.labelled) for part in parts)
    rows: list[tuple[Cell, ...]] = []
    for systems in SYSTEMS:
        most = max(
            range(1, MAX_SELECTED + 1),
            key=lambda most: _selected(_fitted(systems, most, train, work), validation).mean()[2],
        )
        found = _selected(_fitted(systems, most, train, work), test)
        rows.append((" + ".join(systems), most, *found.mean(), *found.deviation()))
    people = human_bound([image.gold() for image in test])
    rows.append(("people: each description against the others", None, *people.mean(), *people.deviation()))
    columns = (
        Column("system"),
        Column("k", "count"),
        *(Column(name, "share") for name in ("precision", "recall", "F")),
        *(Column(f"SD of {name}", "share") for name in ("precision", "recall", "F")),
    )
    title = work.test.title
    note = "k is the most boxes that are selected: the one with the best F on validation images."
    note = f"{note} {note_on_boxes(test)}".rstrip()
    tables = (
        Table("selection", f"Precision, recall and F on {title}", columns, tuple(rows), note),
        _sentences(work, train, test),
    )
    about = f"Which boxes of {len(test):,} test images of {title} would a description mention?"
    return (Section("Content selection", about, tables),)


def _fitted(systems: tuple[str, ...], most: int, train: Sequence[Instances], work: Work) -> ContentSelection:
    return ContentSelection(systems=systems, most=most, seed=work.seed).fit(train)


def _selected(model: ContentSelection, images: Sequence[Instances]) -> Selection:
    chosen = [{*model.select(image, at)} for at, image in enumerate(images)]
    return select([image.gold() for image in images], chosen)


def _sentences(work: Work, train: Sequence[Instances], test: Sequence[Instances]) -> Table:
    rng = np.random.default_rng(work.seed)
    models = [_fitted(systems, MAX_IN_SENTENCES, train, work) for systems in SYSTEMS if len(systems) == 1]
    rows: list[tuple[Cell, ...]] = []
    for at, image in enumerate(test[:EXAMPLES]):
        for model in models:
            selected = model.select(image, at)
            _, _, f = score(image.gold(), {*selected})
            rows.append((image.name, model.systems[0], f, toy_sentence(image, selected, rng)))
    columns = (Column("image"), Column("system"), Column("F", "share"), Column("sentence"))
    note = "Concepts in the order of their selection, with the numbers of their boxes."
    return Table("selection_sentences", "Toy sentences, of at most three boxes", columns, tuple(rows), note)
