"""`python -m evaluation TASK --dataset DIR [--predictions FILE …]`: measure predictions and data sets."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from tqdm import tqdm

from evaluation.boxes import SUPPRESSION
from evaluation.errors import InputError
from evaluation.localization import HIT, RULES
from evaluation.readers.recognition import read_dataset
from evaluation.report.files import text_of, write_report
from evaluation.report.model import Report, Table
from evaluation.tasks import localization
from evaluation.tasks.common import Inputs, name_files

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a task. Return 0, or 1 when a file cannot be used; standard error then says which and why."""
    options = _parser().parse_args(arguments)
    try:
        report = _run(options)
        for table in _for_screen(report):
            print(f"\n{text_of(table)}")
        if options.out:
            page = write_report(report, options.out)
            print(f"\nEverything, with charts: {page}")
            if options.open:
                webbrowser.open(page.resolve().as_uri())
        else:
            print("\nWith --out DIR, you get everything as a page, as JSON and as CSV.")
    except InputError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; nothing was written.", file=sys.stderr)
        return 130
    return 0


def show(work: Iterable[T], /, *, description: str, total: int | None = None) -> Iterable[T]:
    """Show a progress bar on standard error, if that is a terminal."""
    bar: Iterable[T] = tqdm(work, desc=description, total=total, disable=None, leave=False)
    return bar


def _for_screen(report: Report) -> list[Table]:
    """Return the tables of the first part, and what was found in files."""
    first = [item for item in report.sections[0].items if isinstance(item, Table)]
    return first + [table for table in report.tables() if table.name == "findings"]


def _run(options: argparse.Namespace) -> Report:
    def reading(images: Iterable[T]) -> Iterable[T]:
        return show(images, description="Reading the data set")

    dataset = read_dataset(options.dataset, split=options.split, progress=reading)
    inputs = Inputs(dataset, name_files(options.predictions), options.seed, options.resamples, show)
    report: Report = options.task_of(inputs, options)
    return report


def _localization(inputs: Inputs, options: argparse.Namespace) -> Report:
    settings = localization.Settings(
        rule=options.rule,
        iou=options.iou,
        suppression=options.nms,
        published=options.boxes == "published",
        proposals=options.proposals,
        images=options.images,
    )
    return localization.evaluate(inputs, settings)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evaluation", description=__doc__.split("`: ")[1])
    tasks = parser.add_subparsers(title="tasks", required=True, metavar="TASK")
    task = tasks.add_parser("localization", help="recall of the boxes that systems predict for phrases")
    _common(task, _localization)
    task.add_argument("--rule", choices=RULES, default="merged", help="what a box must overlap")
    task.add_argument("--iou", type=_share, default=HIT, help="least overlap of a hit (default: %(default)s)")
    task.add_argument(
        "--nms", type=_share_or_off, default=SUPPRESSION, metavar="IOU", help="off: keep overlapping boxes"
    )
    task.add_argument(
        "--boxes",
        choices=("edges", "published"),
        default="edges",
        help="published: true boxes as MDETR's and GLIP's evaluators compute with them",
    )
    task.add_argument(
        "--proposals",
        type=lambda text: text if text == "windows" else Path(text),
        metavar="FILE",
        help="boxes of images, for two references; windows: slide windows over each image",
    )
    task.add_argument("--images", type=Path, metavar="DIR", help="photographs, to show the worst examples")
    return parser


def _common(task: argparse.ArgumentParser, run: object) -> None:
    task.add_argument("--dataset", type=Path, required=True, metavar="DIR", help="an export, or a ZIP of one")
    task.add_argument("--split", default="", choices=("train", "val", "test"), help="only these images")
    task.add_argument("--predictions", type=Path, nargs="+", default=[], metavar="FILE", help="to measure")
    task.add_argument("--out", type=Path, metavar="DIR", help="write a page, JSON and CSV into this folder")
    task.add_argument("--open", action="store_true", help="with --out: show the page in a browser")
    task.add_argument("--seed", type=int, default=1, help="of everything random (default: %(default)s)")
    task.add_argument("--resamples", type=_resamples, default=1000, help="of bootstraps; 0: no intervals")
    task.set_defaults(task_of=run)


def _share(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return value


def _share_or_off(text: str) -> float | None:
    return None if text == "off" else _share(text)


def _resamples(text: str) -> int:
    value = int(text)
    if not 0 <= value <= 100_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 100,000")
    return value


if __name__ == "__main__":
    sys.exit(main())
