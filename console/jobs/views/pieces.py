"""The addresses to which the browser sends large files in pieces, before it sends their form."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_POST

from annotation.models import Project
from console.common.access import managing
from console.common.pages import read_number, user_name
from workflows.jobs.domain.jobs import JobError
from workflows.jobs.domain.pieces import Piece
from workflows.jobs.upload_pieces import BeginAnewError, Sender, begin_upload, keep_piece, pieces_to_come


@managing
@require_POST
def new_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin an upload of the files that the body lists as JSON. Reply with its id and the pieces to send."""
    sender = _sender(request, pk)
    try:
        said = json.loads(request.body)
    except (ValueError, RecursionError, RequestDataTooBig):
        return _refusal(JobError("upload", "The list of files cannot be read."))

    def begun() -> JsonResponse:
        upload = begin_upload(said, sender=sender, now=timezone.now())
        return _state(upload, sender)

    return _replied(begun)


@managing
@csrf_exempt
@require_http_methods(["GET", "POST"])
def pieces(request: HttpRequest, pk: int, upload: str) -> HttpResponse:
    """Say which pieces are to come. A POST has the bytes of the one that its query names.

    The token against forged requests is looked for only here, for the same reason as in `import_corpus`.
    """
    sender = _sender(request, pk)
    if request.method == "GET":
        return _replied(lambda: _state(upload, sender))
    if int(request.META.get("CONTENT_LENGTH") or 0) > settings.PIECE_BYTES:
        return _refusal(BeginAnewError("upload", f"A piece has at most {settings.PIECE_BYTES:,} bytes."))
    return _receive(request, upload, sender)


@csrf_protect
def _receive(request: HttpRequest, upload: str, sender: Sender) -> HttpResponse:
    file, number = read_number(request.GET, "file"), read_number(request.GET, "piece")
    if file is None or number is None:
        return _refusal(JobError("upload", "Name the file and the piece by their numbers."))
    content = request.read(settings.PIECE_BYTES + 1)

    def stored() -> JsonResponse:
        keep_piece(upload, Piece(file, number), content, sender=sender, now=timezone.now())
        return JsonResponse({})

    return _replied(stored)


def _sender(request: HttpRequest, pk: int) -> Sender:
    return Sender(get_object_or_404(Project, pk=pk), user_name(request))


def _state(upload: str, sender: Sender) -> JsonResponse:
    return JsonResponse(
        {"upload": upload, "to_come": pieces_to_come(upload, sender=sender, now=timezone.now())}
    )


def _replied(act: Callable[[], JsonResponse]) -> HttpResponse:
    try:
        return act()
    except JobError as error:
        return _refusal(error)


def _refusal(error: JobError) -> JsonResponse:
    """Say what is wrong, and with 409 that the upload has to begin anew."""
    return JsonResponse({"error": str(error)}, status=409 if isinstance(error, BeginAnewError) else 422)
