"""IBM models 1 and 2, beside a textbook's example and a plain program."""

from __future__ import annotations

import gzip
from collections import defaultdict

import numpy as np
import pytest

from baselines.ranking.alignment import Pair, alignment, translate
from baselines.ranking.words import NOUN, VERB, Preparation, Word
from tests.baselines.ranking.made_up import document
from tests.shared import shared

TEXTBOOK: list[Pair] = [
    (["das", "Haus"], ["the", "house"]),
    (["das", "Buch"], ["the", "book"]),
    (["ein", "Buch"], ["a", "book"]),
]
"""The example of Koehn, Statistical Machine Translation (2010), section 4.2."""


def plain(pairs: list[Pair], first: int, second: int, *, null: bool) -> dict[tuple[str, str], float]:
    """Return t(target | source) by EM as textbooks write it, with dictionaries."""
    pairs = [([""] * null + list(source), target) for source, target in pairs]
    t: defaultdict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    a: defaultdict[tuple[int, ...], float] = defaultdict(lambda: 1.0)
    for iteration in range(first + second):
        counts: defaultdict[tuple[str, str], float] = defaultdict(float)
        totals: defaultdict[str, float] = defaultdict(float)
        places: defaultdict[tuple[int, ...], float] = defaultdict(float)
        place_totals: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for source, target in pairs:
            for j, f in enumerate(target):
                key = j, len(source), len(target)
                weights = [
                    t[f, e] * (a[(i, *key)] if iteration >= first else 1.0) for i, e in enumerate(source)
                ]
                for i, e in enumerate(source):
                    share = weights[i] / sum(weights)
                    counts[f, e] += share
                    totals[e] += share
                    places[(i, *key)] += share
                    place_totals[key] += share
        t = defaultdict(float, {(f, e): count / totals[e] for (f, e), count in counts.items()})
        if iteration >= first:
            a = defaultdict(float, {key: count / place_totals[key[1:]] for key, count in places.items()})
    return dict(t)


@pytest.mark.parametrize(
    ("iterations", "expected"),
    [
        (1, {("the", "das"): 0.5, ("book", "das"): 0.25, ("the", "Haus"): 0.5, ("a", "ein"): 0.5}),
        (
            2,
            {("the", "das"): 0.6364, ("house", "das"): 0.1818, ("book", "ein"): 0.4286, ("a", "ein"): 0.5714},
        ),
        (
            3,
            {("the", "das"): 0.7479, ("book", "das"): 0.1208, ("house", "das"): 0.1313, ("a", "ein"): 0.6534},
        ),
    ],
)
def test_model_1_gives_the_textbooks_numbers(iterations: int, expected: dict[tuple[str, str], float]) -> None:
    found = translate(TEXTBOOK, first=iterations, second=0, null=False)
    for (target, source), probability in expected.items():
        assert found.probability(target, source) == pytest.approx(probability, abs=5e-5)


def test_model_1_ends_at_the_right_translations() -> None:
    found = translate(TEXTBOOK, first=200, second=0, null=False)
    for target, source in [("the", "das"), ("house", "Haus"), ("book", "Buch"), ("a", "ein")]:
        assert found.probability(target, source) > 0.95


def random_pairs(seed: int) -> list[Pair]:
    rng = np.random.default_rng(seed)
    return [
        (
            rng.choice(list("abcde"), rng.integers(1, 5)).tolist(),
            rng.choice(list("vwxyz"), rng.integers(1, 5)).tolist(),
        )
        for _ in range(30)
    ]


@pytest.mark.parametrize("null", [True, False])
@pytest.mark.parametrize(("first", "second"), [(4, 0), (0, 3), (3, 4)])
def test_both_models_are_those_of_a_plain_program(first: int, second: int, null: bool) -> None:
    pairs = random_pairs(seed=first + second)
    found = translate(pairs, first=first, second=second, null=null)
    for (target, source), probability in plain(pairs, first, second, null=null).items():
        if source:
            assert found.probability(target, source) == pytest.approx(probability, abs=1e-12)


def test_probabilities_of_a_source_word_sum_to_one() -> None:
    found = translate(random_pairs(seed=9))
    np.testing.assert_allclose(np.asarray(found.table.sum(axis=1)), 1)


def test_empty_sentences_are_left_out() -> None:
    assert translate([([], ["dog"]), (["dog"], [])]).sources == ()
    found = translate([([], ["dog"]), (["dog"], []), (["pup"], ["dog"])])
    assert (found.sources, found.targets) == (("pup",), ("dog",))


def test_words_for_one_thing_are_most_alike() -> None:
    documents = [
        document("dog run beach", "puppy jump beach", "dog jump beach"),
        document("dog run park", "puppy jump park", "puppy run"),
        document("man sit beach", "guy sit beach", "man sit"),
        document("man sit park", "guy sit park", "guy sit park"),
    ] * 7
    vectors = alignment(documents, least_nouns=1, least_verbs=1)
    nearest = {word: vectors.nearest(word, 1)[0][0] for word in ("dog", "puppy", "man", "guy")}
    assert nearest == {"dog": "puppy", "puppy": "dog", "man": "guy", "guy": "man"}
    assert vectors.nearest("run", 1)[0][0] == "jump"
    assert "park" not in [word for word, _ in vectors.nearest("run", 20)]  # verbs apart from nouns


def test_rare_and_ambiguous_words_have_no_alignment() -> None:
    noun, verb = Word("ride", NOUN), Word("ride", VERB)
    dog, cat = Word("dog", NOUN), Word("cat", NOUN)
    documents = (
        [((dog, noun), (cat, noun))] * 4 + [((dog, verb), (cat, verb))] * 6 + [((Word("axe", NOUN),), (dog,))]
    )
    words = alignment(documents, least_nouns=2, least_verbs=100).words
    assert set(words) == {"dog", "cat"}  # axe is rare; ride is a noun in two fifths of its occurrences
    words = alignment(documents, least_nouns=2, least_verbs=12).words
    assert set(words) == {"dog", "cat", "ride"}


def test_words_of_real_captions_for_one_thing_are_most_alike() -> None:
    path = shared("data", "flickr30k", "captions.token.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [next(file).rstrip("\n").partition("\t") for _ in range(6000)]
    preparation = Preparation()
    documents = [
        tuple(preparation.caption(text.split()) for _, _, text in lines[at : at + 5])
        for at in range(0, len(lines), 5)
    ]
    vectors = alignment(documents)
    for word, like in (("man", "guy"), ("woman", "lady"), ("child", "kid"), ("jump", "leap")):
        assert like in [one for one, _ in vectors.nearest(word, 5)], word
