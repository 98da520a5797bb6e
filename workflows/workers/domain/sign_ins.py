"""Which tokens of a worker are accepted, and which are exchanged for new ones.

A sign-in is one browser or script that works for a worker. Its first token has the number 0, and each token
that replaces another one has the next number. A link that signs a worker in has a token, too, but that one
belongs to no sign-in: every browser that opens the link begins one of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

TOKENS_PER_SIGN_IN = 6
"""A sign-in ends for good after this many times the life of a token, however often it is renewed."""
RENEWED_AFTER = timedelta(days=1)
"""The age from which a token is renewed; a token that lives less than two days, after half its life."""
OVERLAP = timedelta(minutes=1)
"""How long a token is still accepted after the next one was used. Other tabs may hold it at that moment."""


@dataclass(frozen=True, slots=True)
class Token:
    """What a worker's token says."""

    worker_id: int
    generation: int  # the worker's when the token was made
    made_at: datetime
    begun_at: datetime  # when the first token of the sign-in was made, or the link that it began with
    sign_in: int | None = None  # None: it is a link's
    number: int = 0  # of the token in its sign-in


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of a token's worker and sign-in. A sign-in is stored when it is first renewed."""

    generation: int
    newest: int | None = None  # the number of the newest token
    newest_used_at: datetime | None = None  # when it was first used


def is_over(token: Token, *, life: timedelta, now: datetime) -> bool:
    """Return whether the token or its sign-in has reached its age. `life` is how long a token lives."""
    return now > min(token.made_at + life, token.begun_at + TOKENS_PER_SIGN_IN * life)


def is_ended(token: Token, known: Known, *, now: datetime) -> bool:
    """Return whether somebody ended the worker's sign-ins, or a newer token has replaced this one."""
    if token.generation != known.generation:
        return True
    if token.sign_in is None:
        return False
    if known.newest is None:
        return token.number != 0
    if token.number == known.newest:
        return False
    # The next token may have been lost on its way. So this one is accepted until the next one is used.
    used = known.newest_used_at
    return token.number != known.newest - 1 or (used is not None and now > used + OVERLAP)


def is_first_use(token: Token, known: Known) -> bool:
    """Return whether this is the first use of a token that replaces another one."""
    return token.number == known.newest and known.newest_used_at is None


def is_renewed(token: Token, *, life: timedelta, now: datetime) -> bool:
    """Return whether the token is old enough to be renewed. A link always begins a new sign-in."""
    return token.sign_in is None or now - token.made_at >= min(RENEWED_AFTER, life / 2)


def next_token(token: Token, *, new_sign_in: int, now: datetime) -> Token:
    """Return the token that replaces this one, or the first one of `new_sign_in` for a link.

    It keeps the generation, so that it is refused if the worker's sign-ins were ended meanwhile.
    """
    if token.sign_in is None:
        return replace(token, made_at=now, sign_in=new_sign_in)
    return replace(token, made_at=now, number=token.number + 1)
