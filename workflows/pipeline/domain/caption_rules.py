"""The rules that flag a caption that a worker wrote: a researcher has to look at it before it is accepted.

The pages of workers warn of the same while a caption is written (frontend/src/captions/hints.ts), as far as a
browser can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

SHORT, LANGUAGE, SPELLING, NAME, GUESS = "short", "language", "spelling", "name", "guess"
REPEATS_OWN, REPEATS_OTHER = "repeats-own", "repeats-other"
MIN_WORDS = 4
"""The fewest words of a caption [ours]."""

_GUESSES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "en": re.compile(
            r"\b(probably|perhaps|maybe|might|may be|possibly|presumably|seems?|appears? to|looks? like"
            r"|must be|(?:is|are) thinking)\b",
            re.IGNORECASE,
        ),
        "de": re.compile(
            r"\b(wahrscheinlich|vielleicht|vermutlich|womöglich|möglicherweise|scheint|scheinen|wohl|anscheinend"
            r"|denkt|denken)\b",
            re.IGNORECASE,
        ),
    }
)
# In German every noun begins with a capital.
_NAMES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"en": re.compile(r"(?<=[^.!?\s\"“”'])\s+(?P<name>[A-Z][a-z]+)")}
)
_PEOPLES = re.compile(
    r".*(ans?|ese|ish|ics?|ern|[sc]h|i)|Germans?|Muslims?|Arabs?|Native|Oriental"
    r"|Christmas|Easter|Halloween|Santa|Frisbees?|Segway|Jenga|Velcro|Legos?"
)
"""Words with a capital that say how something looks: *Asian, Chinese, Scottish*, and some that are things."""


def flags_of(
    text: str,
    *,
    own: Sequence[str],
    others: Sequence[str],
    language: str,
    foreign: bool,
    misspelt: bool,
) -> tuple[str, ...]:
    """Return the names of the rules that find something in the caption, or () if it is fine [ours].

    `own` are earlier captions of its worker, the newest first, and `others` are earlier ones about the same
    image. `language` is the language (ISO 639) that it should be in, `foreign` says that it is surely in
    another one, and `misspelt` that a word is. Names and guesses are against the instructions (ranking task,
    section 2.3.2).
    """
    plain = _plain(text)
    found = {
        SHORT: len(plain.split()) < MIN_WORDS,
        LANGUAGE: foreign,
        SPELLING: misspelt and not foreign,
        NAME: language in _NAMES and not foreign and any(map(_is_name, _NAMES[language].finditer(text))),
        GUESS: language in _GUESSES and bool(_GUESSES[language].search(text)),
        REPEATS_OWN: any(_plain(one) == plain for one in own),
        REPEATS_OTHER: any(_plain(one) == plain for one in others),
    }
    return tuple(name for name, holds in found.items() if holds)


def _is_name(found: re.Match[str]) -> bool:
    return not _PEOPLES.fullmatch(found["name"])


def _plain(text: str) -> str:
    """Return the words of the text in lower case: marks and spaces do not make another caption."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())
