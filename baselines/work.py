"""What every command of `baselines` takes: a data set, photographs, a seed; and what a page is made with."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.readers.recognition import read_dataset

T = TypeVar("T")
TRAIN, VALIDATION, TEST = "train", "val", "test"
SPLITS = (TRAIN, VALIDATION, TEST)


@dataclass(frozen=True, eq=False)
class Work:
    """What `measure` of a command gets: each split of a data set, and its photographs."""

    train: Dataset
    validation: Dataset
    test: Dataset
    images: Path
    seed: int
    resamples: int
    labelled: Path | None = None
    """A file with all boxes of the images, also of things that no caption mentions."""


def show(work: Iterable[T], description: str, total: int | None = None) -> Iterable[T]:
    """Show a progress bar on standard error, if that is a terminal."""
    bar: Iterable[T] = tqdm(work, desc=description, total=total, disable=None, leave=False)
    return bar


def add_dataset(parser: argparse.ArgumentParser, split: str) -> None:
    """Add the options that name a data set, and `split` as the images that are taken of it."""
    parser.add_argument("--dataset", type=Path, required=True, metavar="DIR", help="an export, or its ZIP")
    parser.add_argument(
        "--split", default=split, choices=(*SPLITS, "all"), help="only these images (default: %(default)s)"
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option of the seed of everything random."""
    parser.add_argument("--seed", type=count, default=1, help="of everything random (default: %(default)s)")


def add_number(
    step: argparse.ArgumentParser, name: str, kind: Callable[[str], float], default: float, words: str
) -> None:
    """Add an option that is a number."""
    step.add_argument(name, type=kind, default=default, metavar="N", help=f"{words} (default: %(default)s)")


def model_of(model: type[T], options: argparse.Namespace, /, **others: object) -> T:
    """Return a model with the parameters that the options name, and others. Raise InputError."""
    names = {field.name for field in fields(model) if field.init}  # type: ignore[arg-type]
    given = {name: value for name, value in vars(options).items() if name in names}
    try:
        return model(**(given | others))
    except ValueError as error:
        raise InputError(f"--{error}") from error


def dataset_of(options: argparse.Namespace) -> Dataset:
    """Return the images that the options of `add_dataset` name. Raise InputError if there are none."""
    split = "" if options.split == "all" else options.split
    return read_dataset(
        options.dataset, split=split, progress=lambda images: show(images, "Reading the data set")
    )


def measuring(task: str, options: argparse.Namespace) -> str:
    """Return what to type to measure the predictions that a command wrote."""
    split = "" if options.split == "all" else f" --split {options.split}"
    command = f"python -m evaluation {task} --dataset {options.dataset}{split} --predictions {options.out}"
    return f"To measure them: {command}"


def count(text: str) -> int:
    """Return a whole number from 0 to 1,000,000, or raise argparse's error."""
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1,000,000")
    return value


def number(text: str) -> float:
    """Return a finite number of at least 0, or raise argparse's error."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise argparse.ArgumentTypeError(f"{text} is not a number of at least 0")
    return value


def share(text: str) -> float:
    """Return a number from 0 to 1, or raise argparse's error."""
    value = number(text)
    if value > 1:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1")
    return value
