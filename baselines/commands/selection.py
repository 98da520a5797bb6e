"""`python -m baselines selection train|predict`: which boxes of an image a description would mention."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import orjson

from baselines.measured.selection import measure
from baselines.output import check_file, write_lines
from baselines.selection import NAMES, ContentSelection, images_with_boxes, toy_sentence
from baselines.work import TEST, TRAIN, add_dataset, add_seed, dataset_of, measuring, model_of
from evaluation.content_selection import MAX_SELECTED

__all__ = ["measure", "register"]

SENTENCES = 5
"""How many toy sentences `predict` prints."""


def register(systems: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    system = systems.add_parser("selection", help="which boxes of an image a description would mention")
    steps = system.add_subparsers(required=True, metavar="STEP")

    step = steps.add_parser("train", help="count the concepts that descriptions mention")
    add_dataset(step, TRAIN)
    add_seed(step)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="write the model here (.npz)")
    step.add_argument(
        "--systems",
        nargs="+",
        choices=NAMES,
        default=list(ContentSelection().systems),
        help="several are combined by mean rank (default: %(default)s)",
    )
    step.add_argument(
        "--most",
        type=int,
        choices=range(1, MAX_SELECTED + 1),
        metavar="K",
        default=ContentSelection().most,
        help=f"the most boxes of an image, from 1 to {MAX_SELECTED} (default: %(default)s)",
    )
    _add_labelled(step)
    step.set_defaults(run=_train)

    step = steps.add_parser("predict", help="select boxes, for `python -m evaluation selection`")
    add_dataset(step, TEST)
    step.add_argument("--model", type=Path, required=True, metavar="FILE", help="what `train` wrote")
    step.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="for the selections (JSON lines)"
    )
    _add_labelled(step)
    step.set_defaults(run=_predict)


def _add_labelled(step: argparse.ArgumentParser) -> None:
    step.add_argument("--labelled", type=Path, metavar="FILE", help="all boxes of the images, with labels")


def _train(options: argparse.Namespace) -> None:
    check_file(options.model, ".npz")
    model = model_of(ContentSelection, options, systems=tuple(options.systems))
    images = images_with_boxes(dataset_of(options), options.labelled)
    model.fit(images).save(options.model)
    print(f"{options.model} has what descriptions of {len(images):,} images mention.")


def _predict(options: argparse.Namespace) -> None:
    check_file(options.out)
    model = ContentSelection.load(options.model)
    images = images_with_boxes(dataset_of(options), options.labelled)
    rng = np.random.default_rng(model.seed)
    lines = []
    for number, image in enumerate(images):
        selected = model.select(image, number)
        lines.append(orjson.dumps({"image": image.name, "boxes": image.boxes[selected].tolist()}))
        if number < SENTENCES:
            print(f"{image.name}: {toy_sentence(image, selected, rng)}")
    write_lines(options.out, lines)
    print(f"{options.out} has the selected boxes of {len(images):,} images.")
    more = f" --labelled {options.labelled}" if options.labelled else ""
    print(measuring("selection", options) + more)
