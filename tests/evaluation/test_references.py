"""Systems that look at no phrase."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.boxes import areas
from evaluation.dataset import Boxes
from evaluation.localization import localize, queries, summarize
from evaluation.ragged import RaggedBoxes
from evaluation.references import CENTRE, LARGEST, NAMES, RANDOM, WHOLE, random_order, references
from tests.evaluation.made_up import dataset, random_boxes, some_boxes

BOX = np.array([[0.0, 0.0, 100.0, 90.0]])


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_each_reference_predicts_what_it_is_called_after() -> None:
    data = queries(dataset([[("a wall", ("scene",), BOX)], [("a cup", ("other",), BOX)]]))
    proposals = RaggedBoxes.of([np.array([[0.0, 0.0, 9.0, 9.0], [0.0, 0.0, 99.0, 99.0]]), np.empty((0, 4))])
    found = references(data, np.arange(2), proposals, rng())
    assert tuple(found) == NAMES
    assert found[LARGEST].lists[0].tolist() == [[0, 0, 99, 99], [0, 0, 9, 9]]
    assert found[LARGEST].scores.tolist() == [9801, 81]
    assert len(found[LARGEST].lists[1]) == len(found[RANDOM].lists[1]) == 0
    assert found[WHOLE].lists[1].tolist() == [[0, 0, 100, 100]]
    assert found[CENTRE].lists[0].tolist() == [[25, 25, 75, 75]]
    recall = summarize(data, localize(data, np.arange(2), found[WHOLE]), rng()).total
    assert recall.share(0) == 1


def test_references_without_their_inputs_are_left_out() -> None:
    known = queries(dataset([[("a wall", ("scene",), BOX)]]))
    assert tuple(references(known, np.arange(1), None, rng())) == (WHOLE, CENTRE)
    unknown = queries(dataset([[("a wall", ("scene",), BOX)]], side=0))
    assert tuple(references(unknown, np.arange(1), RaggedBoxes.of([BOX]), rng())) == (LARGEST, RANDOM)
    assert tuple(references(unknown, np.arange(1), None, rng())) == ()


@given(st.lists(some_boxes(), max_size=4), st.integers(0, 9))
def test_proposals_are_only_put_in_another_order(lists: list[Boxes], seed: int) -> None:
    data = queries(dataset([[("a wall", ("scene",), BOX)] for _ in lists]))
    found = references(data, np.arange(len(lists)), RaggedBoxes.of(lists), np.random.default_rng(seed))
    for name in (LARGEST, RANDOM):
        for row, boxes in enumerate(lists):
            assert sorted(found[name].lists[row].tolist()) == sorted(boxes.tolist())
        assert [len(one.lists) for one in (found[name],)] == [len(lists)]
    for row in range(len(lists)):
        assert (np.diff(areas(found[LARGEST].lists[row])) <= 0).all()


def test_every_proposal_is_as_likely_to_be_first_whatever_the_parts_are() -> None:
    proposals = RaggedBoxes.of([random_boxes(rng(), 4)] * 4000)
    whole = random_order(proposals, rng())
    firsts = whole.lists.boxes[whole.lists.offsets[:-1]]
    _, times = np.unique(firsts, axis=0, return_counts=True)
    assert times.sum() == 4000 and abs(times - 1000).max() < 120  # four standard deviations
    generator = rng()
    parts = [random_order(RaggedBoxes.of([proposals[n] for n in rows]), generator) for rows in
             (range(1500), range(1500, 4000))]  # fmt: skip
    np.testing.assert_array_equal(np.concatenate([one.lists.boxes for one in parts]), whole.lists.boxes)
