"""The task `selection`: which boxes of an image descriptions mention."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import orjson

from evaluation.content_selection import (
    MAX_SELECTED,
    Instances,
    Labelled,
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
    mentioned_boxes,
    select,
)
from evaluation.dataset import Image
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.labelled import read_labelled
from evaluation.predictions.selection import read_selection
from evaluation.report.model import Cell, Column, Item, Lines, Report, Section, Table
from evaluation.significance import REASSIGNMENTS, randomization
from evaluation.tasks.common import Inputs, findings_section, said_settings
from evaluation.tasks.models_in_truth import models_tables, not_independent, said_models

Orders = Sequence[Sequence[int]]
"""What a system selects in each image, the best first."""
RANDOM, POSITION, SIZE, UNIGRAMS, BIGRAMS = "random", "position", "size", "unigrams", "bigrams"
VISUAL, TEXTUAL = (RANDOM, POSITION, SIZE), (UNIGRAMS, BIGRAMS)
PAIRS = tuple((visual, textual) for visual in (POSITION, SIZE) for textual in TEXTUAL)
"""The systems that are combined, two at a time (C, section 5.1)."""
PEOPLE = "people"
BUILT_IN = (*VISUAL, *TEXTUAL, *(" + ".join(pair) for pair in PAIRS), PEOPLE)
"""What the report calls what it compares files with."""
STEPS = range(1, MAX_SELECTED + 1)
COMBINED_AT = (3, 4)
"""The k of the paper's figure 6."""
MEASURES = tuple(
    Column(name, "share")
    for one in ("precision", "recall", "F")
    for name in (one, f"SD of {one}")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settings:
    """How selections are measured.

    `labelled` is a file with all boxes of the images. `development` has images of the data set that are not
    measured: concepts come from those of the split `train`, and k from those of `val`.
    """

    labelled: Path | None = None
    development: tuple[Image, ...] = ()
    reassignments: int = REASSIGNMENTS


@dataclass(frozen=True, slots=True)
class _Parts:
    """The images that are measured, and others to learn from (train) and to choose k with (validation)."""

    measured: list[Instances]
    train: list[Instances]
    validation: list[Instances]
    all_measured: bool
    """Whether the validation images are measured, too."""


def evaluate(inputs: Inputs, settings: Settings | None = None) -> Report:
    """Return the report. Raise InputError for a file that cannot be used, or if no image has a box."""
    inputs, settings = inputs.beside(BUILT_IN), settings or Settings()
    findings: dict[str, Findings] = {}
    parts = _parts(inputs, settings, findings)
    rng = np.random.default_rng(inputs.seed)
    built_in = _built_in(parts.measured, parts.train, rng)
    best = _best_steps(parts, built_in, rng)
    by_name = {image.name: image for image in parts.measured}
    gold = [image.gold() for image in parts.measured]
    files: dict[str, Selection] = {}
    curves: dict[str, list[Selection]] = {}
    for name, path in inputs.predictions.items():
        findings[name] = Findings()
        chosen = read_selection(path, by_name, findings[name])
        # The means are over all images (section 3.1), so one that the file leaves out selects nothing.
        order = [chosen.get(image.name, ()) for image in parts.measured]
        files[name], curves[name] = _scores(gold, order, None), _curve(gold, order)
    work = inputs.progress(built_in.items(), description="Systems", total=len(built_in))
    curves |= {name: _curve(gold, order) for name, order in work}
    people = human_bound(gold)
    rows = [_row(name, found) for name, found in files.items()]
    rows += [_row(f"{name}, at most {best[name]}", curves[name][best[name] - 1]) for name in built_in]
    rows.append(_row("people: each description against the others", people))
    columns = (Column("system"), Column("images", "count"), *MEASURES)
    main: list[Item] = [
        Table(
            "selection",
            "Precision, recall and F",
            columns,
            tuple(rows),
            _note(parts) + not_independent(inputs),
        ),
        _figures(parts.measured),
        *models_tables(inputs),
    ]
    if len(files) > 1:
        main.append(_significance(inputs, files, settings.reassignments))
    text = (
        "Which of an image's boxes would a description mention? A selection is compared with the boxes that "
        "each caption mentions, so that what most captions mention counts most. Means and standard "
        "deviations are over images."
    )
    sections = (
        Section("Content selection", text, tuple(main)),
        _steps_section(curves, people),
        _pairs_section(curves),
    )
    facts = (
        *said_settings(inputs),
        *said_models(inputs),
        ("Boxes", f"{sum(len(image.boxes) for image in parts.measured):,}"),
    )
    title = f"Content selection on {inputs.dataset.title}"
    return Report("selection", title, facts, (*sections, *findings_section(findings)))


def write_boxes(inputs: Inputs, settings: Settings, path: Path) -> int:
    """Write all boxes of each image, for systems that name them by numbers. Return the number of images.

    A box has its place in the list of its image, from 0. The file can be given as `Settings.labelled`. Raise
    InputError if it exists, or for what cannot be read.
    """
    measured = _parts(inputs, settings, {}).measured
    lines = [
        orjson.dumps(
            {"image": image.name, "boxes": image.boxes.tolist(), "labels": image.concepts},
            option=orjson.OPT_APPEND_NEWLINE,
        )
        for image in measured
    ]
    try:
        with path.open("xb") as file:
            file.writelines(lines)
    except FileExistsError as error:
        raise InputError(f"{path} exists already; give another name") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error
    return len(measured)


def _parts(inputs: Inputs, settings: Settings, findings: dict[str, Findings]) -> _Parts:
    dataset, others = inputs.dataset, replace(inputs.dataset, images=settings.development)
    labelled: Mapping[str, Labelled] = {}
    if settings.labelled:
        found = findings.setdefault(settings.labelled.name, Findings())
        names = (image.name for part in (dataset, others) for image in part.images)
        labelled = read_labelled(settings.labelled, names, found)
    measured = instances(dataset, labelled=labelled)
    if not measured:
        raise InputError(f"{dataset.title} has no image with boxes")
    train = instances(others, split="train", labelled=labelled)
    validation = instances(others, split="val", labelled=labelled)
    own = instances(dataset, split="val", labelled=labelled)
    if not validation and 0 < len(own) < len(measured):
        return _Parts(measured, train, own, all_measured=True)
    return _Parts(measured, train, validation, all_measured=False)


def _note(parts: _Parts) -> str:
    note = "A file counts with all that it selects. A built-in system counts with the k of its best F "
    count = f"{len(parts.validation):,} validation images"
    if not parts.validation:
        note += "on these images themselves, which is optimistic: there are no validation images. "
    elif parts.all_measured:
        note += f"on {count}, which are among the measured ones: give --split test. "
    else:
        note += f"on {count}. "
    learnt = f"{len(parts.train):,} training images" if parts.train else "the other half of the images"
    return f"{note}It learnt concepts from {learnt}. The paper's people: 77 ± 11, 77 ± 11 and 74 ± 12%."


def _built_in(
    images: Sequence[Instances], train: Sequence[Instances], rng: np.random.Generator
) -> dict[str, Orders]:
    """Return the built-in systems. Without images to learn from, each half learns from the other [ours]."""
    learnt = [count_concepts(train)] * 2 if train else [count_concepts(images[half::2]) for half in (1, 0)]
    counts = [learnt[at % 2] for at in range(len(images))]
    found: dict[str, Orders] = {
        RANDOM: [by_chance(image, rng) for image in images],
        POSITION: [by_position(image) for image in images],
        SIZE: [by_size(image) for image in images],
        UNIGRAMS: [by_unigrams(image, known) for image, known in zip(images, counts, strict=True)],
        BIGRAMS: [by_bigrams(image, known) for image, known in zip(images, counts, strict=True)],
    }
    for visual, textual in PAIRS:
        both = zip(images, found[visual], found[textual], strict=True)
        found[f"{visual} + {textual}"] = [combine(two, len(image.boxes)) for image, *two in both]
    return found


def _best_steps(parts: _Parts, built_in: Mapping[str, Orders], rng: np.random.Generator) -> dict[str, int]:
    """Return the k with the best F of each system: on validation images, or else on the measured ones."""
    images, orders = parts.measured, built_in
    if parts.all_measured:
        names = {image.name for image in parts.validation}
        kept = [at for at, image in enumerate(images) if image.name in names]
        images, orders = parts.validation, {name: [one[at] for at in kept] for name, one in orders.items()}
    elif parts.validation:
        images, orders = parts.validation, _built_in(parts.validation, parts.train, rng)
    gold = [image.gold() for image in images]
    found = {}
    for name, order in orders.items():
        curve = [one.mean()[2] for one in _curve(gold, order)]
        found[name] = 1 if np.isnan(curve).all() else int(np.nanargmax(curve)) + 1
    return found


def _scores(
    gold: Sequence[Sequence[Set[int]]], order: Sequence[Sequence[int]], most: int | None
) -> Selection:
    return select(gold, [set(chosen[:most]) for chosen in order])


def _curve(gold: Sequence[Sequence[Set[int]]], order: Sequence[Sequence[int]]) -> list[Selection]:
    return [_scores(gold, order, most) for most in STEPS]


def _row(name: str, found: Selection) -> tuple[Cell, ...]:
    return name, int((~np.isnan(found.f)).sum()), *_measured(found)


def _measured(found: Selection) -> list[float]:
    return [value for pair in zip(found.mean(), found.deviation(), strict=True) for value in pair]


def _figures(images: Sequence[Instances]) -> Table:
    """Return how many boxes there are, and how many of them captions mention."""
    counts = [len(one) for image in images for one in image.descriptions]
    mentioned, boxes = mentioned_boxes(images), sum(len(image.boxes) for image in images)

    def mean(values: Iterable[int]) -> float | None:
        known = list(values)
        return float(np.mean(known)) if known else None

    rows: tuple[tuple[Cell, ...], ...] = (
        ("boxes an image", boxes / len(images), None),
        ("of these, boxes that a caption mentions", mentioned / len(images), None),
        ("boxes that a caption mentions, each once", mean(counts), 2.89),
        ("the same, of captions that mention any", mean(one for one in counts if one), 2.89),
    )
    columns = (Column("mean"), Column("here", "number"), Column("paper", "number"))
    return Table("selection_boxes", "Boxes and captions", columns, rows, note_on_boxes(images))


def note_on_boxes(images: Sequence[Instances]) -> str:
    """Return a note if captions mention all boxes of the images, as they do in an export, or else ""."""
    if mentioned_boxes(images) < sum(len(image.boxes) for image in images):
        return ""
    return (
        "A caption mentions every box, so that random is better than it can be where there are others. "
        "The paper's images have boxes that no caption mentions: give all with --labelled."
    )


def _steps_section(curves: Mapping[str, Sequence[Selection]], people: Selection) -> Section:
    columns = (Column("system"), Column("k", "count"), *MEASURES)
    combined = {" + ".join(pair) for pair in PAIRS}
    single = [name for name in curves if name not in combined]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, most, *_measured(found))
        for name in single
        for most, found in zip(STEPS, curves[name], strict=True)
    )
    note = "k is the most boxes that are selected. The paper's table 1 has k from 1 to 10."
    over = {name: [one.mean()[2] for one in found] for name, found in curves.items()}
    over[PEOPLE] = [people.mean()[2]] * len(STEPS)
    items: list[Item] = [Table("selection_by_k", "Precision, recall and F by k", columns, rows, note)]
    items.append(Lines("F by k", "k", tuple(map(float, STEPS)), over))
    for title, systems in (("what is mentioned", TEXTUAL), ("what is seen", VISUAL)):
        both = {
            f"{name}, {measure}": [one.mean()[place] for one in curves[name]]
            for name in systems
            for place, measure in enumerate(("precision", "recall"))
        }
        lines = Lines(f"Precision and recall by k: systems of {title}", "k", tuple(map(float, STEPS)), both)
        items.append(lines)
    text = (
        "A larger k lowers precision and raises recall. The table is the paper's table 1, and the lines are "
        "its figures 3 and 4."
    )
    return Section("By the most boxes that are selected", text, tuple(items))


def _pairs_section(curves: Mapping[str, Sequence[Selection]]) -> Section:
    columns = (
        Column("system"),
        *(Column(f"{name} at k = {most}", "share") for most in COMBINED_AT for name in ("F", "SD of F")),
    )
    rows: list[tuple[Cell, ...]] = []
    for name in BUILT_IN[1:-1]:
        found = [curves[name][most - 1] for most in COMBINED_AT]
        rows.append((name, *(value for one in found for value in (one.mean()[2], one.deviation()[2]))))
    text = (
        "Two systems are combined by the mean of their ranks (section 5.1 of the paper; its figure 6, and "
        "figures 2 and 3 of its errata)."
    )
    table = Table("selection_combined", "F of single systems and of two", columns, tuple(rows))
    return Section("Two systems combined", text, (table,))


def _significance(inputs: Inputs, whole: Mapping[str, Selection], reassignments: int) -> Table:
    columns = (
        Column("system"),
        Column("compared with"),
        Column("difference of F", "share"),
        Column("p", "p"),
    )
    rows: list[tuple[Cell, ...]] = []
    for a, b in combinations(whole, 2):
        known = ~np.isnan(whole[a].f) & ~np.isnan(whole[b].f)
        test = randomization(
            whole[a].f[known],
            whole[b].f[known],
            np.random.default_rng(inputs.seed),
            reassignments=reassignments,
        )
        rows.append((a, b, test.difference, test.p))
    note = f"Fisher's randomization, {reassignments:,} reassignments; the paper has no tests [ours]."
    return Table("significance", "Which systems differ", columns, tuple(rows), note)
