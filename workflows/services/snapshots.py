"""Versions of a project's data set: what the last one was, what changed, and the row of a new one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import Max

from annotation.exporting.manifest import Manifest
from annotation.models import Batch, Project
from annotation.transactions import write_transaction
from workflows.domain.digests import Digests, compare
from workflows.models import Job, Snapshot
from workflows.services.jobs import end
from workflows.services.uploads import forget_folder

ROOT = ".exports"
"""Hidden, as uploads are: only `download` hands them out."""
LONGEST_DIGESTS = 1 << 28  # bytes: 50 times those of Flickr30k


def folder_of(job_id: int) -> str:
    """Where the files of a job's export lie in the storage."""
    return f"{ROOT}/{job_id}"


def forget_files(job_id: int) -> None:
    """Delete what a run of the job has left in the storage; never what a snapshot has."""
    folder = folder_of(job_id)
    if Snapshot.objects.filter(job=job_id).exists():
        return
    try:
        names = default_storage.listdir(folder)[1]
    except FileNotFoundError:
        return
    for name in names:
        default_storage.delete(f"{folder}/{name}")
    forget_folder(folder)


def changes_since(project: Project, manifest: dict[str, Any], digests: Digests) -> dict[str, Any]:
    """What differs from the last version of the same source, batch and settings; {} for the first."""
    before = _before(project, manifest)
    if before is None:
        return {}
    with default_storage.open(before.digests["file"]) as file:
        kept = Digests.unpack(file.read(LONGEST_DIGESTS))
    return {"since": before.version, **compare(kept, digests)}


def _before(project: Project, manifest: dict[str, Any]) -> Snapshot | None:
    scope = {f"manifest__{name}": manifest[name] for name in ("source", "settings")}
    batch = {"batch__name": manifest["batch"]} if manifest["batch"] else {"batch": None}
    found = Snapshot.objects.filter(project=project, digests__has_key="file", **scope, **batch)
    return found.order_by("-version").first()


def keep_snapshot(
    *,
    job: Job,
    runner: str,
    now: datetime,
    manifest: Manifest,
    files: dict[str, Any],
    changes: dict[str, Any],
    values: dict[str, Any],
) -> Snapshot:
    """The next version, and with it the end of its job, both or none. Raises Lost.

    `files` are the columns about the archive and its digests, `values` the last of the job. Locks the
    project, so that versions are counted one after the other.
    """
    with write_transaction():
        project = Project.objects.select_for_update(no_key=True).get(pk=job.project_id)
        end(job_id=job.pk, runner=runner, state=Job.State.DONE, now=now, values=values)
        last = Snapshot.objects.filter(project=project).aggregate(last=Max("version"))["last"] or 0
        batch = Batch.objects.get(project=project, name=manifest.batch) if manifest.batch else None
        return Snapshot.objects.create(
            project=project,
            batch=batch,
            version=last + 1,
            job=job,
            format=manifest.format,
            manifest=manifest.to_json(),
            changes=changes,
            by=job.by,
            created_at=now,
            **files,
        )
