from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.geometry import Box, iou
from annotation.domain.merge import (
    MergeCounts,
    MergeSettings,
    _gather,
    arrange,
    median_box,
    merge,
    read_pairs,
    said_pairs,
    threshold,
)
from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord, MentionRecord
from annotation.domain.types import TYPES

SETTINGS = MergeSettings()
KINDS = [("people",), ("clothing",), ("bodyparts",), ("other",), ("people", "bodyparts"), ("people", "other")]


def image(*chains: tuple[tuple[str, ...], list[Box]]) -> ImageRecord:
    """Return an image whose chains, numbered from 1, have these types and their own boxes.

    Each has one mention, in a caption of its own.
    """
    boxes: list[BoxRecord] = []
    records, captions = [], []
    for number, (types, drawn) in enumerate(chains, start=1):
        indexes = tuple(range(len(boxes), len(boxes) + len(drawn)))
        boxes += [BoxRecord(box, judgments=(100 + index,)) for index, box in zip(indexes, drawn, strict=True)]
        spans = ((number - 1, 0, 1),)
        records.append(ChainRecord(number, types, spans, indexes, judgments=(number,)))
        captions.append(CaptionRecord(number - 1, "w", ("w",), (MentionRecord(0, 1, types, number),)))
    return ImageRecord("a.jpg", tuple(captions), 100, 100, chains=tuple(records), boxes=tuple(boxes))


def shuffled(record: ImageRecord, box_order: list[int], chain_order: list[int]) -> ImageRecord:
    """Return the same image with its boxes and chains listed in another order."""
    place = {old: new for new, old in enumerate(box_order)}
    chains = [replace(record.chains[index]) for index in chain_order]
    chains = [
        replace(chain, boxes=tuple(place[index] for index in reversed(chain.boxes))) for chain in chains
    ]
    return replace(record, boxes=tuple(record.boxes[index] for index in box_order), chains=tuple(chains))


def wide(left: int, right: int) -> Box:
    return Box(left, 0, right, 10)


def merged_boxes(record: ImageRecord, settings: MergeSettings = SETTINGS) -> list[Box]:
    return [box.box for box in merge(record, settings).boxes]


def test_boxes_of_two_chains_merge_from_iou_point_eight() -> None:
    assert iou(wide(0, 10), wide(0, 8)) == 0.8
    assert merged_boxes(image((("people",), [wide(0, 10)]), (("animals",), [wide(0, 8)]))) == [wide(0, 9)]
    assert len(merged_boxes(image((("people",), [wide(0, 100)]), (("animals",), [wide(0, 79)])))) == 2


@pytest.mark.parametrize("text", ["", "clothing/people", "bodyparts/people animals/other"])
def test_pairs_of_types_are_read_as_they_are_said(text: str) -> None:
    assert said_pairs(read_pairs(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("clothing/peeple", "'peeple' in 'clothing/peeple' is no type; the types are people"),
        ("clothing", "'clothing' is no pair of two types: write them like clothing/people"),
        ("people/people", "'people/people' is no pair"),
        ("people/clothing/other", "is no pair"),
    ],
)
def test_what_is_no_pair_of_types_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_pairs(text, TYPES)


def test_types_of_a_projects_own_are_kept_apart_if_it_has_them() -> None:
    assert read_pairs("food/other", (*TYPES, "food")) == (frozenset({"food", "other"}),)
    assert read_pairs("food/other") == (frozenset({"food", "other"}),), "it is not known which it has"
    with pytest.raises(ValueError, match="'Food' in 'Food/other' is no type"):
        read_pairs("Food/other")
    record = image((("food",), [wide(0, 10)]), (("other",), [wide(0, 10)]))
    assert len(merge(record, MergeSettings(never=())).chains) == 1
    assert len(merge(record, MergeSettings(never=read_pairs("food/other"))).chains) == 2


def test_the_types_that_are_kept_apart_can_be_chosen() -> None:
    record = image(
        (("people",), [wide(0, 10)]), (("clothing",), [wide(0, 10)]), (("animals",), [wide(0, 10)])
    )
    assert len(merge(record, MergeSettings(never=())).chains) == 1
    apart = merge(record, MergeSettings(never=read_pairs("animals/people")))
    assert [chain.types for chain in apart.chains] == [("people", "clothing"), ("animals",)]


def test_other_needs_iou_point_nine_on_either_side() -> None:
    for types in (("other",), ("people", "other")):
        assert len(merged_boxes(image((("people",), [wide(0, 100)]), (types, [wide(0, 89)])))) == 2
        assert len(merged_boxes(image((types, [wide(0, 100)]), (("people",), [wide(0, 90)])))) == 1


@pytest.mark.parametrize(
    ("one", "another"), [("clothing", "people"), ("bodyparts", "people"), ("bodyparts", "clothing")]
)
def test_clothing_people_and_bodyparts_never_merge(one: str, another: str) -> None:
    merged = merge(image(((one,), [wide(0, 10)]), ((another,), [wide(0, 10)])))
    assert len(merged.boxes) == 2
    assert len(merged.chains) == 2


def test_a_mans_arm_merges_with_its_like_but_not_with_a_man_or_an_arm() -> None:
    arm = ("people", "bodyparts")
    assert len(merged_boxes(image((arm, [wide(0, 10)]), (arm, [wide(0, 10)])))) == 1
    assert len(merged_boxes(image((arm, [wide(0, 10)]), (("people",), [wide(0, 10)])))) == 2
    assert len(merged_boxes(image((arm, [wide(0, 10)]), (("bodyparts",), [wide(0, 10)])))) == 2


def test_a_box_two_chains_share_is_divided_where_their_types_are_kept_apart() -> None:
    people, shirt = image((("people",), [wide(0, 10)]), (("clothing",), [])).chains
    shared = image((("people",), [wide(0, 10)]), (("clothing",), []))
    shared = replace(shared, chains=(people, replace(shirt, boxes=(0,))))
    for result in (merge(shared), arrange(shared)):
        assert [box.box for box in result.boxes] == [wide(0, 10)] * 2
        assert [chain.boxes for chain in result.chains] == [(0,), (1,)]


def test_other_is_strict_also_for_a_chain_with_further_types() -> None:
    people, mixed = frozenset({"people"}), frozenset({"people", "other"})
    assert threshold(people, people, SETTINGS) == 0.8
    assert threshold(people, mixed, SETTINGS) == threshold(mixed, mixed, SETTINGS) == 0.9
    assert threshold(people, frozenset({"clothing", "other"}), SETTINGS) > 1


def test_without_merging_only_boxes_equal_to_the_pixel_are_one() -> None:
    record = image((("people",), [wide(0, 10)]), (("animals",), [wide(0, 10), wide(0, 9)]), (("people",), []))
    arranged = arrange(record)
    assert [box.box for box in arranged.boxes] == [wide(0, 9), wide(0, 10)]
    assert [chain.boxes for chain in arranged.chains] == [(1,), (0, 1), ()]


def test_a_duplicate_within_one_chain_becomes_one_box() -> None:
    merged = merge(image((("people",), [wide(0, 10), wide(0, 9), wide(50, 60)])))
    assert [box.box for box in merged.boxes] == [wide(0, 10), wide(50, 60)]
    assert merged.chains[0].boxes == (0, 1)


def test_the_best_pair_merges_first_and_every_pair_must_reach_the_threshold() -> None:
    # neighbours reach an IoU of .8, and the two ends do not
    first, middle, last = wide(0, 100), wide(10, 100), wide(21, 100)
    assert iou(first, last) < 0.8 <= iou(middle, last) < iou(first, middle)
    boxes = merged_boxes(image((("people",), [first]), (("people",), [middle]), (("people",), [last])))
    assert boxes == [median_box([first, middle]), last]


def test_equal_ious_are_settled_by_coordinates_whatever_the_order() -> None:
    # a chain of four boxes, each as near to the next as the others: only neighbours may merge
    row = [Box(10 * step, 0, 10 * step + 100, 10) for step in range(4)]
    record = image(*((("people",), [box]) for box in row))
    assert len({iou(a, b) for a, b in pairwise(row)}) == 1
    expected = merge(record)
    assert [box.merged_from for box in expected.boxes] == [(row[0], row[1]), (row[2], row[3])]
    for order in permutations(range(4)):
        for chains in ((0, 1, 2, 3), (3, 1, 2, 0)):
            assert merge(shuffled(record, list(order), list(chains))) == expected


def test_the_merged_box_is_the_median_and_halves_go_outwards() -> None:
    assert median_box([Box(0, 0, 10, 10), Box(1, 2, 11, 13), Box(7, 3, 12, 14)]) == Box(1, 2, 11, 13)
    assert median_box([Box(0, 0, 10, 10), Box(1, 3, 11, 13)]) == Box(0, 1, 11, 12)


def test_chains_with_the_same_boxes_are_joined_and_their_mentions_follow() -> None:
    record = image((("people",), [wide(0, 10)]), (("other", "animals"), [wide(0, 10)]), (("scene",), []))
    merged = merge(record)
    assert [chain.mentions for chain in merged.chains] == [((0, 0, 1), (1, 0, 1)), ((2, 0, 1),)]
    joined = merged.chains[0]
    assert (joined.id, joined.types, joined.judgments) == (1, ("people", "animals", "other"), (1, 2))
    mentions = [mention for caption in merged.captions for mention in caption.mentions or ()]
    assert [mention.chain for mention in mentions] == [1, 1, 3]
    assert [mention.types for mention in mentions] == [
        ("people",),
        ("other", "animals"),
        ("scene",),
    ]


def in_captions(record: ImageRecord, *captions: int) -> ImageRecord:
    """Return the image with the mentions of its chains in these captions, in order."""
    chains = [
        replace(chain, mentions=((caption, place, place + 1),))
        for place, (caption, chain) in enumerate(zip(captions, record.chains, strict=True))
    ]
    return replace(record, captions=(), chains=tuple(chains))


def test_two_mentions_of_one_caption_never_come_into_one_chain_by_merging() -> None:
    """Section 3.1.1: they cannot be coreferent, even if their chains have the same boxes."""
    box = [wide(0, 10)]
    record = in_captions(image(*[(("people",), box)] * 4), 0, 1, 0, 1)
    merged = merge(record)
    assert [chain.mentions for chain in merged.chains] == [((0, 0, 1), (1, 1, 2)), ((0, 2, 3), (1, 3, 4))]
    assert [chain.boxes for chain in merged.chains] == [(0,), (0,)], "they share their box"
    counts = MergeCounts()
    counts.add(record, merged)
    assert (counts.chains_of_equal_boxes, counts.chains_two_of_a_caption) == (1, 0)


def test_a_chain_that_has_two_mentions_of_one_caption_is_counted() -> None:
    """Links may have joined them; merging neither parts them nor hides them."""
    record = image((("people",), [wide(0, 10)]), (("people",), [wide(0, 10)]))
    twice = replace(record.chains[0], mentions=((0, 0, 1), (0, 2, 3)))
    record = replace(record, captions=(), chains=(twice, record.chains[1]))
    counts = MergeCounts()
    counts.add(record, merge(record))
    assert (counts.chains, counts.chains_two_of_a_caption) == (1, 1)


def test_chains_with_some_boxes_in_common_stay_apart() -> None:
    bride, couple = (("people",), [wide(0, 10)]), (("people",), [wide(0, 10), wide(50, 60)])
    merged = merge(image(bride, couple))
    assert [chain.boxes for chain in merged.chains] == [(0,), (0, 1)]


def test_nonvisual_chains_are_never_joined() -> None:
    assert len(merge(image((("scene",), []), (("scene",), []))).chains) == 2


def test_provenance_of_a_merged_box_is_kept() -> None:
    merged = merge(image((("people",), [wide(0, 10)]), (("people",), [wide(0, 10)])))
    assert merged.boxes == (BoxRecord(wide(0, 10), (100, 101), (wide(0, 10), wide(0, 10))),)


def test_counts_say_what_merging_removed() -> None:
    counts = MergeCounts()
    record = image((("people",), [wide(0, 10)]), (("people",), [wide(0, 10)]))
    counts.add(record, merge(record))
    assert counts == MergeCounts(boxes_raw=2, boxes=1, chains_raw=2, chains=1)


@pytest.mark.parametrize("value", [0, -1, 1.1])
def test_a_threshold_that_is_no_iou_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="iou_other must be above 0"):
        MergeSettings(iou_other=value)


@st.composite
def records(draw: st.DrawFn) -> ImageRecord:
    """Draw boxes near to one another on a coarse grid.

    So equal IoUs and chains of near pairs are common.
    """
    edge = st.integers(0, 3)
    box = st.builds(lambda x, y, w, h: Box(x, y, x + 16 + w, y + 16 + h), edge, edge, edge, edge)
    drawn = st.tuples(st.sampled_from(KINDS), st.lists(box, max_size=3))
    record = image(*draw(st.lists(drawn, min_size=1, max_size=5)))
    if len(record.boxes) > 1 and draw(st.booleans()):  # a box that two chains share from the start
        chain = draw(st.integers(0, len(record.chains) - 1))
        shared = tuple(sorted({*record.chains[chain].boxes, draw(st.integers(0, len(record.boxes) - 1))}))
        chains = list(record.chains)
        chains[chain] = replace(chains[chain], boxes=shared)
        record = replace(record, chains=tuple(chains))
    return record


@given(records(), st.data())
def test_the_result_does_not_depend_on_the_order(record: ImageRecord, data: st.DataObject) -> None:
    boxes = data.draw(st.permutations(range(len(record.boxes))))
    chains = data.draw(st.permutations(range(len(record.chains))))
    assert merge(shuffled(record, boxes, chains)) == merge(record)


@given(records())
def test_every_pair_of_a_merged_set_reaches_its_threshold_and_nothing_is_lost(record: ImageRecord) -> None:
    untouched = repr(record)
    merged = merge(record)
    assert repr(record) == untouched
    raw = {box.box for box in record.boxes}
    assert {raw_box for box in merged.boxes for raw_box in box.merged_from or (box.box,)} == raw
    raw_mentions = sorted(mention for chain in record.chains for mention in chain.mentions)
    assert sorted(mention for chain in merged.chains for mention in chain.mentions) == raw_mentions
    assert {j for box in merged.boxes for j in box.judgments} == {
        j for box in record.boxes for j in box.judgments
    }


@given(records())
def test_complete_linkage_holds_before_equal_medians_are_shared(record: ImageRecord) -> None:
    for box in _gather(record, SETTINGS).boxes:
        assert all(iou(a, b) >= SETTINGS.iou for a in box.merged_from for b in box.merged_from)


@given(records(), st.booleans())
def test_no_box_is_shared_by_chains_whose_types_are_kept_apart(record: ImageRecord, merging: bool) -> None:
    result = merge(record) if merging else arrange(record)
    kinds = [
        [frozenset(c.types) for c in result.chains if place in c.boxes] for place in range(len(result.boxes))
    ]
    for sharing in kinds:
        for a, b in combinations(sharing, 2):
            assert threshold(a, b, SETTINGS) <= 1


@given(records())
def test_a_box_in_common_or_one_for_each_chain_is_the_same(record: ImageRecord) -> None:
    """Because of this, a data set that was read back can be written again byte for byte."""
    result = arrange(merge(record))
    assert result == merge(record)
    boxes: list[BoxRecord] = []
    chains = []
    for chain in result.chains:
        chains.append(replace(chain, boxes=tuple(range(len(boxes), len(boxes) + len(chain.boxes)))))
        boxes += [BoxRecord(result.boxes[index].box) for index in chain.boxes]
    apart = arrange(replace(result, chains=tuple(chains), boxes=tuple(boxes)))
    used = {index for chain in result.chains for index in chain.boxes}
    assert [box.box for box in apart.boxes] == [
        box.box for place, box in enumerate(result.boxes) if place in used
    ]
    assert [len(chain.boxes) for chain in apart.chains] == [len(chain.boxes) for chain in result.chains]
    if len(used) == len(result.boxes):
        assert [chain.boxes for chain in apart.chains] == [chain.boxes for chain in result.chains]


@given(records())
def test_no_two_joined_chains_point_to_the_same_boxes(record: ImageRecord) -> None:
    pointed = [chain.boxes for chain in merge(record).chains if chain.boxes]
    assert len(pointed) == len(set(pointed))
