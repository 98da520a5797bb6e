"""Run an export job: write the data set, pack it, and store it as a snapshot."""

from __future__ import annotations

import hashlib
import logging
import zipfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import InterfaceError, OperationalError
from django.db.models import Max

from annotation.exporting.dataset import ExportOptions, export_dataset
from annotation.exporting.manifest import Manifest
from annotation.exporting.pictures import Pictures
from annotation.formats.base import PICTURES
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.jobs.domain.digests import Digests
from workflows.jobs.domain.jobs import BLIND, ExportAsked, parse_options
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.run_progress import Run
from workflows.jobs.snapshots import changes_since, folder_of, forget_files, forget_stored
from workflows.jobs.work_folders import work_folder

logger = logging.getLogger(__name__)

_CHUNK = 1 << 20
_TIME = (1980, 1, 1, 0, 0, 0)  # fixed, so that the same data set packs into the same bytes


def run_export(run: Run) -> None:
    """Make the snapshot, which ends the job. Raises ExportError, JobError, OSError, RunLost or RunStopped."""
    asked = parse_options(ExportAsked, run.job.options)
    forget_files(run.job.pk)
    with work_folder(run) as work:
        digests = Digests()
        manifest = _write(run, asked, work / "data", digests)
        archive = work / "archive.zip"
        sha256 = _pack(run, work / "data", archive)
        changes = changes_since(run.project, manifest.to_json(), digests)
        stored: list[str] = []
        try:
            run.begin("storing")
            run.tell(ahead=BLIND)
            with archive.open("rb") as file:
                stored.append(default_storage.save(f"{folder_of(run.job.pk)}/{run.runner}.zip", File(file)))
            kept = ContentFile(b"".join(digests.pack()))
            stored.append(default_storage.save(f"{folder_of(run.job.pk)}/{run.runner}.digests", kept))
            run.tell()
            run.done = manifest.images
            keep_snapshot(
                run=run,
                manifest=manifest,
                files={
                    "file": stored[0],
                    "size": archive.stat().st_size,
                    "sha256": sha256,
                    "digests": {"file": stored[1], "images": len(digests.images), "bytes": kept.size},
                },
                changes=changes,
            )
        except (OperationalError, InterfaceError):
            # Nobody knows now whether the version exists. The next run or the clean-up looks again.
            logger.warning("job %d: the database is away, so the files %s stay for now", run.job.pk, stored)
            raise
        except BaseException:
            forget_stored(run.job.pk, stored)
            raise


def _write(run: Run, asked: ExportAsked, out: Path, digests: Digests) -> Manifest:
    run.begin("exporting")
    options = ExportOptions(
        source=asked.source,
        batch=asked.batch,
        merge=asked.merging,
        include_unfinished=asked.include_unfinished,
        include_unresolved=asked.include_unresolved,
        people_only=asked.people_only,
        pictures=Pictures.COPIED if asked.pictures else None,
        licence=asked.licence,
        images=asked.images,
        # So that a version can be imported again, and nobody fills the disk with a click.
        most_picture_bytes=settings.MAX_UNPACKED_BYTES,
    )

    def progress(done: int, total: int) -> None:
        run.done, run.total = done, total
        if done == total:
            run.tell(ahead=BLIND)
        run.pulse()

    return export_dataset(
        project=run.project,
        format=asked.format,
        out=out,
        options=options,
        progress=progress,
        each=digests.add,
        pulse=run.pulse,
    )


def keep_snapshot(
    *, run: Run, manifest: Manifest, files: dict[str, Any], changes: dict[str, Any]
) -> Snapshot:
    """Write the project's next version and end its job, both or neither. Raises RunLost.

    `files` are the columns about the archive and its digests. Locks the project, so that versions are counted
    one after the other, and only then the job, like whoever resumes one.
    """
    with write_transaction():
        project = Project.objects.select_for_update(no_key=True).get(pk=run.job.project_id)
        run.end(Job.State.DONE, outcome=manifest.to_json()["counts"])
        last = Snapshot.objects.filter(project=project).aggregate(last=Max("version"))["last"] or 0
        batch = Batch.objects.get(project=project, name=manifest.batch) if manifest.batch else None
        return Snapshot.objects.create(
            project=project,
            batch=batch,
            version=last + 1,
            job=run.job,
            format=manifest.format,
            manifest=manifest.to_json(),
            changes=changes,
            by=run.job.by,
            created_at=run.clock(),
            **files,
        )


def _pack(run: Run, folder: Path, archive: Path) -> str:
    """Pack the folder into a ZIP archive, and return the archive's SHA-256."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    run.begin("packing", len(paths))
    with zipfile.ZipFile(archive, "x", zipfile.ZIP_DEFLATED) as packed:
        for path in paths:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _TIME)
            packed_already = info.filename.startswith(f"{PICTURES}/") or path.suffix == ".tar"  # of pictures
            info.compress_type = zipfile.ZIP_STORED if packed_already else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.file_size = path.stat().st_size  # says whether it needs ZIP64
            with path.open("rb") as source, packed.open(info, "w") as target:
                while chunk := source.read(_CHUNK):
                    target.write(chunk)
                    run.pulse()
            run.advance()
    sha256 = hashlib.sha256()
    with archive.open("rb") as file:
        while chunk := file.read(_CHUNK):
            sha256.update(chunk)
            run.pulse()
    return sha256.hexdigest()
