"""The API's errors as problem details (RFC 9457), which say what is wrong, in which field, and what to do."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import Http404, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from workflows.api.openapi import PROBLEM
from workflows.assignments.claim import ClaimError, NotAdmittedError, TooManyPagesError
from workflows.assignments.leases import LeaseOverError
from workflows.assignments.submit import NoSuchAssignmentError, OtherAnswersError, SubmissionError
from workflows.core.json_pointers import json_pointer
from workflows.crowd.invitations.domain import Over, WorkerNameError
from workflows.crowd.invitations.join import (
    InvitationOverError,
    NameTakenError,
    NoInvitationError,
    PasscodeError,
)
from workflows.crowd.invitations.rate_limits import LimitedError
from workflows.judges.answers import ModelAnswersError
from workflows.qualification.tries import NoSuchTryError, TryError
from workflows.quality.domain.stage_access import Access
from workflows.workers.enrolment import WorkerBlockedError

logger = logging.getLogger(__name__)

RETRY_SECONDS = "2"

_NOT_ADMITTED: Mapping[str, str] = {
    Access.TEST: "Take the test of this stage first.",
    Access.WAITING: "You can take the test of this stage again later.",
    Access.ENOUGH: "You have as many pages of this work as one worker gets, for a day or at all.",
    Access.CLOSED: "There is no more work in this stage for you. What you did is kept and paid.",
    Access.FIGURES: "The platform's figures of you are below what this work asks for.",
}
_OVER: Mapping[str, str] = {
    Over.USED: "This invitation was used. Ask the researcher for one of your own.",
    Over.EXPIRED: "This invitation has expired. Ask the researcher for another one.",
    Over.REVOKED: "This invitation is not valid any more. Ask the researcher for another one.",
}


def handler(error: Exception, context: dict[str, Any]) -> Response:
    """Return any error of the API as a problem. Errors in our own code are also logged with a traceback."""
    match error:
        case SubmissionError():
            return problem(400, "The answers cannot be taken.", errors=error.errors)
        case ModelAnswersError():
            return problem(400, "The answers cannot be taken.", errors=error.errors)
        case NoSuchAssignmentError():
            return problem(404, "There is no such page of yours.")
        case NoSuchTryError():
            return problem(404, "There is no such try of yours.")
        case Http404():
            return problem(404, "There is nothing at this address.")
        case NoInvitationError():
            return problem(404, "No invitation has this address. Look whether it is complete.")
        case InvitationOverError():
            return problem(409 if error.why == Over.USED else 410, _OVER[error.why])
        case PasscodeError():
            return problem(400, "That cannot be taken.", errors=[("/passcode", "It is another one.")])
        case NameTakenError():
            return problem(400, "That cannot be taken.", errors=[("/name", "Somebody has this name.")])
        case WorkerNameError():
            return problem(400, "That cannot be taken.", errors=[("/name", str(error))])
        case LimitedError():
            wait = {"Retry-After": str(error.seconds)}
            return problem(429, "Too many tries. Try again later.", headers=wait)
        case TooManyPagesError():
            return problem(409, str(error), more={"pages_held": error.held})
        case LeaseOverError() | ClaimError() | TryError() | OtherAnswersError():
            return problem(409, str(error))
        case NotAdmittedError():
            detail = _NOT_ADMITTED[error.standing]
            return problem(403, detail, more={"standing": error.standing, "retry_in": error.retry_in})
        case WorkerBlockedError() | PermissionDenied():
            return problem(403, "You cannot take work here. Write to the researcher.")
        case exceptions.ValidationError():
            return problem(400, "The request cannot be read.", errors=list(_pointers(error.detail)))
        case OperationalError():
            # The database is away, or has no free connection. Every request is safe to repeat.
            logger.error("the database failed: %s", " ".join(str(error).split()))
            return problem(503, "The server is busy. Try again.", headers={"Retry-After": RETRY_SECONDS})
        case exceptions.APIException():
            response = exception_handler(error, context)
            assert response is not None
            headers = {k: v for k, v in response.headers.items() if k in {"WWW-Authenticate", "Retry-After"}}
            return problem(response.status_code, str(error.detail), headers=headers)
    logger.error("unexpected error at %s", context["request"].path, exc_info=error)
    return problem(500, "Something broke here. Nothing was changed; it is safe to send this again.")


def problem(
    status: int,
    detail: str,
    *,
    errors: Sequence[tuple[str, str]] = (),
    headers: Mapping[str, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Response:
    """Return a problem as a response.

    `errors` are pairs of a JSON pointer into the request and what is wrong there. `more` are other members.
    """
    body = _members(status, detail) | dict(more or {})
    if errors:
        body["errors"] = [{"pointer": pointer, "detail": message} for pointer, message in errors]
    return Response(body, status=status, content_type=PROBLEM, headers=dict(headers or {}))


def problem_reply(status: int, detail: str) -> JsonResponse:
    """Return a problem as a response of Django's, for what replies before REST framework does."""
    return JsonResponse(_members(status, detail), status=status, content_type=PROBLEM)


def _members(status: int, detail: str) -> dict[str, Any]:
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }


def _pointers(detail: Any, path: tuple[object, ...] = ()) -> Iterator[tuple[str, str]]:
    """Yield REST framework's nested details as pairs of a JSON pointer and a message."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _pointers(inner, path if name == "non_field_errors" else (*path, name))
    elif isinstance(detail, list):
        nested = any(isinstance(inner, Mapping | list) for inner in detail)
        for place, inner in enumerate(detail):
            yield from _pointers(inner, (*path, place) if nested else path)
    else:
        yield json_pointer(*path), str(detail)
