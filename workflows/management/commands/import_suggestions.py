from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import ModelVersion, Project, SuggestionSet
from evaluation.predictions.findings import Findings
from evaluation.predictions.formats import FORMATS
from workflows.core.audit_log import record_action
from workflows.jobs.domain.jobs import LEAST_MAX_PIXELS, MOST_MAX_PIXELS, RESIZING
from workflows.judges.versions import find_model
from workflows.management.subject import IMPORT_FIRST, project_named
from workflows.suggestions.domain.choice import SUPPRESSION, Choice
from workflows.suggestions.files import SAYS, Found, SuggestionError, read_suggestions
from workflows.suggestions.pair_files import NOT_ASKED, TWICE, FoundScores, has_pairs, read_pair_scores
from workflows.suggestions.sets import save_scores, save_set

SAYS_OF_PAIRS = {
    "prediction for a mention that the data set does not have": "names of no phrase of the project",
    "prediction for a mention without a box": "names of a phrase that nobody is asked about",
    NOT_ASKED: "pairs of one caption, or without a common type, which nobody is asked about",
    TWICE: "pairs that have a score already, and keep it",
}
OF_BOXES = {
    "threshold": None,
    "nms": SUPPRESSION,
    "every_mention": False,
    "predictions_format": None,
    "max_pixels": 0,
}
"""The options that only files of boxes have, and their defaults."""


class Command(BaseCommand):
    help = (
        "Import boxes that a model has for the phrases of a project, or scores of pairs of phrases, as a new "
        "set of suggestions. A batch names a set of boxes by its number, and `fit_prior` a set of scores. "
        "Files of boxes are of any kind that `evaluation localization` reads. "
        "A set is never changed: import a file again for another threshold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument("file", type=Path, help="boxes or scores; docs/models.md has the formats")
        parser.add_argument(
            "--model", required=True, metavar="NAME/VERSION", help="whose boxes they are: see `model add`"
        )
        parser.add_argument(
            "--threshold", type=_number, metavar="S", help="leave out boxes with a lower score"
        )
        parser.add_argument(
            "--nms",
            type=_share_or_off,
            default=SUPPRESSION,
            metavar="IOU",
            help="leave out a box that overlaps a better one further; off: keep it (default: %(default)s)",
        )
        parser.add_argument(
            "--predictions-format",
            choices=FORMATS,
            metavar="NAME",
            help="what numbers of boxes are, or whose answers the file has; docs/evaluation.md has the names "
            "(default: pixels; of COCO results pixels-xywh; answers need one)",
        )
        parser.add_argument(
            "--max-pixels",
            type=_pixels,
            default=0,
            metavar="N",
            help=f"the max_pixels of the processor of {RESIZING} (default: 12,845,056; after training on our "
            "export, 1003520)",
        )
        parser.add_argument(
            "--every-mention",
            action="store_true",
            help="the model looked at all phrases: one that the file does not have gets no box",
        )
        parser.add_argument(
            "--test-split",
            action="store_true",
            help="keep scores of pairs in images of the split test, which people alone decide otherwise",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="say what the set would be like, and write nothing"
        )
        parser.add_argument("--by", default="command line", help="your name, for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"], IMPORT_FIRST)
        model = find_model(project_id=project.pk, named=options["model"])
        if model is None:
            raise CommandError(
                f"project {project.name} has no model {options['model']}: add it with `model add`"
            )
        read_and_save = self._pairs if has_pairs(options["file"]) else self._boxes
        try:
            read_and_save(project, model, options)
        except SuggestionError as error:
            raise CommandError(str(error)) from error

    def _boxes(self, project: Project, model: ModelVersion, options: Mapping[str, Any]) -> None:
        if options["test_split"]:
            raise CommandError(
                "--test-split is for scores of pairs; a batch says with suggestions.test_split whether "
                "images of the split test are shown with boxes"
            )
        written = {name: options[name] for name in ("predictions_format", "max_pixels")}
        if written["max_pixels"] and written["predictions_format"] != RESIZING:
            raise CommandError(f"--max-pixels is for --predictions-format {RESIZING} alone")
        choice = Choice(options["threshold"], options["nms"], options["every_mention"])
        found = read_suggestions(project, options["file"], choice, **written)
        if self._is_dry(said_of(found), options):
            return
        made = save_set(
            model=model,
            found=found,
            choice=choice,
            **written,
            by=options["by"],
            now=timezone.now(),
            also=_audit(model, options),
        )
        self.stdout.write(
            f"this is set {made.number} of project {project.name}: a batch shows it with "
            f"--set suggestions.set={made.number}"
        )

    def _pairs(self, project: Project, model: ModelVersion, options: Mapping[str, Any]) -> None:
        for name, default in OF_BOXES.items():
            if options[name] != default:
                raise CommandError(
                    f"--{name.replace('_', '-')} is for boxes, and {options['file']} has scores of pairs"
                )
        test_split = options["test_split"]
        found = read_pair_scores(project, options["file"], test_split=test_split)
        if self._is_dry(said_of_pairs(found), options):
            return
        made = save_scores(
            model=model,
            found=found,
            test_split=test_split,
            by=options["by"],
            now=timezone.now(),
            also=_audit(model, options),
        )
        self.stdout.write(
            f"this is set {made.number} of project {project.name}: fit a prior with "
            f"manage.py fit_prior {project.name} --scores {made.number}"
        )

    def _is_dry(self, lines: Iterable[str], options: Mapping[str, Any]) -> bool:
        """Write what a file has. Return whether that is all that was asked for."""
        for line in lines:
            self.stdout.write(line)
        if options["dry_run"]:
            self.stdout.write("nothing was written: leave out --dry-run to import this")
        return bool(options["dry_run"])


def _audit(model: ModelVersion, options: Mapping[str, Any]) -> Callable[[SuggestionSet], object]:
    def audit(made: SuggestionSet) -> None:
        record_action(
            by=options["by"],
            action="suggestions.import",
            now=made.created_at,
            project=model.project,
            kind="model",
            object=str(model),
            object_id=model.pk,
            detail={"set": made.number, "file": options["file"].name[:200]},
        )

    return audit


def said_of(found: Found) -> Iterator[str]:
    """Yield lines about what a file has: how much it covers, what is left out, and how good it is."""
    boxes = sum(number * count for number, count in enumerate(found.boxes))
    covered = sum(count for number, count in enumerate(found.boxes) if number)
    yield f"{boxes:,} boxes for {covered:,} of {found.asked:,} phrases, in {found.images:,} images"
    several = ", ".join(f"{number}: {count:,}" for number, count in enumerate(found.boxes) if count)
    yield f"phrases by their number of boxes: {several}"
    for why, count in found.left_out.items():
        yield f"left out, {why}: {count:,}"
    yield from _findings(found.findings, SAYS)
    if not found.known:
        yield "no image with known boxes: how good these are cannot be said"
    for name, figures in found.known.items():
        precision = "-" if figures.precision is None else f"{figures.precision:.1%}"
        recall = "-" if figures.recall is None else f"{figures.recall:.1%}"
        yield (
            f"on {figures.mentions:,} known phrases, {name}: recall {recall} of {figures.known:,} boxes, "
            f"precision {precision} of {figures.suggested:,} suggestions (IoU .5)"
        )


def said_of_pairs(found: FoundScores) -> Iterator[str]:
    """Yield lines about what a file of scores has: how much it covers, and what is left out."""
    yield f"scores of {found.pairs:,} pairs of phrases, in {len(found.scores):,} images"
    for why, count in found.left_out.items():
        yield f"left out, {why}: {count:,}"
    yield from _findings(found.findings, SAYS_OF_PAIRS)


def _findings(findings: Findings, says: Mapping[str, str]) -> Iterator[str]:
    for kind, count in findings.counts.items():
        if count:
            examples = "; ".join(findings.examples.get(kind, ()))
            yield f"{says.get(kind, kind)}: {count:,}" + (f" ({examples})" if examples else "")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a number") from error


def _pixels(text: str) -> int:
    if not text.isdecimal() or not LEAST_MAX_PIXELS <= int(text) <= MOST_MAX_PIXELS:
        raise ArgumentTypeError(f"{text!r} is no number from {LEAST_MAX_PIXELS} to {MOST_MAX_PIXELS}")
    return int(text)


def _share_or_off(text: str) -> float | None:
    if text == "off":
        return None
    value = _number(text)
    if not 0 < value <= 1:
        raise ArgumentTypeError(f"{text} is not above 0 and at most 1, nor off")
    return value
