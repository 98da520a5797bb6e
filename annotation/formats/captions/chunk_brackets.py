"""Reads captions whose chunks are marked: `[NP A man ] [PP in ] [NP an orange hat ] .`.

Shallow parsers write them so, with the kind of a chunk after its bracket, and perhaps with a tag after each
word (`man/NN`). The noun phrases (NP) are kept as mentions; chunks of other kinds are words of the caption.
"""

from __future__ import annotations

import re

from annotation.domain.records import CaptionRecord, MentionRecord

KINDS = frozenset(["NP", "VP", "PP", "ADJP", "ADVP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP"])
"""The kinds of chunks of CoNLL 2000, which shallow parsers use."""
_MARKED = re.compile(rf"\[(?:{'|'.join(sorted(KINDS))})(?=\s)")
_PART = re.compile(r"\[\S*|\]|[^\s\]]+")
_TAGGED = re.compile(r"(?P<word>.+)/(?P<tag>[A-Z]{1,4}\$?|[.,:;()#$'`]{1,2}|-[LR]RB-)")


def caption_of(index: int, text: str, line: int | None = None) -> CaptionRecord:
    """Return the caption, with its noun phrases as mentions if its chunks are marked.

    The text of such a caption is its words, with spaces between them. Raise ValueError if a chunk has no end,
    lies within another one, has no word, or is of no known kind.
    """
    if not _MARKED.search(text):
        return CaptionRecord(index, text, line=line)
    words: list[str] = []
    mentions: list[MentionRecord] = []
    opened: tuple[str, int] | None = None  # the kind of the open chunk, and its first word
    for part in _PART.findall(text):
        if part.startswith("["):
            if opened:
                raise ValueError(
                    f"a chunk begins within the chunk {_said(opened, words)}: chunks do not nest"
                )
            if part[1:] not in KINDS:
                raise ValueError(
                    f"{part[:40]!r} is no kind of chunk; the kinds are {', '.join(sorted(KINDS))}"
                )
            opened = part[1:], len(words)
        elif part == "]":
            if not opened:
                raise ValueError(f"a chunk ends after {' '.join(words[-3:])[:80]!r}, where none is open")
            kind, start = opened
            if start == len(words):
                raise ValueError(f"the chunk {_said(opened, words)} has no word")
            if kind == "NP":
                mentions.append(MentionRecord(start, len(words), ()))
            opened = None
        else:
            words.append(part)
    if opened:
        raise ValueError(f"the chunk {_said(opened, words)} has no end: write ] after its last word")
    words = _without_tags(words)
    return CaptionRecord(index, " ".join(words), tuple(words), tuple(mentions), line)


def _said(opened: tuple[str, int], words: list[str]) -> str:
    kind, start = opened
    return repr(" ".join([f"[{kind}", *words[start:]])[:80])


def _without_tags(words: list[str]) -> list[str]:
    """Return the words without their tags, if all of them have one."""
    tagged = [_TAGGED.fullmatch(word) for word in words]
    return [found["word"] for found in tagged if found] if all(tagged) else words
