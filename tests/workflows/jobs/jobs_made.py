"""Jobs and their input: uploads, archives, and a clock that a test moves."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image as Pillow

from annotation.models import Project
from tests.factories import NOW
from workflows.jobs.domain.jobs import ExportAsked, ImportAsked
from workflows.jobs.job_queue import start_job
from workflows.jobs.models import Job
from workflows.jobs.run_job import run_job
from workflows.jobs.uploads import keep_upload

TOKEN = "a.jpg#0\tA man with a dog .\na.jpg#1\tA man .\nb.jpg#0\tA dog in a park .\n"
ENTITIES = {
    "set/Sentences/a.txt": "[/EN#1/people A man] sits .\n",
    "set/Sentences/b.txt": "[/EN#2/animals A dog] runs .\n[/EN#2/animals A dog .\n",
}


class Clock:
    """A clock that stands still, or that moves on by `step` at each look."""

    def __init__(self, step: float = 0) -> None:
        self.now, self.step = NOW, timedelta(seconds=step)

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive of these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def picture(width: int = 40, height: int = 30) -> bytes:
    """Return a small JPEG."""
    buffer = io.BytesIO()
    Pillow.new("RGB", (width, height), "white").save(buffer, "JPEG")
    return buffer.getvalue()


def upload(content: str | bytes = TOKEN, name: str = "captions.token", **parts: bytes) -> str:
    """Upload one file, and further parts by their names. Return the upload's id."""
    data = content.encode() if isinstance(content, str) else content
    files = {"corpus": [SimpleUploadedFile(name, data)]}
    files |= {part: [SimpleUploadedFile(f"{part}.zip", data)] for part, data in parts.items()}
    return keep_upload(files, now=NOW)


def import_job(project: Project, *, dry_run: bool = False, **asked: Any) -> Job:
    """Queue an import. If no upload or place is named, TOKEN is uploaded."""
    if not {"upload", "place"} & set(asked):
        asked["upload"] = upload()
    asking = ImportAsked(**asked)
    return start_job(project=project, asked=asking, by="mona", now=NOW, dry_run=dry_run)[0]


def export_job(project: Project, **asked: Any) -> Job:
    """Queue an export of everything as JSON lines."""
    options: dict[str, Any] = {"format": "jsonl", "include_unfinished": True, **asked}
    return start_job(project=project, asked=ExportAsked(**options), by="mona", now=NOW)[0]


def finished(job: Job, clock: Clock | None = None) -> Job:
    """Run a job, and return it as it is then."""
    run_job(job_id=job.pk, clock=clock or Clock())
    job.refresh_from_db()
    return job


def photographs(*names: str) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, picture()) for name in names]


def sheet(*names: str) -> SimpleUploadedFile:
    rows = "".join(f"{name},A man with a dog .\n" for name in names)
    return SimpleUploadedFile("captions.csv", f"image,caption\n{rows}".encode())
