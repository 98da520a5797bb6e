"""Merging traced back: every raw box became part of exactly one merged box, through a chain that had it."""

from __future__ import annotations

import random

import pytest

from annotation.domain.geometry import Box
from annotation.domain.merge import MergeSettings, merge
from annotation.domain.records import BoxRecord, ChainRecord, ImageRecord
from annotation.domain.types import TYPES
from console.inspector.domain.merge_diff import compare, settings_from


def _random_record(rng: random.Random) -> ImageRecord:
    """Return chains with boxes of their own, many of which are near to one another or equal."""
    boxes: list[BoxRecord] = []
    chains = []
    for number in range(1, rng.randint(2, 7)):
        first = len(boxes)
        for _ in range(rng.randint(0, 3)):
            left, top = rng.choice([0, 40]) + rng.randrange(3), rng.randrange(3)
            boxes.append(BoxRecord(Box(left, top, left + 30 + rng.randrange(3), top + 30)))
        types = tuple(sorted(rng.sample(TYPES, rng.randint(1, 2)), key=TYPES.index))
        mentions = tuple((0, 10 * number + n, 10 * number + n + 1) for n in range(rng.randint(1, 3)))
        chains.append(ChainRecord(number, types, mentions, tuple(range(first, len(boxes)))))
    return ImageRecord("a.jpg", (), 200, 200, chains=tuple(chains), boxes=tuple(boxes))


@pytest.mark.parametrize("seed", range(40))
def test_every_raw_box_is_in_one_that_is_left(seed: int) -> None:
    rng = random.Random(seed)
    record = _random_record(rng)
    settings = MergeSettings(iou=rng.uniform(0.5, 1), iou_other=rng.uniform(0.5, 1))
    found = compare(record, settings)
    merged = merge(record, settings)
    assert [one.box for one in found.boxes] == [box.box for box in merged.boxes]
    assert sorted(index for one in found.boxes for index in one.raw) == list(range(len(record.boxes)))
    owner = {index: chain.id for chain in record.chains for index in chain.boxes}
    assert all({owner[index] for index in one.raw} == set(one.chains) for one in found.boxes)
    assert len(record.chains) - len(merged.chains) == sum(len(chains) - 1 for chains in found.joined)


def test_chains_that_became_one_are_named() -> None:
    boxes = tuple(BoxRecord(Box(0, 0, right, 100)) for right in (100, 98))
    chains = tuple(ChainRecord(n, ("people",), ((n, 0, 1),), (n - 1,)) for n in (1, 2))
    found = compare(ImageRecord("a.jpg", (), chains=chains, boxes=boxes), MergeSettings())
    assert found.joined == ((1, 2),)
    assert (found.counts.boxes_raw, found.counts.boxes, found.counts.chains) == (2, 1, 1)


def test_thresholds_are_those_of_an_export_unless_given() -> None:
    assert settings_from("", "") == MergeSettings()
    assert settings_from("0.5", "1") == MergeSettings(iou=0.5, iou_other=1)
