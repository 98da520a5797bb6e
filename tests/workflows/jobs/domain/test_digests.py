from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from workflows.jobs.domain.digests import Digests, compare_digests

MEN, DOG = ((0, 0, 2), (1, 0, 2)), ((0, 3, 5),)


def image(name: str = "a.jpg", *, first: int = 1, shift: int = 0) -> ImageRecord:
    """Return an image with two chains. The box of the second one may be shifted."""
    mentions = tuple(MentionRecord(start, start + 2, ("people",)) for start in (0, 3))
    return ImageRecord(
        name,
        tuple(CaptionRecord(index, "a man a dog", ("a",), mentions) for index in (0, 1)),
        chains=(
            ChainRecord(first, ("people",), MEN, (0,)),
            ChainRecord(first + 1, ("animals",), DOG, (1,)),
        ),
        boxes=(BoxRecord(Box(0, 0, 5, 5)), BoxRecord(Box(10 + shift, 10, 30, 30))),
    )


def digests(*images: ImageRecord) -> Digests:
    found = Digests()
    for one in images:
        found.add(one)
    return found


def differences(before: Digests, after: Digests) -> dict[str, object]:
    """Return only the differences that are not 0."""
    return {
        name: {kind: count for kind, count in said.items() if count} if isinstance(said, dict) else said
        for name, said in compare_digests(before, after).items()
        if (any(said.values()) if isinstance(said, dict) else said)
    }


def test_the_same_under_other_chain_numbers_is_the_same() -> None:
    assert differences(digests(image()), digests(image(first=7))) == {}


def test_a_moved_box_is_a_changed_chain() -> None:
    assert differences(digests(image()), digests(image(shift=3))) == {
        "images": {"changed": 1},
        "chains": {"changed": 1},
        "boxes": {"added": 1, "removed": 1},
        "names": ["a.jpg"],
    }


def test_images_come_and_go_with_all_they_have() -> None:
    two = {"chains": 2, "boxes": 2}
    found = differences(digests(image()), digests(image("b.jpg")))
    assert found == {
        "images": {"added": 1, "removed": 1},
        **{what: {"added": count, "removed": count} for what, count in two.items()},
        "names": ["b.jpg"],
    }


def test_another_grouping_is_other_chains_and_another_caption_is_another_image() -> None:
    regrouped = replace(image(), chains=(ChainRecord(1, ("people",), MEN + DOG, (0, 1)),))
    assert differences(digests(image()), digests(regrouped))["chains"] == {"added": 1, "removed": 2}
    reworded = replace(image(), captions=image().captions[:1])
    assert differences(digests(image()), digests(reworded)) == {"images": {"changed": 1}, "names": ["a.jpg"]}


def test_packed_and_unpacked_they_compare_alike_in_a_few_bytes() -> None:
    many = digests(*(image(f"{n}.jpg", first=2 * n) for n in range(100)))
    packed = b"".join(many.pack())
    assert len(packed) < 100 * (24 + 2 * 8 + 2 * 4) + 50
    kept = Digests.unpack(packed)
    assert kept.images == many.images and differences(kept, many) == {}


@pytest.mark.parametrize("spoilt", [b"", b"x" * 80, b"".join(digests(image()).pack())[:-3]])
def test_something_else_is_refused(spoilt: bytes) -> None:
    with pytest.raises(ValueError, match="digests"):
        Digests.unpack(spoilt)
