"""The way back to a platform: the completion code of a place, and the address with its placeholders."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from urllib.parse import quote

from workflows.batch_settings.domain.crowd_settings import PLACEHOLDERS

CODE_LENGTH = 10
"""Characters of a place's code [ours]: 50 bits, which nobody guesses."""


def place_code(key: bytes, *, batch_id: int, assignment: str, worker: str) -> str:
    """Return the code of a place. It is the same however often it is asked for."""
    about = "\0".join((str(batch_id), assignment, worker)).encode()
    digest = hmac.digest(key, about, hashlib.sha256)
    return base64.b32encode(digest).decode()[:CODE_LENGTH]


def filled(address: str, *, participant: str, assignment: str, code: str) -> str:
    """Return an address back with its placeholders replaced; values are quoted, so that they stay values."""
    values = dict(zip(PLACEHOLDERS, (participant, participant, assignment, code), strict=True))
    names = "|".join(PLACEHOLDERS)
    return re.sub(f"%({names})%", lambda found: quote(values[found[1]], safe=""), address)
