"""Captions as lemmas of content words, and which of them are nouns and verbs (R, section 4.1.1).

HanTa finds lemmas and parts of speech. It is small, needs no download, and gives both at once; the paper used
OpenNLP. Words of closed classes are left out in place of a list of stop words [ours]. Spelling is not
corrected, because that needs a dictionary [ours].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

NOUN, VERB, OTHER = "n", "v", "-"
_CLOSED = ("AT", "AVP", "AVQ", "CJ", "D", "EX", "ITJ", "P", "TO", "VB", "VD", "VH", "VM", "XX")
"""How tags of closed classes and of punctuation begin: articles, prepositions, "be" and so on (CLAWS 5)."""
_COMPOUNDS = {
    ("t", "shirt"): "t-shirt",
    ("tee", "shirt"): "t-shirt",
    ("skate", "board"): "skateboard",
    ("snow", "board"): "snowboard",
    ("surf", "board"): "surfboard",
    ("wake", "board"): "wakeboard",
    ("base", "ball"): "baseball",
    ("foot", "ball"): "football",
    ("basket", "ball"): "basketball",
    ("side", "walk"): "sidewalk",
}
"""Compounds that people write in several ways, and the one way that is kept."""
_SPELLINGS = {"".join(parts): kept for parts, kept in _COMPOUNDS.items()}
_CACHED_WORDS = 100_000


class Word(NamedTuple):
    """A content word of a caption. `kind` is NOUN, VERB or OTHER."""

    lemma: str
    kind: str


Caption = tuple[Word, ...]
"""A caption's content words in their order."""
Document = tuple[Caption, ...]
"""The captions of one image."""


class Preparation:
    """Makes captions out of tokens. One object may prepare any number of captions."""

    def __init__(self) -> None:
        from HanTa.HanoverTagger import HanoverTagger  # slow to import

        self._tagger = HanoverTagger("morphmodel_en.pgz")
        # Nearly all of the time goes into analysing words, and captions repeat theirs.
        self._tagger.analyze_forward = lru_cache(_CACHED_WORDS)(self._tagger.analyze_forward)
        self._lemmas = lru_cache(_CACHED_WORDS)(self._lemma)

    def caption(self, tokens: Sequence[str]) -> Caption:
        """Return the content words of a caption.

        >>> [word.lemma for word in Preparation().caption("Two dogs are running in red t shirts .".split())]
        ['two', 'dog', 'run', 'red', 't-shirt']
        """
        plain = _joined([part for token in tokens if (part := token.strip(".,;:!?\"'`()[]").lower())])
        if not plain:
            return ()
        found = []
        for token, tag in zip(plain, self._tagger.tag_sent(plain, taglevel=0), strict=True):
            if tag.startswith(_CLOSED) or not any(map(str.isalnum, token)):
                continue
            kind = NOUN if tag.startswith("N") else VERB if tag.startswith("V") else OTHER
            found.append(Word(self._lemmas(token, tag), kind))
        return tuple(found)

    def _lemma(self, token: str, tag: str) -> str:
        return str(self._tagger.analyze(token, pos=tag)[0]).lower()


def _joined(tokens: list[str]) -> list[str]:
    """Return tokens with compounds written in one way.

    >>> _joined("a tee shirt , a tshirt and tee-shirts".split())
    ['a', 't-shirt', ',', 'a', 't-shirt', 'and', 't-shirts']
    """
    found: list[str] = []
    at = 0
    while at < len(tokens):
        pair = "".join(tokens[at : at + 2])
        one = tokens[at].replace("-", "")
        if at + 1 < len(tokens) and (kept := _compound(pair)) and _compound(one) is None:
            found.append(kept)
            at += 2
            continue
        found.append(_compound(one) or tokens[at])
        at += 1
    return found


def _compound(joined: str) -> str | None:
    plural = joined.endswith("s")
    kept = _SPELLINGS.get(joined[:-1] if plural else joined)
    return kept + "s" * plural if kept else None


def lemmas(caption: Caption) -> list[str]:
    """Return only the lemmas."""
    return [word.lemma for word in caption]


def inverse_frequencies(documents: Iterable[Document]) -> dict[str, float]:
    """Return log(N / (n + 1)) for each word, where n of the N images have the word in a caption (R, 3.1).

    A word of nearly all images would weigh less than nothing: its weight is 0 [ours].

    >>> dog, cat = Word("dog", NOUN), Word("cat", NOUN)
    >>> round(inverse_frequencies([((dog,),), ((dog, cat),)] * 2)["cat"], 3)
    0.288
    """
    found: Counter[str] = Counter()
    number = 0
    for document in documents:
        number += 1
        found.update({word.lemma for caption in document for word in caption})
    return {word: max(0.0, float(np.log(number / (count + 1)))) for word, count in found.items()}


def unknown_weight(number: int) -> float:
    """Return the weight of a word that no caption of `number` images has."""
    return float(np.log(number)) if number else 0.0
