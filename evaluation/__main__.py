"""`python -m evaluation TASK --dataset DIR [--predictions FILE …]`: measure predictions and data sets."""

from __future__ import annotations

import argparse
import math
import sys
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from tqdm import tqdm

from evaluation.boxes import SUPPRESSION
from evaluation.errors import InputError
from evaluation.localization import HIT, RULES
from evaluation.readers.recognition import read_dataset
from evaluation.report.files import check_folder, text_of, write_report
from evaluation.report.model import Report, Table
from evaluation.tasks import audit, components, localization, retrieval, selection, strategies
from evaluation.tasks.common import Inputs, name_files

T = TypeVar("T")
Run = Callable[[Inputs, argparse.Namespace], Report | None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a task. Return 0, or 1 when a file cannot be used; standard error then says which and why."""
    options = _parser().parse_args(arguments)
    try:
        _run(options)
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


def _run(options: argparse.Namespace) -> None:
    if options.out:
        check_folder(options.out)
    elif options.open:
        raise InputError("--open shows what --out writes; give --out, too")

    def reading(images: Iterable[T]) -> Iterable[T]:
        return show(images, description="Reading the data set")

    dataset = read_dataset(options.dataset, split=options.split, progress=reading)
    inputs = Inputs(dataset, name_files(options.predictions), options.seed, options.resamples, show)
    report: Report | None = options.run(inputs, options)
    if report is None:
        return
    for table in _for_screen(report):
        print(f"\n{text_of(table)}")
    if not options.out:
        print("\nWith --out DIR, you get everything as a page, as JSON and as CSV.")
        return
    page = write_report(report, options.out)
    print(f"\nEverything, with charts: {page}")
    if options.open:
        webbrowser.open(page.resolve().as_uri())


def _for_screen(report: Report) -> list[Table]:
    """Return the tables of the first part, the main ones of the others, and what was found in files."""
    found = [item for item in report.sections[0].items if isinstance(item, Table)]
    for section in report.sections[1:]:
        first = section.items[0]
        if isinstance(first, Table) and (report.task != "localization" or first.name == "findings"):
            found.append(first)
    return [table for table in found if not table.folded]


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


def _components(inputs: Inputs, options: argparse.Namespace) -> Report:
    settings = components.Settings(
        iou=options.iou,
        least_score=options.least_score,
        detections=options.detections,
        vectors=options.vectors,
        enlarged=options.enlarged,
    )
    return components.evaluate(inputs, settings)


def _retrieval(inputs: Inputs, options: argparse.Namespace) -> Report:
    settings = retrieval.Settings(
        ties=options.ties,
        relevance=options.relevance,
        least_grade=options.least_grade,
        reassignments=options.reassignments,
    )
    return retrieval.evaluate(inputs, settings)


def _selection(inputs: Inputs, options: argparse.Namespace) -> Report:
    return selection.evaluate(inputs, reassignments=options.reassignments)


def _strategies(inputs: Inputs, options: argparse.Namespace) -> Report:
    return strategies.evaluate(inputs)


def _audit(inputs: Inputs, options: argparse.Namespace) -> Report | None:
    if options.sample is None:
        return audit.evaluate(inputs)
    if inputs.predictions:
        raise InputError("--sample draws what to judge, and --predictions has verdicts: give one of them")
    drawn = audit.write_sample(
        inputs, options.sample, mentions=options.mentions, chains=options.chains, boxes=options.boxes
    )
    print(f'{options.sample} has {drawn:,} things to judge: set "wrong" to true or false in each line.')
    print("Then give the file to --predictions.")
    return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation",
        description="Measure predictions and data sets. docs/evaluation.md has more.",
    )
    tasks = parser.add_subparsers(title="tasks", required=True, metavar="TASK")

    task = _task(tasks, "localization", _localization, "recall of the boxes that systems predict for phrases")
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
        type=_proposals,
        metavar="FILE",
        help="boxes of images, for two references; windows: slide windows over each image",
    )
    task.add_argument("--images", type=Path, metavar="DIR", help="photographs, to show the worst examples")

    task = _task(tasks, "components", _components, "how far large boxes are favoured, and component IoU")
    task.add_argument("--iou", type=_share, default=HIT, help="least overlap (default: %(default)s)")
    task.add_argument("--least-score", type=_number, metavar="S", help="leave out boxes with a lower score")
    task.add_argument("--detections", type=Path, metavar="FILE", help="boxes with labels, for the probes")
    task.add_argument("--vectors", type=Path, metavar="FILE", help="vectors of words, for the probes")
    task.add_argument(
        "--enlarged", choices=("area", "sides"), default="area", help="what of a box is enlarged by half"
    )

    task = _task(tasks, "retrieval", _retrieval, "captions for images, and images for captions")
    task.add_argument(
        "--ties", choices=("expected", "best", "worst"), default="expected", help="how equal scores count"
    )
    task.add_argument("--relevance", type=Path, metavar="FILE", help="grades of pairs by people")
    task.add_argument(
        "--least-grade", type=_number, default=retrieval.LEAST_GRADE, metavar="G", help="of a relevant pair"
    )
    _reassignments(task)

    task = _task(tasks, "selection", _selection, "which boxes of an image descriptions mention")
    _reassignments(task)

    _task(tasks, "strategies", _strategies, "what link strategies made of recorded answers")

    task = _task(tasks, "audit", _audit, "rates of errors from verdicts, or a sample to judge")
    task.add_argument("--sample", type=Path, metavar="FILE", help="draw a sample into this file")
    for kind in ("mentions", "chains", "boxes"):
        task.add_argument(f"--{kind}", type=_count, default=300, help="so many (default: %(default)s)")
    return parser


def _task(
    tasks: argparse._SubParsersAction[argparse.ArgumentParser], name: str, run: Run, words: str
) -> argparse.ArgumentParser:
    task: argparse.ArgumentParser = tasks.add_parser(name, help=words, description=f"{words.capitalize()}.")
    task.add_argument("--dataset", type=Path, required=True, metavar="DIR", help="an export, or a ZIP of one")
    task.add_argument("--split", default="", choices=("train", "val", "test"), help="only these images")
    task.add_argument("--predictions", type=Path, nargs="+", default=[], metavar="FILE", help="to measure")
    task.add_argument("--out", type=Path, metavar="DIR", help="write a page, JSON and CSV into this folder")
    task.add_argument("--open", action="store_true", help="with --out: show the page in a browser")
    task.add_argument("--seed", type=_count, default=1, help="of everything random (default: %(default)s)")
    task.add_argument("--resamples", type=_count, default=1000, help="of bootstraps; 0: no intervals")
    task.set_defaults(run=run)
    return task


def _reassignments(task: argparse.ArgumentParser) -> None:
    task.add_argument(
        "--reassignments", type=_count, default=10_000, help="of randomization tests (default: %(default)s)"
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text} is not a number")
    return value


def _share(text: str) -> float:
    value = _number(text)
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most 1")
    return value


def _share_or_off(text: str) -> float | None:
    return None if text == "off" else _share(text)


def _proposals(text: str) -> Path | Literal["windows"]:
    return "windows" if text == "windows" else Path(text)


def _count(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1,000,000")
    return value


if __name__ == "__main__":
    sys.exit(main())
