"""Every box of an image that is grouped anew stays its author's."""

from __future__ import annotations

from annotation.domain.geometry import Box
from workflows.pipeline.replay.domain.contexts import Source
from workflows.pipeline.replay.domain.decisions import DecidedBox, Group, Regrouping, parse_regrouping
from workflows.review.domain.rulings import KnownBox, name_sources

ONE = Box(100, 100, 200, 200)
NEARLY = Box(102, 100, 202, 200)  # IoU 0.96
FAR = Box(300, 100, 400, 200)


def known(box: Box, judgment: int, *members: int) -> KnownBox:
    return KnownBox(frozenset(members), box, Source(judgment, None, 0))


def test_a_known_box_keeps_its_source_and_a_new_one_has_none() -> None:
    group = Group((1, 2, 3), None, "coverage", "", (DecidedBox(ONE), DecidedBox(FAR)))
    found = name_sources(group, [known(ONE, 7, 1, 2), known(NEARLY, 8, 3)])
    assert found.boxes == (DecidedBox(ONE, Source(7, None, 0)), DecidedBox(FAR))


def test_of_equal_boxes_that_of_the_nearest_chain_is_taken() -> None:
    group = Group((1, 2, 3), None, "coverage", "", (DecidedBox(ONE),))
    assert name_sources(group, [known(ONE, 7, 3), known(ONE, 8, 1, 2)]).boxes[0].source == Source(8, None, 0)


def test_what_was_stored_before_boxes_had_sources_is_read_as_it_was() -> None:
    stored = {
        "chains": [{"members": [1], "state": "coverage", "flag": "", "boxes": [[100, 100, 200, 200]]}],
        "cuts": [],
    }
    assert parse_regrouping(stored) == Regrouping((Group((1,), None, "coverage", "", (DecidedBox(ONE),)),))
    assert parse_regrouping(stored).to_json() == stored
