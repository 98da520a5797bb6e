"""The files of a form, whether they came in its request or in pieces before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict

from annotation.models import Project
from console.common.pages import user_name
from workflows.jobs.upload_pieces import Sender, sent_files

UPLOAD = "upload"
"""The field with the id of an upload in pieces. Then the fields of files are empty."""


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
