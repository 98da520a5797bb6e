"""COCO with tokens_positive, as MDETR and GLIP read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pycocotools.coco import COCO

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.coco_grounding import CocoGroundingWriter, file_name
from tests.annotation.formats.records import IMAGE


def write(out: Path, records: Sequence[ImageRecord]) -> None:
    with CocoGroundingWriter(out) as writer:
        for record in records:
            writer.add(record)


def read(out: Path, kind: str = "separate", split: str = "train") -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / file_name(kind, split)).read_bytes())
    return content


def spans(content: dict[str, Any], caption: int) -> list[tuple[list[int], list[str]]]:
    """Return the boxes of a caption with the words that their spans point to."""
    text = next(image["caption"] for image in content["images"] if image["id"] == caption)
    return [
        (one["bbox"], [text[start:end] for start, end in one["tokens_positive"]])
        for one in content["annotations"]
        if one["image_id"] == caption
    ]


def test_a_box_names_the_characters_of_its_phrases(tmp_path: Path) -> None:
    """The box of both chains is one annotation with both phrases."""
    write(tmp_path, [IMAGE])
    content = read(tmp_path)
    assert spans(content, 1) == [([0, 0, 50, 80], ["Two guys"]), ([10, 20, 90, 60], ["Two guys", "shirts"])]
    assert [one["area"] for one in content["annotations"]] == [4000, 5400]
    first, second = content["images"]
    assert first == {
        "file_name": "a.jpg",
        "height": 80,
        "width": 100,
        "id": 1,
        "caption": "Two guys in shirts and air .",
        "dataset_name": "flickr",
        "tokens_negative": [[0, 28]],
        "sentence_id": 0,
        "original_img_id": "a",
        "tokens_positive_eval": [[[0, 8]], [[12, 18]]],
    }
    assert (second["sentence_id"], second["tokens_positive_eval"]) == (1, [])


def test_the_merged_file_has_the_box_around_all_boxes_of_a_phrase(tmp_path: Path) -> None:
    write(tmp_path, [IMAGE])
    assert spans(read(tmp_path, "merged"), 1) == [
        ([0, 0, 100, 80], ["Two guys"]),
        ([10, 20, 90, 60], ["shirts"]),
    ]


def test_boxes_of_a_caption_that_are_almost_the_same_are_one_annotation(tmp_path: Path) -> None:
    """MDETR's script joins them at an IoU of .95, and takes the last."""
    tokens = ("A", "man", "in", "a", "suit")
    mentions = (MentionRecord(0, 2, ("people",), 1), MentionRecord(3, 5, ("clothing",), 2))
    near = replace(
        IMAGE,
        captions=(CaptionRecord(0, " ".join(tokens), tokens, mentions),),
        chains=(
            ChainRecord(1, ("people",), ((0, 0, 2),), (0,)),
            ChainRecord(2, ("clothing",), ((0, 3, 5),), (1,)),
        ),
        boxes=(BoxRecord(Box(0, 0, 100, 80)), BoxRecord(Box(0, 2, 100, 80))),
    )
    write(tmp_path, [near])
    assert spans(read(tmp_path), 1) == [([0, 2, 100, 78], ["A man", "a suit"])]


def test_images_are_in_the_file_of_their_split_and_ids_go_on(tmp_path: Path) -> None:
    write(tmp_path, [replace(IMAGE, name="7.jpg", split="val"), replace(IMAGE, name="08.jpg", split="train")])
    for kind in ("separate", "merged"):
        train, val, test = (read(tmp_path, kind, split) for split in ("train", "val", "test"))
        assert [one["original_img_id"] for one in val["images"]] == [7, 7]
        # A name that is not how the number is written cannot be found by the number.
        assert [(one["id"], one["original_img_id"]) for one in train["images"]] == [(3, "08"), (4, "08")]
        assert min(one["id"] for one in train["annotations"]) > max(one["id"] for one in val["annotations"])
        assert test["images"] == test["annotations"] == []
    assert not (tmp_path / file_name("separate", "unsplit")).exists()


def test_images_without_a_split_are_in_a_file_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, [replace(IMAGE, split="")])
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "final_flickr_mergedGT_unsplit.json",
        "final_flickr_separateGT_unsplit.json",
    ]


@pytest.mark.parametrize("split", ["train", "test"])
def test_pycocotools_loads_it(split: str, tmp_path: Path) -> None:
    write(tmp_path, [IMAGE])
    coco = COCO(str(tmp_path / file_name("separate", split)))
    assert len(coco.getImgIds()) == (2 if split == "train" else 0)
    if split == "train":
        assert coco.loadAnns(coco.getAnnIds(imgIds=[1]))[1]["tokens_positive"] == [[0, 8], [12, 18]]
        results = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "score": 0.5}]
        assert len(coco.loadRes(results).getAnnIds()) == 1
