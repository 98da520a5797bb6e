from __future__ import annotations

import os
from argparse import ArgumentParser
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import orjson
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.chunking import get_chunker
from annotation.domain.records import Problem
from annotation.formats import READERS
from annotation.importing.corpus import StrictError, import_corpus
from annotation.importing.splits import read_splits
from annotation.models import Project

PRINTED = 50  # problems; the rest is counted
SKIPPED = 3  # exit code


class Command(BaseCommand):
    help = (
        "Import captions, mentions, pictures and known answers. Running it again adds nothing twice. "
        f"Exit code 0: all of it was imported; {SKIPPED}: something was skipped; 1: nothing was imported."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="the file or folder of the corpus")
        parser.add_argument("--project", required=True, help="is created when there is none of that name")
        parser.add_argument("--format", required=True, choices=sorted(READERS))
        parser.add_argument("--images", type=Path, metavar="DIR", help="the folder of the pictures")
        parser.add_argument("--as-gold", action="store_true", help="chains and boxes become known answers")
        parser.add_argument("--strict", action="store_true", help="stop at the first problem, change nothing")
        parser.add_argument("--chunker", default="hanta", help="finds mentions (default: hanta)")
        parser.add_argument(
            "--split",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="train.txt, val.txt or test.txt: the images of a split; may be given several times",
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE", help="write every problem to it, as JSON lines"
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=min(2, os.cpu_count() or 1),
            help="that find mentions (default: 2)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = _project(options["project"])
        if options["images"] and not options["images"].is_dir():
            raise CommandError(f"--images {options['images']}: there is no such folder")
        try:
            get_chunker(options["chunker"])
        except LookupError as error:
            raise CommandError(f"--chunker: {error}") from error
        with ExitStack() as stack:
            out = _open(stack, options["report"])
            bar = stack.enter_context(tqdm(unit=" images", disable=None))
            problems = _Problems(self, out)
            try:
                splits: dict[str, str] = {}
                for problem in read_splits(options["split"], splits):
                    if options["strict"]:
                        raise StrictError(problem)
                    problems.add(problem)
                summary = import_corpus(
                    project=project,
                    records=READERS[options["format"]](options["path"]),
                    images=options["images"],
                    as_gold=options["as_gold"],
                    strict=options["strict"],
                    chunker=options["chunker"],
                    splits=splits,
                    processes=options["processes"],
                    progress=bar.update,
                    report=problems.add,
                )
            except StrictError as error:
                raise CommandError(f"{error}\nNothing was imported.") from error
        summary.skipped = problems.count
        for name, value in summary.lines():
            self.stdout.write(f"{name + ':':20} {value}")
        if problems.count:
            where = f"; all of it is in {options['report']}" if options["report"] else ""
            code = SKIPPED if summary.images or summary.images_known else 1
            raise CommandError(f"{problems.count:,} problems, see above{where}", returncode=code)


class _Problems:
    """Prints the first problems and counts all of them."""

    def __init__(self, command: BaseCommand, out: IO[bytes] | None) -> None:
        self.count = 0
        self._command = command
        self._out = out

    def add(self, problem: Problem) -> None:
        self.count += 1
        if self.count <= PRINTED + 1:
            more = "there are more problems; --report FILE writes all of them"
            with tqdm.external_write_mode():
                self._command.stderr.write(str(problem) if self.count <= PRINTED else more)
        if self._out:
            self._out.write(orjson.dumps(asdict(problem), option=orjson.OPT_APPEND_NEWLINE))


def _project(name: str) -> Project:
    project = Project.objects.filter(name=name).first() or Project(name=name)
    try:
        project.full_clean(validate_unique=False)
    except ValidationError as error:
        raise CommandError(f"--project {name!r}: {' '.join(error.messages)}") from error
    return project


def _open(stack: ExitStack, path: Path | None) -> IO[bytes] | None:
    try:
        return stack.enter_context(path.open("wb")) if path else None
    except OSError as error:
        raise CommandError(f"--report {path}: {error.strerror or error}") from error
