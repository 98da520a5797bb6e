"""Boxes of images are read in the order of the data set's images, with their labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.errors import InputError
from evaluation.predictions.findings import Findings
from evaluation.predictions.parts import Part
from evaluation.predictions.proposals import Pool, Proposals, for_queries, read_proposals
from evaluation.predictions.windows import windows
from evaluation.ragged import RaggedBoxes, RankedBoxes
from tests.evaluation.small_set import QUERIES, lookup_of, small_set, write_lines

ONE, TWO = (1.0, 2.0, 30.0, 40.0), (5.0, 5.0, 9.0, 9.0)


def read(path: Path) -> tuple[Proposals, Findings]:
    findings = Findings()
    return read_proposals(path, lookup_of(small_set()), findings), findings


def test_boxes_come_by_score_and_keep_their_labels(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "p.jsonl",
        {"image": "b.jpg", "boxes": [ONE, TWO], "scores": [0.1, 0.2], "labels": ["dog", "cat"]},
        {"image": "a.jpg", "boxes": [ONE], "labels": ["dog"]},
    )
    found, findings = read(path)
    assert [found.ranked.lists[at].tolist() for at in (0, 1)] == [[list(ONE)], [list(TWO), list(ONE)]]
    assert [found.names[label] for label in found.labels] == ["dog", "cat", "dog"]
    assert not findings.counts


def test_without_labels_every_box_has_its_own(tmp_path: Path) -> None:
    lines = [
        {"image": "a.jpg", "boxes": [ONE, TWO]},
        {"image": "c.jpg", "boxes": []},
        {"image": "a", "boxes": []},
    ]
    found, findings = read(write_lines(tmp_path / "p.jsonl", *lines))
    assert found.names == () and found.labels.tolist() == [0, 1]
    assert findings.counts == {
        "prediction for an image that the data set does not have": 1,
        "second prediction for the same image": 1,
        "image without proposals": 1,
    }


def test_compact_files_and_coco_results_are_read(tmp_path: Path) -> None:
    compact = tmp_path / "p.npz"
    np.savez(compact, images=["b.jpg"], offsets=[0, 1], boxes=[ONE])
    coco = write_lines(
        tmp_path / "p.json", [{"image_id": 2, "category_id": 3, "bbox": [1, 2, 29, 38], "score": 1}]
    )
    for path, names in ((compact, ()), (coco, ("animals",))):
        found, _ = read(path)
        assert [found.ranked.lists[at].tolist() for at in (0, 1)] == [[], [list(ONE)]]
        assert found.names == names


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", {"image": "a.jpg", "boxes": [ONE], "labels": [3]})
    with pytest.raises(InputError, match=r"p\.jsonl, line 1: labels\[0\]: is not a text"):
        read(path)
    np.savez(tmp_path / "p.npz", images=["a.jpg"], mentions=[[0, 0, 0, 2]], offsets=[0, 1], boxes=[ONE])
    with pytest.raises(InputError, match=r"p\.npz: mentions: does not belong into a file of proposals"):
        read(tmp_path / "p.npz")


def test_labels_are_of_all_images_or_of_none(tmp_path: Path) -> None:
    first = {"image": "a.jpg", "boxes": [ONE], "labels": ["dog"]}
    path = write_lines(tmp_path / "p.jsonl", first, {"image": "b.jpg", "boxes": [ONE]})
    with pytest.raises(InputError, match=r"p\.jsonl: labels: b\.jpg has none, and other images have some"):
        read(path)


def test_queries_get_the_boxes_of_their_image(tmp_path: Path) -> None:
    found, _ = read(write_lines(tmp_path / "p.jsonl", {"image": "b.jpg", "boxes": [ONE, TWO]}))
    lists = for_queries(found.ranked.lists, np.array([1, 0, 1]))
    assert [len(lists[at]) for at in range(3)] == [2, 0, 2]
    assert lists[2].tolist() == [list(ONE), list(TWO)]


def test_boxes_of_all_phrases_of_an_image_are_pooled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.predictions.proposals.MAX_POOLED", 10)  # two for each of five phrases
    asked = lookup_of(small_set()).queries
    pool = Pool(asked)
    boxes = [np.array([[at, 0.0, at + 1 + n, 1.0] for n in range(4)]) for at in range(2 * QUERIES)]
    boxes[3] = np.zeros((1, 4))
    boxes[4] = np.empty((0, 4))
    for rows in (np.arange(7), np.arange(7, 10)):
        lists = RaggedBoxes.of([boxes[row] for row in rows])
        pool.add(Part(rows, RankedBoxes(lists, np.zeros(len(lists.boxes)))))
    first, second = pool.lists()[0], pool.lists()[1]
    assert first.tolist() == [boxes[at][n].tolist() for at in (0, 1, 2) for n in (0, 2)]
    assert second.tolist() == [boxes[at][n].tolist() for at in range(5, 10) for n in (0, 2)]
    assert len(Pool(asked).lists()) == 2


def test_windows_are_within_the_image_and_all_different() -> None:
    lists = windows(np.array([[80.0, 40.0], [10.0, 10.0]]))
    boxes = lists[0]
    assert len(lists) == 2 and len(boxes) == len(np.unique(boxes, axis=0)) == 625
    assert boxes.min() == 0 and boxes[:, 2].max() == 80 and boxes[:, 3].max() == 40
    assert (boxes[:, 2] - boxes[:, 0]).min() == 10
