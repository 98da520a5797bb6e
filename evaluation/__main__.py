"""`python -m evaluation TASK --dataset DIR [--predictions FILE …]`: measure predictions and data sets."""

from __future__ import annotations

import argparse
import math
import re
import sys
import webbrowser
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, TypeVar

from tqdm import tqdm

from evaluation.boxes import SUPPRESSION
from evaluation.caption_statistics import MIN_WORDS
from evaluation.coordinates import MAX_PIXELS, MIN_PIXELS, RESIZE_FACTOR
from evaluation.dataset import Image
from evaluation.errors import InputError
from evaluation.localization import HIT, RULES
from evaluation.pair_filter import MIN_BLEU
from evaluation.predictions.candidates import HELP, parse_candidates
from evaluation.predictions.formats import FORMATS, format_named
from evaluation.readers.recognition import iterate_images, read_dataset
from evaluation.report.files import check_folder, text_of, write_report
from evaluation.report.model import Report, Table
from evaluation.significance import REASSIGNMENTS
from evaluation.tasks import (
    audit,
    captions,
    clean,
    components,
    judgments,
    localization,
    pairs,
    retrieval,
    selection,
    strategies,
)
from evaluation.tasks.common import MAX_FILES, MAX_RANKINGS, Inputs, name_files, name_models

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
    files = name_files(options.predictions, options.most_files)
    models = name_models(list(files), getattr(options, "model", []))
    inputs = Inputs(dataset, files, options.seed, options.resamples, show, models)
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


def _task_of(evaluate: Callable[..., Report], settings: type | None = None) -> Run:
    """Return what runs a task: its fields of `settings` are the options of these names."""

    def run(inputs: Inputs, options: argparse.Namespace) -> Report:
        if settings is None:
            return evaluate(inputs)
        values = {name: value for name, value in vars(options).items() if name in settings.__annotations__}
        return evaluate(inputs, settings(**values))

    return run


def _localization(inputs: Inputs, options: argparse.Namespace) -> Report | None:
    options.published = options.boxes == "published"
    _name_format(options)
    return _task_of(localization.evaluate, localization.Settings)(inputs, options)


def _components(inputs: Inputs, options: argparse.Namespace) -> Report | None:
    _name_format(options)
    return _task_of(components.evaluate, components.Settings)(inputs, options)


def _name_format(options: argparse.Namespace) -> None:
    """Replace the name of the predictions' format by the format. Raise InputError for a needless option."""
    name, limits = options.predictions_format, (options.min_pixels, options.max_pixels)
    if name != "qwen2.5-vl" and limits != (MIN_PIXELS, MAX_PIXELS):
        raise InputError("--min-pixels and --max-pixels are for --predictions-format qwen2.5-vl alone")
    if limits[0] > limits[1]:
        raise InputError(f"--min-pixels {limits[0]} is more than --max-pixels {limits[1]}")
    options.predictions_format = format_named(name, *limits) if name else None


def _selection(inputs: Inputs, options: argparse.Namespace) -> Report | None:
    development: tuple[Image, ...] = ()
    if options.split:
        others = {"train", "val"} - {options.split}
        images = show(iterate_images(options.dataset), description="Reading the other splits")
        development = tuple(image for image in images if image.split in others)
    settings = selection.Settings(options.labelled, development, options.reassignments)
    if options.write is None:
        return selection.evaluate(inputs, settings)
    if inputs.predictions:
        raise InputError("--write makes what systems select from, and --predictions is measured: give one")
    count = selection.write_boxes(inputs, settings, options.write)
    print(f"{options.write} has the boxes of {count:,} images. [word]2 in a sentence is the third of them.")
    return None


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
        "--nms",
        type=_share_or_off,
        default=SUPPRESSION,
        metavar="IOU",
        help="off: keep overlapping boxes",
        dest="suppression",
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
    task.add_argument("--images", type=Path, metavar="DIR", help="photographs, to show examples")
    _format(task)
    _models(task)

    task = _task(
        tasks,
        "components",
        _components,
        "how far large boxes are favoured, and component IoU",
    )
    task.add_argument("--iou", type=_share, default=HIT, help="least overlap (default: %(default)s)")
    task.add_argument("--least-score", type=_number, metavar="S", help="leave out boxes with a lower score")
    _format(task)
    task.add_argument("--detections", type=Path, metavar="FILE", help="boxes with labels, for the probes")
    task.add_argument("--vectors", type=Path, metavar="FILE", help="vectors of words, for the probes")
    task.add_argument(
        "--images", type=Path, metavar="DIR", help="photographs, to show where IoU and component IoU disagree"
    )
    task.add_argument(
        "--enlarged", choices=("area", "sides"), default="area", help="what of a box is enlarged by half"
    )

    _models(task)

    task = _task(
        tasks,
        "retrieval",
        _task_of(retrieval.evaluate, retrieval.Settings),
        "captions for images, and images for captions",
    )
    task.add_argument(
        "--ties", choices=("expected", "best", "worst"), default="expected", help="how equal scores count"
    )
    task.set_defaults(most_files=MAX_RANKINGS)
    _candidates(task, f"captions of an image that are ranked: {HELP}")
    task.add_argument("--relevance", type=Path, metavar="FILE", help="grades or ticks of pairs by people")
    task.add_argument(
        "--least-grade",
        type=_number,
        metavar="G",
        help="of a relevant pair (default: 2/3; of grades, 8/3)",
    )
    _reassignments(task)

    task = _task(tasks, "selection", _selection, "which boxes of an image descriptions mention")
    _models(task)
    task.add_argument("--labelled", type=Path, metavar="FILE", help="all boxes of the images, with labels")
    task.add_argument(
        "--write", type=Path, metavar="FILE", help="write the boxes, for systems that name them"
    )
    _reassignments(task)

    _task(tasks, "strategies", _task_of(strategies.evaluate), "what link strategies made of recorded answers")

    task = _task(tasks, "audit", _audit, "rates of errors from verdicts, or a sample to judge")
    task.add_argument("--sample", type=Path, metavar="FILE", help="draw a sample into this file")
    for kind in ("mentions", "chains", "boxes"):
        task.add_argument(f"--{kind}", type=_count, default=300, help="so many (default: %(default)s)")
    _caption_tasks(tasks)
    return parser


def _caption_tasks(tasks: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    task = _task(
        tasks,
        "captions",
        _task_of(captions.evaluate, captions.Settings),
        "what captions are like: length, words, verbs, repeats",
    )
    task.add_argument(
        "--least-words", type=_count, default=MIN_WORDS, metavar="N", help="shorter ones are short"
    )
    task.add_argument("--tagged", type=_count, metavar="N", help="look for verbs in so many captions only")

    task = _task(
        tasks,
        "clean",
        _task_of(clean.evaluate, clean.Settings),
        "a copy of the captions in other words, with a diff",
    )
    task.add_argument("--compounds", action="store_true", help="each in one form: t shirt -> t-shirt")
    task.add_argument(
        "--spelling", type=_spelling, metavar="FILE", help="a list of words; corpus: the captions themselves"
    )
    task.add_argument("--lemmas", action="store_true", help="the base form of each word")
    task.add_argument("--copy", type=Path, metavar="FILE", help="write the captions as a token file")
    task.add_argument("--diff", type=Path, metavar="FILE", help="write what was changed, as JSON lines")

    task = _task(
        tasks,
        "pairs",
        _task_of(pairs.evaluate, pairs.Settings),
        "which pairs of image and caption to judge, and what that costs",
    )
    task.add_argument(
        "--least-bleu",
        type=_share_or_zero,
        default=MIN_BLEU,
        metavar="B",
        help="0: drop no pair (default: %(default)s)",
    )
    task.set_defaults(most_files=MAX_RANKINGS)
    _candidates(task, f"captions of an image to judge: {HELP}")
    task.add_argument(
        "--references", choices=("all", "others"), default="all", help="others: not the judged caption"
    )
    task.add_argument("--stop-words", type=Path, metavar="FILE", help="a list, one a line, in place of ours")
    task.add_argument(
        "--depth", type=_positive, default=pairs.DEPTH, metavar="K", help="of rankings (default: %(default)s)"
    )
    task.add_argument(
        "--random", type=_count, default=0, metavar="N", help="measure the filter on so many random pairs"
    )
    task.add_argument(
        "--direction",
        choices=("both", "annotation", "search"),
        default="both",
        help="of rankings: those for images, or for captions (default: %(default)s)",
    )
    task.add_argument(
        "--no-originals",
        action="store_false",
        dest="originals",
        help="only what systems rank: do not add each image with its own captions",
    )
    task.add_argument(
        "--fill", action="store_true", help="fill pages up with pairs that the filter drops, as in the paper"
    )
    task.add_argument("--relevance", type=Path, metavar="FILE", help="grades or ticks, for what is lost")
    usual = pairs.Settings()
    for name, kind, words in (
        ("judges", _positive, "a pair"),
        ("seconds", _amount, "of a judgment"),
        ("pay", _amount, "of a judgment"),
        ("together", _positive, "captions on a page"),
    ):
        default = getattr(usual, name)
        task.add_argument(f"--{name}", type=kind, default=default, help=f"{words} (default: %(default)s)")
    task.add_argument("--write", type=Path, metavar="FILE", help="write the pairs to judge, as JSON lines")

    _task(
        tasks,
        "judgments",
        _task_of(judgments.evaluate),
        "how far experts and a crowd agree on what captions describe",
    )


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
    task.set_defaults(run=run, most_files=MAX_FILES)
    return task


def _format(task: argparse.ArgumentParser) -> None:
    task.add_argument(
        "--predictions-format",
        choices=FORMATS,
        metavar="NAME",
        help="what the numbers of boxes are, or whose answers the predictions are: "
        f"{', '.join(FORMATS)} (default: pixels; of COCO results pixels-xywh; answers need one)",
    )
    for name, default in (("min", MIN_PIXELS), ("max", MAX_PIXELS)):
        task.add_argument(
            f"--{name}-pixels",
            type=_pixels,
            default=default,
            metavar="N",
            help=f"{name}_pixels of the processor of qwen2.5-vl (default: %(default)s)",
        )


def _models(task: argparse.ArgumentParser) -> None:
    task.add_argument(
        "--model",
        type=_model,
        nargs="+",
        default=[],
        metavar="NAME[/VERSION]",
        help="the model of the predictions, or that of each file: marks scores on boxes that it suggested",
    )


def _model(text: str) -> str:
    if not re.fullmatch(r"[-\w]{1,40}(/[-\w.]{1,40})?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text} is not the name of a model, such as owl or owl/2")
    return text


def _candidates(task: argparse.ArgumentParser, words: str) -> None:
    task.add_argument("--candidates", type=parse_candidates, default="all", metavar="WHICH", help=words)


def _reassignments(task: argparse.ArgumentParser) -> None:
    task.add_argument(
        "--reassignments",
        type=_count,
        default=REASSIGNMENTS,
        help="of randomization tests; fewer are faster (default: %(default)s)",
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


def _share_or_zero(text: str) -> float:
    return 0.0 if _number(text) == 0 else _share(text)


def _share_or_off(text: str) -> float | None:
    return None if text == "off" else _share(text)


def _amount(text: str) -> float:
    value = _number(text)
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1,000,000")
    return value


def _spelling(text: str) -> Path | Literal["corpus"]:
    return "corpus" if text == "corpus" else Path(text)


def _proposals(text: str) -> Path | Literal["windows"]:
    return "windows" if text == "windows" else Path(text)


def _count(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if not 0 <= value <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1,000,000")
    return value


def _pixels(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0
    if value < RESIZE_FACTOR**2:
        raise argparse.ArgumentTypeError(f"{text} is not {RESIZE_FACTOR**2} or more")
    return value


def _positive(text: str) -> int:
    if value := _count(text):
        return value
    raise argparse.ArgumentTypeError("0 is not from 1 to 1,000,000")


if __name__ == "__main__":
    sys.exit(main())
