"""The words of captions as they are compared: without stop words, and as stems.

`evaluation.retrieval.words` splits a caption. Stems are those of Porter (1980, Program 14:130-137), which the
script of Rouge takes, too. The stop words are ours, because the script's list may not be passed on: see
`STOP_WORDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache, partial
from pathlib import Path

import snowballstemmer

from evaluation.errors import InputError, Place
from evaluation.readers.files import read_lines, text_of
from evaluation.retrieval import words


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


Stem = Callable[[str], str]
"""From a word to its stem."""

STOP_WORDS = _set(
    "a an the this that these those some any no none all both each every either neither another other others "
    "such same own one ones much many more most few fewer less least several enough "
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she "
    "her hers herself it its itself they them their theirs themselves who whom whose which what whoever "
    "someone somebody something anyone anybody anything everyone everybody everything nobody nothing "
    "am is are was were be been being have has had having do does did doing done will would shall should can "
    "could may might must ought isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt hasnt "
    "havent hadnt hes shes theyre its thats theres "
    "and or but nor so yet if because as until while though although unless since than whether "
    "of at by for with about against between among into onto through during before after above below to from "
    "up down in out on off over under along across behind beside besides beyond inside outside near toward "
    "towards upon within without around throughout via per amid amidst "
    "when where why how then there here now again further once not only too very just also quite rather "
    "almost perhaps maybe even still already s t re ve ll d m"
)
"""Words that only bind others, or stand for them [ours]: the closed classes of English.

Marks are left out, as `words` does it. What remains when it splits a contraction is in the list, too.
"""
MAX_WORDS = 1_000_000
"""Words of a list."""


def porter(word: str) -> str:
    """Return the Porter stem of a word in lower case.

    >>> porter("jumping"), porter("dogs"), porter("ponies")
    ('jump', 'dog', 'poni')
    """
    return _cached_stems()(word)


def content_words(
    text: str, stop_words: Collection[str] = STOP_WORDS, stem: Stem | None = porter
) -> list[str]:
    """Return the stems of a caption's words that are no stop words, in their order.

    Without `stem`, they are the words themselves.

    >>> content_words("Two dogs are jumping over a well-kept fence .")
    ['two', 'dog', 'jump', 'well', 'kept', 'fenc']
    """
    found = [word for word in words(text) if word not in stop_words]
    return found if stem is None else [stem(word) for word in found]


def read_words(path: Path) -> dict[str, None]:
    """Return the words of a list, one a line, in lower case and in their order.

    Raise InputError if the file cannot be read, is not UTF-8, or has too many words or none.
    """
    found: dict[str, None] = {}
    for line, content in read_lines(path, 1_000):
        found[text_of(content, Place(str(path), line)).lower()] = None
        if len(found) > MAX_WORDS:
            raise InputError(f"{path} has more than {MAX_WORDS:,} words")
    if not found:
        raise InputError(f"{path} has no word; it has one in each line")
    return found


@cache
def _cached_stems() -> Stem:
    # Captions repeat their words: of 1.9 million in Flickr30k, 20,000 differ.
    return cache(partial(snowballstemmer.stemmer("porter").stemWord))
