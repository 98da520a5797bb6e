from __future__ import annotations

import os
from argparse import ArgumentParser, BooleanOptionalAction
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.domain.merge import MergeSettings
from annotation.exporting.dataset import (
    SOURCES,
    ExportOptions,
    NothingToExport,
    check_export,
    export_dataset,
)
from annotation.exporting.folder import ExportError
from annotation.exporting.summary import summary
from annotation.formats import WRITERS
from annotation.models import Project
from annotation.tasks import export

NOTHING = 3  # exit code


class Command(BaseCommand):
    help = "Write a project's annotation as a data set into a new folder. See docs/exporting.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, help="the folder to make")
        parser.add_argument("--project", required=True)
        parser.add_argument("--format", required=True, choices=sorted(WRITERS))
        parser.add_argument(
            "--source", choices=SOURCES, default="crowd", help="whose annotation (default: crowd)"
        )
        parser.add_argument("--batch", default="", help="only the images and the work of this batch")
        parser.add_argument(
            "--merge",
            action=BooleanOptionalAction,
            default=None,
            help="join boxes and chains that mean the same (default: only with --source crowd)",
        )
        defaults = MergeSettings()
        parser.add_argument(
            "--merge-iou",
            type=float,
            default=defaults.iou,
            help="IoU at which boxes are joined (default: 0.8)",
        )
        parser.add_argument(
            "--merge-iou-other",
            type=float,
            default=defaults.iou_other,
            help="the same if a chain is of type other (default: 0.9)",
        )
        parser.add_argument(
            "--include-unfinished", action="store_true", help="also images and chains that are not finished"
        )
        parser.add_argument(
            "--background",
            action="store_true",
            help="let a Celery worker write the folder, on its own machine",
        )
        parser.add_argument("--overwrite", action="store_true", help="replace an earlier export")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            project = Project.objects.get(name=options["project"])
        except Project.DoesNotExist as error:
            raise CommandError(f"there is no project {options['project']!r}") from error
        merging = options["source"] == "crowd" if options["merge"] is None else options["merge"]
        try:
            settings = MergeSettings(options["merge_iou"], options["merge_iou_other"])
            chosen = ExportOptions(
                source=options["source"],
                batch=options["batch"],
                merge=settings if merging else None,
                include_unfinished=options["include_unfinished"],
                overwrite=options["overwrite"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["background"]:
            # Not resolved: a link is to be refused here and there.
            out = Path(os.path.abspath(options["out"]))
            try:
                check_export(project=project, out=out, options=chosen)
            except ExportError as error:
                raise CommandError(str(error)) from error
            merge = [settings.iou, settings.iou_other] if merging else None
            # The fields by name: asdict would take the merge settings apart, too.
            given = {f.name: getattr(chosen, f.name) for f in fields(chosen)} | {"merge": merge}
            export.delay(project.pk, options["format"], str(out), given)
            self.stdout.write(f"{out} will appear when it is complete; the worker's log reports it")
            return
        with tqdm(unit=" images", disable=None) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            try:
                manifest = export_dataset(
                    project=project,
                    format=options["format"],
                    out=options["out"],
                    options=chosen,
                    progress=progress,
                )
            except ExportError as error:
                code = NOTHING if isinstance(error, NothingToExport) else 1
                raise CommandError(str(error), returncode=code) from error
        for line in summary(manifest):
            self.stdout.write(line)
