"""Chunks that name nothing visible: the image itself, places in it, moods, and measures.

Models that describe images write of these: *The image conveys a sense of calm*. ``words`` are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotation.domain.types import dictionary, word_set

_POINTING = word_set("the this that entire whole overall given same")
_SHOWING = word_set(
    "shows showing depicts depicting captures capturing features featuring displays displaying portrays "
    "portraying presents illustrates conveys"
)
_SENTENCE_ENDS = frozenset(("", ".", "!", "?"))
_PICTURES = word_set("photo picture image")
_BEFORE_FRAME = _POINTING | word_set("a an")  # after another word, it is a thing: a door frame
_NUMBER = re.compile(r"\d[\d.,/–-]*")
_DETERMINERS = word_set("a an the this that these those his her its their my our your")
_ATTRIBUTES = word_set("size safe washable")
_DIMENSIONS = word_set("diameter width height length weight capacity equivalent")
_SIDES = word_set("front side rear back top bottom")
_TIMES = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years decade decades"
)
_COUNTING = word_set("next last past first previous following few several many")


def is_about_the_image(words: Sequence[str], before: str, after: str) -> bool:
    """Return whether a chunk names the image, a place in it, or a mood. The other words stand beside it.

    *The image*, *the left side of this photo*, *the upper right*, *a sense of calm*. *A photo* is a thing.
    """
    if not words:
        return False
    first = words[: words.index("of")] if "of" in words else words
    last = words[len(words) - words[::-1].index("of") :] if "of" in words else words
    return (
        _names_image(last)
        or (_is_place(first) and _ends_as_picture(last))
        or (first is words and _is_place(words) and len(words) > 2)
        or (bool(first) and first[-1] in dictionary("abstract"))
        or (words[-1] in dictionary("images") and before in _SENTENCE_ENDS and after in _SHOWING)
    )


def is_measure(words: Sequence[str]) -> bool:
    """Return whether a chunk is a size or a time, and no thing of it: *12 oz*, *size 10*, *five days*."""
    words = [word.rstrip(".") for word in words]
    if words[:1] == ["size"] and len(words) == 2:
        return True
    if len(words) > 1 and words[0] not in _DETERMINERS:
        if words[-1] in _ATTRIBUTES or (words[-1] == "view" and words[0] in _SIDES):
            return True  # queen size, dishwasher safe, front view
        if words[-1] in _DIMENSIONS and words[0][:1].isdecimal():
            return True  # 6 inch diameter
    if words[-1] in _TIMES:
        return all(
            word in dictionary("quantities") or word in _COUNTING or word.isdecimal() for word in words[:-1]
        )
    units = dictionary("units")
    sizes = [word for word in words if word in units or _unit_of(word) in units]
    return (
        bool(sizes)
        and words[0][:1].isdecimal()
        and all(word in units or _unit_of(word) in units or _NUMBER.fullmatch(word) for word in words)
    )


def _unit_of(word: str) -> str:
    """Return the unit of a measure in one word: *cm* of *20cm*."""
    return word.lstrip("0123456789.,/–-") if word[:1].isdecimal() else ""


def _names_image(words: Sequence[str]) -> bool:
    *before, last = words or [""]
    return last in dictionary("images") and bool(before) and set(before) <= _POINTING and last != "view"


def _ends_as_picture(words: Sequence[str]) -> bool:
    *before, last = words or [""]
    return last in _PICTURES or (last == "frame" and set(before) <= _BEFORE_FRAME)


def _is_place(words: Sequence[str]) -> bool:
    placed = [word for word in words if word != "the"]
    return bool(placed) and set(placed) <= dictionary("positions")
