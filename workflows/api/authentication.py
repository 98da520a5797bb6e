"""Authentication of workers by a signed bearer token.

Pages run in other sites' frames, so cookies do not work.

A token has three parts, separated by ':'. The first part is the same in all tokens of a worker and different
for every other worker, so pages keep a worker's drafts under it. The others are the time when the token was
made, and the signature. The first part alone gives no access.

Workers from a crowd platform have only said who they are, so their token is bound to their participation. It
opens the participation's one page, and cannot be exchanged for another token.
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

if TYPE_CHECKING:  # a real import would be circular: REST framework's settings name a class of this module
    from rest_framework.views import APIView

SALT = "groundcrew.worker"


@dataclass(frozen=True, slots=True)
class WorkerIdentity:
    """The worker of a token. Whether they are blocked is checked when they take work."""

    worker_id: int
    participation_id: int | None = None  # the token opens only this participation's page
    is_authenticated: bool = True


def make_token(worker: Worker) -> str:
    """Return a bearer token for the worker, valid for `GROUNDCREW_TOKEN_DAYS`."""
    return sign(worker.pk)


def sign(worker_id: int) -> str:
    """Return a bearer token for the worker with this id, without a query."""
    return signing.dumps(worker_id, salt=SALT)


def sign_for(worker_id: int, participation_id: int) -> str:
    """Return a bearer token that opens only the page of this participation."""
    return signing.dumps([worker_id, participation_id], salt=SALT)


class WorkerTokenAuthentication(BaseAuthentication):
    """Authenticates requests by `Authorization: Bearer <token>`, without a query."""

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
    """Permits tokens of workers, and refuses tokens that are bound to a participation."""

    message = "This token is for one page only."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not isinstance(request.user, WorkerIdentity) or request.user.participation_id is None


class WorkerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular's hook
    """Describes the token in the OpenAPI document."""

    target_class = "workflows.api.authentication.WorkerTokenAuthentication"
    name = "workerToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
