"""Compounds of a verb and a particle, which taggers read as verb and preposition: *a walk in shower*.

Tags are CLAWS5.
"""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.subjects import NOUNS
from annotation.domain.types import dictionary

_PARTICLES = {
    "in": "walk drive plug built check step sit fill tie stand tuck",
    "out": "pull fold take cut roll check hand wash work pop dug time",
    "up": "pull roll zip pop lace pick push close stand blow wind make line warm pin button clean sit light",
    "on": "slip clip carry screw stick iron try roll ride snap bolt add",
    "down": "drop roll fold button count hands melt flip",
    "off": "tear rip cut drop take peel lift",
    "over": "roll make fold flip pull sleep",
    "through": "drive see walk",
    "away": "fold tuck getaway break",
    "back": "fold hatch play lay",
    "behind": "ride walk",
    "top": "screw flip",
}
_DESCRIBING = frozenset((word, particle) for particle, words in _PARTICLES.items() for word in words.split())
# These are nouns themselves: a close up of a pizza.
_NOUNS = frozenset(
    tuple(pair.split(" "))
    for pair in [
        "close up",
        "pick up",
        "line up",
        "push up",
        "pull up",
        "sit up",
        "warm up",
        "make up",
        "cut out",
        "check out",
        "take out",
        "drive in",
    ]
)
_JOINED = frozenset((("hook", "and", "loop"), ("salt", "and", "pepper")))
_OPENS = ("AT", "DP", "DT", "CR", "AJ", "OR", "PO")
_ENDS = frozenset(("", "PUN", "PRF", "PRP", "CJC"))


def joined(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the tags with the parts of compounds as adjectives or nouns. ``words`` are in lower case."""
    fixed = list(tags)
    for place in range(len(words) - 3):
        if tuple(words[place : place + 3]) in _JOINED and tags[place + 3] in NOUNS:
            fixed[place : place + 3] = ["NN1"] * 3  # hook and loop straps
    for place in range(len(words) - 1):
        pair = (words[place], words[place + 1])
        if pair not in _DESCRIBING:
            continue
        before = fixed[place - 1] if place else ""
        after = tags[place + 2] if place + 2 < len(tags) else ""
        opened = before.startswith(_OPENS) and not _stands_for_clothes(words, fixed, place - 1)
        if (opened or not before or before in ("PRP", "PRF")) and after in NOUNS:
            if opened or before or after == "NN1":  # Pull out sofa, but: Pull out drawers !
                fixed[place : place + 2] = ["AJ0", "AJ0"]
        elif pair in _NOUNS and after in _ENDS and (opened or (not before and pair == ("close", "up"))):
            fixed[place : place + 2] = ["NN1", "NN1"]
    return fixed


def _stands_for_clothes(words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a colour stands for clothes, so that a verb may follow: *a man in black*."""
    return words[place] in dictionary("colours") and (place == 0 or tags[place - 1] in ("PRP", "CJC"))
