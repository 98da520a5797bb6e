"""Chosen boxes become the instances of an image."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.content_selection import instances
from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.selection import read_selection
from tests.evaluation.small_set import BOXES, DOGS, MAN, small_set, write_lines

IMAGES = dict(zip(("a.jpg", "b.jpg"), instances(small_set()), strict=True))


def test_boxes_are_matched_and_what_matches_nothing_is_another_instance(tmp_path: Path) -> None:
    man, dog = BOXES[MAN][0], BOXES[DOGS][1]
    near = (man[0] + 2, *man[1:])
    path = write_lines(
        tmp_path / "s.jsonl",
        {"image": "a.jpg", "boxes": [dog, near, man, (0, 0, 3, 3)]},
        {"image": "a.jpg", "boxes": []},
        {"image": "c.jpg", "boxes": []},
    )
    findings = Findings()
    found = read_selection(path, IMAGES, findings)
    boxes = IMAGES["a.jpg"].boxes.tolist()
    assert found == {"a.jpg": [boxes.index(list(dog)), boxes.index(list(man)), len(boxes) + 3]}
    assert findings.counts == {
        "box that is chosen twice": 1,
        "chosen box that is not a box of the image": 1,
        "second prediction for the same image": 1,
        "prediction for an image that the data set does not have": 1,
        "image without a selection": 1,
    }


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", {"image": "a.jpg", "boxes": [[1, 2]]})
    with pytest.raises(InputError, match=r"s\.jsonl, line 1: boxes\[0\]: is not four numbers"):
        read_selection(path, IMAGES, Findings())


def test_sentences_name_boxes_by_their_numbers(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "s.jsonl",
        {"image": "a.jpg", "sentence": "A [man]0 with two [dogs]2,1, and the [man]0 near a [car]9 ."},
        {"image": "b.jpg", "sentence": "Nothing to see ."},
    )
    findings = Findings()
    assert read_selection(path, IMAGES, findings) == {"a.jpg": [0, 2, 1, 9], "b.jpg": []}
    assert findings.counts == {
        "chosen box that is not a box of the image": 1,
        "image that selects nothing": 1,
    }


@pytest.mark.parametrize(
    "sentence", ["A [man] .", "A [man]0 and a [dog ]x", "A man]0", "A [[man]0", "[a]0[b"]
)
def test_a_term_without_a_number_is_named(sentence: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", {"image": "a.jpg", "sentence": sentence})
    with pytest.raises(InputError, match=r"line 1: sentence: a term in brackets needs the number"):
        read_selection(path, IMAGES, Findings())


@pytest.mark.parametrize("more", [{}, {"boxes": [], "sentence": ""}])
def test_a_line_has_boxes_or_a_sentence(more: dict[str, object], tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", {"image": "a.jpg", **more})
    with pytest.raises(InputError, match="a line has either boxes or a sentence"):
        read_selection(path, IMAGES, Findings())
