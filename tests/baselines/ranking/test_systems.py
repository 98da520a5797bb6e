"""The ranking systems on planted pairs of images and captions, and their files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from baselines.ranking.nearest import NearestNeighbour, Ranking
from baselines.ranking.pyramids import Histograms
from baselines.ranking.recipes import GRID, PAPER, Corpora, learn_similarity, one_each, recipe_of
from baselines.ranking.systems import KernelCca, Setting, train
from baselines.ranking.taxonomy import Taxonomy
from baselines.ranking.words import Document
from evaluation.errors import InputError
from evaluation.retrieval import retrieve
from tests.baselines.ranking.made_up import document

THINGS = ("dog", "cat", "man", "ball", "car", "horse")
PLACES = ("beach", "park", "street", "kitchen")
OTHER_NAMES = {"dog": "puppy", "cat": "kitten", "man": "guy", "beach": "shore"}


def planted(number: int, seed: int, captions: int = 5) -> tuple[Histograms, list[Document]]:
    """Return images of a thing in a place, whose histograms show both with noise, and their captions."""
    rng = np.random.default_rng(seed)
    histograms = rng.random((number, 30)).astype(np.float32)
    documents = []
    for row in range(number):
        thing, place = rng.integers(len(THINGS)), rng.integers(len(PLACES))
        histograms[row, thing] += 8
        histograms[row, 10 + place] += 8
        texts = []
        for _ in range(captions):
            words = [THINGS[thing], "run" if thing % 2 else "sit", PLACES[place]]
            texts.append(
                " ".join(OTHER_NAMES.get(word, word) if rng.random() < 0.4 else word for word in words)
            )
        documents.append(document(*texts))
    return histograms / histograms.sum(axis=1, keepdims=True), documents


TRAINING, VALIDATION, TEST = planted(120, 1), planted(30, 2, captions=1), planted(40, 3, captions=1)
TAXONOMY = Taxonomy(
    {word: word for word in ("dog", "puppy", "cat", "beach")},
    {
        "puppy": ("dog",),
        "dog": ("animal",),
        "cat": ("animal",),
        "animal": ("thing",),
        "beach": ("thing",),
        "thing": (),
    },
)


SENTENCES = (("dog", "sofa"), ("puppy", "sofa"), ("horse", "stable"), ("car", "road")) * 5


def trained(system: str, **parameters: int) -> KernelCca:
    similarity = learn_similarity(recipe_of(system), TRAINING[1], Corpora(TAXONOMY, SENTENCES))
    model = KernelCca(system, dimensions=(3, 5, 8, 12, 20, 6000), **parameters)  # type: ignore[arg-type]
    return model.fit(*TRAINING, *VALIDATION, similarity=similarity)


def median_ranks(ranking: Ranking) -> tuple[float, float]:
    own = np.eye(len(ranking.annotation), dtype=bool)
    return retrieve(ranking.annotation, own).median_rank, retrieve(ranking.search, own).median_rank


@pytest.mark.parametrize(
    "system", ["bow1", "bow5", "bow5-idf", "bow5-root", "tagrank", "tri5-lin", "tri5-sem", *GRID]
)
def test_every_kcca_system_finds_planted_pairs(system: str) -> None:
    found = median_ranks(trained(system).score(*TEST))
    assert max(found) <= 4  # of 40, by chance 20.5; 24 kinds of pairs look alike


@pytest.mark.parametrize("system", ["nn", "nn-bow5", "nn-bow1", "nn-tri5", "nn-tri5-sem", "nn-tagrank"])
def test_the_nearest_neighbour_finds_planted_pairs(system: str) -> None:
    """R, appendix B: NN5idfF1, and nearest neighbours with the texts of KCCA systems."""
    similarity = learn_similarity(recipe_of(system), TRAINING[1])
    found = NearestNeighbour(system).fit(*TRAINING, similarity=similarity).score(*TEST)
    assert max(median_ranks(found)) <= 8


def test_the_grid_of_table_6_has_sixteen_systems_by_name() -> None:
    assert len({recipe_of(name) for name in GRID}) == 16
    assert (GRID[0], GRID[-1]) == ("tri5", "tri5-idf-alignment-captions-corpus")
    sem, whole = (recipe_of(name) for name in ("tri5-sem", GRID[-1]))
    assert (sem.idf, whole.idf) == ("full", "full")
    both = [learn_similarity(one, TRAINING[1], Corpora(sentences=SENTENCES)) for one in (sem, whole)]
    assert both[0] is not None and both[1] is not None
    words = list(both[0].words)
    assert abs(both[0].between(words) - both[1].between(words)).max() == 0


def test_the_corpus_alone_gives_a_similarity() -> None:
    """Table 6, second row: distributional similarities of the British National Corpus alone."""
    alone = learn_similarity(recipe_of("tri5-corpus"), TRAINING[1], Corpora(sentences=SENTENCES))
    captions = learn_similarity(recipe_of("tri5-captions"), TRAINING[1], Corpora(sentences=SENTENCES))
    both = learn_similarity(recipe_of("tri5-captions-corpus"), TRAINING[1], Corpora(sentences=SENTENCES))
    assert alone and captions and both
    pair = ["dog", "puppy"]
    first, second, mean = (one.between(pair)[0, 1] for one in (alone, captions, both))
    assert 0 < first != second and mean == pytest.approx((first + second) / 2)
    with pytest.raises(ValueError, match="need a corpus"):
        learn_similarity(recipe_of("tri5-corpus"), TRAINING[1])


@pytest.mark.parametrize(
    "name",
    ["tri6", "bow5-alignment", "tagrank-idf", "tri5-idf-root", "tri5-lin-lin", "nn-", "tri5-", "nn-nn"],
)
def test_a_name_that_is_no_system_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"system {name}"):
        recipe_of(name)


def test_one_caption_of_a_training_image_is_drawn() -> None:
    """R, 3.4.1: a "single, arbitrarily chosen, caption"; the first of Flickr30k are the longest."""
    drawn = [one_each(TRAINING[1], seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    places = [whole.index(one[0]) for whole, one in zip(TRAINING[1], drawn[0], strict=True)]
    assert set(places) == set(range(5))
    assert trained("bow1").documents == tuple(drawn[0])
    assert one_each([()], 1) == [()]


def test_one_caption_of_a_validation_image_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """R, 4.1.1: development images have "one, arbitrarily chosen, caption", too."""
    given: list[list[Document]] = []

    def fit(self: KernelCca, *parts: object, similarity: object) -> KernelCca:
        given.append(parts[3])  # type: ignore[arg-type]
        return self

    monkeypatch.setattr(KernelCca, "fit", fit)
    several = planted(30, 4)
    train("bow5", TRAINING, several, parameters={"seed": 3})
    assert given == [one_each(several[1], 3)] and given != [[one[:1] for one in several[1]]]


def test_an_incomplete_factor_ranks_nearly_as_well_as_a_whole_kernel() -> None:
    assert max(median_ranks(trained("tri5", rank=40).score(*TEST))) <= 4


def test_a_factor_with_all_columns_ranks_like_a_whole_kernel() -> None:
    whole, factor = trained("bow5"), trained("bow5", rank=1000)
    assert (
        max(
            abs(a - b)
            for a, b in zip(median_ranks(whole.score(*TEST)), median_ranks(factor.score(*TEST)), strict=True)
        )
        <= 1
    )


def test_five_settings_are_chosen_for_each_of_three_ranks_and_both_directions() -> None:
    model = trained("bow5")
    for settings in (model.annotation, model.search):
        assert len(settings) == 15
        for at in (0, 5, 10):
            assert len(set(settings[at : at + 5])) == 5
    most = max(one.dimensions for one in (*model.annotation, *model.search))
    assert most < 120  # 6,000 dimensions are more than there are
    assert {one.kappa for one in (*model.annotation, *model.search)} == set(model.spaces)


def test_training_again_gives_the_same() -> None:
    first, second = trained("tagrank"), trained("tagrank")
    assert (first.annotation, first.search) == (second.annotation, second.search)
    np.testing.assert_array_equal(first.score(*TEST).search, second.score(*TEST).search)


def test_every_item_has_a_place_of_its_own() -> None:
    found = trained("bow1").score(TEST[0][:7], TEST[1][:9])
    assert found.annotation.shape == (7, 9)
    assert found.search.shape == (9, 7)
    assert (np.sort(-found.annotation, axis=1) == np.arange(9)).all()
    assert (np.sort(-found.search, axis=1) == np.arange(7)).all()


def test_the_diagonal_of_texts_counts_more_often_when_asked() -> None:
    plain, heavy = (trained("bow5", diagonal=value) for value in (1, 15))
    assert not np.allclose(plain.score(*TEST).search, heavy.score(*TEST).search)
    assert max(median_ranks(heavy.score(*TEST))) <= 4


@pytest.mark.parametrize("system", ["tri5-sem", "bow1", "tagrank"])
@pytest.mark.parametrize("rank", [0, 30])
def test_a_saved_system_ranks_as_before(system: str, rank: int, tmp_path: Path) -> None:
    model = trained(system, rank=rank)
    model.save(tmp_path / "model.npz")
    loaded = KernelCca.load(tmp_path / "model.npz")
    assert (loaded.annotation, loaded.search, loaded.rank) == (model.annotation, model.search, rank)
    before, after = model.score(*TEST), loaded.score(*TEST)
    np.testing.assert_array_equal(before.annotation, after.annotation)
    np.testing.assert_array_equal(before.search, after.search)


@pytest.mark.parametrize("system", ["nn", "nn-tri5-sem", "nn-bow1"])
def test_a_saved_nearest_neighbour_ranks_as_before(system: str, tmp_path: Path) -> None:
    similarity = learn_similarity(recipe_of(system), TRAINING[1])
    model = NearestNeighbour(system).fit(*TRAINING, similarity=similarity)
    model.save(tmp_path / "model.npz")
    before, after = model.score(*TEST), NearestNeighbour.load(tmp_path / "model.npz").score(*TEST)
    np.testing.assert_array_equal(before.annotation, after.annotation)
    np.testing.assert_array_equal(before.search, after.search)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    NearestNeighbour().fit(*TRAINING).save(tmp_path / "model.npz")
    with pytest.raises(InputError, match="of the kind NearestNeighbour, not KernelCca"):
        KernelCca.load(tmp_path / "model.npz")


def test_a_bow1_of_all_captions_is_refused(tmp_path: Path) -> None:
    """Earlier files have all captions of a training image, of which the first counted."""
    model = trained("bow1")
    model.documents = tuple(TRAINING[1])
    model.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match=r"bow1 has one caption of each image\); train the system anew"):
        KernelCca.load(tmp_path / "model.npz")


def test_a_file_whose_parts_do_not_fit_is_refused(tmp_path: Path) -> None:
    model = trained("bow5", rank=20)
    model.pivots = model.pivots[1:]
    model.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match=r"its parts do not fit together .* train the system anew"):
        KernelCca.load(tmp_path / "model.npz")


def test_a_nearest_neighbour_without_some_captions_is_refused(tmp_path: Path) -> None:
    model = NearestNeighbour().fit(*TRAINING)
    model.documents = model.documents[1:]
    model.save(tmp_path / "model.npz")
    with pytest.raises(InputError, match=r"120 images and 119 documents are no pairs; train the system anew"):
        NearestNeighbour.load(tmp_path / "model.npz")


def test_what_is_no_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="120 images and 119 documents are no pairs"):
        NearestNeighbour().fit(TRAINING[0], TRAINING[1][1:])
    with pytest.raises(ValueError, match="30 images and 29 documents are no pairs"):
        KernelCca("bow5").fit(*TRAINING, VALIDATION[0], VALIDATION[1][1:])


def test_lins_similarity_needs_a_taxonomy() -> None:
    with pytest.raises(ValueError, match="need a taxonomy"):
        learn_similarity(recipe_of("tri5-lin"), TRAINING[1])


def test_another_corpus_changes_distributional_similarities() -> None:
    recipe = recipe_of("tri5-distributional")
    own = learn_similarity(recipe, TRAINING[1])
    both = learn_similarity(recipe, TRAINING[1], Corpora(sentences=SENTENCES))
    assert own is not None
    assert both is not None
    assert both.between(["dog", "puppy"])[0, 1] != own.between(["dog", "puppy"])[0, 1]


@pytest.mark.parametrize(
    "parameters",
    [
        {"system": "nn"},
        {"kappas": (0.0,)},
        {"dimensions": (0,)},
        {"best": 0},
        {"power": 0},
        {"diagonal": 0.5},
    ],
)
def test_parameters_that_cannot_be_meant_are_refused(parameters: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"none of kernel CCA|must be a"):
        KernelCca(**parameters)  # type: ignore[arg-type]


def test_the_papers_systems_are_among_ours() -> None:
    assert [recipe_of(name).nearest for name in PAPER] == [True, *[False] * 5]
    assert Setting(0.1, 10) == (0.1, 10)
