"""How captions write names, numbers, measures and quotations, which taggers of running text read wrongly.

*iPhone 13 Pro*, *No. 5*, *20V*, *15"*, *M&M's* and *segment VI* are parts of a noun phrase. Words in
quotation marks are part of one if they describe a noun (*a "For Sale" sign*). Else they are quoted.
Tags are CLAWS5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from annotation.domain.subjects import NOUNS
from annotation.domain.tag_context import is_animate
from annotation.domain.tokens import BEFORE_NUMBERS, MEASURE
from annotation.domain.types import dictionary, word_set

NAME = "NP0"
_PREFIXES = ("non-", "anti-", "multi-", "semi-", "ultra-", "mid-", "self-")
_PARTICLES = word_set("in out on off up down away over back through around along")
_RATINGS = word_set("safe washable")  # dishwasher safe
QUOTE = frozenset(('"', "``", "''"))
_SINGLE = frozenset(("'",))
_OPENS_SINGLE = frozenset(("AT0", "DPS"))  # no possessive can follow: a 'No Parking' sign
INCH = "UNI"
"""The tag of an inch or foot mark, which no tagger gives."""
_MEASURE = re.compile(MEASURE)  # 15": one token, but two in captions that came with tokens
_CODE = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./+°-]+")
_NO_CODE = re.compile(r"\d+(st|nd|rd|th|am|pm)|\d\d+s|\d+-[a-z-]+|\d+[/x]\d+")  # a 20-week fetus
_ROMAN = re.compile(r"I|II|III|IV|VI{0,3}|IX|XI{0,3}")
# After these, a number says which one: a speed limit 45 sign, segment VI.
_NUMBERED = word_set(
    "class exit gate grade highway lane lead level limit mark model part phase platform route segment "
    "series size stage terminal type version zone"
)
_SPEAKING = word_set(
    "called caption label labeled labelled letters message name phrase read reading reads said say "
    "saying says spell spelling spells state states stating text title word words write written"
)
_OPENS = frozenset(("AT0", "DPS", "DT0", "CRD", "ORD"))
_FUNCTION_WORDS = ("AT", "DP", "DT", "PR", "CJ", "PN", "XX", "TO", "EX", "VB", "VH", "VM", "PO")
MAX_QUOTED = 12
"""The most tokens between quotation marks that may describe a noun."""


def retagged(tokens: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the tags with names, numbers and measures as parts of noun phrases. Tokens keep their case."""
    fixed = list(tags)
    for place, word in enumerate(tokens):
        before = fixed[place - 1] if place else ""
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if _is_code(word) or _precedes_number(tokens, place):
            fixed[place] = NAME
        elif word.lower().startswith(_PREFIXES) and tags[place + 1 : place + 2] and tags[place + 1] in NOUNS:
            fixed[place] = "AJ0"  # non-slip handle
        elif _MEASURE.fullmatch(word):
            fixed[place] = "AJ0" if word[-1].isalpha() and "-" in word else "CRD"  # a 15"-wide shelf
        elif word == "saw" and tags[place] == "VVD" and _is_a_tool(tokens, tags, place):
            fixed[place] = "NN1"
        elif word == "." and place and _precedes_number(tokens, place - 1):
            fixed[place] = "CRD"
        elif word in ("x", "×") and before == "CRD" and following[:1].isdecimal():
            fixed[place] = "CRD"  # 18 x 28 inches
        elif word in QUOTE and before == "CRD" and not _is_quoted(tokens, place):
            fixed[place] = INCH
        elif (
            (word == "&" and _is_name(tokens, place - 1) and _is_name(tokens, place + 1))
            or (before in NOUNS and _numbers_its_noun(tokens, fixed, place))
            or _is_title(tokens, fixed, place)
            or (before in NOUNS and word.lower() in _RATINGS)
            or (not place and tags[0] == "VVZ" and following[:1].isupper())
            or (_is_camel_case(word) and tags[place][:2] != "AJ")
            or (fixed[place].startswith("VV") and _ends_measure(tokens, fixed, place - 1))
        ):
            fixed[place] = NAME
    return fixed


def _is_a_tool(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether *saw* is a noun: *circular saw with a guard*, but not *he saw the guard*."""
    before = tokens[place - 1].lower() if place else ""
    if before in dictionary("colours") or is_animate(before) or before == "standing":
        return False  # the boy in blue saw
    described = place > 0 and (tags[place - 1] in NOUNS or tags[place - 1] in ("AJ0", "VVG"))
    return described and (tags[place + 1 : place + 2] or ["PUN"])[0] in ("PUN", "PRP", "CJC", "VVG", "VVN")


def quotations(tokens: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield what stands between quotation marks, with them: half-open spans, and what each does.

    That is *describes* (*a "For Sale" sign*), *names* (*an "ollie" down the stairs*) or *quoted*. Single
    marks count only if they describe (*a 'For Sale' sign*), since a possessive has the same mark.
    """
    place = 0
    while place < len(tokens):
        end = 0
        if tokens[place] in QUOTE and tags[place] != INCH:
            end = _closing(tokens, place, QUOTE)
        elif tokens[place] == "'" and place and tags[place - 1] in _OPENS_SINGLE:
            end = _closing(tokens, place, _SINGLE)
            end = end if end and _role(tokens, tags, place, end) == "describes" else 0
        if not end:
            place += 1
            continue
        if not (place == 0 and end >= len(tokens) - 1):  # else the whole sentence is quoted: marks alone
            yield place, end, _role(tokens, tags, place, end)
        place = end


def _role(tokens: Sequence[str], tags: Sequence[str], start: int, end: int) -> str:
    after = tags[end] if end < len(tags) else ""
    noun_follows = after in NOUNS or (after[:2] == "AJ" and tags[end + 1 : end + 2] != ["PUN"])
    opener = start - 1
    while opener >= 0 and tags[opener][:2] == "AJ":
        opener -= 1
    opened = opener >= 0 and (tags[opener] in _OPENS or tags[opener] == "POS")
    if end - start > MAX_QUOTED or (start and tokens[start - 1].lower() in _SPEAKING):
        return "quoted"
    if noun_follows and (opened or not start or tags[start - 1] in ("PRP", "PRF", "VVG", "CJC")):
        return "describes"
    in_passing = (
        tags[start - 1] in ("PRP", "PRF", "VVG") and tokens[start + 1][:1].islower()
    )  # in "street clothes"
    return "names" if opened or (start and in_passing) else "quoted"


def _closing(tokens: Sequence[str], start: int, marks: frozenset[str]) -> int:
    """Return the place after the mark that closes a quotation with words in it, or 0."""
    for place in range(start + 2, len(tokens)):
        if tokens[place] in marks:
            return place + 1
    return 0


def _is_quoted(tokens: Sequence[str], place: int) -> bool:
    """Return whether a mark after a number closes a quotation: *"Route 66"*, but not *a 15" screen*."""
    opened = sum(token in QUOTE for token in tokens[:place]) % 2
    inches = sum(tokens[one] in QUOTE and tokens[one - 1][-1:].isdecimal() for one in range(1, place))
    return bool(opened) and not inches


def _ends_measure(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    return place >= 0 and (tags[place] == INCH or bool(_MEASURE.fullmatch(tokens[place])))


def _is_code(token: str) -> bool:
    """Return whether a token is a model's name or a measure in one word: *WH-1000XM4*, *20V*, *24-105mm*."""
    return bool(_CODE.fullmatch(token)) and not _NO_CODE.fullmatch(token)


def _is_me(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a pronoun is a part of a name: *Maybelline Fit Me foundation*."""
    named = tokens[place - 1][:1].isupper() and tags[place - 1] in NOUNS
    return (
        named and tags[place] == "PNP" and len(tokens[place]) > 1 and tags[place + 1 : place + 2] == ["NN1"]
    )


def _is_camel_case(token: str) -> bool:
    """Return whether a word has a capital letter after a small one, as brands have: *DeWalt*, *CeraVe*."""
    return token.isalpha() and any(map(str.isupper, token[2:])) and not token.isupper()


def _precedes_number(tokens: Sequence[str], place: int) -> bool:
    """Return whether a word belongs to the number after it: *No. 5*, *Vol. 3*, *no 7*, no *fig 7 cm long*."""
    word = tokens[place].lower()
    if word.removesuffix(".") not in BEFORE_NUMBERS:
        return False
    if not (word == "no" or word.endswith(".") or tokens[place + 1 : place + 2] == ["."]):
        return False
    following = [word for word in tokens[place + 1 : place + 3] if word != "."]
    return bool(following) and following[0].isdecimal() and tokens[place + 1] in (".", following[0])


def _is_name(tokens: Sequence[str], place: int) -> bool:
    return 0 <= place < len(tokens) and tokens[place][:1].isupper() and not is_animate(tokens[place].lower())


def _numbers_its_noun(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a number is part of a name: *iPhone 13 Pro*, *segment VI of the liver*."""
    word, previous = tokens[place], tokens[place - 1]
    following, beyond = ([*tokens[place + 1 : place + 3], "", ""])[:2]
    if _ROMAN.fullmatch(word):
        return word != "I" or previous.lower() in _NUMBERED
    if not word[:1].isdecimal() or not following[:1].isalpha():
        return False
    if following.lower() in dictionary("units"):  # a Dyson 5 L cleaner, but the lane 200 m ahead
        return _is_named(tokens, tags, place - 1) and tags[place + 2 : place + 3] != [] and beyond.isalpha()
    return word.isdecimal() and (_is_named(tokens, tags, place - 1) or previous.lower() in _NUMBERED)


def _is_named(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    word = tokens[place]
    if not word[:1].isupper() or is_animate(word.lower()):
        return word[1:] != word[1:].lower()
    return place > 0 or tags[0] in (NAME, "NN1")


def _is_title(tokens: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a word is capitalised as part of a name of several words: *Air Max*, *Star Wars*."""
    if not place or not tokens[place][:1].isupper() or tags[place] in NOUNS:
        return False
    if tags[place].startswith(_FUNCTION_WORDS) and not _is_me(tokens, tags, place):
        return False
    if tags[place][:2] == "AJ" or tags[place] in ("AV0", "CRD", "ORD", "VVG"):
        return False
    if tags[place] == "AVP" and tokens[place].lower() in _PARTICLES:
        return False  # Pull Up Bar, but: the Eiffel Tower
    beside = [(tokens[one], tags[one]) for one in (place - 1, place + 1) if one < len(tokens)]
    return any(word[:1].isupper() and tag in NOUNS for word, tag in beside)
