"""The files of a form, whether they came in its request or in pieces before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from annotation.formats.captions.spreadsheet import is_picture
from annotation.models import Project
from console.common.pages import user_name
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.models import Job
from workflows.jobs.upload_pieces import Sender, sent_files
from workflows.jobs.upload_storage import PICTURES, stored_files

UPLOAD = "upload"
"""The field with the id of an upload in pieces. Then the fields of files are empty."""
PICTURES_OF = "pictures_of"
"""The field with the id of an import whose photographs are used again."""


@dataclass(frozen=True, slots=True)
class Received:
    """What a form has received: its fields, its files, and the id of the upload if these came in pieces."""

    data: QueryDict
    files: MultiValueDict[str, Any]
    sent: str


def received(request: HttpRequest, project: Project, fields: Mapping[str, str] = {}) -> Received:
    """Return what a form has received.

    `fields` has the names of fields, by part of the upload, that are not called like their part.
    Raises JobError if an upload in pieces is not complete or not there any more.
    """
    sent = request.POST.get(UPLOAD, "")
    if not sent:
        return Received(request.POST, request.FILES, "")
    found = sent_files(sent, sender=Sender(project, user_name(request)), now=timezone.now())
    files = {fields.get(part, part): some for part, some in found.items() if some}
    return Received(request.POST, MultiValueDict(files), sent)


@dataclass(frozen=True, slots=True)
class KeptPictures:
    """The photographs of an earlier upload, from which an import takes them again."""

    job: int
    upload: str
    count: int
    archive: str  # the name of the archive that they are in, or ""


def kept_pictures(project: Project, job_id: int | None) -> KeptPictures | None:
    """Return what is kept of the photographs of an import, or None if nothing is. They are kept for a day."""
    if job_id is None:
        return None
    imports = Job.objects.filter(project=project, kind=Job.Kind.IMPORT)
    options = imports.filter(pk=job_id).values_list("options", flat=True).first() or {}
    if not (upload := options.get("upload")):
        return None
    try:
        found = stored_files(upload)[PICTURES]
    except JobError:
        return None
    archive = "" if all(is_picture(file.name) for file in found) else found[0].name
    return KeptPictures(job_id, upload, len(found), archive) if found else None
