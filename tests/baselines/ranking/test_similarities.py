"""Similarities of words, and Lin's over a taxonomy."""

from __future__ import annotations

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from baselines.ranking.similarities import WordSimilarity, average, distributional, larger
from baselines.ranking.taxonomy import Taxonomy, lin, read_taxonomy
from evaluation.errors import InputError

SENTENCES = [
    *[["dog", "ball", "grass"]] * 3,
    *[["puppy", "ball", "grass"]] * 3,
    *[["man", "sofa"]] * 4,
    *[["man", "dog"]] * 2,
]


def test_components_are_positive_pointwise_mutual_information() -> None:
    vectors = distributional(SENTENCES, least=3)
    words = ("dog", "ball", "grass", "puppy", "man", "sofa")
    assert vectors.words == words
    own = {"dog": 5, "ball": 6, "grass": 6, "puppy": 3, "man": 6, "sofa": 4}
    both = {("dog", "ball"): 3, ("dog", "grass"): 3, ("dog", "man"): 2, ("dog", "dog"): 5}
    expected = [
        max(0.0, log(both[("dog", word)] * 12 / (5 * own[word]))) if ("dog", word) in both else 0.0
        for word in words
    ]
    length = sqrt(sum(value**2 for value in expected))
    np.testing.assert_allclose(vectors.vectors[0].toarray()[0], [value / length for value in expected])


def test_words_in_like_contexts_are_alike_without_ever_being_together() -> None:
    near = [word for word, _ in distributional(SENTENCES, least=3).nearest("puppy", 3)]
    assert near == ["ball", "grass", "dog"]


def test_rare_words_have_no_similarity_to_others() -> None:
    found = distributional(SENTENCES, least=4).similarity(0.01)
    assert "puppy" not in found.words
    assert found.between(["puppy", "dog", "unicorn"]).toarray()[[0, 2]].tolist() == [[1, 0, 0], [0, 0, 1]]


def test_another_corpus_gives_vectors_of_the_captions_words_only() -> None:
    other = [["dog", "wolf", "bone"]] * 5 + [["puppy", "bone"]] * 5 + [["man", "sofa"]] * 10
    vectors = distributional(other, only={"dog", "puppy"})
    assert vectors.words == ("dog", "puppy")
    assert vectors.nearest("dog", 1)[0][1] > 0  # they share the component of bone, which no caption has


def test_similarities_below_the_least_count_as_nothing() -> None:
    vectors = distributional(SENTENCES, least=3)
    assert vectors.similarity(0.0).matrix.nnz > vectors.similarity(0.5).matrix.nnz
    kept = vectors.similarity(0.5).matrix.toarray()
    assert kept[kept > 0].min() >= 0.5


@pytest.mark.parametrize("least", [0.0, 0.01])
def test_similarities_are_a_kernel(least: float) -> None:
    found = distributional(SENTENCES, least=1).similarity(least).matrix.toarray()
    np.testing.assert_allclose(np.diag(found), 1)
    np.testing.assert_allclose(found, found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-9


def test_two_similarities_are_averaged_or_the_larger_is_taken() -> None:
    first = WordSimilarity(["dog", "puppy"], sparse.csr_matrix([[1.0, 0.8], [0.8, 1]]))
    second = WordSimilarity(
        ["puppy", "dog", "wolf"], sparse.csr_matrix([[1.0, 0.2, 0], [0.2, 1, 0.6], [0, 0.6, 1]])
    )
    words = ["dog", "puppy", "wolf"]
    np.testing.assert_allclose(
        average(first, second).between(words).toarray(), [[1, 0.5, 0.3], [0.5, 1, 0], [0.3, 0, 1]]
    )
    np.testing.assert_allclose(
        larger(first, second).between(words).toarray(), [[1, 0.8, 0.6], [0.8, 1, 0], [0.6, 0, 1]]
    )


ANIMALS = {
    "poodle": ("dog",),
    "beagle": ("dog",),
    "dog": ("pet",),
    "cat": ("pet",),
    "pet": ("thing",),
    "thing": (),
}


def test_lins_similarity_is_that_of_its_formula() -> None:
    taxonomy = Taxonomy({word: word for word in ANIMALS}, ANIMALS)
    words = ["poodle"] + ["beagle"] * 2 + ["dog"] + ["cat"] * 4 + ["thing"] * 2 + ["run"] * 90
    vectors = lin(words, taxonomy)
    share = {"poodle": 0.1, "dog": 0.4, "pet": 0.8}
    expected = {sense: 2 * log(share[sense]) / (log(share["poodle"]) + log(share[sense])) for sense in share}
    length = sqrt(sum(value**2 for value in expected.values()))
    row = vectors.vectors[vectors.words.index("poodle")].toarray()[0]
    np.testing.assert_allclose(sorted(row[row > 0]), sorted(value / length for value in expected.values()))
    assert "run" not in vectors.words  # it has no sense
    assert "thing" not in vectors.words  # everything is one, so it says nothing
    assert [word for word, _ in vectors.nearest("poodle", 3)] == ["dog", "beagle", "cat"]


LICENCE = "  1 This software and database is being provided to you\n"
INDEX = """dog n 1 2 @ ~ 1 1 00000002
puppy n 2 1 @ 2 1 00000003 00000009
animal n 1 1 ~ 1 0 00000001
"""
DATA = """00000001 03 n 01 animal 0 001 ~ 00000002 n 0000 | a living thing
00000002 05 n 02 dog 0 domestic_dog 0 002 @ 00000001 n 0000 ~ 00000003 n 0000 | a pet
00000003 05 n 01 puppy 0 001 @ 00000002 n 0000 | a young dog
"""


def wordnet(folder: Path, index: str = INDEX, data: str = DATA) -> Path:
    (folder / "index.noun").write_text(LICENCE + index)
    (folder / "data.noun").write_text(LICENCE + data)
    return folder


def test_wordnets_files_are_read(tmp_path: Path) -> None:
    taxonomy = read_taxonomy(wordnet(tmp_path))
    assert taxonomy.senses == {"dog": "00000002", "puppy": "00000003", "animal": "00000001"}
    assert taxonomy.above("00000003") == {"00000001", "00000002", "00000003"}


@pytest.mark.parametrize(
    ("index", "data", "message"),
    [
        ("dog n 1 x @ 1 1 00000002\n", DATA, r"index.noun, line 2: field 4 is not a number"),
        ("dog n 1 2 @ ~ 1 1\n", DATA, r"index.noun, line 2: has no sense"),
        (INDEX, "00000001 03 n zz animal\n", r"data.noun, line 2: field 4 is not a number"),
        (
            INDEX,
            "00000001 03 n 01 animal 0 002 ~ 00000002 n 0000 | x\n",
            r"data.noun, line 2: has fewer than its 2",
        ),
    ],
)
def test_other_files_are_refused(tmp_path: Path, index: str, data: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_taxonomy(wordnet(tmp_path, index, data))


def test_a_folder_without_wordnet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"index.noun: cannot be read .* give a folder with index.noun"):
        read_taxonomy(tmp_path)
