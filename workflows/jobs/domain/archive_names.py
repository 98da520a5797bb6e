"""The names in a ZIP archive as texts. Many programs do not say in which encoding they write them."""

from __future__ import annotations

import re
import struct
import unicodedata
import zlib
from collections.abc import Sequence

from workflows.jobs.domain.archives import ArchiveError

_MARKS = frozenset("–—‘’“”…°§©®")  # in names of files, beside letters
_WESTERN = (
    "äöüß",
    "àâæçèéêëîïôœùûüÿ",
    "áéíñóúü¡¿ºª",
    "àáâãçéêíóôõúü",
    "æøåéäöšž",
    "àèéìíòóùú",
    "áéëèíïóöúüç",
)
"""The letters beyond ASCII of German, French, Spanish, Portuguese, Northern languages, Italian and Dutch."""
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíľňóôšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž", "äöüß")
"""Those of Polish, Czech, Slovak, Hungarian, Romanian, Croatian and German."""
_ALONE = frozenset("àáâåæèéêíóôöøú")  # as words
_JAPANESE = ("CJK", "HIRAGANA", "KATAKANA", "FULLWIDTH", "IDEOGRAPHIC")
_WORD = re.compile(r"[^\W\d_]+")
_MISREAD = re.compile(r"[^\x00-\x7f]{3}|[^\W\d_][…°§©®¡¿ºª–—“][^\W\d_]|[õÕ](?![eE])")
"""In words, letters beyond ASCII stand apart, and marks do not. Portuguese has õ only before e."""
_RUN = re.compile(r"[^\x00-\x7f]+")
_TOUCHING = re.compile(r"[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z]")
_UNICODE_PATH = 0x7075
_SHOWN = 80


def readable_names(names: Sequence[bytes]) -> list[str]:
    """Return the names of an archive that does not tell their encoding, which is the same for all of them.

    UTF-8 is tried first, then the code pages of DOS (437, 850, 852) and Windows (1252), and Shift-JIS. Except
    for UTF-8, an encoding may be right if it gives words of one language. Raise ArchiveError if none does,
    or if two of them give different names.
    """
    try:
        return [name.decode() for name in names]
    except UnicodeDecodeError:
        pass
    found = [
        decoded
        for encoding, alphabets in _TRIED
        if (decoded := _decoded(names, encoding)) and _are_words(decoded, alphabets)
    ]
    if (japanese := _decoded(names, "cp932")) and all(map(_may_be_japanese, japanese)):
        found.append(japanese)
        if any(len(run) == 1 for name in japanese for run in _RUN.findall(name)):
            found.clear()  # one character may be any two bytes
    if found and all(decoded == found[0] for decoded in found):
        return found[0]
    odd = next(name for name in names if not name.isascii())
    shown = odd.decode("ascii", "replace")[:_SHOWN]
    raise ArchiveError(f"it has unreadable names, such as {shown!r}: pack it again with names in UTF-8")


def unicode_path(name: bytes, extra: bytes) -> str | None:
    """Return the name that an entry of an archive has in its extra field for Unicode, or None.

    It holds for the `name` whose checksum it has. Raise ValueError if it is not UTF-8.
    """
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        field = extra[at + 4 : at + 4 + length]
        if kind == _UNICODE_PATH and field[:5] == b"\1" + struct.pack("<I", zlib.crc32(name)):
            return field[5:].decode()
        at += 4 + length
    return None


def _decoded(names: Sequence[bytes], encoding: str) -> list[str] | None:
    try:
        return [name.decode(encoding) for name in names]
    except UnicodeDecodeError:
        return None


def _are_words(names: Sequence[str], alphabets: Sequence[str]) -> bool:
    """Return whether names look like words of one of these languages, and not like misread ones."""
    letters = {letter.lower() for name in names for letter in name if not letter.isascii()} - _MARKS
    if not any(letters <= set(alphabet) for alphabet in alphabets):
        return False
    return not any(map(_MISREAD.search, names)) and all(
        map(_is_word, (word for name in names for word in _WORD.findall(name)))
    )


def _is_word(word: str) -> bool:
    if len(word) == 1:
        return word.isascii() or word in _ALONE
    for at, letter in enumerate(word):
        if letter.isascii():
            continue
        before, after = word[at - 1 : at], word[at + 1 : at + 2]
        if before and letter.isupper() and not word.isupper():
            return False
        if letter.islower() and after.isupper():
            return False
        if before and after and not any(map(_is_vowel, (before, letter, after))):
            return False
    return True


def _is_vowel(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0].lower() in "aeiouyæøœ"


def _may_be_japanese(name: str) -> bool:
    foreign = (character for character in name if not character.isascii())
    return not _TOUCHING.search(name) and all(
        unicodedata.name(character, "").startswith(_JAPANESE) for character in foreign
    )


_TRIED = (("cp437", _WESTERN), ("cp850", _WESTERN), ("cp852", _CENTRAL), ("cp1252", _WESTERN))
