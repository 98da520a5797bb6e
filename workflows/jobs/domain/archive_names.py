"""The names in a ZIP archive as texts. Many programs do not say in which encoding they write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from workflows.jobs.domain.archives import ArchiveError

_MARKS = frozenset("–—‘’“”…°ºª·²³½¼¿¡§©®")  # in names of files, beside letters
_JAPANESE = ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC")
_MISREAD = re.compile(r"[^\x00-\x7f]{3}|[à-ÿ][A-Z]")
"""In words, letters beyond ASCII stand apart, and none of them is small before a capital letter."""
_SHOWN = 80


def readable_names(names: Sequence[bytes]) -> list[str]:
    """Return the names of an archive that does not tell their encoding, which is the same for all of them.

    UTF-8 is tried first, then the code pages of DOS (437) and Windows (1252), then Shift-JIS. Except for
    UTF-8, an encoding is right if it gives letters alone: of Western languages, or of Japanese. Raise
    ArchiveError if none is.
    """
    try:
        return [name.decode() for name in names]
    except UnicodeDecodeError:
        pass
    for encoding, is_usual in _TRIED:
        try:
            decoded = [name.decode(encoding) for name in names]
        except UnicodeDecodeError:
            continue
        if all(map(is_usual, decoded)):
            return decoded
    odd = next(name for name in names if not name.isascii())
    shown = odd.decode("ascii", "replace")[:_SHOWN]
    raise ArchiveError(f"it has unreadable names, such as {shown!r}: pack it again with names in UTF-8")


def _is_western(name: str) -> bool:
    """Return whether a name looks like words in Latin script, and not like other text that is misread."""
    return all(map(_is_latin, _foreign(name))) and not _MISREAD.search(name)


def _is_mostly_ascii(name: str) -> bool:
    """Return whether a Western name has at least as many ASCII letters as others, as most words have."""
    stem = name.rpartition(".")[0] or name
    plain = sum(character.isascii() and character.isalpha() for character in stem)
    return _is_western(name) and len(_foreign(stem)) <= plain


def _is_japanese(name: str) -> bool:
    return all(unicodedata.name(character, "").startswith(_JAPANESE) for character in _foreign(name))


def _is_latin(character: str) -> bool:
    return character in _MARKS or (character != "ƒ" and unicodedata.name(character, "").startswith("LATIN "))


def _foreign(name: str) -> list[str]:
    return [character for character in name if not character.isascii()]


_TRIED: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("cp437", _is_mostly_ascii),
    ("cp1252", _is_mostly_ascii),
    ("cp932", _is_japanese),
    ("cp437", _is_western),
    ("cp1252", _is_western),
)
