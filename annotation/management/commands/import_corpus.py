from __future__ import annotations

import os
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.chunkers import get_chunker
from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import NotRecognised, recognise
from annotation.formats.registry import READERS
from annotation.importing.chunker_choice import chunker_of
from annotation.importing.corpus import StrictError, import_corpus
from annotation.importing.problem_report import Problems, ReportError, report_file
from annotation.importing.processes import ProcessDied
from annotation.importing.splits import SplitError, read_splits
from annotation.languages import is_tag
from annotation.models import Project
from annotation.selectors import owner_of_folder

SKIPPED, INTERRUPTED = 3, 130  # exit codes
MAX_PROCESSES = 64  # each holds a model of some 60 MB


class Command(BaseCommand):
    help = (
        "Import captions, mentions, pictures and known answers. Repeating an import adds nothing twice. "
        f"Exit code 0: everything was imported; {SKIPPED}: something was skipped; 1: nothing was imported; "
        f"{INTERRUPTED}: interrupted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file or folder of the corpus")
        parser.add_argument(
            "--project", required=True, help="the project; it is created if it does not exist"
        )
        parser.add_argument(
            "--format", default="", choices=sorted(READERS), help="the format (default: what it looks like)"
        )
        parser.add_argument(
            "--images",
            type=Path,
            metavar="DIR",
            help="attach the pictures in this folder (default: those in PATH, if that is a folder)",
        )
        parser.add_argument("--as-gold", action="store_true", help="keep chains and boxes as known answers")
        parser.add_argument("--strict", action="store_true", help="stop at the first problem, change nothing")
        parser.add_argument(
            "--dry-run", action="store_true", help="say what would happen; write nothing except the report"
        )
        parser.add_argument(
            "--chunker",
            default="",
            help="what finds mentions (default: the one of the project's language, see GROUNDCREW_CHUNKERS)",
        )
        parser.add_argument(
            "--language",
            default="",
            metavar="TAG",
            help="what the captions of a new project are written in, such as de (default: en)",
        )
        parser.add_argument(
            "--any-language",
            action="store_true",
            help="also import captions that are not in the project's language",
        )
        parser.add_argument(
            "--keep-metadata",
            action="store_true",
            help="keep what photographs say of themselves (place, time, camera, owner); workers can read it",
        )
        parser.add_argument(
            "--split",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="train.txt, val.txt or test.txt: the images of a split; can be given several times "
            "(default: those beside the captions, if PATH is a folder)",
        )
        parser.add_argument(
            "--report",
            type=Path,
            metavar="FILE",
            help="write every problem to this new file, as JSON lines",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=min(2, os.cpu_count() or 1),
            help=f"processes that find mentions, 1 to {MAX_PROCESSES} (default: up to 2)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._handle(options)
        except KeyboardInterrupt as error:
            message = "Interrupted. Run the same command again to continue"
            raise CommandError(message, returncode=INTERRUPTED) from error
        except StrictError as error:
            raise CommandError(f"{error}\nNothing was imported.") from error
        except NotRecognised as error:
            raise CommandError(str(error)) from error
        except SplitError as error:
            raise CommandError(f"--split {error}") from error
        except ReportError as error:
            raise CommandError(f"--report {error}") from error
        except ProcessDied as error:
            raise CommandError(f"{error}: run the command again, or with --processes 1") from error

    def _handle(self, options: dict[str, Any]) -> None:
        path, report = options["path"], options["report"]
        project = _project(options["project"], options["language"])
        options["chunker"] = options["chunker"] or chunker_of(project.language)
        _check(options)
        corpus = recognise(path, options["format"])
        images, lists = options["images"], options["split"] or corpus.splits
        with ExitStack() as stack:
            file = stack.enter_context(report_file(report, [path, corpus.path, *lists])) if report else None
            bar = stack.enter_context(tqdm(unit=" images", disable=None))
            problems = Problems(self._print, file)
            splits: dict[str, str] = {}
            for problem in read_splits(lists, splits):
                if options["strict"]:
                    raise StrictError(problem)
                problems.add(problem)
            summary = import_corpus(
                project=project,
                records=read_corpus(corpus),
                images=images or corpus.pictures,
                above=images or corpus.above,
                as_gold=options["as_gold"],
                strict=options["strict"],
                chunker=options["chunker"],
                any_language=options["any_language"],
                keep_metadata=options["keep_metadata"],
                splits=splits,
                processes=options["processes"],
                dry_run=options["dry_run"],
                progress=bar.update,
                report=problems.add,
            )
            nothing = not (summary.images or summary.images_known)
            if nothing and not problems.count:
                raise CommandError(f"{path}: it has no captions")
        summary.skipped = problems.count
        if options["dry_run"]:
            self.stdout.write("Dry run: nothing was written. An import would give:")
        for name, value in summary.lines():
            self.stdout.write(f"{name + ':':20} {value}")
        if problems.count:
            count = f"{problems.count:,} problem{'s' * (problems.count > 1)}"
            where = f"; {report} has all of them" if report else ""
            raise CommandError(f"{count}, see above{where}", returncode=1 if nothing else SKIPPED)

    def _print(self, line: str) -> None:
        with tqdm.external_write_mode():
            self.stderr.write(line)


def _project(name: str, language: str) -> Project:
    project = Project.objects.filter(name=name).first() or Project(name=name, language=language or "en")
    if not is_tag(project.language):
        raise CommandError(f"--language: {language!r} is no code such as en, de or pt-BR")
    if language and language != project.language:
        raise CommandError(
            f"--language: the captions of {name} are in {project.language}; its settings can change this"
        )
    try:
        project.full_clean(validate_unique=False)
    except ValidationError as error:
        rule = "use up to 64 letters, digits, - and _"
        raise CommandError(f"--project: {name!r} is not a valid project name: {rule}") from error
    if project.pk is None and (owner := owner_of_folder(name)) is not None:
        raise CommandError(
            f"--project: photographs of project {owner.name} lie in a folder {name}: choose another name"
        )
    return project


def _check(options: dict[str, Any]) -> None:
    if options["images"] and not options["images"].is_dir():
        raise CommandError(f"--images {options['images']}: there is no such folder")
    if not 1 <= options["processes"] <= MAX_PROCESSES:
        raise CommandError(f"--processes {options['processes']}: it must be from 1 to {MAX_PROCESSES}")
    try:
        get_chunker(options["chunker"])
    except LookupError as error:
        raise CommandError(f"--chunker: {error}") from error
