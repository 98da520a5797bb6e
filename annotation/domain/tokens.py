"""Tokens of a caption in Penn style, as in Flickr30k: ``man 's``, ``does n't``, a final `` .``

Tokenising never changes what the caption says: a token is a slice of the caption, so any span of tokens leads
back to the original text. Unlike the Penn files, quotes and brackets keep their own characters.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.domain.emoji import EMOJI


@dataclass(frozen=True, slots=True)
class Token:
    """A word or punctuation mark: ``text == caption[start:end]``, offsets in characters, half open."""

    text: str
    start: int
    end: int


# Longer marks first: an ellipsis or a dash is one token, not three.
_MARKS = r"""
      &(?:[a-z]+|\#\d+);                   # left over from HTML, as in Flickr30k: &amp;
    | \.{2,} | …+ | -{2,} | `` | ''        # ellipsis, dash, Penn quotes
    | [—―]                                 # long dashes
    | ["“”„‟«»()\[\]{}<>;!?@#*|~`]         # always on their own
    | (?<![A-Z0-9])& | &(?![A-Z0-9])       # but M&M and AT&T hold together
    | (?<!\d)[,:–] | [,:–](?!\d)           # but 1,000 and 10:30 and 1990–95 hold together
    | \$ | € | £ | ¥ | %
    """
_OF_ASCII = re.compile(f"({_MARKS})", re.VERBOSE)
_OF_ALL = re.compile(f"({EMOJI} | {_MARKS})", re.VERBOSE)
_QUOTES = "'’‘"
_CLITICS = "s|m|d|ll|re|ve"
# 'em, rock 'n' roll, '90s: here the opening quote is part of the word.
_ELIDED = re.compile(
    rf"[{_QUOTES}](?:{_CLITICS}|em|n|til|tis|twas|cause|round|\d+s?)$|[{_QUOTES}]n[{_QUOTES}]$", re.IGNORECASE
)
_CONTRACTED = re.compile(rf"(?:n[{_QUOTES}]t|[{_QUOTES}](?:{_CLITICS}))$", re.IGNORECASE)
_LONGEST_CLITIC = 3
_JOINED = re.compile(r"(can)(not)$|(gon|wan|got)(na|ta)$|(gim|lem)(me)$", re.IGNORECASE)
# U.S.  a.m.  and the abbreviations that captions use; their period is no full stop.
_ABBREVIATION = re.compile(
    r"(?:[^\W\d_]\.){2,20}$|(?:mr|mrs|ms|dr|st|jr|sr|vs|etc|mt|ft|prof|approx)\.$", re.IGNORECASE
)
BEFORE_NUMBERS = ("no", "nos", "nr", "fig", "vol")
"""Abbreviations in lower case that are one token with their period before a number: *No. 5*, *Vol. 3*."""
_EITHER_CASE = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in BEFORE_NUMBERS)
_ABBREVIATED = rf"(?:{_EITHER_CASE})\.(?=\s+\#?\d)"
_DIGITS = r"\d(?:[.,/]?\d)*+"
_INCH_OR_FOOT = "[\"”″'’′]"
MEASURE = rf"{_DIGITS}{_INCH_OR_FOOT}(?:[x×/-]?{_DIGITS}(?:{_INCH_OR_FOOT}|cm|mm|m|ft|in)?)*+(?:-[^\W\d_]+)*"
"""A pattern of inches or feet in one token: *15"*, *6'2"*, *5'x7'*, *15"/38*, *15"-wide*."""
_MEASURED = rf"{MEASURE}(?=[,.;:!?)\]]*(?:\s|$))"
_WHOLE = re.compile(
    rf"""(?P<opening>["“(\[]+)(?={_MEASURED}|{_ABBREVIATED})
    | (?P<measure>{_MEASURED})
    | (?P<number>{_ABBREVIATED})
    | \S+""",
    re.VERBOSE,
)
_CLOSED_BY = {"“": "”", "‘": "’"}


def _divided(piece: str) -> list[str]:
    """Return the tokens of a piece without spaces. This takes linear time."""
    marks = _OF_ASCII if piece.isascii() else _OF_ALL
    found: list[str] = []
    stack = [piece]
    while stack:
        part = stack.pop()
        parts = [one for one in marks.split(part) if one]
        if len(parts) > 1:
            stack.extend(reversed(parts))  # once more: they now end where an emoji began
        elif marks.fullmatch(part):
            found.append(part)
        else:
            found += _without_ends(part)
    return found


def _without_ends(piece: str) -> list[str]:
    """Return a piece without marks, and what is cut off its ends: quotes, hyphens, periods and clitics."""
    first, last = 0, len(piece)
    found: list[str] = []
    cut: list[str] = []  # from the end, the last one first
    while last - first > 1:
        elided = piece[first] in _QUOTES and _ELIDED.match(piece, first, last)
        opens, closes = piece[first], piece[last - 1]
        if opens in _QUOTES and not elided:
            found.append(opens)
            first += 1
        elif closes == "-":
            cut.append(closes)
            last -= 1
        elif opens == "." and not piece[first + 1].isdigit():
            found.append(opens)
            first += 1
        elif closes == "." and not _ABBREVIATION.match(piece, first, last):
            cut.append(closes)
            last -= 1
        elif clitic := _CONTRACTED.search(piece, max(first + 1, last - _LONGEST_CLITIC), last):
            cut.append(clitic.group())
            last = clitic.start()
            if piece[last - 1] == "&" and last - first > 1:  # it held A&N't together
                cut.append("&")
                last -= 1
        elif joined := _JOINED.match(piece, first, last):
            found += [part for part in joined.groups() if part]
            first = last
        elif closes in _QUOTES and not elided:
            cut.append(closes)
            last -= 1
        else:
            break
    if first < last:
        found.append(piece[first:last])
    return found + cut[::-1]


def tokenise(text: str) -> list[Token]:
    """Return the tokens of ``text`` in order. Together they cover every character that is not white space.

    A token never contains white space and is never split by tokenising it again, so a caption that is already
    tokenised (``A man 's arm .``) keeps its tokens.
    """
    tokens: list[Token] = []
    # By closing quotation mark, whether a token opened a quotation that it may close.
    opened = {'"': False, "'": False, "”": False, "’": False}
    for found in _WHOLE.finditer(text):
        start, piece = found.start(), found.group()
        if piece.isalpha() and piece.isascii() and not _JOINED.match(piece):
            tokens.append(Token(piece, start, start + len(piece)))  # a word, as most pieces are
            continue
        kind = found.lastgroup
        if kind == "number" or (kind == "measure" and not any(opened.get(mark) for mark in piece)):
            tokens.append(Token(piece, start, start + len(piece)))
            continue
        for part in _divided(piece):
            tokens.append(Token(part, start, start + len(part)))
            start += len(part)
            if part in _CLOSED_BY:
                opened[_CLOSED_BY[part]] = True
            elif part in opened:
                opened[part] = part in ('"', "'") and not opened[part]
    return tokens


def align(text: str, tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Return the offsets of given tokens in ``text``: characters, half open. White space may differ.

    Raises ValueError, naming the first token that does not fit, when the tokens do not spell the text.
    """
    spans: list[tuple[int, int]] = []
    position = 0
    for number, token in enumerate(tokens, start=1):
        position = _skip_space(text, position)
        if not token or not text.startswith(token, position):
            rest = text[position : position + 20]
            raise ValueError(f"token {number} is {token!r}, but the caption goes on with {rest!r}")
        spans.append((position, position + len(token)))
        position += len(token)
    if rest := text[position:].strip():
        raise ValueError(f"the caption goes on with {rest[:20]!r} after the last of its {len(tokens)} tokens")
    return spans


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
