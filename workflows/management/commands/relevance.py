from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.domain.answers import CampaignStage
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import parse_settings
from workflows.management.commands.batch import given_settings
from workflows.management.subject import IMPORT_FIRST, project_and_batch, project_named
from workflows.questions.domain.supply import GOLD, ROLES

PROTOCOLS = ("relevance-expert", "relevance-crowd")


class Command(BaseCommand):
    help = "Let workers judge which captions describe which images. See docs/relevance.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        draft = actions.add_parser("draft", help="make a draft that judges the pairs of a file")
        draft.add_argument("--protocol", choices=PROTOCOLS, required=True)
        draft.add_argument("--pairs", type=Path, required=True, metavar="FILE", help="JSON lines")
        draft.add_argument("--name", required=True, help="of the new batch")
        draft.add_argument(
            "--set", action="append", default=[], metavar="NAME=JSON", help="a setting of the batch"
        )
        controls = actions.add_parser("controls", help="make verification questions from known captions")
        stages = (CampaignStage.CAPTION_CHECK, CampaignStage.GRADING, CampaignStage.RELEVANCE)
        controls.add_argument("--stage", choices=[str(one) for one in stages], required=True)
        controls.add_argument("--images", type=int, required=True, help="how many free images to draw")
        controls.add_argument("--per-image", type=int, default=1, help="questions (default: %(default)s)")
        controls.add_argument(
            "--role", choices=ROLES, default=GOLD, help="on pages, or in the qualification test"
        )
        controls.add_argument("--seed", type=int, default=0)
        questions = actions.add_parser("questions", help="make the verification questions that a draft lacks")
        export = actions.add_parser(
            "export", help="write judgments, questions and instructions of a batch into a new folder"
        )
        export.add_argument("out", type=Path)
        for action in (questions, export):
            action.add_argument("--batch", required=True)
        for action in (draft, controls, questions, export):
            action.add_argument("--project", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        act = {
            "draft": self._draft,
            "controls": self._controls,
            "questions": self._questions,
            "export": self._export,
        }
        act[options["action"]](options)

    def _draft(self, options: dict[str, Any]) -> None:
        from workflows.batches.lifecycle import BatchError
        from workflows.batches.pair_file import draft_of_pairs, read_pairs

        project = project_named(options["project"], IMPORT_FIRST)
        try:
            given = {**given_settings(options["set"]), "protocol": options["protocol"]}
            settings = parse_settings(given)
            pairs = read_pairs(project, options["pairs"])
            batch = draft_of_pairs(project=project, name=options["name"], settings=settings, pairs=pairs)
        except (BatchError, SettingsError) as error:
            raise CommandError(str(error)) from error
        again = f" ({pairs.repeated:,} lines were there twice)" if pairs.repeated else ""
        self.stdout.write(
            f"batch {batch.name}: draft, {pairs.number:,} pairs{again} of {len(pairs.captions):,} images, "
            f"{pairs.number * settings.relevance.judges:,} judgments"
        )

    def _controls(self, options: dict[str, Any]) -> None:
        from workflows.questions.domain.known_images import QuestionError
        from workflows.questions.make_caption_questions import make_caption_questions

        project = project_named(options["project"], IMPORT_FIRST)
        try:
            number = make_caption_questions(
                project=project,
                stage=options["stage"],
                images=options["images"],
                per_image=options["per_image"],
                role=options["role"],
                seed=options["seed"],
                now=timezone.now(),
            )
        except QuestionError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{number:,} questions of {options['stage']} made")

    def _questions(self, options: dict[str, Any]) -> None:
        from workflows.batches.campaign_questions import make_campaign_questions
        from workflows.questions.domain.known_images import QuestionError

        _, batch = project_and_batch(options["project"], options["batch"])
        assert batch is not None
        try:
            made, taken = make_campaign_questions(batch=batch, now=timezone.now())
        except QuestionError as error:
            raise CommandError(str(error)) from error
        for (stage, role), number in sorted(made.items()):
            self.stdout.write(f"{number:,} questions of {stage} made ({role})")
        if taken:
            self.stdout.write(f"{taken:,} images were taken out of batch {batch.name} for them")
        if not made:
            self.stdout.write("nothing is new")

    def _export(self, options: dict[str, Any]) -> None:
        from workflows.analysis.relevance_judgments import JUDGMENTS, write_published

        _, batch = project_and_batch(options["project"], options["batch"])
        assert batch is not None
        try:
            found = write_published(batch, options["out"], now=timezone.now())
        except ValueError as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(
                f"{options['out']} cannot be written: {error.strerror or 'it exists'}"
            ) from error
        said = [f"{found.questions:,} questions", "the instructions"]
        if (options["out"] / JUDGMENTS).exists():
            said.insert(
                0, f"{found.judgments:,} judgments of {found.pairs:,} pairs by {found.judges:,} workers"
            )
        self.stdout.write(f"{', '.join(said[:-1])} and {said[-1]}")
