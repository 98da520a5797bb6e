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
_CONTRACTED = re.compile(rf"(.+?)(n[{_QUOTES}]t|[{_QUOTES}](?:{_CLITICS}))$", re.IGNORECASE | re.DOTALL)
_JOINED = re.compile(r"(can)(not)$|(gon|wan|got)(na|ta)$|(gim|lem)(me)$", re.IGNORECASE)
# U.S.  a.m.  and the abbreviations that captions use; their period is no full stop.
_ABBREVIATION = re.compile(
    r"(?:[^\W\d_]\.){2,}$|(?:mr|mrs|ms|dr|st|jr|sr|vs|etc|mt|ft|prof|approx)\.$", re.IGNORECASE
)


# A number of inches or seconds, if its mark closes no quotation; and No. before a number.
_WHOLE = re.compile(
    r"""(?P<inches>\d[\d.,/']*["”″])(?=[,.;:!?)]*(?:\s|$))
    | (?P<number>(?:[Nn]os?|[Nn]r|Fig|fig|Vol|vol)\.)(?=\s+\#?\d)
    | \S+""",
    re.VERBOSE,
)


def _divide(piece: str) -> list[str]:
    """Divide a piece without spaces once. Return its parts, or the piece alone when it is a token."""
    marks = _OF_ASCII if piece.isascii() else _OF_ALL
    parts = [part for part in marks.split(piece) if part]
    if len(parts) > 1:
        return parts
    if len(piece) == 1:
        return parts
    if piece[0] in _QUOTES and not _ELIDED.match(piece) and not marks.fullmatch(piece):
        return [piece[0], piece[1:]]
    if piece[-1] == "-" and not marks.fullmatch(piece):
        return [piece[:-1], "-"]
    if piece[0] == "." and not piece[1].isdigit() and not marks.fullmatch(piece):
        return [".", piece[1:]]
    if piece[-1] == "." and not _ABBREVIATION.match(piece) and not marks.fullmatch(piece):
        return [piece[:-1], "."]
    if match := _CONTRACTED.match(piece) or _JOINED.match(piece):
        return [part for part in match.groups() if part]
    if piece[-1] in _QUOTES and not _ELIDED.match(piece) and not marks.fullmatch(piece):
        return [piece[:-1], piece[-1]]
    return parts


def tokenise(text: str) -> list[Token]:
    """Return the tokens of ``text`` in order. Together they cover every character that is not white space.

    A token never contains white space and is never split by tokenising it again, so a caption that is already
    tokenised (``A man 's arm .``) keeps its tokens.
    """
    tokens: list[Token] = []
    inches = 0  # marks of inches that look as if they closed a quotation
    for found in _WHOLE.finditer(text):
        start, piece = found.start(), found.group()
        if piece.isalpha() and piece.isascii() and not _JOINED.match(piece):
            tokens.append(Token(piece, start, start + len(piece)))  # a word, as most pieces are
            continue
        kind = found.lastgroup
        if kind == "number" or (kind and not _is_quoted(text, start, piece[-1], inches)):
            inches += piece[-1] == '"'
            tokens.append(Token(piece, start, start + len(piece)))
            continue
        stack = [piece]
        while stack:
            piece = stack.pop()
            parts = _divide(piece)
            if len(parts) == 1:
                tokens.append(Token(piece, start, start + len(piece)))
                start += len(piece)
            else:
                stack.extend(reversed(parts))
    return tokens


def _is_quoted(text: str, end: int, mark: str, inches: int) -> bool:
    """Return whether a quotation is open that this mark may close. `inches` marks before `end` close none."""
    if mark == '"':
        return (text.count('"', 0, end) - inches) % 2 == 1
    return mark == "”" and text.count("“", 0, end) > text.count("”", 0, end)


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
