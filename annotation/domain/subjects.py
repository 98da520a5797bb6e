"""The noun phrase before a word of a caption: can it be the subject of a verb, and of which number?

*A man fires a gun* and *a man in a clown nose*: *fires* follows a subject, *nose* does not. Tags are CLAWS5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.domain.types import GROUPS, word_set

NOUNS = frozenset(("NN0", "NN1", "NN2", "NP0", "UNC", "ZZ0"))
_ADJECTIVES = frozenset(("AJ0", "AJC", "AJS"))
_DETERMINERS = frozenset(("AT0", "DPS", "DT0", "CRD"))
_IN_PHRASE = NOUNS | _ADJECTIVES | _DETERMINERS | {"ORD", "POS", "PRF", "VVN"}
_OPENS_CLAUSE = frozenset(("CJC", "CJS", "CJT", "EX0", "PUN", "PUQ"))
_SUBORDINATING = frozenset(("as", "while", "when", "where", "because", "if", "until", "so"))
# What somebody does may follow without an ending: they watch a boy swim.
_PERCEIVING = frozenset(
    f"{verb}{ending}"
    for verb, endings in (
        ("watch", ("", "es", "ing", "ed")),
        ("see", ("", "s", "ing", "n")),
        ("help", ("", "s", "ing", "ed")),
        ("let", ("", "s", "ting")),
        ("mak", ("e", "es", "ing")),
        ("hear", ("", "s", "ing", "d")),
        ("observ", ("e", "es", "ing")),
    )
    for ending in endings
)
_ONE = frozenset(("a", "an", "another", "each", "every", "one"))
_SEVERAL = word_set(
    "two three four five six seven eight nine ten eleven twelve several many few both these those various "
    "multiple"
)
_PLURALS = frozenset(("people", "men", "women", "children", "kids", "police", "personnel", "passersby"))


@dataclass(frozen=True, slots=True)
class Subject:
    """The noun phrase that ends before a word."""

    leads: bool
    """It stands where a subject can: at the beginning of a clause."""
    perceived: bool
    """It follows a verb like *watch*, so that its own verb has no ending."""
    one: bool
    """A word such as *a* says that it is a single thing."""
    plural: bool | None
    """None: a verb of either number may follow, as after *a group of men*."""
    incomplete: bool
    """A number or *several* stands before a singular, so that a plural should follow: *two police …*"""


def subject_before(
    words: Sequence[str], tags: Sequence[str], place: int, is_animate: Callable[[str], bool]
) -> Subject:
    """Return the noun phrase that ends before a place, whose tags are right so far.

    Persons and animals that *and* joins are one phrase. ``words`` are in lower case.
    """
    start, joined = place, False
    while start:
        tag, word = tags[start - 1], words[start - 1]
        described = tag == "AV0" and tags[start : start + 1] in (
            ["VVN"],
            ["VVD"],
            ["AJ0"],
        )  # colorfully clothed
        if (tag in _IN_PHRASE or described) and word not in _SUBORDINATING:
            start -= 1
        elif (tag == "CJC" or word == ",") and start > 1 and start < place:
            before = tags[start - 2]
            if before in NOUNS and is_animate(words[start - 2]) and tag == "CJC":
                joined = True
            elif tag == "CJC" and words[start - 2] == "," and is_animate(words[start - 3]):
                joined = True
                start -= 1
            elif before not in _ADJECTIVES or tags[start] not in _ADJECTIVES | NOUNS:
                break
            start -= 2
        else:
            break
    opener, opener_tag = (words[start - 1], tags[start - 1]) if start else ("", "")
    perceived = opener in _PERCEIVING or (opener == "to" and words[start - 2 : start - 1] == ["listening"])
    leads = not start or opener_tag in _OPENS_CLAUSE or opener in _SUBORDINATING
    return Subject(leads, perceived, *_number(words[start:place], tags[start:place], joined=joined))


def _number(words: Sequence[str], tags: Sequence[str], *, joined: bool) -> tuple[bool, bool | None, bool]:
    """Return whether a phrase says that it is one thing, and whether it is plural and incomplete."""
    if joined:
        return False, True, False
    if not words or "PRF" in tags or words[-1] in GROUPS:
        return False, None, False
    tag = tags[-1]
    plural: bool | None = tag == "NN2" or words[-1] in _PLURALS
    noun = next((place for place, tag in enumerate(tags) if tag in NOUNS), len(tags))
    determiners = [word for word, tag in zip(words[:noun], tags, strict=False) if tag in _DETERMINERS]
    if not _SEVERAL.isdisjoint(determiners) or any(word.isdecimal() and word != "1" for word in determiners):
        return False, plural or None, not plural and tag != "NN0"
    if tag == "NN0" and not plural:
        plural = None
    return not plural and bool(determiners) and determiners[-1] in _ONE, plural, False
