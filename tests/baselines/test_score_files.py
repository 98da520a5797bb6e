"""Scores and categories of the user's are read, and count in equations 1 and 3."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from baselines.cues import COLOUR, DETECTOR, Phrase
from baselines.localization import PhraseLocalizer
from baselines.score_files import ScoreFile, read_categories
from evaluation.dataset import Dataset, Image
from evaluation.errors import InputError
from tests.baselines.test_localization import HEIGHT, WIDTH, Planted, dataset, image_of, small

DATA = Dataset("two", (Image("a.jpg", 100, 80, "", (), {}), Image("b.jpg", 100, 80, "", (), {})))
LINE = {
    "image": "a",
    "boxes": [[0, 0, 10, 10], [20, 0, 40, 20]],
    "scores": {"person": [0.9, 0.2], "dog": [0.1, 0.7]},
}


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_region_has_the_scores_of_the_box_that_overlaps_it_most(tmp_path: Path) -> None:
    found = ScoreFile(write(tmp_path / "s.jsonl", LINE), DATA)
    assert found.classes == ("person", "dog")
    boxes = np.array([[20.0, 0, 40, 20], [0, 0, 10, 8], [0, 0, 40, 40]])
    scores = found.of_boxes(DATA.images[0], boxes)
    assert scores == pytest.approx(np.array([[0.2, 0.7], [0.9, 0.1], [0.0, 0.0]]))
    with pytest.raises(InputError, match=r"s\.jsonl: has no line of the image b\.jpg"):
        found.of_boxes(DATA.images[1], boxes)


def test_images_that_are_not_asked_for_are_skipped_and_gzip_is_read(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(json.dumps({**LINE, "image": n}).encode() for n in ("z", "b"))))
    assert ScoreFile(path, DATA).of_boxes(DATA.images[1], np.array([[0.0, 0, 10, 10]])).shape == (1, 2)
    with pytest.raises(InputError, match=r"has no image of none"):
        ScoreFile(path, Dataset("none", DATA.images[:1]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": {"person": [0.9], "dog": [0, 0]}}, r"scores\.person: has 1 numbers for 2 boxes"),
        (
            {"scores": {"person": [0.9, 1.5], "dog": [0, 0]}},
            r"scores\.person: has a number that is not",
        ),
        ({"scores": {"person": [0.9, 0.1]}}, "scores: 'dog' is not in all lines"),
        ({"scores": {"person": [0.9, "x"], "dog": [0, 0]}}, r"scores\.person\[1\]: is not a number"),
        ({"boxes": [[0, 0, 10, 10]]}, r"scores\.person: has 2 numbers for 1 boxes"),
        ({"image": 3}, "image: is not a text"),
        ({"labels": []}, "labels: is not known here"),
        ({"image": "a"}, "image: a has a line already"),
    ],
)
def test_a_wrong_line_is_named(change: dict[str, object], message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", LINE, {**LINE, "image": "b", **change})
    with pytest.raises(InputError, match=rf"s\.jsonl, line 2: {message}"):
        ScoreFile(path, DATA)


def test_categories_are_those_of_whole_phrases_and_of_head_nouns(tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text("# by hand\nThe man\tperson\nhot dog\t-\ndog\tdog\nA dog\tdog\n", encoding="utf-8")
    assert read_categories(path) == {"man": "person", "hot dog": "", "dog": "dog"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a man person", "is not a phrase and a category with a tab between them"),
        ("a man\tperson\tx", "is not a phrase and a category with a tab between them"),
        ("she\tperson", "'she' has no word that counts, such as a noun"),
        ("dog\tcat", "'dog' has the category 'dog' already"),
        ("horse\thorse", r"'horse' is no class of .*s\.jsonl, which has person, dog"),
    ],
)
def test_a_wrong_category_is_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "c.tsv"
    path.write_text(f"dog\tdog\n{line}\n", encoding="utf-8")
    scores = ScoreFile(write(tmp_path / "s.jsonl", LINE), DATA)
    with pytest.raises(InputError, match=rf"c\.tsv, line 2: {message}" if "cat'" not in message else message):
        read_categories(path, scores if "class" in message else None)
    path.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no phrase with a category"):
        read_categories(path)


class Given:
    """Scores of a detector or of colours: 1 for the first region and the first class, else 0."""

    def __init__(self, *classes: str) -> None:
        self.classes = classes

    def of_boxes(self, image: Image, boxes: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        found = np.zeros((len(Planted().proposals(image)), len(self.classes)))
        found[0, 0] = 1.0
        return found


def first_two(model: PhraseLocalizer, words: tuple[str, ...], *cues: str) -> list[float]:
    phrase = Phrase(words, frozenset({"other"}))
    regions = model.regions(image_of(7, ("red", "dog")), Planted())
    plain = model.score([phrase], model.embed([phrase]), regions, cues=())[0]
    found = model.score([phrase], model.embed([phrase]), regions, cues=cues)[0]
    return [float(plain[0]), float(found[0]), float(plain[1]), float(found[1])]


def test_scores_of_the_user_are_those_of_equation_1() -> None:
    model = small(categories={"dog": "animal"}).fit(dataset(), Planted())
    model.use_scores(DETECTOR, Given("animal", "person"))
    plain, found, other, other_found = first_two(model, ("red", "dog"), DETECTOR)
    assert 1 - found == pytest.approx(0.5 * (1 - plain) + 0.5 * (1 - 1.0))
    assert 1 - other_found == pytest.approx(0.5 * (1 - other) + 0.5 * (1 - 0.0))
    plain, found, *_ = first_two(model, ("red", "bus"), DETECTOR)
    assert found == plain, "the map has no category of a bus"


def test_colours_of_the_user_are_those_of_equation_3() -> None:
    model = small(colour_weight=0.25).fit(dataset(), Planted())
    model.use_scores(COLOUR, Given("red"))
    plain, found, *_ = first_two(model, ("red", "dog"), COLOUR)
    assert 1 - found == pytest.approx(0.75 * (1 - plain) + 0.25 * (1 - 1.0))
    plain, found, *_ = first_two(model, ("blue", "dog"), COLOUR)
    assert found == plain


def test_what_the_user_has_is_not_learnt() -> None:
    model = small(own_scores=(DETECTOR, COLOUR)).fit(dataset(), Planted())
    assert model.detector_.classes_ == model.colour_.classes_ == ()
    assert (WIDTH, HEIGHT) == (100, 100)


def test_the_detector_is_learnt_for_the_categories_of_a_map() -> None:
    model = small(categories={"dog": "animal", "bus": "vehicle", "red bus": ""}).fit(dataset(), Planted())
    assert {*model.detector_.classes_} == {"animal", "vehicle", "(background)"}
    assert model.category(Phrase(("blue", "bus"), frozenset())) == "vehicle"
    assert model.category(Phrase(("red", "bus"), frozenset())) == ""
    assert model.category(Phrase(("ball",), frozenset())) == ""


def test_phrases_outside_of_the_map_take_no_detector_s_place() -> None:
    """The paper has a detector for each of 20 categories, and a map leaves out most phrases."""
    found = small(categories={"dog": "animal", "bus": "vehicle"}, detected=2).fit(dataset(), Planted())
    assert {*found.detector_.classes_} == {"animal", "vehicle", "(background)"}
