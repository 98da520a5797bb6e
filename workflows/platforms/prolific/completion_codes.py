"""Completion codes: with one, a participant goes back to Prolific. We tell it after a page is finished."""

from __future__ import annotations

import base64
from urllib.parse import quote

from django.utils.crypto import salted_hmac

from workflows.platforms.accounts import ProlificAccount

# Do not change this text, although no module has this name any more: the completion codes of studies that are
# published are made of it.
_SALT = "workflows.crowd.prolific_completing"
_SCREEN_OUT_SALT = "workflows.platforms.prolific.screen_out"


def completion_code(token: str) -> str:
    """Return the code of the study of the publication with this token.

    It never changes, and nobody can work it out from the page's address, which contains the token.
    """
    return _code(_SALT, token)


def screen_out_code(token: str) -> str:
    """Return the study's code for participants who failed the qualification test, made in the same way."""
    return _code(_SCREEN_OUT_SALT, token)


def completion_url(account: ProlificAccount, code: str) -> str:
    """Return the address to which the browser goes when a place is done: Prolific takes the code from it."""
    return f"{account.site}/submissions/complete?cc={quote(code)}"


def _code(salt: str, token: str) -> str:
    digest = salted_hmac(salt, token, algorithm="sha256").digest()
    return base64.b32encode(digest)[:12].decode()
