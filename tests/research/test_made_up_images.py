"""Made-up images."""

import random
from itertools import combinations
from pathlib import Path

import pytest

from annotation.domain.geometry import iou
from annotation.domain.records import ImageRecord
from annotation.formats.datasets.flickr30k_entities import read
from research.made_up_images import HEIGHT, WIDTH, imagine, write_corpus


@pytest.fixture(scope="module")
def images() -> list[ImageRecord]:
    rng = random.Random(5)
    return [imagine(f"{number}.jpg", rng, 100 * number + 1) for number in range(400)]


def test_they_have_the_papers_size(images: list[ImageRecord]) -> None:
    chains = [chain for image in images for chain in image.chains]
    assert len(chains) / 400 == pytest.approx(7.7, rel=0.1)
    assert sum(len(chain.mentions) for chain in chains) / 400 == pytest.approx(16.6, rel=0.1)
    assert sum(len(image.boxes) for image in images) / 400 == pytest.approx(8.7, rel=0.15)
    assert sum(not chain.boxes for chain in chains) / len(chains) == pytest.approx(0.209, abs=0.03)
    assert sum(len(chain.boxes) > 1 for chain in chains) / len(chains) == pytest.approx(0.2, abs=0.03)


def test_boxes_of_a_chain_are_inside_and_told_apart(images: list[ImageRecord]) -> None:
    for image in images:
        for chain in image.chains:
            boxes = [image.boxes[number].box for number in chain.boxes]
            assert all(box.right <= WIDTH and box.bottom <= HEIGHT for box in boxes)
            assert all(iou(a, b) < 0.5 for a, b in combinations(boxes, 2))
            assert bool(boxes) + chain.scene + chain.nobndbox == 1


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    written = write_corpus(tmp_path / "corpus", 5, seed=1)
    found = list(read(tmp_path / "corpus"))
    assert len(found) == 5
    for record, again in zip(written, found, strict=True):
        assert isinstance(again, ImageRecord)
        assert {c.mentions for c in again.chains} == {c.mentions for c in record.chains}
        assert {b.box for b in again.boxes} == {b.box for b in record.boxes}
        assert (again.width, again.height) == (WIDTH, HEIGHT)
