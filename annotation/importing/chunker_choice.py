"""Chooses the chunker of a project's language."""

from __future__ import annotations

from django.conf import settings

from annotation.languages import primary

DEFAULT = "hanta"


def chunker_of(language: str) -> str:
    """Return the name of the chunker for captions of this language, as GROUNDCREW_CHUNKERS says.

    Without one for the language it is the default, which cuts English.
    """
    chunkers: dict[str, str] = settings.CHUNKERS
    return chunkers.get(primary(language), DEFAULT)
