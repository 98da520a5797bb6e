"""Regions come from photographs, or from a file of anybody's network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import h5py
import numpy as np
import pytest

from baselines.photographs import read_photograph
from baselines.proposals import SelectiveSearch
from baselines.region_features import PARTS, RegionFeatures
from baselines.regions import FeatureFile, Photographs, Remembered, known_images
from evaluation.boxes import areas, iou_matrix
from evaluation.dataset import Boxes, Dataset, Image
from evaluation.errors import InputError
from tests.baselines.tiny_set import write_feature_file

IMAGE = Image("a.jpg", 100, 80, "train", (), {})
BOXES = np.array([[0.0, 0, 10, 10], [0, 0, 100, 79], [50, 40, 90, 80]])
FEATURES = np.arange(6.0).reshape(3, 2)


@pytest.fixture
def npz(tmp_path: Path) -> Path:
    return write_feature_file(tmp_path / "net.npz", ["a.jpg"], [BOXES], [FEATURES])


@pytest.fixture
def hdf5(tmp_path: Path) -> Path:
    path = tmp_path / "net.h5"
    with h5py.File(path, "w") as file:
        file["images"] = np.array(["a"], dtype=h5py.string_dtype())
        file["offsets"], file["boxes"] = np.array([0, 3]), BOXES.astype(np.float32)
        file["features"] = FEATURES.astype(np.float16)
    return path


@pytest.mark.parametrize("kind", ["npz", "hdf5"])
def test_the_boxes_of_a_file_are_the_proposals(kind: str, request: pytest.FixtureRequest) -> None:
    """A name may be without its suffix."""
    source = FeatureFile(request.getfixturevalue(kind))
    assert source.proposals(IMAGE).tolist() == BOXES.tolist()
    rows, known = source.features(IMAGE, BOXES)
    assert rows.tolist() == FEATURES.tolist() and known.all()


def test_a_true_box_has_the_features_of_the_box_that_overlaps_it_by_a_half(npz: Path) -> None:
    rows, known = FeatureFile(npz).features(IMAGE, np.array([[48.0, 40, 90, 80], [20, 0, 30, 10]]))
    assert rows[0].tolist() == [4, 5]
    assert known.tolist() == [True, False]


def test_the_whole_image_is_the_box_that_covers_it_or_else_the_mean(npz: Path, tmp_path: Path) -> None:
    assert FeatureFile(npz).whole(IMAGE).tolist() == [2, 3]
    some = write_feature_file(tmp_path / "some.npz", ["a.jpg"], [BOXES[[0, 2]]], [FEATURES[[0, 2]]])
    assert FeatureFile(some).whole(IMAGE).tolist() == [2, 3]
    with pytest.raises(InputError, match=r"some\.npz: has no box of the image b\.jpg"):
        FeatureFile(some).whole(Image("b.jpg", 10, 10, "", (), {}))


def test_a_whole_photograph_has_the_mean_of_ten_crops(tmp_path: Path) -> None:
    """By brute force: crops of 70 × 35 of 80 × 40 pixels are cut out, turned over, and described alone."""
    pixels = np.random.default_rng(5).integers(0, 256, (40, 80, 3), dtype=np.uint8)
    cv2.imwrite(str(tmp_path / "a.png"), pixels)
    looks = RegionFeatures(parts=("colour",))
    image = Image("a.png", 80, 40, "", (), {})
    whole = np.array([[0.0, 0, 70, 35]])
    found = []
    for turned in (pixels, pixels[:, ::-1]):
        for left, top in ((0, 0), (10, 0), (0, 5), (10, 5)):
            crop = np.ascontiguousarray(turned[top : top + 35, left : left + 70])
            found.append(looks.transform(crop, whole)[0])
        centre = looks.transform(np.ascontiguousarray(turned), np.array([[5.0, 2.5, 75.0, 37.5]]))
        found.append(centre[0])
    assert Photographs(tmp_path, looks).whole(image) == pytest.approx(np.mean(found, axis=0), abs=1e-5)
    one = looks.transform(pixels, np.array([[0.0, 0, 80, 40]]))[0]
    assert Photographs(tmp_path, looks, crops=1).whole(image) == pytest.approx(one, abs=1e-6)


def test_a_source_says_of_which_images_it_has_something(npz: Path, tmp_path: Path) -> None:
    other = Image("b.jpg", 100, 80, "", (), {})
    cv2.imwrite(str(tmp_path / "b.jpg"), np.zeros((80, 100, 3), np.uint8))
    photographs = Photographs(tmp_path, RegionFeatures(parts=("colour",)))
    both = Dataset("both", (IMAGE, other))
    assert known_images(both, FeatureFile(npz)).images == (IMAGE,)
    assert known_images(both, photographs).images == known_images(both, Remembered(photographs)).images
    assert known_images(both, photographs).images == (other,)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"offsets": np.array([0, 2])}, r"boxes: are not numbers of the shape \(2, 4\)"),
        ({"offsets": np.array([0, 1, 3])}, "offsets: are not 2 whole numbers"),
        ({"offsets": np.array([1, 3])}, "offsets: do not rise from 0"),
        ({"features": np.zeros((2, 2))}, r"features: are not numbers of the shape \(3, d\)"),
        ({"images": np.array([5])}, "images: is not a list of texts"),
        ({"features": None}, "features: is missing"),
    ],
)
def test_a_file_that_contradicts_itself_is_named(
    arrays: dict[str, Boxes | None], message: str, tmp_path: Path
) -> None:
    whole = {"images": np.array(["a.jpg"]), "offsets": np.array([0, 3]), "boxes": BOXES, "features": FEATURES}
    kept: dict[str, Any] = {name: one for name, one in {**whole, **arrays}.items() if one is not None}
    np.savez(tmp_path / "net.npz", **kept)
    with pytest.raises(InputError, match=rf"net\.npz: {message}"):
        FeatureFile(tmp_path / "net.npz")


def test_features_that_are_not_finite_are_named(tmp_path: Path) -> None:
    path = write_feature_file(tmp_path / "net.npz", ["a.jpg"], [BOXES], [np.full((3, 2), np.nan)])
    with pytest.raises(InputError, match=r"features: have NaN or infinity for a\.jpg"):
        FeatureFile(path).features(IMAGE, BOXES)


def test_a_file_that_is_no_hdf5_is_named(tmp_path: Path) -> None:
    (tmp_path / "net.h5").write_bytes(b"no")
    with pytest.raises(InputError, match=r"net\.h5: is no HDF5 file that can be read"):
        FeatureFile(tmp_path / "net.h5")


def drawn(width: int = 200, height: int = 150) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a red square at [40, 30, 100, 90] and a striped one at [120, 40, 180, 100] on grey."""
    pixels = np.full((height, width, 3), 128, np.uint8)
    pixels[30:90, 40:100] = (30, 30, 220)
    pixels[40:100:4, 120:180] = 255
    return pixels


def test_selective_search_finds_what_is_there_and_the_whole_image() -> None:
    found = SelectiveSearch().propose(drawn())
    truth = np.array([[40.0, 30, 100, 90], [0, 0, 200, 150]])
    assert (iou_matrix(truth, found).max(axis=1) > 0.8).all()
    assert (found[:, :2] >= 0).all() and (found[:, 2:] <= [200, 150]).all()
    assert (np.diff(areas(found)) <= 0).all()


def test_selective_search_gives_the_same_boxes_again_and_not_too_many() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8)
    first, second = (SelectiveSearch(most=15).propose(noise) for _ in range(2))
    assert np.array_equal(first, second) and len(first) == 15
    assert first[0].tolist() == [0, 0, 160, 120], "the whole image stays, whatever is drawn"
    assert (np.diff(areas(first)) <= 0).all()


def test_a_photograph_of_a_few_pixels_is_one_proposal() -> None:
    assert SelectiveSearch().propose(drawn()[:4, :5]).tolist() == [[0, 0, 5, 4]]


@pytest.fixture(scope="module")
def looks() -> RegionFeatures:
    return RegionFeatures(words=8).fit([drawn()])


def test_regions_that_look_alike_have_like_features(looks: RegionFeatures) -> None:
    """Two halves of the red square are nearer to each other than to the striped one, but for position."""
    without = RegionFeatures(words=8, parts=PARTS[:-1]).fit([drawn()])
    boxes = np.array([[42.0, 32, 70, 88], [70, 32, 98, 88], [122, 42, 178, 98]])
    rows = without.transform(drawn(), boxes)
    assert np.linalg.norm(rows[0] - rows[1]) < 0.5 * np.linalg.norm(rows[0] - rows[2])


def test_each_part_adds_features(looks: RegionFeatures) -> None:
    boxes = np.array([[0.0, 0, 50, 50], [10, 10, 11, 11], [-20, -20, 500, 500]])
    widths = {part: RegionFeatures(words=8, parts=(part,)).fit([drawn()]) for part in PARTS}
    rows = {part: one.transform(drawn(), boxes) for part, one in widths.items()}
    assert {part: one.shape[1] for part, one in rows.items()} == {
        **{"colour": 156, "texture": 40, "shape": 324, "words": 8, "position": 8}
    }
    whole = looks.transform(drawn(), boxes)
    assert whole.shape == (3, 536) and np.isfinite(whole).all()
    assert looks.transform(drawn(), np.empty((0, 4))).shape == (0, 536)


def test_shares_of_colours_are_those_of_the_pixels(looks: RegionFeatures) -> None:
    """A box of two thirds grey and one third red has these shares, of which features are the roots."""
    colours = RegionFeatures(parts=("colour",)).fit([drawn()])
    row = colours.transform(drawn(), np.array([[10.0, 30, 100 - 45, 90]]))[0, :144]
    assert sorted(np.square(row[row > 0]).round(4).tolist()) == [
        pytest.approx(1 / 3, abs=1e-3),
        pytest.approx(2 / 3, abs=1e-3),
    ]


def test_photographs_are_read_checked_and_remembered(tmp_path: Path, looks: RegionFeatures) -> None:
    cv2.imwrite(str(tmp_path / "a.png"), drawn())
    right, wrong = Image("a.jpg", 200, 150, "", (), {}), Image("a.jpg", 150, 200, "", (), {})
    source = Remembered(Photographs(tmp_path, looks))
    boxes = source.proposals(right)
    rows, known = source.features(right, boxes)
    (tmp_path / "a.png").unlink()
    assert source.proposals(right) is boxes and source.features(right, boxes)[0] is rows and known.all()
    cv2.imwrite(str(tmp_path / "a.png"), drawn())
    with pytest.raises(InputError, match=r"a\.jpg has 200 x 150 pixels, and the data set says 150 x 200"):
        Photographs(tmp_path, looks).proposals(wrong)


@pytest.mark.parametrize("content", [b"", b"no image"])
def test_a_photograph_that_cannot_be_read_is_named(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(content)
    with pytest.raises(InputError, match=r"a\.jpg: is no image that can be read"):
        read_photograph(tmp_path, "a.jpg")
