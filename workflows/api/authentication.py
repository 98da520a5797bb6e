"""Authentication of workers by a signed bearer token.

Pages run in other sites' frames, so cookies do not work.

The parts of a token are separated by ':'. The first part is the same in all tokens of a worker and different
for every other worker, so pages keep a worker's drafts under it. It alone gives no access. The next part says
which generation the token is of and, unless it is a link's, which token of which sign-in it is
(`workflows.workers.domain.sign_ins`). The last two are the time when the token was made, and the signature.

Workers from a crowd platform have only said who they are, so their token is bound to their participation. It
opens the participation's pages, cannot be exchanged for another token, and needs no generation. So it has
three parts. Three parts also had the tokens of workers before there were generations.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from annotation.models import Worker
from workflows.workers.domain.sign_ins import Token
from workflows.workers.sign_ins import (
    TokenEndedError,
    TokenOverError,
    check_token,
    first_token,
    link_token,
    renew_token,
)

if TYPE_CHECKING:  # a real import would be circular: REST framework's settings name a class of this module
    from rest_framework.views import APIView

SALT = "groundcrew.worker"
FIRST_GENERATION = 0
"""The generation of tokens that name none."""
_ENDED = "open your newest link again, or ask the researcher for a new one."


@dataclass(frozen=True, slots=True)
class WorkerIdentity:
    """The worker of a token. Whether they are blocked is checked when they take work."""

    worker_id: int
    participation_id: int | None = None  # the token opens only this participation's pages
    token: Token | None = None  # None: it is bound to a participation
    is_authenticated: bool = True


def make_token(worker: Worker) -> str:
    """Return a bearer token for the worker, with which a new sign-in begins."""
    return _sign(first_token(worker, now=timezone.now()))


def make_link_token(worker: Worker) -> str:
    """Return a bearer token for a link. Every browser that opens the link begins a sign-in of its own."""
    return _sign(link_token(worker, now=timezone.now()))


def make_bound_token(worker_id: int, participation_id: int) -> str:
    """Return a bearer token that opens only the pages of this participation."""
    return _stamped(_subject([worker_id, participation_id]), timezone.now())


def renewed_token(identity: WorkerIdentity, *, now: datetime) -> str:
    """Return the bearer token to use from now on; the same one as before if it is not time for another."""
    assert identity.token is not None, "a bound token is not renewed"
    return _sign(renew_token(identity.token, life=_life(), now=now))


def _life() -> timedelta:
    return timedelta(days=settings.GROUNDCREW_TOKEN_DAYS)


def _sign(token: Token) -> str:
    words = [token.generation]
    if token.sign_in is not None:
        words += [token.sign_in, token.number, int(token.begun_at.timestamp())]
    return _stamped(f"{_subject(token.worker_id)}:{'-'.join(map(str, words))}", token.made_at)


def _subject(who: int | list[int]) -> str:
    return signing.b64_encode(signing.JSONSerializer().dumps(who)).decode()


def _stamped(said: str, made_at: datetime) -> str:
    """Return the text with a time and a signature, as `TimestampSigner` writes them."""
    return signing.Signer(salt=SALT).sign(f"{said}:{signing.b62_encode(int(made_at.timestamp()))}")


def _read(text: str) -> tuple[WorkerIdentity, datetime]:
    """Return whom a token names, and when it was made. Raises BadSignature."""
    said, _, stamp = signing.Signer(salt=SALT).unsign(text).rpartition(":")
    made_at = datetime.fromtimestamp(signing.b62_decode(stamp), UTC)
    subject, _, words = said.partition(":")
    who = signing.JSONSerializer().loads(signing.b64_decode(subject.encode()))
    if isinstance(who, list):
        return WorkerIdentity(*who), made_at
    token = Token(who, FIRST_GENERATION, made_at, begun_at=made_at)
    if words:
        generation, *more = map(int, words.split("-"))
        token = Token(who, generation, made_at, begun_at=made_at)
        if more:
            sign_in, number, begun = more
            token = Token(who, generation, made_at, datetime.fromtimestamp(begun, UTC), sign_in, number)
    return WorkerIdentity(who, token=token), made_at


def _bearer(authorization: str) -> tuple[WorkerIdentity, datetime] | None:
    """Return whom the token in the header names, and when it was made; None without one.

    Raises BadSignature.
    """
    scheme, _, token = authorization.partition(" ")
    return _read(token.strip()) if scheme.lower() == "bearer" else None


class WorkerTokenAuthentication(BaseAuthentication):
    """Authenticates requests by `Authorization: Bearer <token>`, in one query. Bound tokens need none."""

    @staticmethod
    def is_signed(authorization: str) -> bool:
        """Return whether the header Authorization has a token that we made. It may have ended since.

        This needs no query, so that a request without one can be refused before its body is received.
        """
        try:
            return _bearer(authorization) is not None
        except signing.BadSignature:
            return False

    def authenticate(self, request: Request) -> tuple[WorkerIdentity, None] | None:
        now = timezone.now()
        try:
            bearer = _bearer(request.headers.get("Authorization", ""))
            if bearer is None:
                return None
            identity, made_at = bearer
            if identity.token is not None:
                check_token(identity.token, life=_life(), now=now)
            elif now > made_at + _life():
                raise TokenOverError
        except TokenOverError as error:
            raise AuthenticationFailed(f"This token has expired: {_ENDED}") from error
        except TokenEndedError as error:
            raise AuthenticationFailed(f"This token has ended: {_ENDED}") from error
        except signing.BadSignature as error:
            raise AuthenticationFailed("This token is not valid: open your link again.") from error
        return identity, None

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="groundcrew"'


class Unbound(BasePermission):
    """Permits tokens of workers, and refuses tokens that are bound to a participation."""

    message = "This token is for the pages of one place only."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return not isinstance(request.user, WorkerIdentity) or request.user.participation_id is None


class WorkerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular's hook
    """Describes the token in the OpenAPI document."""

    target_class = "workflows.api.authentication.WorkerTokenAuthentication"
    name = "workerToken"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
