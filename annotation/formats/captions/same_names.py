"""Tells pictures apart that a corpus calls the same, since an image is known by its name."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

_DIGITS = 8
_MAX_STEM = 150  # characters that are kept before the digits


class PicturesApart:
    """Gives each different picture of one name a name of its own. Each reading gives the same ones.

    It holds two numbers an image, not its name, because it has to hold a whole corpus.
    """

    def __init__(self) -> None:
        self._first: dict[int, int] = {}

    def name_of(self, name: str, picture: bytes | None) -> str:
        """Return the name for a picture: its own if it is the first of this name, else one with digits.

        The digits are those of its content, so that it gets the same name wherever it comes again.
        """
        if picture is None or self._first.setdefault(hash(name), hash(picture)) == hash(picture):
            return name
        path = PurePosixPath(name)
        return f"{path.stem[:_MAX_STEM]}-{hashlib.sha256(picture).hexdigest()[:_DIGITS]}{path.suffix}"
