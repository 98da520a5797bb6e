from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from annotation.domain.merge import MergeSettings, read_pairs, said_pairs
from annotation.exporting.dataset import SOURCES, ExportOptions, NothingToExport, export_dataset
from annotation.exporting.folder import ExportError
from annotation.exporting.pictures import Pictures
from annotation.exporting.summary import summary
from annotation.formats.registry import WRITERS
from annotation.models import Project
from annotation.selectors import all_type_names
from annotation.transactions import write_transaction
from workflows.core.audit_log import record_action
from workflows.jobs.domain.jobs import ExportAsked, JobError
from workflows.jobs.job_queue import start_job
from workflows.management.subject import project_named
from workflows.tasks import hint_jobs

NOTHING = 3  # exit code


class Command(BaseCommand):
    help = (
        "Write a project's annotation as a data set into a new folder, or let a worker make a version of it. "
        "See docs/exporting.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("out", type=Path, nargs="?", help="the folder to make; none with --background")
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
            "--keep-apart",
            default=said_pairs(defaults.never),
            metavar="PAIRS",
            help="types whose boxes are never joined (default: %(default)s; '': none)",
        )
        parser.add_argument(
            "--include-unfinished", action="store_true", help="also images and chains that are not finished"
        )
        parser.add_argument(
            "--include-unresolved",
            action="store_true",
            help="also images with chains in review, whose mentions are then written as not visual",
        )
        parser.add_argument(
            "--people-only",
            action="store_true",
            help="leave out images in which the answer of a model that judges counted",
        )
        parser.add_argument(
            "--pictures",
            choices=list(Pictures),
            help="with the pictures, upright: copied, or as hard links to the project's own files",
        )
        parser.add_argument(
            "--background",
            action="store_true",
            help="queue a job that makes a version, as the console's page Exports does, and write no folder",
        )
        parser.add_argument("--by", default="command line", help="--background: your name, for the audit log")
        parser.add_argument(
            "--licence",
            default="",
            help="of the annotation, for the data set card and the manifest: cc-by-4.0",
        )
        parser.add_argument("--overwrite", action="store_true", help="replace an earlier export")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        merging = options["source"] == "crowd" if options["merge"] is None else options["merge"]
        try:
            never = read_pairs(options["keep_apart"], all_type_names(project.pk))
            settings = MergeSettings(options["merge_iou"], options["merge_iou_other"], never)
            chosen = ExportOptions(
                source=options["source"],
                batch=options["batch"],
                merge=settings if merging else None,
                include_unfinished=options["include_unfinished"],
                include_unresolved=options["include_unresolved"],
                people_only=options["people_only"],
                pictures=options["pictures"] and Pictures(options["pictures"]),
                overwrite=options["overwrite"],
                licence=options["licence"],
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        if options["background"]:
            if chosen.pictures == Pictures.LINKED:
                raise CommandError("a version has copies of the pictures: give --pictures copied")
            asked = ExportAsked(
                format=options["format"],
                source=chosen.source,
                batch=chosen.batch,
                merge=merging,
                merge_iou=settings.iou,
                merge_iou_other=settings.iou_other,
                keep_apart=said_pairs(settings.never),
                include_unfinished=chosen.include_unfinished,
                include_unresolved=chosen.include_unresolved,
                people_only=chosen.people_only,
                pictures=chosen.pictures is not None,
                licence=chosen.licence,
            )
            self._queue(project, asked, options)
            return
        if options["out"] is None:
            raise CommandError("name the folder to make, or give --background to make a version")
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

    def _queue(self, project: Project, asked: ExportAsked, options: dict[str, Any]) -> None:
        """Start the job that the console's page *Exports* starts, and log it in the same way."""
        if options["out"] is not None or options["overwrite"]:
            raise CommandError(
                "--background makes a version, to be downloaded from the page Exports: "
                "leave out the folder and --overwrite"
            )
        now = timezone.now()
        try:
            with write_transaction():
                job, new = start_job(project=project, asked=asked, by=options["by"], now=now)
                if new:
                    record_action(
                        by=options["by"],
                        action="export.start",
                        now=now,
                        project=project,
                        kind="job",
                        object=f"Export {job.pk}",
                        object_id=job.pk,
                        detail=job.options,
                    )
        except JobError as error:
            raise CommandError(str(error)) from error
        hint_jobs()
        if new:
            self.stdout.write(f"job {job.pk} is queued: a worker will make a version of the data set")
        else:
            self.stdout.write(f"job {job.pk} is {job.state} and makes the same version: no other was queued")
