"""The files of snapshots in the storage, and what changed since the last version."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from django.core.files.storage import default_storage

from annotation.models import Project
from workflows.jobs.domain.digests import Digests, compare_digests
from workflows.jobs.domain.jobs import UNFINISHED
from workflows.jobs.models import Job, Snapshot
from workflows.jobs.upload_storage import forget_folder

logger = logging.getLogger(__name__)

ROOT = ".exports"
"""Hidden, like uploads: only the console's download page serves these files."""
MAX_DIGESTS_BYTES = 1 << 28  # bytes: 50 times those of Flickr30k


def folder_of(job_id: int) -> str:
    """Return the folder of a job's export in the storage."""
    return f"{ROOT}/{job_id}"


def forget_files(job_id: int) -> None:
    """Delete what runs of the job have left in the storage, except the files of its snapshot."""
    forget_stored(job_id, _stored(job_id))


def _stored(job_id: int) -> list[str]:
    folder = folder_of(job_id)
    try:
        return [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    except FileNotFoundError:
        return []


def forget_stored(job_id: int, names: Sequence[str]) -> None:
    """Delete these files of the job, except those of its snapshot, which may exist despite an error."""
    kept: set[str] = set()
    for file, digests in Snapshot.objects.filter(job=job_id).values_list("file", "digests"):
        kept |= {file, digests.get("file", "")}
    for name in names:
        if name not in kept:
            default_storage.delete(name)
    if not kept:
        forget_folder(folder_of(job_id))


def forget_left() -> None:
    """Delete what killed runs left in the storage, of jobs that have ended without a snapshot."""
    try:
        folders = set(default_storage.listdir(ROOT)[0])
    except FileNotFoundError:
        return
    over = Job.objects.filter(kind=Job.Kind.EXPORT, snapshot=None).exclude(state__in=UNFINISHED)
    for job_id in over.values_list("pk", flat=True):
        if str(job_id) in folders:
            names = _stored(job_id)
            # Checked again: if the job was resumed meanwhile, its new run's files are not among `names`.
            if over.filter(pk=job_id).exists():
                forget_stored(job_id, names)


def changes_since(project: Project, manifest: dict[str, Any], digests: Digests) -> dict[str, Any]:
    """Return the changes since the last version of the same source, batch and settings, if there is one.

    If the comparison is impossible, `problem` says so: a lost file must not stop every later export.
    """
    before = _before(project, manifest)
    if before is None:
        return {}
    try:
        with default_storage.open(before.digests["file"]) as file:
            data = file.read(MAX_DIGESTS_BYTES)
        if len(data) != before.digests.get("bytes", len(data)):
            raise ValueError("the digests have another size than they had")
        kept = Digests.unpack(data)
    except Exception:  # the storage's errors have no common base class
        logger.exception("export: version %d cannot be compared with", before.version)
        problem = "Its record for comparisons is missing or damaged: the worker's log says why."
        return {"since": before.version, "problem": problem}
    return {"since": before.version, **compare_digests(kept, digests)}


def _before(project: Project, manifest: dict[str, Any]) -> Snapshot | None:
    scope = {f"manifest__{name}": manifest[name] for name in ("source", "settings")}
    batch = {"batch__name": manifest["batch"]} if manifest["batch"] else {"batch": None}
    found = Snapshot.objects.filter(project=project, digests__has_key="file", **scope, **batch)
    return found.order_by("-version").first()
