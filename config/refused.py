"""The reply to a request that Django itself refuses, such as one to a host that is not ours."""

from __future__ import annotations

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from config.request_bodies import API
from workflows.api.problem_details import problem_reply


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Reply 400: as a problem to the API, as a line of text elsewhere."""
    strange = isinstance(exception, DisallowedHost)
    said = "This site has another name." if strange else "The request cannot be read. Try again."
    if request.path_info.startswith(API):
        return problem_reply(400, said)
    return HttpResponse(f"{said}\n", status=400, content_type="text/plain")
