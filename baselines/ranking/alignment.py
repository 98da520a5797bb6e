"""Which words stand for the same thing: IBM models 1 and 2 between captions of one image (R, 3.5.4).

Captions of an image are taken as translations of each other. Each ordered pair of them is a pair of
sentences, once with their nouns only and once with their verbs only. The probability that a word is
translated as another tells how likely the two describe the same entity or event.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy import sparse

from baselines.ranking.similarities import WordVectors
from baselines.ranking.words import NOUN, VERB, Document
from evaluation.arrays import Floats, Ints

Pair = tuple[Sequence[str], Sequence[str]]
"""A sentence, and its translation."""


@dataclass(frozen=True, slots=True)
class Translations:
    """What EM found. `table` has P(target | source), of shape (sources, targets)."""

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    table: sparse.csr_matrix

    def probability(self, target: str, source: str) -> float:
        """Return P(target | source) of two words that the pairs have."""
        return float(self.table[self.sources.index(source), self.targets.index(target)])


@dataclass(frozen=True, slots=True)
class _Links:
    """Every link from a target word to a word of its source sentence, each of shape (links,)."""

    pair: Ints
    """Which two words, as a number from 0."""
    target: Ints
    """Which occurrence of a target word: the links of one share a probability of 1."""
    slot: Ints
    """Which places in sentences of which lengths."""
    sources: Ints
    """The source word of each pair of words, of shape (pairs,)."""
    targets: Ints
    """The target word of each pair of words."""
    slots_from: Ints
    """Which target place and lengths each slot has, of shape (slots,)."""


def translate(pairs: Iterable[Pair], *, first: int = 5, second: int = 5, null: bool = True) -> Translations:
    """Return translation probabilities after `first` iterations of model 1 and then `second` of model 2.

    Each iteration is one of EM, from uniform probabilities. In model 2, the place of a link depends on the
    target's place and on both lengths. With `null`, each source sentence has an empty word that any target
    word may come from; it is left out of the result.

    >>> pairs = [(["das", "Haus"], ["the", "house"]), (["das", "Buch"], ["the", "book"])]
    >>> pairs.append((["ein", "Buch"], ["a", "book"]))
    >>> round(translate(pairs, first=3, second=0, null=False).probability("the", "das"), 4)
    0.7479
    """
    kept = [(source, target) for source, target in pairs if source and target]
    sources = {word: at for at, word in enumerate(dict.fromkeys(w for source, _ in kept for w in source))}
    targets = {word: at for at, word in enumerate(dict.fromkeys(w for _, target in kept for w in target))}
    if not kept:
        return Translations((), (), sparse.csr_matrix((0, 0)))
    links = _links(kept, sources, targets, null)
    table: Floats = np.ones(len(links.sources))  # any constant: model 1 has one optimum
    places: Floats = np.ones(len(links.slots_from))
    for iteration in range(first + second):
        weights = table[links.pair]
        if iteration >= first:
            weights = weights * places[links.slot]
        weights /= np.bincount(links.target, weights=weights)[links.target]
        table = _shares(links.pair, weights, links.sources)
        if iteration >= first:
            places = _shares(links.slot, weights, links.slots_from)
    shape = (len(sources) + null, len(targets))
    found = sparse.csr_matrix((table, (links.sources, links.targets)), shape=shape)
    return Translations(tuple(sources), tuple(targets), found[: len(sources)])


def alignment(
    documents: Sequence[Document],
    *,
    least_nouns: int = 5,
    noun_share: float = 0.5,
    least_verbs: int = 25,
    verb_share: float = 0.25,
    first: int = 5,
    second: int = 5,
) -> WordVectors:
    """Return the vectors P(w' | w as a noun) P(noun | w) + P(w' | w as a verb) P(verb | w).

    Nouns are words that were tagged as nouns at least `least_nouns` times and in at least `noun_share` of
    their occurrences; verbs correspondingly. A word may be both.
    """
    tagged: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for caption in document:
            for word in caption:
                tagged[word.lemma][word.kind] += 1
    words: dict[str, int] = {}
    data: list[Floats] = []
    rows: list[Ints] = []
    columns: list[Ints] = []
    for kind, least, share in ((NOUN, least_nouns, noun_share), (VERB, least_verbs, verb_share)):
        shares = {
            word: counts[kind] / counts.total()
            for word, counts in tagged.items()
            if counts[kind] >= least and counts[kind] >= share * counts.total()
        }
        found = translate(_pairs(documents, kind, shares), first=first, second=second)
        cells = found.table.tocoo()
        places = np.array([words.setdefault(word, len(words)) for word in found.sources], dtype=np.int64)
        others = np.array([words.setdefault(word, len(words)) for word in found.targets], dtype=np.int64)
        weights = np.array([shares[word] for word in found.sources], dtype=np.float64)
        data.append(cells.data * weights[cells.row])
        rows.append(places[cells.row])
        columns.append(others[cells.col])
    cells_of = (np.concatenate(rows), np.concatenate(columns))
    vectors = sparse.csr_matrix((np.concatenate(data), cells_of), shape=(len(words), len(words)))
    return WordVectors(tuple(words), vectors)


def _pairs(documents: Sequence[Document], kind: str, kept: Iterable[str]) -> Iterable[Pair]:
    vocabulary = set(kept)
    for document in documents:
        sentences = [
            [word.lemma for word in caption if word.kind == kind and word.lemma in vocabulary]
            for caption in document
        ]
        yield from permutations(sentences, 2)


def _links(kept: list[Pair], sources: dict[str, int], targets: dict[str, int], null: bool) -> _Links:
    by_length: defaultdict[tuple[int, int], list[tuple[list[int], list[int]]]] = defaultdict(list)
    empty = [len(sources)] if null else []
    for source, target in kept:
        numbers = (empty + [sources[word] for word in source], [targets[word] for word in target])
        by_length[len(numbers[0]), len(numbers[1])].append(numbers)
    keys, occurrences, slots, slots_from = [], [], [], []
    occurrence = slot = place = 0
    for (length, other), group in by_length.items():
        left = np.array([one for one, _ in group])
        right = np.array([one for _, one in group])
        keys.append((left[:, None, :] * len(targets) + right[:, :, None]).ravel())
        links = len(group) * other
        occurrences.append(occurrence + np.repeat(np.arange(links), length))
        slots.append(slot + np.tile(np.arange(other * length), len(group)))
        slots_from.append(place + np.repeat(np.arange(other), length))
        occurrence, slot, place = occurrence + links, slot + other * length, place + other
    found, pair = np.unique(np.concatenate(keys), return_inverse=True)
    return _Links(
        pair=pair,
        target=np.concatenate(occurrences),
        slot=np.concatenate(slots),
        sources=found // len(targets),
        targets=found % len(targets),
        slots_from=np.concatenate(slots_from),
    )


def _shares(of: Ints, weights: Floats, groups: Ints) -> Floats:
    """Return the sum of each one's weights as a share of its group's sum."""
    sums = np.bincount(of, weights=weights)
    return np.asarray(sums / np.bincount(groups, weights=sums)[groups], dtype=np.float64)
