"""What types of a project's own may be: names, labels, and words, read from a page or a file.

Errors name the type, the field and, in a list of words, the line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.domain.field_errors import NamedFieldError
from annotation.domain.types import MAX_ENTRY_WORDS, NOTVISUAL, TYPES, OwnType
from evaluation.dataset import MAX_TYPE, is_type

MAX_TYPES = 12
"""The most types that a project adds."""
MAX_LABEL = 40
"""Characters of what pages call a type."""
MAX_WORDS = 2000
"""Entries of a list of words."""
MAX_LINE = 60
"""Characters of an entry."""


class TypesError(NamedFieldError):
    """Types cannot be saved like this. `field` is what is wrong, as in `food.words, line 3`."""


def parse_types(data: Any) -> tuple[OwnType, ...]:
    """Return the types of a table as a TOML file has it: by key, each with a label and words.

    The words are a list, or a text with one entry a line. Raise TypesError for the first mistake.
    """
    if not isinstance(data, Mapping):
        raise TypesError("", "There must be a table for each type.")
    found = []
    for key, said in data.items():
        if not isinstance(said, Mapping):
            raise TypesError(str(key)[:40], "must be a table with label and words")
        if strange := sorted(str(name)[:40] for name in set(said) - {"label", "words"}):
            raise TypesError(f"{str(key)[:40]}.{strange[0]}", "is not known here: a type has label and words")
        found.append((str(key), said.get("label", ""), said.get("words", "")))
    return own_types(found)


def own_types(said: Sequence[tuple[str, Any, Any]]) -> tuple[OwnType, ...]:
    """Return the types (key, label, words), with labels and words as they are stored. Raise TypesError."""
    if len(said) > MAX_TYPES:
        raise TypesError("", f"There are {len(said)} types, and a project may add {MAX_TYPES}.")
    found: dict[str, OwnType] = {}
    for key, label, words in said:
        _check_key(key)
        if key in found:
            raise TypesError(f"{key}.key", "is given twice: choose another key")
        found[key] = OwnType(key, _label(label, key), _words(words, key))
    return tuple(found.values())


def to_json(types: Sequence[OwnType]) -> dict[str, Any]:
    """Return the types as a version stores them."""
    return {"types": [{"key": one.key, "label": one.label, "words": list(one.words)} for one in types]}


def from_json(stored: Mapping[str, Any]) -> tuple[OwnType, ...]:
    """Return the types of a stored version."""
    return tuple(OwnType(one["key"], one["label"], tuple(one["words"])) for one in stored["types"])


def _check_key(key: str) -> None:
    field = f"{key[:40]}.key" if key else "key"
    if not is_type(key):
        raise TypesError(
            field, f"must be 1 to {MAX_TYPE} lower-case letters and _, beginning with a letter, such as food"
        )
    if key in TYPES or key == NOTVISUAL:
        raise TypesError(field, "is the name of a built-in type: choose another key")


def _label(label: Any, key: str) -> str:
    field = f"{key}.label"
    if not isinstance(label, str) or not label.isprintable():
        raise TypesError(field, "must be a text without line breaks")
    text = " ".join(label.split()) or key.replace("_", " ")
    if len(text) > MAX_LABEL:
        raise TypesError(field, f"has {len(text)} characters, and may have {MAX_LABEL}: shorten it")
    return text


def _words(words: Any, key: str) -> tuple[str, ...]:
    """Return the entries once each, in lower case and in their order. `#` begins a comment."""
    field = f"{key}.words"
    lines = words.splitlines() if isinstance(words, str) else words
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise TypesError(field, "must be a list of nouns, or a text with one noun a line")
    found: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        entry = " ".join(line.split("#")[0].lower().split())
        if entry:
            _check_entry(entry, f"{field}, line {number}")
            found[entry] = None
    if not found:
        raise TypesError(field, "must have at least one noun")
    if len(found) > MAX_WORDS:
        raise TypesError(field, f"has {len(found):,} nouns, and may have {MAX_WORDS:,}")
    return tuple(found)


def _check_entry(entry: str, field: str) -> None:
    if len(entry) > MAX_LINE:
        raise TypesError(field, f"has {len(entry)} characters, and may have {MAX_LINE}: one noun a line")
    if len(entry.split()) > MAX_ENTRY_WORDS:
        raise TypesError(
            field, f"{entry!r} has more than {MAX_ENTRY_WORDS} words: write the noun, or a short compound"
        )
    if not entry.isprintable() or not any(character.isalpha() for character in entry):
        raise TypesError(field, f"{entry!r} is no noun")
