from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from annotation.domain.protocols import ALL_STAGES, ENTITIES_PROTOCOLS
from annotation.models import Chain, Image, Project, VerificationQuestion
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.management.subject import IMPORT_FIRST, project_and_batch, project_named
from workflows.quality.void_questions import void_question
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.supply import ROLES
from workflows.questions.exposure import stock_of
from workflows.questions.make import PER_IMAGE, make_from_gold, promote_chains
from workflows.questions.retire import retire_question
from workflows.questions.supply import askable_now, by_kind, can_be_recognized, questions_of, shortages

IMAGES = 40
MAX_ID = 2**63 - 1
"""The largest id that a database accepts in a query."""
State = VerificationQuestion.State


class Command(BaseCommand):
    help = "Make, list, report, retire, void or promote verification questions. See docs/questions.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("make", "list", "report", "retire", "void", "promote"))
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--images",
            type=int,
            help=f"make: from this many images with known chains, drawn at random (default: {IMAGES})",
        )
        parser.add_argument(
            "--image",
            action="append",
            default=[],
            metavar="NAME",
            help="make: from this image; can be given several times",
        )
        parser.add_argument("--seed", type=int, default=0, help="make: random seed (default: 0)")
        parser.add_argument(
            "--per-image",
            type=int,
            default=PER_IMAGE,
            help=f"make, promote: questions for each stage of an image (default: {PER_IMAGE})",
        )
        parser.add_argument(
            "--role", choices=ROLES, help="make: for this role only; list, report: only this role"
        )
        parser.add_argument(
            "--without-pictures", action="store_true", help="make: also from images without a picture"
        )
        parser.add_argument(
            "--protocol",
            choices=ENTITIES_PROTOCOLS,
            default=ENTITIES_PROTOCOLS[0],
            help=f"make, report, promote: for the stages of this protocol (default: {ENTITIES_PROTOCOLS[0]})",
        )
        parser.add_argument("--stage", choices=ALL_STAGES, help="list, report: only this stage")
        parser.add_argument(
            "--question", type=int, help="retire, void: the question's number; `list` shows it"
        )
        parser.add_argument(
            "--note",
            "--reason",
            dest="note",
            default="",
            help="retire, void: the reason; retire: up to 40 characters",
        )
        parser.add_argument("--batch", help="promote: the finished chains of this batch")
        parser.add_argument(
            "--chain",
            type=int,
            action="append",
            default=[],
            help="promote: this chain; can be given several times",
        )
        parser.add_argument(
            "--by", default="command line", help="promote, retire, void: who decides, for the log"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"], IMPORT_FIRST)
        try:
            getattr(self, f"_{options['action']}")(project, options)
        except QuestionError as error:
            raise CommandError(str(error)) from error

    def _make(self, project: Project, options: dict[str, Any]) -> None:
        if options["image"] and options["images"] is not None:
            raise CommandError("give either --images (how many) or --image (which)")
        images: int | list[int] = IMAGES if options["images"] is None else options["images"]
        if options["image"]:
            images = _named(project, options["image"])
        taken = 0

        def count(number: int) -> None:
            nonlocal taken
            taken += number
            bar.update(number)

        with tqdm(unit=" images", desc="Making questions", disable=None) as bar:
            made = make_from_gold(
                project=project,
                images=images,
                per_image=options["per_image"],
                role=options["role"],
                settings=_settings(options),
                seed=options["seed"],
                without_pictures=options["without_pictures"],
                now=timezone.now(),
                progress=count,
            )
        if options["images"] is not None and taken < options["images"]:
            self.stdout.write(f"--images {options['images']}: there are only {taken:,}, and all were used")
        self._table(by_kind(project), made)
        self._supply(project, _settings(options))

    def _promote(self, project: Project, options: dict[str, Any]) -> None:
        if bool(options["chain"]) == bool(options["batch"]):
            raise CommandError(
                "give either --chain (a number) or --batch (to promote all its finished chains)"
            )
        chains = Chain.objects.filter(work__batch__project=project)
        ids: list[int] = options["chain"]
        if strange := [one for one in ids if not 0 < one <= MAX_ID]:
            raise CommandError(f"--chain {strange[0]}: project {project.name} has no such chain")
        if options["batch"]:
            project_and_batch(project.name, options["batch"])
            finished = chains.filter(
                work__batch__name=options["batch"], work__state="done", work__active=True
            )
            ids = list(finished.filter(state__in=("done", "nonvisual")).values_list("pk", flat=True))
            if not ids:
                raise CommandError(f"--batch {options['batch']}: none of its images is finished")
        elif unknown := set(ids) - set(chains.filter(pk__in=ids).values_list("pk", flat=True)):
            raise CommandError(f"--chain {min(unknown)}: project {project.name} has no such chain")
        made = promote_chains(
            chain_ids=ids,
            by=options["by"],
            per_image=options["per_image"],
            settings=_settings(options) if options["batch"] else None,
            now=timezone.now(),
        )
        self._table(by_kind(project), made)
        if made:
            self.stdout.write("they wait to be approved in the console's gallery; until then nobody is asked")
        self._supply(project, _settings(options))

    def _list(self, project: Project, options: dict[str, Any]) -> None:
        for question in _filtered(project, options):
            state = question.retired or question.state
            self.stdout.write(
                f"{question.pk}\t{question.stage}\t{question.role}\t{question.kind}\t{question.source}"
                f"\t{question.image.name}\t{state}"
            )

    def _report(self, project: Project, options: dict[str, Any]) -> None:
        self.stdout.write(
            f"{'question':>9}  {'stage':<13}{'role':<10}{'kind':<14}"
            f"{'asked':>6}{'right':>7}{'good':>7}{'seen':>6}"
        )
        for question in sorted(_filtered(project, options), key=_for_reading):
            right = _share(question.right, question.asked)
            good = _share(question.good_right, question.good_asked)
            line = (
                f"{question.pk:>9}  {question.stage:<13}{question.role:<10}{question.kind:<14}"
                f"{question.asked:>6}{right:>7}{good:>7}{question.exposures:>6}"
            )
            retired = f"  retired: {question.retired}" if question.state == State.RETIRED else ""
            self.stdout.write(line + retired)
        self.stdout.write(
            "\nright: share of all answers; good: of trusted workers' answers; seen: number of workers\n"
        )
        self._supply(project, _settings(options))

    def _retire(self, project: Project, options: dict[str, Any]) -> None:
        number, note, by = _number(project, options), _note(options), options["by"]
        question = retire_question(question_id=number, reason=note, by=by, now=timezone.now())
        self.stdout.write(f"question {question.pk}: retired ({question.retired}). Its answers still count")

    def _void(self, project: Project, options: dict[str, Any]) -> None:
        number, note, by = _number(project, options), _note(options), options["by"]
        question = void_question(question_id=number, by=by, note=note, now=timezone.now())
        self.stdout.write(f"question {question.pk}: void. Its answers no longer count in any score")

    def _table(self, there: Counter[tuple[str, str, str]], made: Counter[tuple[str, str, str]]) -> None:
        self.stdout.write(f"{'stage':<13}{'kind':<14}" + "".join(f"{role:>16}" for role in ROLES))
        for stage in ALL_STAGES:
            for kind in sorted({kind for one, _, kind in there + made if one == stage}):
                cells = (f"{there[stage, role, kind]:,} (+{made[stage, role, kind]:,})" for role in ROLES)
                self.stdout.write(f"{stage:<13}{kind:<14}" + "".join(f"{cell:>16}" for cell in cells))
        self.stdout.write(f"{made.total():,} new questions")

    def _supply(self, project: Project, settings: BatchSettings) -> None:
        there = askable_now(project)
        self.stdout.write(f"\n{'can be asked':<27}" + "".join(f"{role:>16}" for role in ROLES))
        for stage in settings.stages:
            cells = "".join(f"{there[stage, role]:>16,}" for role in ROLES)
            self.stdout.write(f"{stage:<27}{cells}")
        short = shortages(project, settings, stock_of(project.pk))
        for name, role, found, needed in short:
            self.stdout.write(f"missing for the default settings: {needed - found} questions, {name}, {role}")
        if not short:
            self.stdout.write("there are enough for a batch with the default settings")
        if can_be_recognized(project):
            self.stderr.write(
                "Warning: the images with gold questions are all older, or all newer, than the images to "
                "annotate. Workers see the ids of images and can recognise questions by them. Import the "
                "images of questions in one corpus with the others (import_corpus numbers images in their "
                "order), and draw questions from the whole corpus with --images."
            )


def _settings(options: dict[str, Any]) -> BatchSettings:
    """Return the default settings of the protocol."""
    return parse_settings({"protocol": options["protocol"]})


def _filtered(project: Project, options: dict[str, Any]) -> Iterator[VerificationQuestion]:
    questions = questions_of(project)
    for name in ("stage", "role"):
        if options[name]:
            questions = questions.filter(**{name: options[name]})
    return questions.iterator(2000)


def _for_reading(question: VerificationQuestion) -> tuple[int, int, int]:
    """Return a sort key: first the questions that can be asked, by stage, then the retired ones."""
    return int(question.state == State.RETIRED), ALL_STAGES.index(question.stage), question.pk


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _named(project: Project, names: list[str]) -> list[int]:
    found = dict(Image.objects.filter(project=project, name__in=names).values_list("name", "pk"))
    if lost := [name for name in names if name not in found]:
        raise CommandError(f"--image {lost[0]}: project {project.name} has no such image")
    return list(found.values())


def _note(options: dict[str, Any]) -> str:
    if not (note := str(options["note"]).strip()):
        raise CommandError('give a reason with --note "…"')
    return note


def _number(project: Project, options: dict[str, Any]) -> int:
    number: int | None = options["question"]
    if number is None:
        raise CommandError("name the question with --question NUMBER; `questions list` shows the numbers")
    there = VerificationQuestion.objects.filter(pk=number, project=project)
    if not 0 < number <= MAX_ID or not there.exists():
        raise CommandError(f"--question {number}: project {project.name} has no such question")
    return number
