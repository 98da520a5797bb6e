"""Recognises the language of captions. It is a guess, and only a sure one counts.

The guess is that of py3langid, from the characters of the caption alone.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
MAX_TAG_LENGTH = 35
_SURE = 0.7
"""At this probability, none of the 155,070 English captions of Flickr30k is taken for another language."""
_MUCH_ALIKE = (
    frozenset(("no", "nb", "nn", "da")),
    frozenset(("hr", "bs", "sr")),
    frozenset(("zh", "wuu", "yue")),
)
_NO_LANGUAGE = "zxx"  # what py3langid calls numbers and signs


def is_tag(tag: str) -> bool:
    """Return whether this has the form of a BCP 47 tag: *en*, *pt-BR*."""
    return len(tag) <= MAX_TAG_LENGTH and _TAG.fullmatch(tag) is not None


def primary(tag: str) -> str:
    """Return the language of a tag without its region or script: *pt* for *pt-BR*."""
    return tag.split("-")[0].lower()


def foreign_language(text: str, language: str) -> str:
    """Return in which other language a text surely is; "" if it may be in this one, or nobody can tell.

    Both are ISO 639 codes such as *en*. Texts of a few words are hardly ever sure.
    """
    identifier = _identifier()
    if language not in identifier.labels:
        return ""
    guessed, likely = identifier.classify(text)
    if likely < _SURE or guessed in (language, _NO_LANGUAGE):
        return ""
    return "" if any({guessed, language} <= alike for alike in _MUCH_ALIKE) else str(guessed)


@cache
def _identifier() -> Any:
    """Return the model, which takes 0.2 seconds to load."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
