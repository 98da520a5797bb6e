"""The task `selection`: which boxes of an image descriptions mention."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import combinations

import numpy as np

from evaluation.content_selection import (
    MAX_SELECTED,
    Instances,
    Selection,
    by_bigrams,
    by_chance,
    by_position,
    by_size,
    by_unigrams,
    combine,
    count_concepts,
    human_bound,
    instances,
    select,
)
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.selection import read_selection
from evaluation.report.model import Cell, Column, Item, Lines, Report, Section, Table
from evaluation.significance import randomization
from evaluation.tasks.common import Inputs, findings_section, said_settings

Orders = Sequence[Sequence[int]]
"""What a system selects in each image, the best first."""
COMBINED = "size, position and unigrams combined"
PEOPLE = "people"
BUILT_IN = ("random", "size", "position", "unigrams", "bigrams", COMBINED, PEOPLE)
"""What the report calls what it compares files with."""


def evaluate(inputs: Inputs, *, reassignments: int = 10_000) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or if no image has a box."""
    inputs = inputs.beside(BUILT_IN)
    named = [
        image.name
        for image in inputs.dataset.images
        if any(len(chain.boxes) for chain in image.chains.values())
    ]
    images = instances(inputs.dataset)
    if not images:
        raise InputError(f"{inputs.dataset.title} has no image with boxes")
    by_name = dict(zip(named, images, strict=True))
    findings: dict[str, Findings] = {}
    orders: dict[str, list[Sequence[int] | None]] = {}
    for name, path in inputs.predictions.items():
        findings[name] = Findings()
        chosen = read_selection(path, by_name, findings[name])
        orders[name] = [chosen.get(image) for image in named]
    for name, found in _built_in(images, np.random.default_rng(inputs.seed)).items():
        orders[name] = list(found)
    gold = [image.gold() for image in images]
    whole = {name: _scores(gold, order, None) for name, order in orders.items()}
    steps = range(1, MAX_SELECTED + 1)
    curves = {
        name: [_scores(gold, order, most).mean()[2] for most in steps]
        for name, order in inputs.progress(orders.items(), description="Systems", total=len(orders))
    }
    people = human_bound(gold)
    curves[PEOPLE] = [people.mean()[2]] * len(steps)
    rows = [
        _row(name, whole[name]) if name in inputs.predictions else _at_best(name, gold, order, curves[name])
        for name, order in orders.items()
    ]
    rows.append(_row("people: each description against the others", people))
    columns = (
        Column("system"),
        Column("images", "count"),
        Column("precision", "share"),
        Column("recall", "share"),
        Column("F", "share"),
        Column("SD of precision", "share"),
        Column("SD of recall", "share"),
        Column("SD of F", "share"),
    )
    note = (
        "A file counts with all that it selects. A built-in system counts with the number of boxes that "
        "gives it the best F, and it learnt concepts from the other half of the images. The paper's people: "
        "77, 77 and 74%."
    )
    items: list[Item] = [
        Table("selection", "Precision, recall and F", columns, tuple(rows), note),
        Lines("F by the most boxes that are selected", "most boxes", tuple(map(float, steps)), curves),
    ]
    if len(inputs.predictions) > 1:
        items.append(_significance(inputs, whole, reassignments))
    text = (
        "Which of an image's boxes would a description mention? A selection is compared with the boxes that "
        "each caption mentions, so that what most captions mention counts most. Means and standard "
        "deviations are over images."
    )
    facts = (*said_settings(inputs), ("Boxes", f"{sum(len(image.boxes) for image in images):,}"))
    title = f"Content selection on {inputs.dataset.title}"
    sections = (Section("Content selection", text, tuple(items)), *findings_section(findings))
    return Report("selection", title, facts, sections)


def _built_in(images: Sequence[Instances], rng: np.random.Generator) -> dict[str, Orders]:
    """Return the built-in systems. Each half of the images has the concepts of the other half [ours]."""
    halves = [count_concepts(images[half::2]) for half in (0, 1)]
    others = [halves[1 - at % 2] for at in range(len(images))]
    size, position = [by_size(image) for image in images], [by_position(image) for image in images]
    unigrams = [by_unigrams(image, counts) for image, counts in zip(images, others, strict=True)]
    together = [
        combine(three, len(image.boxes))
        for image, *three in zip(images, size, position, unigrams, strict=True)
    ]
    chance = [by_chance(image, rng) for image in images]
    bigrams = [by_bigrams(image, counts) for image, counts in zip(images, others, strict=True)]
    orders = (chance, size, position, unigrams, bigrams, together)
    return dict(zip(BUILT_IN, orders, strict=False))  # people select for themselves


def _scores(
    gold: Sequence[Sequence[Set[int]]],
    order: Sequence[Sequence[int] | None],
    most: int | None,
) -> Selection:
    known = [(one, chosen) for one, chosen in zip(gold, order, strict=True) if chosen is not None]
    return select([one for one, _ in known], [set(chosen[:most]) for _, chosen in known])


def _row(name: str, found: Selection) -> tuple[Cell, ...]:
    count = int((~np.isnan(found.f)).sum())
    return (name, count, *found.mean(), *found.deviation())


def _at_best(
    name: str,
    gold: Sequence[Sequence[Set[int]]],
    order: Sequence[Sequence[int] | None],
    curve: Sequence[float],
) -> tuple[Cell, ...]:
    best = int(np.nanargmax(curve)) + 1 if not np.isnan(curve).all() else 1
    return _row(f"{name}, at most {best}", _scores(gold, order, best))


def _significance(inputs: Inputs, whole: dict[str, Selection], reassignments: int) -> Table:
    columns = (
        Column("system"),
        Column("compared with"),
        Column("difference of F", "share"),
        Column("p", "p"),
    )
    rows: list[tuple[Cell, ...]] = []
    for a, b in combinations(inputs.predictions, 2):
        if len(whole[a].f) != len(whole[b].f):
            rows.append((a, b, None, None))
            continue
        known = ~np.isnan(whole[a].f) & ~np.isnan(whole[b].f)
        test = randomization(
            whole[a].f[known],
            whole[b].f[known],
            np.random.default_rng(inputs.seed),
            reassignments=reassignments,
        )
        rows.append((a, b, test.difference, test.p))
    note = f"Fisher's randomization, {reassignments:,} reassignments. Files must select in the same images."
    return Table("significance", "Which systems differ", columns, tuple(rows), note)
