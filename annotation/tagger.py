"""Part-of-speech tags (CLAWS5) of English words, by the model of HanTa.

HanTa says which tags a word can have, and how likely each one is after two others. The likeliest tags of a
sentence are searched here, since HanTa's own search tries every tag at every word, which takes long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import inf
from typing import Any

# Flickr30k's 155,070 captions have some 20,000 different words; an entry takes about half a kilobyte.
_CACHED_WORDS = 50_000
# A reading of a word that is less likely than the best by more than this (natural logarithm) is left out …
_CUTOFF = 12
# … and in a sentence, by more than this.
_CUTOFF_IN_SENTENCE = 5
# An analysis takes the cube of the length, and the ending says most about a word that is in no dictionary.
_MAX_LETTERS = 30
# At each word, so many states are followed up, and those that are less likely than the last by this.
_BEAM, _SLACK = 5, 1.0


class Tagger:
    """Tags words and sentences. Making one takes a second."""

    def __init__(self) -> None:
        from HanTa import HanoverTagger as hanta  # slow to import, and only imports need it

        self._model: Any = hanta.HanoverTagger("morphmodel_en.pgz")
        # Captions repeat their words, and analysing one takes long.
        self._model.analyze_forward = lru_cache(_CACHED_WORDS)(self._model.analyze_forward)
        self._in_sentence = lru_cache(_CACHED_WORDS)(self._weighted)
        self._start, self._end = (hanta.EMPTY, hanta.START), hanta.END
        self._any_tag = [(tag, 0.0) for tag in self._model.LP_trans_word[self._start] if tag != self._end]
        self._unknown = hanta.UNKNOWN

    def readings(self, word: str) -> dict[str, float]:
        """Return the tags that a word (not empty) can have in any case, with their log probability."""
        found = self._model.tag_word(word[-_MAX_LETTERS:], cutoff=_CUTOFF, casesensitive=False)
        return dict(found)

    def tags(self, sentence: Sequence[str]) -> list[str]:
        """Return the likeliest tags of a sentence, one for each word (not empty). This takes linear time."""
        after: dict[tuple[int, int], dict[int, float]] = self._model.LP_trans_word
        states: dict[tuple[int, int], float] = {self._start: 0.0}
        came_from: list[dict[tuple[int, int], tuple[int, int]]] = []
        for place, word in enumerate(sentence):
            readings = self._in_sentence(word[-_MAX_LETTERS:], place > 0) or self._any_tag
            row: dict[tuple[int, int], float] = {}
            back: dict[tuple[int, int], tuple[int, int]] = {}
            bound = _bound(states.values())
            for state, so_far in states.items():
                if so_far < bound:
                    continue
                transitions, last = after[state], state[1]
                for tag, likely in readings:
                    sum_ = so_far + transitions[tag] + likely
                    new = (last, tag)
                    if sum_ > row.get(new, -inf):
                        row[new], back[new] = sum_, state
            states = row
            came_from.append(back)
        if not sentence:
            return []
        state = max(states, key=lambda one: states[one] + after[one].get(self._end, -inf))
        found: list[str] = []
        for back in reversed(came_from):
            found.append(self._model.int2tag[state[1]])
            state = back[state]
        return found[::-1]

    def _weighted(self, word: str, case_counts: bool) -> list[tuple[int, float]]:
        """Return the tags of a word (numbers of the model), with how likely they make the word."""
        found: list[tuple[int, float]] = self._model._tag_word(
            word, cutoff=_CUTOFF_IN_SENTENCE, casesensitive=case_counts, conditional=True
        )
        return [] if [tag for tag, _ in found] == [self._unknown] else found


def _bound(likelihoods: Iterable[float]) -> float:
    ordered = sorted(likelihoods, reverse=True)
    return ordered[_BEAM] - _SLACK if len(ordered) > _BEAM else -inf
