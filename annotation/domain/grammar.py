"""Noun-phrase chunks from part-of-speech tags: a regular grammar over one character a token.

Tags are CLAWS5, those of the British National Corpus (AT0 article, NN1 singular noun, VVG -ing form …).
"""

import re
from collections.abc import Sequence

from annotation.domain.subjects import NOUNS
from annotation.domain.tag_fixes import PLACES, Readings, corrected, is_animate
from annotation.domain.types import dictionary

# Parts of a preposition, not noun phrases: "in front of [the house]".
_PREPOSITIONS = (
    ("in", "front", "of"),
    ("on", "top", "of"),
    ("in", "back", "of"),
    ("in", "place", "of"),
    ("in", "order", "to"),
)
_RECIPROCAL = (("each", "other"), ("one", "another"))
# What may open a chunk: "brightly dressed women", "about 20 people".
_LEADING_ADVERB = re.compile(
    r".+ly|very|about|almost|nearly|over|approximately|around|too|so|quite|rather|more|most|less|least|barely"
)
_STANDS_ALONE = re.compile(r"another|some|many|several|this|that|these|those|few|most")
# A noun and one of these make an adjective: "a snow covered hill".
_COMPOUNDING = re.compile(
    r"covered|filled|lined|shaped|colou?red|sized|strewn|panell?ed|themed|topped|patterned|roasted|made|paved"
    r"|powered|drawn|styled|clad"
)
_NUMBER_SIGNS = frozenset(("#", "$", "€", "£", "¥", "№"))
_SYMBOLS = {
    **dict.fromkeys(("AT0", "DPS"), "D"),
    **dict.fromkeys(("DT0", "DTQ"), "d"),
    **dict.fromkeys(("AJ0", "AJC", "AJS"), "J"),
    **dict.fromkeys(("VVN", "VVD"), "P"),
    **dict.fromkeys(("PRP", "CJS"), "T"),
    **dict.fromkeys(("PNP", "PNX"), "x"),
    **dict.fromkeys(("PNQ", "CJT"), "q"),
    **dict.fromkeys(NOUNS, "N"),
    "VVG": "G",
    "CRD": "C",
    "ORD": "O",
    "AV0": "a",
    "POS": "S",
    "PRF": "F",
    "PNI": "I",
    "CJC": "&",
}

# The symbols: D article or possessive, d and e other determiners (e can stand alone), C number, c number
# that follows its noun, O ordinal, J adjective, K colour, P and p participle (p can open a chunk), Z
# compounding participle, g -ing form before its noun, a and r adverb (r can open a chunk), N noun, S
# possessive 's, F of, I indefinite pronoun, X each other, x and q pronouns, o place adverb, & conjunction,
# T preposition, G -ing form, V other verbs.
_DESCRIBED = r"(?:[ar]*[JKPpZO](?:(?:,&?|&)(?:[ar]*[JKPpg]|N(?=N)))*|[Cg])"  # very young | black and white
_OPENING = r"(?:r*[JKpZO](?:(?:,&?|&)r*[JKp])*|J&N(?=N)|g)"
# ball | tennis ball | lime green shirt | snow covered hill | navy blue and white shirt | number 7 shirt
_NOUN = r"N(?:c*(?:K&K|Z?[JK]?)N)*c*"
_POSSESSED = rf"{_NOUN}(?:S{_DESCRIBED}*{_NOUN})*S?"  # a man 's arm
_PHRASE = rf"(?:(?:D&D|[Dde]+|r*C+)(?:{_DESCRIBED}|[Dde])*[ar]*|(?:{_OPENING}{_DESCRIBED}*)?){_POSSESSED}"
_ALONE = r"(?:D[JK]+C?|[de]K+|r*C+|e[JK]*|I|d(?=F))"  # the elderly | all black | four | another | someone
_ANY = rf"(?:{_PHRASE}|{_ALONE})"
_GRAMMAR = re.compile(rf"{_ANY}(?:F{_ANY})*(?:Fx)?|XX|(?<=[TGV])J*K(?:&K)*|[xqo]")


def chunks(tokens: Sequence[str], tags: Sequence[str], readings: Readings) -> list[tuple[int, int]]:
    """Return the noun-phrase chunks of a tagged caption: half-open token spans, in order, not overlapping."""
    words = [token.lower() for token in tokens]
    return [found.span() for found in _GRAMMAR.finditer(_symbols(words, corrected(words, tags, readings)))]


def _symbols(words: Sequence[str], tags: Sequence[str]) -> str:
    symbols: list[str] = []
    colours = dictionary("colours")
    for place, (word, tag) in enumerate(zip(words, tags, strict=True)):
        before = symbols[-1] if symbols else "^"
        symbol = _SYMBOLS.get(tag, "V" if tag[:2] in ("VV", "VH", "VD") else ".")
        if symbol == "J" and word in colours:
            symbol = "K"
        elif symbol in ("P", "J") and before == "N" and _COMPOUNDING.fullmatch(word):
            symbol = "Z"
        elif symbol == "P" and ("^" + "".join(symbols).rstrip("r"))[-1] in "^TFG&":
            symbol = "p"
        elif symbol == "G" and _precedes_its_noun(symbols, words, tags, place):
            symbol = "g"
        elif symbol == "a" and _LEADING_ADVERB.fullmatch(word):
            symbol = "r"
        elif symbol == "d" and _STANDS_ALONE.fullmatch(word):
            symbol = "e"
        elif word == ",":
            symbol = ","
        elif symbol == "N" and word != "%" and not any(map(str.isalnum, word)):
            symbol = (
                "C" if word in _NUMBER_SIGNS and _is_written("".join(words[place + 1 : place + 2])) else "."
            )
        if symbol == "C" and _numbers(before, words, tags, place):
            symbol = "c"
        if word in PLACES and before not in "DJK":
            symbol = "o"
        symbols.append(symbol)
    for pattern, symbol in ((_PREPOSITIONS, "T"), (_RECIPROCAL, "X")):
        _replace(symbols, words, pattern, symbol)
    return "".join(symbols)


def _numbers(before: str, words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether a number belongs to the noun before it: *number five*, *player # 8*, *bus 12*."""
    if before == "c" or (before == "N" and words[place - 1] in ("number", "numbers", "no.")):
        return True
    after = tags[place + 1 : place + 2]
    written = _is_written(words[place]) or words[place] in _NUMBER_SIGNS
    return before == "N" and written and not (after and (after[0] in NOUNS or after[0] in ("AJ0", "PRF")))


def _is_written(number: str) -> bool:
    """Return whether a number is written in digits."""
    return any(map(str.isdecimal, number))


def _precedes_its_noun(symbols: Sequence[str], words: Sequence[str], tags: Sequence[str], place: int) -> bool:
    """Return whether an -ing form describes the noun after it.

    It does in *a smiling woman* and *two running dogs*, but not in *one wearing jeans*.
    """
    animate_follows = place + 1 < len(tags) and tags[place + 1] in NOUNS and is_animate(words[place + 1])
    opening = "".join(symbols).rstrip("JKrga,&")
    if opening.endswith("D"):
        return animate_follows or (symbols[-1] != "," and words[place - 1] != "other")
    return animate_follows and bool(symbols) and symbols[-1] in "CdeJ"


def _replace(
    symbols: list[str], words: Sequence[str], patterns: Sequence[tuple[str, ...]], symbol: str
) -> None:
    for pattern in patterns:
        size = len(pattern)
        for place in range(len(words) - size + 1):
            if tuple(words[place : place + size]) == pattern:
                symbols[place : place + size] = [symbol] * size
