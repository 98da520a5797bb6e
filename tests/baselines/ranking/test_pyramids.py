"""Visual words, pyramids and their intersection kernel."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from baselines.model_file import save_model
from baselines.ranking.pyramids import (
    Histograms,
    Pixels,
    Pyramids,
    intersections,
    nearest,
    pyramid,
    visual_words,
)
from evaluation.arrays import Floats, Ints
from evaluation.errors import InputError


def photograph(number: int) -> Pixels:
    """Return a picture of 100 x 80: a colour above another, and circles, all of which `number` decides."""
    rng = np.random.default_rng(number)
    pixels = np.empty((80, 100, 3), dtype=np.uint8)
    pixels[:40], pixels[40:] = rng.integers(0, 256, (2, 3))
    for _ in range(4):
        middle, colour = rng.integers(0, 80, 2).tolist(), rng.integers(0, 256, 3).tolist()
        cv2.circle(pixels, middle, int(rng.integers(4, 20)), colour, -1)
    return pixels


NAMES = [f"{number}.jpg" for number in range(8)]
SMALL = {"colours": 6, "textures": 8, "shapes": 8, "points": 60, "side": 100}


def read(name: str) -> Pixels:
    return photograph(int(name.removesuffix(".jpg")))


@pytest.fixture(scope="module")
def fitted() -> Pyramids:
    return Pyramids(**SMALL).fit(NAMES, read)


@pytest.fixture(scope="module")
def rows(fitted: Pyramids) -> Histograms:
    return fitted.transform(NAMES, read)


def plain_kernel(words: list[Ints], places: list[Floats], number: int, levels: int) -> Floats:
    """Return the pyramid kernel as R, 3.3.2, writes it: levels from the finest, by what each finds first."""
    found = np.zeros((len(words), len(words)))
    for i in range(len(words)):
        for j in range(len(words)):
            at = []
            for level in range(levels):
                total = 0.0
                for row in range(2**level):
                    for column in range(2**level):
                        shares = []
                        for word, place in ((words[i], places[i]), (words[j], places[j])):
                            inside = ((place * 2**level).astype(int) == (column, row)).all(axis=1)
                            shares.append(np.bincount(word[inside], minlength=number) / len(word))
                        total += float(np.minimum(*shares).sum())
                at.append(total)
            last = levels - 1
            found[i, j] = at[last] + sum((at[l] - at[l + 1]) / 2 ** (last - l) for l in range(last))  # noqa: E741
    return found


def test_intersections_are_the_papers_pyramid_kernel() -> None:
    rng = np.random.default_rng(1)
    words = [rng.integers(0, 5, 40) for _ in range(4)]
    places = [rng.random((40, 2)) for _ in range(4)]
    found = np.stack([pyramid(w, p, 5, 3) for w, p in zip(words, places, strict=True)]).astype(np.float32)
    np.testing.assert_allclose(
        intersections(found, found, power=1), plain_kernel(words, places, 5, 3), atol=1e-6
    )


@pytest.mark.parametrize("power", [1, 2, 3])
def test_the_image_kernel_is_positive_semi_definite(rows: Histograms, power: int) -> None:
    found = intersections(rows, rows, power=power)
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-5)
    np.testing.assert_array_equal(found, found.T)
    assert np.linalg.eigvalsh(found).min() > -1e-5


def test_intersections_are_those_of_all_pairs_one_by_one(rows: Histograms) -> None:
    expected = [[float(np.minimum(one, other).sum()) ** 2 for other in rows[:3]] for one in rows]
    np.testing.assert_allclose(intersections(rows, rows[:3].copy()), expected, atol=1e-6)


def test_pyramids_have_the_papers_length() -> None:
    paper = Pyramids()
    paper.centres = {"colours": np.empty((128, 3), np.float32), "textures": np.empty((256, 12), np.float32)}
    paper.centres["shapes"] = np.empty((256, 128), np.float32)
    assert paper.length == 21 * 640


def test_each_pyramid_sums_to_one(rows: Histograms, fitted: Pyramids) -> None:
    assert rows.shape == (8, fitted.length)
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)


def test_a_like_photograph_is_nearer_than_others(rows: Histograms, fitted: Pyramids) -> None:
    noise = np.random.default_rng(3).integers(-6, 7, (80, 100, 3))
    noisy = np.clip(photograph(2).astype(int) + noise, 0, 255).astype(np.uint8)
    found = intersections(fitted.pyramid(noisy)[None], rows)
    assert found.argmax() == 2


def test_a_photograph_upside_down_differs_below_the_whole_image(fitted: Pyramids) -> None:
    turned = np.ascontiguousarray(photograph(1)[::-1])
    both = np.stack([fitted.pyramid(photograph(1)), fitted.pyramid(turned)])
    assert intersections(both[:1], both[1:], power=1)[0, 0] < 0.8


def test_the_same_seed_gives_the_same_words(rows: Histograms) -> None:
    again = Pyramids(**SMALL).fit(NAMES, read).transform(NAMES, read)
    np.testing.assert_array_equal(rows, again)


def test_fewer_descriptors_than_words_give_fewer_words() -> None:
    flat = np.full((30, 30, 3), 90, dtype=np.uint8)
    found = Pyramids(**SMALL).fit(["a"], lambda name: flat)
    assert found.transform(["a"], lambda name: flat).sum() == pytest.approx(1)


@pytest.mark.parametrize("last_bits", [0, 1e-7, 1e-6])
@pytest.mark.parametrize("size", [1, 255])
def test_descriptors_that_differ_in_their_last_bits_are_one(last_bits: float, size: int) -> None:
    rng = np.random.default_rng(3)
    two = np.repeat(np.array([[0.2, 0.7], [0.6, 0.1]]), 40, axis=0) * size
    nearly = (two * (1 + last_bits * rng.standard_normal(two.shape))).astype(np.float32)
    words = visual_words(nearly, 6, seed=1)
    np.testing.assert_allclose(sorted(words.tolist()), np.array([[0.2, 0.7], [0.6, 0.1]]) * size, rtol=1e-3)


def test_a_flat_photograph_with_noise_in_its_last_bits_gives_words() -> None:
    rng = np.random.default_rng(5)
    flat = (np.full((2000, 12), 0.35) + 1e-8 * rng.standard_normal((2000, 12))).astype(np.float32)
    assert len(visual_words(flat, 6, seed=1)) == 1


@pytest.mark.parametrize("seed", range(200))
def test_descriptors_that_occur_often_leave_no_cluster_empty(seed: int) -> None:
    """KMeans warns of an empty cluster, and warnings are errors."""
    rng = np.random.default_rng(seed)
    number, more = int(rng.integers(2, 10)), int(rng.integers(0, 4))
    distinct = rng.random((number + more, 3)).astype(np.float32)
    often = np.repeat(distinct, rng.choice([1, 1, 500], number + more), axis=0)
    assert len(visual_words(rng.permutation(often), number, seed=1)) == number


def test_a_descriptor_belongs_to_its_nearest_centre() -> None:
    rng = np.random.default_rng(4)
    descriptors, centres = (rng.random((n, 3)).astype(np.float32) for n in (50, 7))
    distances = ((descriptors[:, None] - centres[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(nearest(descriptors, centres), distances.argmin(axis=1))


def test_saved_pyramids_are_read_as_they_were(fitted: Pyramids, rows: Histograms, tmp_path: Path) -> None:
    fitted.save(tmp_path / "pyramids.npz", NAMES, rows)
    found, names, saved = Pyramids.load(tmp_path / "pyramids.npz")
    assert names == tuple(NAMES)
    np.testing.assert_array_equal(saved, rows)
    np.testing.assert_array_equal(found.pyramid(photograph(3)), rows[3])


def test_pyramids_of_another_length_are_refused(fitted: Pyramids, rows: Histograms, tmp_path: Path) -> None:
    arrays = {**fitted.centres, "names": np.array(NAMES), "pyramids": rows[:, 1:]}
    save_model(tmp_path / "pyramids.npz", fitted, arrays)
    with pytest.raises(InputError, match=r"pyramids.npz: pyramids: have another shape"):
        Pyramids.load(tmp_path / "pyramids.npz")
