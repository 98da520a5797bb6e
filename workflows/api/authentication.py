"""Workers authenticate with a signed bearer token: pages run in other sites' frames, without cookies.

A token is three parts, separated by ':'. The first is the same for every token of a worker, whenever it was
made, and differs from that of every other worker: pages keep a worker's drafts under it. The others are the
time it was made and the signature. The first part alone opens nothing.

Somebody who comes from a crowd platform has said who they are, and no more: their token is bound to their
participation, opens its one page, and cannot be exchanged for another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from annotation.models import Worker

if TYPE_CHECKING:  # REST framework's views read the settings, which name a class of this module
    from rest_framework.views import APIView

SALT = "groundcrew.worker"


@dataclass(frozen=True, slots=True)
class WorkerIdentity:
    """Who the token speaks for. Whether the worker is blocked is checked where work is taken."""

    worker_id: int
    participation_id: int | None = None  # opens this one's page only
    is_authenticated: bool = True


def make_token(worker: Worker) -> str:
    """A bearer token for the worker, valid for `GROUNDCREW_TOKEN_DAYS`."""
    return sign(worker.pk)


def sign(worker_id: int) -> str:
    """The same for a worker who is known by id; costs no query."""
    return signing.dumps(worker_id, salt=SALT)


def sign_for(worker_id: int, participation_id: int) -> str:
    """One that opens the page of this participation only."""
    return signing.dumps([worker_id, participation_id], salt=SALT)


class WorkerTokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer <token>`; costs no query."""

    def authenticate(self, request: Request) -> tuple[WorkerIdentity, None] | None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            said = signing.loads(token.strip(), salt=SALT, max_age=settings.GROUNDCREW_TOKEN_DAYS * 24 * 3600)
        except signing.SignatureExpired as error:
            raise AuthenticationFailed("This token has expired: open your link again.") from error
        except signing.BadSignature as error:
            raise AuthenticationFailed("This token is not valid: open your link again.") from error
        return WorkerIdentity(*said) if isinstance(said, list) else WorkerIdentity(said), None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="groundcrew"'


class Unbound(BasePermission):
    """The token is a worker's, not one participation's."""

    message = "This token is for one page only."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not isinstance(request.user, WorkerIdentity) or request.user.participation_id is None


class WorkerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular's hook
    """How the token stands in the OpenAPI document."""

    target_class = "workflows.api.authentication.WorkerTokenAuthentication"
    name = "workerToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
