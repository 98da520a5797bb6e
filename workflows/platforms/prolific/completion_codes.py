"""Completion codes: with one, a participant goes back to Prolific. We tell it after a page is finished."""

from __future__ import annotations

import base64
from urllib.parse import quote

from django.utils.crypto import salted_hmac

from workflows.platforms.accounts import ProlificAccount

# Do not change this text, although no module has this name any more: the completion codes of studies that are
# published are made of it.
_SALT = "workflows.crowd.prolific_completing"


def completion_code(token: str) -> str:
    """Return the code of the study of the publication with this token.

    It never changes, and nobody can work it out from the page's address, which contains the token.
    """
    digest = salted_hmac(_SALT, token, algorithm="sha256").digest()
    return base64.b32encode(digest)[:12].decode()


def completion_url(account: ProlificAccount, token: str) -> str:
    """Return the address to which the browser goes when a page of the publication is finished."""
    return f"{account.site}/submissions/complete?cc={quote(completion_code(token))}"
