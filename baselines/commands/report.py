"""`python -m baselines report`: trains and measures all systems on one data set, and writes one page."""

from __future__ import annotations

import argparse
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from baselines import commands
from baselines.work import SPLITS, Work, add_seed, count, show
from evaluation.dataset import Dataset
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.labelled import read_labelled
from evaluation.readers.recognition import read_dataset
from evaluation.report.files import check_folder, text_of, write_report
from evaluation.report.model import Report, Section, Table
from evaluation.report.pictures import check_pictures
from evaluation.tasks.common import said_dataset

FACT = (
    "All figures are of this data set alone. Drawn scenes are far easier than photographs, so figures of a "
    "paper beside them would say nothing."
)


def register(systems: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    step = systems.add_parser("report", help="train and measure all systems, and write one page")
    step.add_argument("--dataset", type=Path, required=True, metavar="DIR", help="an export with splits")
    step.add_argument("--images", type=Path, required=True, metavar="DIR", help="its photographs")
    step.add_argument("--out", type=Path, required=True, metavar="DIR", help="for the page, JSON and CSV")
    step.add_argument("--open", action="store_true", help="show the page in a browser")
    step.add_argument("--resamples", type=count, default=1000, help="of bootstraps (default: %(default)s)")
    step.add_argument(
        "--labelled", type=Path, metavar="FILE", help="all boxes of the images, with labels, for selection"
    )
    step.add_argument("--only", nargs="+", metavar="SYSTEM", help="only these systems")
    add_seed(step)
    step.set_defaults(run=_run)


def split_dataset(dataset: Dataset) -> dict[str, Dataset]:
    """Return the images of each split. Raise InputError if one of them has none."""
    parts = {split: tuple(image for image in dataset.images if image.split == split) for split in SPLITS}
    if missing := [split for split, images in parts.items() if not images]:
        raise InputError(f"{dataset.title} has no image of the split {missing[0]}")
    return {split: replace(dataset, images=images) for split, images in parts.items()}


def _run(options: argparse.Namespace) -> None:
    check_folder(options.out)
    check_pictures(options.images)
    dataset = read_dataset(options.dataset, progress=lambda images: show(images, "Reading the data set"))
    if options.labelled:  # an error in it is said before everything is trained
        read_labelled(options.labelled, (image.name for image in dataset.images), Findings())
    parts = split_dataset(dataset)
    train, validation, test = (parts[split] for split in SPLITS)
    work = Work(train, validation, test, options.images, options.seed, options.resamples, options.labelled)
    sections = tuple(_sections(work, options.only))
    facts = (
        *said_dataset(dataset),
        *((f"Images of {split}", f"{len(part.images):,}") for split, part in parts.items()),
        ("Seed", str(options.seed)),
        ("Mind", FACT),
    )
    report = Report("baselines", f"Baselines on {dataset.title}", facts, sections)
    for section in sections:
        for item in section.items:
            if isinstance(item, Table) and not item.folded:
                print(f"\n{text_of(item)}")
    page = write_report(report, options.out)
    print(f"\nThe page: {page}")
    if options.open:
        webbrowser.open(page.resolve().as_uri())


def _sections(work: Work, only: list[str] | None) -> Iterator[Section]:
    modules = {
        found.name: import_module(f"{commands.__name__}.{found.name}")
        for found in sorted(iter_modules(commands.__path__), key=lambda one: one.name)
    }
    measured = {name: module.measure for name, module in modules.items() if hasattr(module, "measure")}
    if unknown := [name for name in only or () if name not in measured]:
        raise InputError(f"--only: {unknown[0]} is none of {', '.join(measured)}")
    for name, measure in measured.items():
        if only is None or name in only:
            yield from measure(work)
