"""The counts of what some formats have no place for."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given

from annotation.domain.records import ImageRecord
from annotation.formats.parts import parts_of
from tests.annotation.formats.records import IMAGE, images


def test_the_parts_of_an_image_are_counted() -> None:
    assert {part: n for part, n in parts_of(IMAGE).items() if n} == {
        "captions": 2,
        "captions without boxes": 1,
        "phrases": 3,
        "phrases without boxes": 1,
        "phrases that are not visual": 1,
        "chains with several boxes": 1,
        "chains that are a scene": 1,
        "boxes with further types": 1,
    }
    unboxed = replace(IMAGE, chains=(replace(IMAGE.chains[0], boxes=(), nobndbox=True),), boxes=())
    assert parts_of(unboxed)["chains that cannot be boxed"] == 1
    assert parts_of(unboxed)["phrases without boxes"] == 3


@given(images())
def test_every_mention_is_a_phrase_or_not_visual(record: ImageRecord) -> None:
    parts = parts_of(record)
    mentions = sum(len(caption.mentions or ()) for caption in record.captions)
    assert parts["phrases"] + parts["phrases that are not visual"] == mentions
    assert parts["phrases without boxes"] <= parts["phrases"]
    assert parts["captions without boxes"] <= parts["captions"] == len(record.captions)
    in_chains = sum(len(chain.mentions) for chain in record.chains)
    assert parts["phrases"] == in_chains and parts["chains of several phrases"] <= len(record.chains)
