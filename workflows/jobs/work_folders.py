"""Folders of this machine in which runs make archives and reports, before these are stored."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from workflows.jobs.domain.jobs import UNFINISHED
from workflows.jobs.models import Job
from workflows.jobs.run_progress import Run


@contextmanager
def work_folder(run: Run) -> Iterator[Path]:
    """Make a folder for this run, and delete it at the end, also what earlier runs on this machine left."""
    root = _root()
    root.mkdir(parents=True, exist_ok=True)
    for left in root.glob(f"{run.job.pk}.*"):
        shutil.rmtree(left, ignore_errors=True)
    work = root / f"{run.job.pk}.{run.runner}"
    work.mkdir()
    run.hide(work)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def forget_work() -> None:
    """Delete what killed runs of finished jobs left on this machine."""
    left = list(_root().glob("*.*"))  # first: a job that begins after this line has no folder in the list
    waiting = set(Job.objects.filter(state__in=UNFINISHED).values_list("pk", flat=True))
    for folder in left:
        job_id = folder.name.partition(".")[0]
        if job_id.isdecimal() and int(job_id) not in waiting:
            shutil.rmtree(folder, ignore_errors=True)


def _root() -> Path:
    return Path(settings.VAR) / "exporting"
