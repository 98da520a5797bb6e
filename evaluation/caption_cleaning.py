"""Cleans captions, if somebody asks for it: compounds, spelling, lemmas.

Hodosh, Young and Hockenmaier (2013, JAIR 47, section 4.1) corrected spelling, wrote compounds in one way (*t
shirt, tee-shirt -> t-shirt*) and took lemmas. They do not say by which rules; those here are ours. Nothing is
changed without its line in a diff, so that somebody can look at all of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from evaluation.caption_words import porter
from evaluation.word_tags import Tagged

Kind = Literal["compound", "spelling", "lemma"]

MIN_TIMES = 5
"""A compound is written in one way from so many occurrences on."""
RARE, COMMON = 2, 100
"""Without a word list, a word seen at most RARE times is one seen COMMON times or more, misspelt."""
MIN_LETTERS, UNLISTED = 5, 7
"""Letters of a word that is corrected with a list, and without: shorter ones have too many neighbours."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_OPEN = re.compile(r"(?<![\w'’-])(?:[b-hj-z] [^\W\d_]{3,}|tee shirts?)(?![\w-])", re.IGNORECASE)
"""A single letter and a word, which may be a compound: *t shirt*, *x ray*."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Change:
    """What was written in place of something else, and why."""

    kind: Kind
    before: str
    after: str


def count_words(texts: Iterable[str]) -> Counter[str]:
    """Return how often each word occurs, in lower case.

    A compound with hyphens is one word. A single letter and the word behind it are counted together, too.

    >>> count_words(["A t shirt.", "Two well-lit T shirts"])["t shirt"]
    1
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(match.lower() for match in _WORD.findall(text))
        counts.update(match.lower() for match in _OPEN.findall(text))
    return counts


def compound_forms(counts: Mapping[str, int], *, least: int = MIN_TIMES) -> dict[str, str]:
    """Return the usual form of each compound that is written in several ways, by its other forms.

    The forms are with a hyphen, in one word and, after a single letter, in two: *t-shirt, tshirt, t shirt*.
    The most frequent counts, if it occurs `least` times or more; of equal ones, the one with the hyphen. *tee
    shirt* is a form of *t-shirt*.

    >>> compound_forms({"t-shirt": 9, "tshirt": 2, "t shirt": 3, "well-lit": 1})
    {'tshirt': 't-shirt', 't shirt': 't-shirt'}
    """
    found: dict[str, str] = {}
    for word in sorted(counts):
        if not _HYPHENATED.fullmatch(word):
            continue
        forms = [word, word.replace("-", "")]
        first, _, rest = word.partition("-")
        if len(first) == 1 and "-" not in rest:
            forms.append(f"{first} {rest}")
        if word in ("t-shirt", "t-shirts"):
            forms += [f"tee-{rest}", f"tee{rest}", f"tee {rest}"]
        usual = max(forms, key=lambda form: (counts.get(form, 0), form == word))
        if counts.get(usual, 0) >= least:
            found |= {form: usual for form in forms if form != usual and counts.get(form, 0)}
    return found


def spellings(
    counts: Mapping[str, int],
    known: Collection[str] | None = None,
    *,
    rare: int = RARE,
    common: int = COMMON,
) -> dict[str, str]:
    """Return corrections of words that are one letter away from another word.

    With `known`, a list of words in lower case, a word that is not in it is replaced by the word of the list
    that is one letter away: one too many, missing, wrong, or swapped with the next. Without it, a word of 7
    letters or more that occurs at most `rare` times is replaced by one that occurs at least `common` times,
    but no letter by another: *scaring* may be meant, and not *staring*.

    The replacement must be the only one, or occur ten times as often as any other. The first letter is taken
    to be right, and words with the same stem are never replaced by each other.

    >>> spellings({"wearing": 900, "waering": 1, "tearing": 4, "dogs": 900, "dog": 900})
    {'waering': 'wearing'}
    """
    found: dict[str, str] = {}
    for word, times in sorted(counts.items()):
        if (
            len(word) < (UNLISTED if known is None else MIN_LETTERS)
            or not word.isascii()
            or not word.isalpha()
        ):
            continue
        if word in known if known is not None else times > rare:
            continue
        near: dict[str, int] = {}
        for other in _one_letter_away(word, replaced=known is not None):
            enough = other in known if known is not None else counts.get(other, 0) >= common
            if enough and porter(other) != porter(word):
                near[other] = counts.get(other, 0)
        best = sorted(near, key=lambda other: (-near[other], other))[:2]
        if len(best) == 1 or (len(best) == 2 and near[best[0]] >= 10 * max(near[best[1]], 1)):
            found[word] = best[0]
    return found


def clean(
    text: str, compounds: Mapping[str, str], corrections: Mapping[str, str]
) -> tuple[str, list[Change]]:
    """Return a caption with compounds in their usual form and corrected words, and what was changed.

    Capitals are kept: *Tshirt* becomes *T-shirt*. Spaces and marks stay as they are.

    >>> clean("A tee shirt, waering it", {"tee shirt": "t-shirt"}, {"waering": "wearing"})
    ('A t-shirt, wearing it', [Change(kind='compound', before='tee shirt', after='t-shirt'), \
Change(kind='spelling', before='waering', after='wearing')])
    """
    changes: list[Change] = []

    def opened(match: re.Match[str]) -> str:
        form = match[0].lower()
        return changed("compound", match[0], compounds[form]) if form in compounds else match[0]

    def word(match: re.Match[str]) -> str:
        form = match[0].lower()
        if form in compounds:
            return changed("compound", match[0], compounds[form])
        return changed("spelling", match[0], corrections[form]) if form in corrections else match[0]

    def changed(kind: Kind, before: str, form: str) -> str:
        after = form[:1].upper() + form[1:] if before[:1].isupper() else form
        changes.append(Change(kind, before, after))
        return after

    return _WORD.sub(word, _OPEN.sub(opened, text)), changes


def as_lemmas(tagged: Iterable[Tagged]) -> tuple[str, list[Change]]:
    """Return the lemmas of a caption with single spaces between them, and which words they replace."""
    lemmas, changes = [], []
    for one in tagged:
        lemmas.append(one.lemma)
        if one.lemma != one.token.lower():
            changes.append(Change("lemma", one.token, one.lemma))
    return " ".join(lemmas), changes


def _one_letter_away(word: str, *, replaced: bool) -> Iterator[str]:
    """Yield the words with a letter more or less, two swapped or, if `replaced`, another; the first stays."""
    for at in range(1, len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in _LETTERS:
            yield head + letter + tail
            if replaced and tail and letter != tail[0]:
                yield head + letter + tail[1:]
        if tail:
            yield head + tail[1:]
        if len(tail) > 1 and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]
