"""The rules that flag a caption that a worker wrote: a researcher has to look at it before it is accepted.

The pages of workers warn of the same while a caption is written (frontend/src/captions/hints.ts), as far as a
browser can tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from annotation.domain.types import dictionary

SHORT, LANGUAGE, SPELLING, NAME, GUESS, IMAGE = "short", "language", "spelling", "name", "guess", "image"
REPEATS_OWN, REPEATS_OTHER = "repeats-own", "repeats-other"
RULES = (SHORT, LANGUAGE, SPELLING, NAME, GUESS, IMAGE, REPEATS_OWN, REPEATS_OTHER)
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
_MORE_GUESSES = re.compile(
    r"\b((?:i|we) (?:think|guess|believe|assume)|could be|might|(?:is|are|was|were) likely|apparently"
    r"|supposedly|must have|as if|as though|wonder(?:s|ed|ing)?|hop(?:es|ed|ing) (?:to|that|for))\b",
    re.IGNORECASE,
)
"""Of the second version, in English."""
_PICTURE = r"(?:picture|photo|photograph|image|snapshot|close-?up)"
_ABOUT_IMAGE = re.compile(
    r"^\W*(?:(?:an?|the|this|blurry|blurred|black|white|and|colou?r|sepia|aerial)[ -]+)+"
    rf"{_PICTURE}s? of\b"
    rf"|^\W*(?:a )?{_PICTURE} of\b"
    rf"|\b(?:this|the) {_PICTURE} (?:shows?|depicts?|is of|was taken|has|features?|captures?)\b"
    rf"|\bin (?:this|the) {_PICTURE}\b(?! (?:frame|booth|window|album|book))",
    re.IGNORECASE,
)
"""Of the second version, in English: words about the photograph itself."""
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr)\.? [A-Z]")
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
    version: int = 2,
) -> tuple[str, ...]:
    """Return the names of the rules that find something in the caption, or () if it is fine [ours].

    `own` are earlier captions of its worker, the newest first, and `others` are earlier ones about the same
    image. `language` is the language (ISO 639) that it should be in, `foreign` says that it is surely in
    another one, and `misspelt` that a word is. Names, guesses and words about the photograph are against the
    instructions (ranking task, section 2.3.2). Version 1 of the rules is that of batches which were launched
    before: it knows no names at the beginning, fewer guesses, and no words about the photograph.
    """
    plain = _plain(text)
    found = {
        SHORT: len(plain.split()) < MIN_WORDS,
        LANGUAGE: foreign,
        SPELLING: misspelt and not foreign,
        NAME: not foreign and _names(text, language, version),
        GUESS: _guesses(text, language, version),
        IMAGE: version > 1 and language == "en" and bool(_ABOUT_IMAGE.search(text)),
        REPEATS_OWN: any(_plain(one) == plain for one in own),
        REPEATS_OTHER: any(_plain(one) == plain for one in others),
    }
    return tuple(name for name, holds in found.items() if holds)


def _names(text: str, language: str, version: int) -> bool:
    if language not in _NAMES:
        return False
    words = (word.lower() for word in re.findall(r"[^\W\d_]+", text) if word[0].isupper())
    lists = dictionary("given_names"), dictionary("places")
    known = version > 1 and any(word in names for word in words for names in lists)
    titled = version > 1 and bool(_TITLED.search(text))
    return known or titled or any(map(_is_name, _NAMES[language].finditer(text)))


def _guesses(text: str, language: str, version: int) -> bool:
    if language in _GUESSES and _GUESSES[language].search(text):
        return True
    return version > 1 and language == "en" and bool(_MORE_GUESSES.search(text))


def _is_name(found: re.Match[str]) -> bool:
    return not _PEOPLES.fullmatch(found["name"])


def _plain(text: str) -> str:
    """Return the words of the text in lower case: marks and spaces do not make another caption."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())
