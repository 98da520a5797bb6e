"""The trigram kernel, beside an oracle that enumerates what the paper defines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, product
from math import prod, sqrt
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from baselines.ranking.kernels import BagOfWords, Idf
from baselines.ranking.sequences import SimilarTrigrams, Trigrams, matches
from baselines.ranking.similarities import WordSimilarity
from baselines.ranking.words import Document, inverse_frequencies, unknown_weight
from evaluation.arrays import Floats
from tests.baselines.ranking.made_up import COLOURS, NOUNS, VERBS, document, random_documents

Match = tuple[int, int, tuple[str, ...]]
NONE = WordSimilarity((), sparse.csr_matrix((0, 0)))


def every_match(words: list[str], length: int) -> set[Match]:
    """Return each substring (i, j) with each sequence that it begins and ends with and contains."""
    found = set()
    for size in range(1, length + 1):
        for places in combinations(range(len(words)), size):
            found.add((places[0], places[-1], tuple(words[place] for place in places)))
    return found


def oracle(
    first: Document,
    second: Document,
    *,
    length: int = 3,
    match: float = 0.5,
    gap: float = 1.0,
    likeness: Mapping[tuple[str, str], float] = MappingProxyType({}),
    weights: dict[str, float] | None = None,
) -> float:
    """Return the kernel before it is normalized: all pairs of matches, one by one (R, 3.4.3 and 3.5.1)."""
    total = 0.0
    for one, other in product(first, second):
        left, right = ([word.lemma for word in text] for text in (one, other))
        for (i, j, w), (k, m, v) in product(every_match(left, length), every_match(right, length)):
            if len(w) != len(v):
                continue
            alike = prod(1.0 if a == b else likeness.get((a, b), 0.0) for a, b in zip(w, v, strict=True))
            weight = 1.0
            if weights is not None:
                weight = sqrt(prod(weights[word] for word in (*w, *v)))
            gaps = (j - i + 1) + (m - k + 1) - 2 * len(w)
            total += alike * weight * gap**gaps * match ** (2 * len(w))
    return total


def every_likeness(similarity: WordSimilarity) -> dict[tuple[str, str], float]:
    dense = similarity.matrix.toarray()
    return {
        (a, b): dense[row, column]
        for row, a in enumerate(similarity.words)
        for column, b in enumerate(similarity.words)
    }


def normalized(first: list[Document], second: list[Document], **options: object) -> Floats:
    found = np.zeros((len(first), len(second)))
    for row, one in enumerate(first):
        for column, other in enumerate(second):
            length = sqrt(oracle(one, one, **options) * oracle(other, other, **options))  # type: ignore[arg-type]
            found[row, column] = oracle(one, other, **options) / length if length else 0  # type: ignore[arg-type]
    return found


def planted_similarity() -> WordSimilarity:
    """Return similarities of vectors, so that they are a kernel; "park" and "blue" have none."""
    words = [word for word in (*NOUNS, *VERBS, *COLOURS) if word not in ("park", "blue")]
    vectors = np.abs(np.random.default_rng(5).normal(size=(len(words), 4)))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kernel = vectors @ vectors.T
    np.fill_diagonal(kernel, 1)
    return WordSimilarity(words, sparse.csr_matrix(kernel))


@given(st.lists(st.sampled_from("abc"), max_size=7), st.integers(1, 3))
def test_matches_are_those_of_all_subsequences(words: list[str], length: int) -> None:
    found = matches(words, length)
    expected = Counter((w, j - i + 1 - len(w)) for i, j, w in every_match(words, length))
    assert found == expected


def test_a_long_sentence_has_its_subject_verb_object_triple() -> None:
    words = ["large", "white", "dog", "run", "catch", "red", "ball", "beach"]
    assert matches(words, 3)[("dog", "catch", "ball"), 2] == 1
    assert matches(words, 3)[("dog", "run", "beach"), 3] == 1


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("gap", [1.0, 0.7])
def test_trigrams_are_those_of_the_oracle(length: int, gap: float) -> None:
    documents = random_documents(6, seed=length)
    kernel = Trigrams(length=length, gap=gap).fit(documents)
    rows = kernel.represent(documents)
    expected = normalized(documents, documents, length=length, gap=gap)
    np.testing.assert_allclose(kernel.compare(rows, rows), expected, atol=1e-12)


@pytest.mark.parametrize("idf", ["none", "full"])
@pytest.mark.parametrize("gap", [1.0, 0.7])
def test_trigrams_with_similarities_are_those_of_the_oracle(idf: Idf, gap: float) -> None:
    training, queries = random_documents(5, seed=1), random_documents(4, seed=2, captions=1)
    similarity = planted_similarity()
    kernel = SimilarTrigrams(similarity, idf=idf, gap=gap).fit(training)
    weights = None
    if idf == "full":
        unseen = dict.fromkeys((*NOUNS, *VERBS, *COLOURS), unknown_weight(len(training)))
        weights = unseen | inverse_frequencies(training)
    found = kernel.compare(kernel.represent(queries), kernel.represent(training))
    expected = normalized(queries, training, likeness=every_likeness(similarity), weights=weights, gap=gap)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("idf", ["none", "root", "full"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_without_similar_words_both_kernels_are_one(idf: Idf, length: int) -> None:
    training = random_documents(12, seed=3)
    queries = [*random_documents(5, seed=4), document("dog zebra run zebra", "unicorn"), document("")]
    exact = Trigrams(idf=idf, length=length).fit(training)
    similar = SimilarTrigrams(NONE, idf=idf, length=length).fit(training)
    np.testing.assert_allclose(
        similar.compare(similar.represent(queries), similar.represent(training)),
        exact.compare(exact.represent(queries), exact.represent(training)),
        atol=1e-12,
    )


def test_sequences_of_one_word_are_a_bag_of_words() -> None:
    documents = random_documents(8, seed=6)
    one, bag = Trigrams(length=1).fit(documents), BagOfWords().fit(documents)
    np.testing.assert_allclose(
        one.compare(one.represent(documents), one.represent(documents)),
        bag.compare(bag.represent(documents), bag.represent(documents)),
        atol=1e-12,
    )


def test_word_order_matters() -> None:
    documents = [document("dog bite man"), document("man bite dog"), document("dog bite man")]
    kernel = Trigrams().fit(documents)
    found = kernel.compare(kernel.represent(documents), kernel.represent(documents))
    assert found[0, 2] == pytest.approx(1)
    assert found[0, 1] < 0.9


@pytest.mark.parametrize("kernel", [Trigrams(), Trigrams(idf="root"), SimilarTrigrams(planted_similarity())])
def test_trigram_kernels_are_positive_semi_definite(kernel: Trigrams | SimilarTrigrams) -> None:
    documents = random_documents(30, seed=8)
    kernel.fit(documents)
    rows = kernel.represent(documents)
    found = kernel.compare(rows, rows)  # type: ignore[arg-type]
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    assert np.linalg.eigvalsh(found).min() > -1e-9


def test_taken_documents_compare_as_before() -> None:
    documents = random_documents(9, seed=9)
    rows = np.array([7, 2, 4])
    for kernel in (Trigrams(), SimilarTrigrams(planted_similarity())):
        kernel.fit(documents)
        whole = kernel.represent(documents)
        np.testing.assert_allclose(
            kernel.compare(whole.take(rows), whole.take(rows[:2])),  # type: ignore[arg-type]
            kernel.compare(whole, whole)[rows][:, rows[:2]],  # type: ignore[arg-type]
            atol=1e-12,
        )


def test_a_sequence_of_four_words_is_refused() -> None:
    with pytest.raises(ValueError, match="1 to 3 words, not 4"):
        Trigrams(length=4)
    with pytest.raises(ValueError, match="1 to 3 words, not 4"):
        SimilarTrigrams(NONE, length=4)
