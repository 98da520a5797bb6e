"""The simulated detector, measured by the truth that it errs about."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from annotation.domain.geometry import Box, iou
from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from simulation.model_detector import Detector, detect


@pytest.fixture(scope="module")
def images(scenes: Path) -> list[ImageRecord]:
    return [one for one in read(scenes) if isinstance(one, ImageRecord)]


def found(images: list[ImageRecord], detector: Detector) -> dict[str, float]:
    """Return the recall and the precision at an IoU of .7, over 20 draws."""
    entities = hits = boxes = right = 0
    for seed in range(20):
        lines = {
            (one["image"], one["caption"], one["start"]): one
            for one in detect(images, detector, random.Random(seed))
        }
        for image in images:
            for chain in image.chains:
                caption, start, _ = chain.mentions[0]
                proposed = [Box(*box) for box in lines[image.name, caption, start]["boxes"]]
                truth = [image.boxes[place].box for place in chain.boxes]
                entities += len(truth)
                hits += sum(any(iou(box, one) >= 0.7 for box in proposed) for one in truth)
                boxes += len(proposed)
                right += sum(any(iou(box, one) >= 0.7 for one in truth) for box in proposed)
    return {"recall": hits / entities, "precision": right / max(boxes, 1)}


def test_a_detector_finds_as_much_as_it_is_told(images: list[ImageRecord]) -> None:
    assert found(images, Detector(recall=1, jitter=0, loose=0, false=0)) == {"recall": 1, "precision": 1}
    some = found(images, Detector(recall=0.7, jitter=0.02, loose=0, false=0))
    assert 0.6 < some["recall"] < 0.8 and some["precision"] > 0.95
    loose = found(images, Detector(recall=1, loose=1, false=0))
    assert loose["recall"] < 0.3
    false = found(images, Detector(recall=0.5, jitter=0, loose=0, false=1))
    assert false["precision"] < 0.75


def test_lines_are_of_mentions_with_boxes_in_the_image_and_scores_best_first(
    images: list[ImageRecord],
) -> None:
    lines = list(detect(images, Detector(), random.Random(3)))
    mentions = {
        (image.name, *mention) for image in images for chain in image.chains for mention in chain.mentions
    }
    assert {(one["image"], one["caption"], one["start"], one["end"]) for one in lines} == mentions
    sizes = {image.name: (image.width or 0, image.height or 0) for image in images}
    for one in lines:
        width, height = sizes[one["image"]]
        assert one["scores"] == sorted(one["scores"], reverse=True)
        assert len(one["scores"]) == len(one["boxes"])
        for left, top, right, bottom in one["boxes"]:
            assert 0 <= left <= right - 3 and right <= width and 0 <= top <= bottom - 3 and bottom <= height
