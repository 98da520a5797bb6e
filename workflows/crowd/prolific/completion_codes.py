"""How a participant goes back to Prolific: with a code that only who has finished a page is told."""

from __future__ import annotations

import base64
from urllib.parse import quote

from django.utils.crypto import salted_hmac

from workflows.crowd.accounts import ProlificAccount

_SALT = "workflows.crowd.prolific_completing"


def completion_code(token: str) -> str:
    """Of the study of a publication with this token, for ever. Its page's address does not tell it."""
    digest = salted_hmac(_SALT, token, algorithm="sha256").digest()
    return base64.b32encode(digest)[:12].decode()


def completion_url(account: ProlificAccount, token: str) -> str:
    """Where the browser goes when a page of the publication is finished."""
    return f"{account.site}/submissions/complete?cc={quote(completion_code(token))}"
