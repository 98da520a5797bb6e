"""What the formats for training models have in common: characters of phrases, and boxes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box, iou
from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord
from annotation.formats.datasets.grounded_captions import alike, drawn, enclosing, said, size_of
from tests.annotation.formats.records import IMAGE, images


def test_a_phrase_counts_characters_of_the_caption_on_one_line() -> None:
    """The caption is as it was imported, not as its tokens, but without a space before it."""
    tokens = ("A", "man", "'s", "dog", "(", "red", ")", ".")
    mentions = (MentionRecord(0, 3, ("people",), 1), MentionRecord(3, 7, ("animals",), 2))
    caption = CaptionRecord(0, "  A man's\tdog\n(red). ", tokens, mentions)
    (one,) = said(replace(IMAGE, captions=(caption,)))
    assert one.text == "A man's dog (red)."
    assert [(phrase.text, phrase.span) for phrase in one.phrases] == [
        ("A man's", (0, 7)),
        ("dog (red)", (8, 17)),
    ]


@given(images())
def test_the_characters_of_a_phrase_are_its_words(record: ImageRecord) -> None:
    captions = sorted(record.captions, key=lambda caption: caption.index)
    for one, caption in zip(said(record), captions, strict=True):
        in_chains = [mention for mention in caption.mentions or () if mention.chain]
        assert len(one.phrases) == len(in_chains)
        for phrase, mention in zip(one.phrases, in_chains, strict=True):
            words = "".join(caption.tokens[mention.start : mention.end])
            assert one.text[phrase.start : phrase.end] == phrase.text
            assert "".join(phrase.text.split()) == "".join(words.split())
            chain = next(chain for chain in record.chains if chain.id == mention.chain)
            assert phrase.boxes == tuple(record.boxes[index].box for index in chain.boxes)


def test_a_box_has_the_types_of_all_its_chains() -> None:
    found = drawn(IMAGE)
    assert found[0].types == ("people",) and found[0].chains == (1,)
    assert found[1].types == ("people", "clothing", "other") and found[1].chains == (1, 2)


def test_boxes_without_a_known_size_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the size of a\.jpg is unknown, .* import its photograph"):
        size_of(replace(IMAGE, width=None))
    assert size_of(replace(IMAGE, width=None, boxes=(), chains=())) == (0, 0)
    assert size_of(IMAGE) == (100, 80)


def test_boxes_are_alike_directly_or_through_others() -> None:
    first, second, third = Box(0, 0, 100, 100), Box(0, 0, 100, 97), Box(0, 0, 100, 94)
    assert iou(first, second) >= 0.95 and iou(second, third) >= 0.95 and iou(first, third) < 0.95
    assert alike([first, third], 0.95) == [[0], [1]]
    assert alike([first, third, Box(0, 0, 5, 5), second], 0.95) == [[0, 1, 3], [2]]


_boxes = st.builds(
    lambda left, top, width, height: Box(left, top, left + width, top + height),
    *[st.integers(0, 3)] * 2,
    *[st.integers(40, 42)] * 2,
)


@given(st.lists(_boxes, max_size=9))
def test_groups_of_boxes_share_out_all_of_them(boxes: list[Box]) -> None:
    groups = alike(boxes, 0.9)
    assert sorted(place for group in groups for place in group) == list(range(len(boxes)))
    assert groups == sorted(groups) and all(group == sorted(group) for group in groups)
    group_of = {place: number for number, group in enumerate(groups) for place in group}
    for a, one in enumerate(boxes):
        for b, other in enumerate(boxes[:a]):
            assert iou(one, other) < 0.9 or group_of[a] == group_of[b]


def test_the_box_around_several_is_the_smallest() -> None:
    assert enclosing([Box(5, 9, 10, 20), Box(1, 10, 6, 12)]) == Box(1, 9, 10, 20)
