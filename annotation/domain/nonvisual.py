"""Chunks that name nothing visible: the image itself, places in it, moods, and measures.

Models that describe images write of these: *The image conveys a sense of calm*. ``words`` are in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from annotation.domain.tokens import MEASURE
from annotation.domain.types import dictionary, word_set

_POINTING = word_set("the this that entire whole overall given same")
_SHOWING = word_set(
    "shows showing depicts depicting captures capturing features featuring displays displaying portrays "
    "portraying presents illustrates conveys"
)
_SENTENCE_ENDS = frozenset(("", ".", "!", "?"))
_PICTURES = word_set("photo picture image")
_BEFORE_FRAME = _POINTING | word_set("a an")  # after another word, it is a thing: a door frame
_FRACTION = re.compile(r"\d*\.\d+")
_NUMBER = re.compile(r"\d[\d.,:/–-]*")
_DETERMINERS = word_set("a an the this that these those his her its their my our your")
_ATTRIBUTES = word_set("size washable")
_APPLIANCES = word_set("dishwasher microwave oven freezer")  # before safe; a gun safe is a thing
_DIMENSIONS = word_set("diameter width height length weight capacity equivalent")
_SIDES = word_set("front side rear back top bottom")
_TIMES = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years decade decades"
)
_ENDS_PART = _SENTENCE_ENDS | {","}
_FITS = word_set("fit proof wash stonewash finish")
_FINISHES = word_set(
    "anthracite aqua blush bluetooth burgundy champagne charcoal ecru fuchsia graphite indigo ivory khaki "
    "lilac magenta mahogany maroon mauve navy onyx taupe teal terracotta titanium turquoise"
)
_YEAR = re.compile(r"(1[5-9]|20)\d\d(-(1[5-9]|20)?\d\d)?")
_BEFORE_RATINGS = frozenset((",", "is", "are"))
# After these, a single noun is a part of an adjective: water resistant, hand woven.
_RATINGS = word_set("resistant repellent washable friendly braided woven stitched")
# … and these, which only titles of products add after a comma: BPA free, airline approved.
_APPROVALS = word_set("approved certified compatible free insulated rated sealed tested")
_BY_HAND = word_set("blown carved knotted made painted sewn thrown tied")
_SOME = word_set("a few couple of several some many hundred dozen")
_ROUGHLY = word_set("about around nearly roughly almost approximately")
_MEASURE = re.compile(MEASURE)
# What texts about products add after a comma.
_APART = re.compile(
    r"(set|pack|box|case|bundle|lot|pair) of (\d+|two|three|four|five|six|eight|ten|twelve)"
    r"|\d+[- ]?(packs?|pieces?|sets?|counts?|pairs?|panels|exposures)|ages? \d\S*|assorted colou?rs"
    r"|\d+ ?x ?\d+|[a-z]?\d+x\d[\d.]*|[\d.]+[/x]\S*\d|(uk|us|eu) \d+(\.5)?|[us]pf \d+\+?"
    r"|[smlx]|small|medium|large|\d+t|[2-5]?x{0,3}[sl](-[2-5]?x{0,3}[sl])?"
    r"|one size|(twin|queen|king|full) size"
    r"|[wl]\d+( [wl]\d+)*"
    r"|(light|medium|dark) roast|(first|second|limited|special) edition"
    r"|(single|dual|triple|quad)[- ](band|layer|ply|pack|tone)"
)
_CLOCK = frozenset(("am", "pm", "a.m", "p.m"))
# Two of these may be things, unless one of the words after them follows.
_ALSO_THINGS = word_set("feet foot yard yards pieces")
_EXTENTS = word_set("long tall wide high deep thick apart away of")
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


def is_measure(words: Sequence[str], before: str, after: str) -> bool:
    """Return whether a chunk is a size or a time, and no thing of it: *12 oz*, *9 pm*, *five days*.

    The other words stand beside it: *2 feet tall* is a measure, *2 feet* may be those of a baby. After a
    comma, *set of 2* and *W32 L34* say how many there are, or how large they are.
    """
    if before == "," and _APART.fullmatch(" ".join(words)):
        return True
    if (
        before == ","
        and after in _ENDS_PART
        and (
            (words[-1] in _FITS and words[0] not in _DETERMINERS)
            or (len(words) == 1 and words[0] in _FINISHES)
        )
    ):
        return True
    rated = before in _BEFORE_RATINGS and after in _RATINGS
    rated = rated or (before == "," and (after in _APPROVALS or (words == ["hand"] and after in _BY_HAND)))
    if len(words) == 1 and (rated or _YEAR.fullmatch(words[0]) or _FRACTION.fullmatch(words[0])):
        return True
    if words[0] == "every" and words[-1] in (dictionary("units") | _TIMES) - _ALSO_THINGS:
        return True  # every few meters, every day
    if before == "," and after in _RATINGS and words[-2:-1] and _is_size(words[-2]):
        return all(_is_size(word) or _NUMBER.fullmatch(word) for word in words[:-1])  # 200 m water resistant
    if after == "per" and len(words) == 1 and _NUMBER.fullmatch(words[0]):
        return True
    if after in _EXTENTS and words[-1] in dictionary("units") and set(words[:-1]) <= _SOME:
        return True
    pointed = words[:1] == ["the"]
    words = [word.rstrip(".") for word in words[pointed:]]
    if not words or (pointed and words == ["second"]):  # the second of two persons
        return False
    if words[0] == "size" and len(words) == 2:
        return True
    if len(words) > 1 and words[0] not in _DETERMINERS:
        if words[-1] in _ATTRIBUTES or (words[-1] == "view" and words[0] in _SIDES):
            return True  # queen size, front view
        if words[-1] == "safe" and words[-2] in _APPLIANCES:
            return True
        if words[-1] in _DIMENSIONS and words[0][:1].isdecimal():
            return True  # 6 inch diameter
    if words[-1] in _TIMES:
        words = words[words[0] in _ROUGHLY :]
        return all(
            word in dictionary("quantities") or word in _COUNTING or _NUMBER.fullmatch(word)
            for word in words[:-1]
        )
    if len(words) == 2 and words[1] in _ALSO_THINGS and after not in _EXTENTS:
        return False
    if len(words) == 1 and _NUMBER.fullmatch(words[0]) and after.rstrip(".") in _CLOCK:
        return True
    sizes = [_is_size(word) for word in words]
    return (
        any(sizes)
        and words[0][:1].isdecimal()
        and all(size or _NUMBER.fullmatch(word) for size, word in zip(sizes, words, strict=True))
    )


def _is_size(word: str) -> bool:
    """Return whether a word is a unit, or a measure in one word: *cm*, *20cm*, *9pm*."""
    unit = word.lstrip("0123456789.,:/–-") if word[:1].isdecimal() else word
    return unit in dictionary("units") or unit in _CLOCK or bool(_MEASURE.fullmatch(word))


def _names_image(words: Sequence[str]) -> bool:
    *before, last = words or [""]
    return last in dictionary("images") and bool(before) and set(before) <= _POINTING and last != "view"


def _ends_as_picture(words: Sequence[str]) -> bool:
    *before, last = words or [""]
    return last in _PICTURES or (last == "frame" and set(before) <= _BEFORE_FRAME)


def _is_place(words: Sequence[str]) -> bool:
    placed = [word for word in words if word != "the"]
    return bool(placed) and set(placed) <= dictionary("positions")
