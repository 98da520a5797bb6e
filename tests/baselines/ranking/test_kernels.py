"""Bags of words, F1 of shared words, and tag ranks, beside plain oracles."""

from __future__ import annotations

from collections import Counter
from math import exp, log, log2, sqrt

import numpy as np
import pytest

from baselines.ranking.kernels import BagOfWords, Idf, SharedWords, TextKernel
from baselines.ranking.sequences import SimilarTrigrams, Trigrams
from baselines.ranking.tag_rank import TagRank
from baselines.ranking.words import Caption, Document, inverse_frequencies, unknown_weight
from tests.baselines.ranking.made_up import caption, document, random_documents
from tests.baselines.ranking.test_sequences import planted_similarity


def bag(one: Document) -> Counter[str]:
    return Counter(word.lemma for text in one for word in text)


def weights(training: list[Document], power: float) -> dict[str, float]:
    known = inverse_frequencies(training)
    return {
        word: (known.get(word, unknown_weight(len(training)))) ** power
        for one in [*training, document("zebra")]
        for word in bag(one)
    }


def test_the_inverse_frequency_counts_images_not_captions() -> None:
    found = inverse_frequencies(
        [document("dog", "dog dog"), document("cat"), document("cat"), document("man")]
    )
    assert found["dog"] == pytest.approx(log(4 / 2))
    assert found["cat"] == pytest.approx(log(4 / 3))


@pytest.mark.parametrize(("idf", "power"), [("none", 0.0), ("root", 0.5), ("full", 1.0)])
def test_a_bag_of_words_is_the_cosine_of_weighed_frequencies(idf: Idf, power: float) -> None:
    training = random_documents(8, seed=1)
    queries = [*random_documents(4, seed=2, captions=1), document("zebra dog dog")]
    kernel = BagOfWords(idf=idf).fit(training)
    found = kernel.compare(kernel.represent(queries), kernel.represent(training))
    weigh = weights(training, power)
    for row, one in enumerate(queries):
        for column, other in enumerate(training):
            left, right = bag(one), bag(other)
            product = sum(left[word] * right[word] * weigh[word] ** 2 for word in left)
            lengths = [sqrt(sum((n * weigh[word]) ** 2 for word, n in it.items())) for it in (left, right)]
            expected = product / (lengths[0] * lengths[1]) if all(lengths) else 0.0
            assert found[row, column] == pytest.approx(expected, abs=1e-12)


def test_shared_words_are_f1_of_weighed_bags() -> None:
    training = random_documents(8, seed=3)
    queries = [*random_documents(5, seed=4, captions=1), document("zebra dog dog"), document("")]
    kernel = SharedWords().fit(training)
    found = kernel.compare(kernel.represent(queries), kernel.represent(training))
    weigh = weights(training, 1.0)
    for row, one in enumerate(queries):
        for column, other in enumerate(training):
            left, right = bag(one), bag(other)
            shared = sum(weigh[word] * number for word, number in (left & right).items())
            sizes = [sum(weigh[word] * number for word, number in it.items()) for it in (left, right)]
            expected = 0.0
            if shared:
                precision, recall = shared / sizes[0], shared / sizes[1]
                expected = 2 * precision * recall / (precision + recall)
            assert found[row, column] == pytest.approx(expected, abs=1e-12)


def ranks(one: Caption, training: list[Document]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the absolute and the relative tag ranks of a caption, as R, 3.4.2, defines them."""
    places = {
        word.lemma: np.mean([at for at, other in enumerate(one, 1) if other.lemma == word.lemma])
        for word in one
    }
    first = {word: 1 / log2(1 + float(place)) for word, place in places.items()}
    second = {}
    for word, place in places.items():
        every = [
            at for it in training for text in it for at, other in enumerate(text, 1) if other.lemma == word
        ]
        second[word] = 1 - sum(at <= place for at in every) / len(every) if every else 0.0
    return first, second


def chi_square(first: dict[str, float], second: dict[str, float]) -> float:
    return sum(
        (first.get(word, 0) - second.get(word, 0)) ** 2 / (first.get(word, 0) + second.get(word, 0))
        for word in {**first, **second}
        if first.get(word, 0) + second.get(word, 0)
    )


def test_tag_ranks_are_those_of_the_oracle() -> None:
    training = random_documents(7, seed=5)
    queries = [*random_documents(3, seed=6, captions=1), document("zebra dog run")]
    kernel = TagRank().fit(training)
    found = kernel.compare(kernel.represent(queries), kernel.represent(training))
    texts = [text for one in training for text in one]
    described = [ranks(text, training) for text in texts]
    scales = [np.mean([chi_square(a[it], b[it]) for a in described for b in described]) for it in (0, 1)]
    for row, one in enumerate(queries):
        for column, other in enumerate(training):
            values = [
                np.mean([exp(-chi_square(a[it], b[it]) / scales[it]) for it in (0, 1)])
                for a in (ranks(text, training) for text in one)
                for b in (ranks(text, training) for text in other)
            ]
            assert found[row, column] == pytest.approx(np.mean(values), abs=1e-12)


def test_early_words_weigh_more() -> None:
    training = [document("dog run beach"), document("beach run dog")]
    kernel = TagRank().fit(training)
    query = (caption("dog run grass"),)
    found = kernel.compare(kernel.represent([query]), kernel.represent(training))
    assert found[0, 0] > found[0, 1]


@pytest.mark.parametrize("kernel", [BagOfWords(), BagOfWords(idf="root"), TagRank()])
def test_kernels_are_positive_semi_definite(kernel: BagOfWords | TagRank) -> None:
    documents = random_documents(30, seed=7)
    kernel.fit(documents)
    rows = kernel.represent(documents)
    found = kernel.compare(rows, rows)  # type: ignore[arg-type]
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    assert np.linalg.eigvalsh(found).min() > -1e-9


@pytest.mark.parametrize("kernel", [BagOfWords(), SharedWords(), TagRank()])
def test_taken_documents_compare_as_before(kernel: BagOfWords | SharedWords | TagRank) -> None:
    documents = random_documents(9, seed=8)
    kernel.fit(documents)
    whole, rows = kernel.represent(documents), np.array([7, 2, 4])
    np.testing.assert_allclose(
        kernel.compare(whole.take(rows), whole.take(rows[:2])),  # type: ignore[arg-type]
        kernel.compare(whole, whole)[rows][:, rows[:2]],  # type: ignore[arg-type]
        atol=1e-12,
    )


@pytest.mark.parametrize(
    "kernel",
    [BagOfWords(), SharedWords(), TagRank(), Trigrams(idf="full"), SimilarTrigrams(planted_similarity())],
)
def test_the_diagonal_is_that_of_all_pairs(kernel: TextKernel) -> None:
    documents = [*random_documents(9, seed=9), document("")]
    kernel.fit(documents)
    rows = kernel.represent(documents)
    np.testing.assert_allclose(kernel.diagonal(rows), np.diag(kernel.compare(rows, rows)), atol=1e-12)
