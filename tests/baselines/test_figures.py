"""The paper's figures 7, 8, 11, 12 and 13 are made of what was measured."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from baselines.cues import DETECTOR
from baselines.localization import PhraseLocalizer
from baselines.localize import outcomes_of, predict
from baselines.measured.examples import locate, sentence, shown
from baselines.measured.localization_figures import LEAST_OF_CATEGORY, categories, colours, examples
from baselines.measured.retrieval_examples import galleries, images_to_show
from baselines.work import Work
from evaluation.dataset import Dataset, Image
from evaluation.localization import queries
from evaluation.report.model import Bars, Gallery, Matrix, Table
from tests.baselines.test_localization import HEIGHT, PAIRS, WIDTH, Planted, dataset, image_of, small


@pytest.fixture(scope="module")
def model() -> PhraseLocalizer:
    return small().fit(dataset(36), Planted())


def work_of(folder: Path, images: tuple[Image, ...]) -> Work:
    for image in images:
        cv2.imwrite(str(folder / image.name), np.full((HEIGHT, WIDTH, 3), 200, np.uint8))
    test = Dataset("test", images)
    return Work(test, test, test, folder, seed=1, resamples=10)


def test_figure_7_has_the_categories_that_occur_often_enough(model: PhraseLocalizer, tmp_path: Path) -> None:
    """Dogs occur as often as it takes, and balls once less. Their shares are those of the outcomes."""
    images = [image_of(100 + at, PAIRS[1]) for at in range(LEAST_OF_CATEGORY)]
    images += [image_of(200 + at, PAIRS[0]) for at in range(LEAST_OF_CATEGORY - 1)]
    work = work_of(tmp_path, tuple(images))
    regions = [model.regions(image, Planted()) for image in images]
    asked = queries(work.test)
    outcomes = {
        name: outcomes_of(asked, predict(model, images, regions, cues=cues))
        for name, cues in (("CCA", ()), ("CCA + detector", (DETECTOR,)))
    }
    outcomes["CCA"].rank[:5], outcomes["CCA"].rank[5:] = 2, 1
    bars, table = categories(model, work, outcomes)
    assert isinstance(bars, Bars) and isinstance(table, Table)
    assert bars.labels == ("dog",)
    assert dict(bars.series)["CCA"] == [(LEAST_OF_CATEGORY - 5) / LEAST_OF_CATEGORY]
    assert table.rows[0][:3] == ("dog", LEAST_OF_CATEGORY, (LEAST_OF_CATEGORY - 5) / LEAST_OF_CATEGORY)
    rare = work_of(tmp_path, tuple(images[:3]))
    first = {name: outcomes_of(queries(rare.test), predict(model, images[:3], regions[:3])) for name in "a"}
    assert categories(model, rare, first) == ()


def test_figure_8_counts_each_thing_once_for_its_colour_and_no_people(
    model: PhraseLocalizer, tmp_path: Path
) -> None:
    images = (
        *(image_of(300 + at, ("red", "dog")) for at in range(3)),
        image_of(310, ("blue", "bus"), ("red", "ball")),
        image_of(311, ("blue", "dog"), types=("people",)),
    )
    (matrix,) = colours(model, work_of(tmp_path, images), Planted())
    assert isinstance(matrix, Matrix)
    assert matrix.rows == matrix.columns == ("red", "blue"), "the commonest first"
    assert matrix.counts == ((4, 0), (0, 1)), "the features say the colour"
    assert "Of 5 things, 100.0% have the colour that their phrase names." in matrix.note
    assert "right for 80.0%" in matrix.note
    assert colours(model, work_of(tmp_path, images[-1:]), Planted()) == ()


def test_a_caption_is_written_with_the_distance_of_each_phrase(model: PhraseLocalizer) -> None:
    image = image_of(320, ("red", "dog"), ("blue", "bus"))
    caption = image.captions[0]
    located = locate(model, image, caption.mentions, Planted())
    first, second = (f"{one.distance:.2f}" for one in located)
    assert sentence(caption, located) == f"a red dog [1: {first}] a blue bus [2: {second}]"
    assert [one.box for one in located] == [(10.0, 0.0, 18.0, 8.0), (20.0, 10.0, 28.0, 18.0)]


def test_figure_11_shows_right_and_wrong_captions_with_truth_and_numbers(
    model: PhraseLocalizer, tmp_path: Path
) -> None:
    good = image_of(330, ("red", "dog"), ("blue", "bus"), ("red", "ball"))
    far = image_of(331, ("red", "dog"), ("blue", "bus")).chains
    moved = image_of(331, ("blue", "ball"), ("red", "bus"))
    bad = Image(moved.name, WIDTH, HEIGHT, "test", moved.captions, far)
    one = image_of(332, ("red", "dog"))
    right, wrong = examples(model, work_of(tmp_path, (one, good, bad)), Planted())
    assert isinstance(right, Gallery) and isinstance(wrong, Gallery)
    assert [picture.title for picture in right.pictures] == ["330.jpg"], (
        "a caption of one phrase is too short"
    )
    assert right.pictures[0].text.endswith("3 of 3 phrases hit")
    assert [outline.kind for outline in right.pictures[0].outlines] == ["truth", "predicted"] * 3
    assert [outline.label for outline in right.pictures[0].outlines] == ["", "1", "", "2", "", "3"]
    assert wrong.pictures[0].title == "331.jpg" and "0 of 2 phrases hit" in wrong.pictures[0].text


def test_an_image_without_a_photograph_is_not_shown(model: PhraseLocalizer, tmp_path: Path) -> None:
    work = work_of(tmp_path, (image_of(340, ("red", "dog"), ("blue", "bus")),))
    (tmp_path / "340.jpg").unlink()
    assert shown(work, work.test.images[0], (), "t", "x", truth=True) is None
    assert examples(model, work, Planted()) == ()


def test_figures_12_and_13_choose_images_by_what_is_first() -> None:
    own = np.eye(4, dtype=bool)
    whole = np.array([[0.5, 0.4, 1, 1], [1, 0.2, 1, 1], [1, 1, 0.3, 0.2], [0.1, 1, 1, 0.2]])
    both = np.array([[0.3, 0.4, 1, 1], [0.1, 0.2, 1, 1], [1, 1, 0.3, 0.2], [0.5, 1, 1, 0.2]])
    helped, wrong = images_to_show(whole, both, own, "helped"), images_to_show(whole, both, own, "wrong")
    assert helped.tolist() == [3, 0], "the larger gain first"
    assert sorted(wrong.tolist()) == [1, 2]


def test_figures_12_and_13_show_two_captions_of_an_image(model: PhraseLocalizer, tmp_path: Path) -> None:
    images = tuple(image_of(350 + at, PAIRS[at], PAIRS[at + 1]) for at in range(2))
    own = np.eye(2, dtype=bool)
    whole, phrases = np.array([[0.5, 0.4], [1.0, 0.3]]), np.array([[0.1, 0.7], [0.1, 0.9]])
    both = np.array([[0.2, 0.6], [0.3, 0.5]])
    found = galleries(work_of(tmp_path, images), model, Planted(), (whole, phrases, both), own)
    helped, wrong = (one for one in found if isinstance(one, Gallery))
    assert [one.title for one in helped.pictures] == [
        "350.jpg: first by the whole image",
        "350.jpg: first by both",
    ]
    assert "distances: whole image 0.40, phrases 0.70, both 0.60" in helped.pictures[0].text
    assert [one.title for one in wrong.pictures] == [
        "351.jpg: first by both",
        "351.jpg: the nearest right one",
    ]
