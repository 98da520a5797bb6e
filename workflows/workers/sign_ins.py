"""Check, renew and end the sign-ins of workers. `domain.sign_ins` has the rules."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import F

from annotation.models import Worker
from annotation.transactions import write_transaction
from workflows.workers.domain.sign_ins import (
    Known,
    Token,
    is_ended,
    is_first_use,
    is_over,
    is_renewed,
    next_token,
)
from workflows.workers.models import SignIn

MAX_SIGN_INS = 50
"""The most sign-ins of a worker that are renewed. A further one ends with its first token."""
_KNOWN = """
    SELECT worker.generation, sign_in.newest, sign_in.newest_used_at
    FROM annotation_worker worker
    LEFT JOIN workflows_signin sign_in ON sign_in.id = %s AND sign_in.worker_id = worker.id
    WHERE worker.id = %s
"""
"""Finds both rows by their primary keys. Nearly every request sends it, so it is written by hand."""


class TokenOverError(Exception):
    """The token has reached its age."""


class TokenEndedError(Exception):
    """The worker's sign-ins were ended, a newer token replaced this one, or the worker is gone."""


def first_token(worker: Worker, *, now: datetime) -> Token:
    """Return the first token of a new sign-in. Nothing is stored until it is renewed."""
    return Token(
        worker_id=worker.pk, generation=worker.generation, made_at=now, begun_at=now, sign_in=_new_id()
    )


def link_token(worker: Worker, *, now: datetime) -> Token:
    """Return the token of a link, with which any number of browsers can begin a sign-in."""
    return Token(worker_id=worker.pk, generation=worker.generation, made_at=now, begun_at=now)


def check_token(token: Token, *, life: timedelta, now: datetime) -> None:
    """Raise TokenOverError or TokenEndedError unless the token is accepted. One query.

    The first use of a token that replaces another one is stored, which takes another query.
    """
    if is_over(token, life=life, now=now):
        raise TokenOverError
    known = _known(token)
    if known is None or is_ended(token, known, now=now):
        raise TokenEndedError
    if token.sign_in is not None and is_first_use(token, known):
        newest = SignIn.objects.filter(pk=token.sign_in, newest=token.number, newest_used_at=None)
        with write_transaction():
            newest.update(newest_used_at=now)


def renew_token(token: Token, *, life: timedelta, now: datetime) -> Token:
    """Return the token to use from now on. `check_token` has accepted the given one.

    A token that is too young, or of one sign-in too many, is returned as it is. Tabs that renew a token at
    once get tokens of the same number, and all of them go on.
    """
    if not is_renewed(token, life=life, now=now):
        return token
    renewed = next_token(token, new_sign_in=_new_id(), now=now)
    if token.sign_in is None or _store(token.sign_in, token, renewed, life=life, now=now):
        return renewed
    return token


def end_sign_ins(*, worker_id: int) -> None:
    """Refuse every token that the worker has, also in links. Tokens that are made later are accepted."""
    with write_transaction():
        Worker.objects.filter(pk=worker_id).update(generation=F("generation") + 1)
        SignIn.objects.filter(worker_id=worker_id).delete()


def _new_id() -> int:
    return secrets.randbits(63)


def _known(token: Token) -> Known | None:
    with connection.cursor() as cursor:
        cursor.execute(_KNOWN, [token.sign_in, token.worker_id])
        row = cursor.fetchone()
    if row is None:
        return None
    generation, newest, used = row
    # SQLite stores times in UTC, and returns them without saying so.
    return Known(generation, newest, used.replace(tzinfo=UTC) if used and used.tzinfo is None else used)


def _store(sign_in: int, token: Token, renewed: Token, *, life: timedelta, now: datetime) -> bool:
    """Record that `renewed` replaces `token`, unless another tab has. False: there are too many sign-ins."""
    with write_transaction():
        mine = SignIn.objects.filter(worker_id=token.worker_id)
        if token.number == 0:
            # The newest token of these was made before the one before it had reached its age.
            mine.filter(renewed_at__lt=now - 2 * life).delete()
            if mine.exclude(pk=sign_in).count() >= MAX_SIGN_INS:
                return False
            new = SignIn(pk=sign_in, worker_id=token.worker_id, newest=0, renewed_at=now)
            SignIn.objects.bulk_create([new], ignore_conflicts=True)
        mine.filter(pk=sign_in, newest=token.number).update(
            newest=renewed.number, newest_used_at=None, renewed_at=now
        )
        return True
