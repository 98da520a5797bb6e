"""What several tasks need: their settings, and tables of what was found in files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.report.model import Column, Section, Table

T = TypeVar("T")
S = TypeVar("S")

MAX_FILES = 12
"""Prediction files that are compared at a time."""
MAX_RANKINGS = 40
"""Files of rankings: the paper compares 30 systems (Hodosh, Young and Hockenmaier 2013, table 7)."""


class Progress(Protocol):
    """Wraps what is worked through, as `tqdm` does. `total` counts the entries, if that is known."""

    def __call__(self, work: Iterable[T], /, *, description: str, total: int | None = None) -> Iterable[T]:
        """Return the work as it is."""
        ...


def no_progress(work: Iterable[T], /, *, description: str, total: int | None = None) -> Iterable[T]:
    """Show nothing."""
    return work


@dataclass(frozen=True, slots=True)
class Inputs:
    """What every task gets: a data set, and files of predictions by the names that reports give them.

    `models` has the model that predictions are from, as name/version or name, if somebody says it.
    """

    dataset: Dataset
    predictions: Mapping[str, Path]
    seed: int = 1
    resamples: int = 1000
    progress: Progress = no_progress
    models: Mapping[str, str] = field(default_factory=dict)

    def beside(self, built_in: Collection[str]) -> Inputs:
        """Return the same inputs. Files with the name of a built-in system are called "NAME (file)"."""

        def called(name: str) -> str:
            return f"{name} (file)" if name in built_in else name

        named = {called(name): path for name, path in self.predictions.items()}
        return replace(
            self,
            predictions=named,
            models={called(name): model for name, model in self.models.items()},
        )


def name_files(paths: Sequence[Path], most: int = MAX_FILES) -> dict[str, Path]:
    """Return the files by short names that differ. Raise InputError if there are too many, or one twice."""
    if len(paths) > most:
        raise InputError(f"{len(paths)} prediction files are too many: {most} fit into a table")
    found: dict[str, Path] = {}
    for path in paths:
        if path in found.values():
            raise InputError(f"{path} is given twice")
        short = path.name.removesuffix(".gz").rpartition(".")[0] or path.name
        names = (short, path.name, str(path), str(path.absolute()))
        found[next(name for name in names if name not in found)] = path
    return found


def name_models(names: Sequence[str], models: Sequence[str]) -> dict[str, str]:
    """Return the model of each of these predictions: one of all, or one each. Raise InputError otherwise."""
    if len(models) == 1:
        return dict.fromkeys(names, models[0])
    if models and len(models) != len(names):
        raise InputError(
            f"--model: give one model for all predictions, or one for each of the {len(names)} files, in "
            f"their order. There are {len(models)}"
        )
    return dict(zip(names, models, strict=True)) if models else {}


def to_compare(systems: Sequence[S]) -> list[tuple[S, S]]:
    """Return the pairs of systems that are compared: all, or of more than MAX_FILES each with the first."""
    if len(systems) > MAX_FILES:
        return [(systems[0], other) for other in systems[1:]]
    return list(combinations(systems, 2))


def as_published(dataset: Dataset) -> Dataset:
    """Return the data set with boxes as the published evaluators of MDETR and GLIP compute with them.

    These take the 1-based inclusive corners of `Annotations` for pixel edges. So the left and top edges are
    one pixel further than in the picture, and a box is narrower and lower by one pixel than what it covers.
    """
    shift = np.array([1.0, 1.0, 0.0, 0.0])
    images = tuple(
        replace(
            image,
            chains={
                name: replace(chain, boxes=chain.boxes + shift) if len(chain.boxes) else chain
                for name, chain in image.chains.items()
            },
        )
        for image in dataset.images
    )
    return replace(dataset, images=images)


def findings_section(found: Mapping[str, Findings]) -> tuple[Section, ...]:
    """Return the section about what files have beside usable predictions, or none if that is nothing."""
    rows = tuple(
        (name, kind, count, effect, examples)
        for name, findings in found.items()
        for kind, count, effect, examples in findings.rows()
    )
    if not rows:
        return ()
    columns = (Column("file"), Column("what"), Column("count", "count"), Column("effect"), Column("examples"))
    table = Table("findings", "What else the files have", columns, rows)
    return (Section("Notes on the files", "Nothing is dropped silently.", (table,)),)


def check_language(dataset: Dataset) -> None:
    """Raise InputError if plural phrases would not be recognised."""
    if not dataset.is_english:
        raise InputError(
            f"{dataset.title} is in the language {dataset.language}, and plural phrases are recognised in "
            "English alone. `localization --rule component` measures component IoU of all phrases"
        )


def said_settings(inputs: Inputs) -> tuple[tuple[str, str], ...]:
    """Return the facts that every report with predictions names."""
    return (*said_dataset(inputs.dataset), ("Predictions", ", ".join(inputs.predictions) or "none"))


def said_dataset(dataset: Dataset) -> tuple[tuple[str, str], ...]:
    """Return the facts that every report names."""
    images = len(dataset.images)
    return (
        ("Data set", f"{dataset.title}, {images:,} image{'' if images == 1 else 's'}"),
        ("Language", _said_language(dataset)),
    )


def _said_language(dataset: Dataset) -> str:
    if not dataset.is_english:
        return f"{dataset.language}; mind that plural phrases, stop words, lemmas and verbs are English ones"
    return dataset.language or "not said, taken for English"
