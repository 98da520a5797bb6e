"""The address to which Prolific sends events.

Their content is not trusted: each is a reason to ask Prolific.
"""

from __future__ import annotations

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from workflows.api.problem_details import problem
from workflows.crowd.rounds.notices import take_event
from workflows.platforms.prolific.domain.events import EventError, read_event

MAX_BYTES = 64 * 1024


@extend_schema(exclude=True)
class ProlificHookView(APIView):
    """Receives an event if its signature is right. Replies 404 if there is no secret to check it with."""

    authentication_classes = ()
    permission_classes = ()

    def post(self, request: Request) -> Response:
        secret = settings.PROLIFIC.webhook_secret if settings.PROLIFIC else ""
        if not secret:
            raise Http404
        body = request.read(MAX_BYTES + 1)
        if len(body) > MAX_BYTES:
            return problem(413, "The event is too large.")
        now = timezone.now()
        try:
            event = read_event(
                body=body,
                event_id=request.headers.get("X-Event-ID", ""),
                signature=request.headers.get("X-Prolific-Request-Signature", ""),
                timestamp=request.headers.get("X-Prolific-Request-Timestamp", ""),
                secret=secret,
                now=now,
            )
        except EventError as error:
            return problem(400, str(error))
        take_event(event, now=now)
        return Response(status=204)
