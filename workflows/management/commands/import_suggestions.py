from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import SuggestionSet
from evaluation.predictions.chat import COORDINATES
from workflows.core.audit_log import record_action
from workflows.judges.versions import find_model
from workflows.management.subject import IMPORT_FIRST, project_named
from workflows.suggestions.domain.choice import SUPPRESSION, Choice
from workflows.suggestions.files import SAYS, Found, SuggestionError, read_suggestions
from workflows.suggestions.sets import save_set


class Command(BaseCommand):
    help = (
        "Import boxes that a model has for the phrases of a project, as a new set of suggestions. A batch "
        "names the set by its number. The file is of any kind that `evaluation localization` reads. "
        "A set is never changed: import a file again for another threshold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument("file", type=Path, help="boxes for phrases; docs/models.md has the formats")
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
            "--coordinates", choices=COORDINATES, help="what numbers in answers of vision-language models are"
        )
        parser.add_argument(
            "--every-mention",
            action="store_true",
            help="the model looked at all phrases: one that the file does not have gets no box",
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
        choice = Choice(options["threshold"], options["nms"], options["every_mention"])

        def audit(made: SuggestionSet) -> None:
            record_action(
                by=options["by"],
                action="suggestions.import",
                now=made.created_at,
                project=project,
                kind="model",
                object=str(model),
                object_id=model.pk,
                detail={"set": made.number, "file": options["file"].name[:200]},
            )

        try:
            found = read_suggestions(project, options["file"], choice, options["coordinates"])
            for line in said_of(found):
                self.stdout.write(line)
            if options["dry_run"]:
                self.stdout.write("nothing was written: leave out --dry-run to import this")
                return
            made = save_set(
                model=model,
                found=found,
                choice=choice,
                coordinates=options["coordinates"],
                by=options["by"],
                now=timezone.now(),
                also=audit,
            )
        except SuggestionError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"this is set {made.number} of project {project.name}: a batch shows it with "
            f"--set suggestions.set={made.number}"
        )


def said_of(found: Found) -> Iterator[str]:
    """Yield lines about what a file has: how much it covers, what is left out, and how good it is."""
    boxes = sum(number * count for number, count in enumerate(found.boxes))
    yield (
        f"{boxes:,} boxes for {len(found.suggestions):,} of {found.asked:,} phrases, "
        f"in {found.images:,} images"
    )
    several = ", ".join(f"{number}: {count:,}" for number, count in enumerate(found.boxes) if count)
    yield f"phrases by their number of boxes: {several}"
    for why, count in found.left_out.items():
        yield f"left out, {why}: {count:,}"
    for kind, count in found.findings.counts.items():
        if count:
            examples = "; ".join(found.findings.examples.get(kind, ()))
            yield f"{SAYS.get(kind, kind)}: {count:,}" + (f" ({examples})" if examples else "")
    if not found.known:
        yield "no image with known boxes: how good these are cannot be said"
    for name, figures in found.known.items():
        precision = "-" if figures.precision is None else f"{figures.precision:.1%}"
        recall = "-" if figures.recall is None else f"{figures.recall:.1%}"
        yield (
            f"on {figures.mentions:,} known phrases, {name}: recall {recall} of {figures.known:,} boxes, "
            f"precision {precision} of {figures.suggested:,} suggestions (IoU .5)"
        )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a number") from error


def _share_or_off(text: str) -> float | None:
    if text == "off":
        return None
    value = _number(text)
    if not 0 < value <= 1:
        raise ArgumentTypeError(f"{text} is not above 0 and at most 1, nor off")
    return value
