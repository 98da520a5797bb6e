"""Tokens of bonuses that people may choose: what was accepted has to be found again on a platform."""

from __future__ import annotations

import re

MOST_TOKEN = 64
TOKEN = rf"[A-Za-z0-9._:-]{{1,{MOST_TOKEN}}}"
"""The one pattern: of what is accepted, and of what is read back from a bonus's reason."""


def is_token(text: str) -> bool:
    return re.fullmatch(TOKEN, text) is not None
