from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.domain.merge import MergeCounts
from annotation.exporting.manifest import Manifest
from annotation.exporting.raw import LeftOut
from annotation.exporting.summary import counted, summary, why_nothing


def make(*, merge: object = None, batch: str = "", **fields: Any) -> Manifest:
    return Manifest("pets", "jsonl", "gold", batch, {"merge": merge}, "1", **fields)


def left_out(**images: int) -> Manifest:
    manifest = make()
    manifest.left_out.images.update({reason.replace("_", " "): count for reason, count in images.items()})
    return manifest


@pytest.mark.parametrize(("count", "said"), [(0, "0 images"), (1, "1 image"), (2000, "2,000 images")])
def test_one_is_not_many(count: int, said: str) -> None:
    assert counted(count, "image", "images") == said


def test_what_is_left_out_is_counted_in_words() -> None:
    lines = LeftOut()
    lines.images.update({"unfinished": 1, "without captions": 2, "in no batch": 0})
    lines.pictures["not imported"] = 2
    lines.chains["in review"] = 1
    lines.boxes["outside the image"] = 1
    assert [line for line in summary(make(left_out=lines)) if line.startswith("left out")] == [
        "left out: 1 image unfinished",
        "left out: 2 images without captions",
        "left out: 2 pictures not imported",
        "left out: 1 chain in review",
        "left out: 1 box outside the image",
    ]


def test_what_the_format_has_no_place_for_is_counted() -> None:
    manifest = make(not_in_format=Counter({"captions without boxes": 1200, "phrases": 0}))
    assert "not in this format: 1,200 captions without boxes" in summary(manifest)
    assert manifest.to_json()["not_in_format"] == {"captions without boxes": 1200}


def test_what_is_written_and_needs_care_is_not_said_to_be_missing() -> None:
    manifest = make(written_but=Counter({"boxes that rounding leaves without area": 3, "others": 0}))
    lines = [line for line in summary(manifest) if "rounding" in line or "others" in line]
    assert lines == ["written, but: 3 boxes that rounding leaves without area"]
    assert manifest.to_json()["written_but"] == {"boxes that rounding leaves without area": 3}
    assert manifest.to_json()["not_in_format"] == {}


@pytest.mark.parametrize(
    ("merge", "said"),
    [
        ({"iou": 0.8}, ["chains:   5 (merging removed 1, 16.7%)", "boxes:    6 (merging removed 2, 25.0%)"]),
        (None, ["chains:   5 (shared: 1, 16.7%)", "boxes:    6 (shared: 2, 25.0%)"]),
    ],
)
def test_boxes_are_merged_only_where_merging_was_asked_for(merge: object, said: list[str]) -> None:
    counts = MergeCounts(boxes_raw=8, boxes=6, chains_raw=6, chains=5)
    assert summary(make(merge=merge, merging=counts))[3:5] == said


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (make(), "project 'pets' has no images"),
        (make(batch="first"), "batch 'first' has no images"),
        (left_out(unfinished=3), "3 images are not finished; --include-unfinished takes them as they are"),
        (
            left_out(with_unresolved_mentions=2),
            "2 images have unresolved mentions; --include-unresolved takes them as they are",
        ),
        (
            left_out(with_unresolved_mentions=2, unfinished=1),
            "1 image is not finished, 2 images have unresolved mentions; "
            "--include-unfinished takes them as they are",
        ),
        (left_out(unfinished=1), "1 image is not finished; --include-unfinished takes it as it is"),
        (
            left_out(in_no_batch=1, unfinished=2, without_captions=1),
            "2 images are not finished, 1 image is in no batch, 1 image has no captions; "
            "--include-unfinished takes them as they are",
        ),
        (
            left_out(without_known_chains=2),
            "2 images have no known chains; --include-unfinished takes them as they are",
        ),
        (left_out(without_captions=1), "1 image has no captions; without captions there is nothing to write"),
    ],
)
def test_an_empty_export_says_why(manifest: Manifest, said: str) -> None:
    assert why_nothing(manifest) == f"nothing was exported: {said}"
