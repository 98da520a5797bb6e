"""Lists of boxes of different lengths in one array."""

import numpy as np

from evaluation.ragged import RaggedBoxes


def test_each_list_comes_back_as_it_was() -> None:
    lists = [np.array([[0, 0, 1, 1], [2, 2, 4, 4]]), np.empty((0, 4)), np.array([[5, 5, 6, 6]])]
    ragged = RaggedBoxes.of(lists)
    assert len(ragged) == 3
    for index, one in enumerate(lists):
        np.testing.assert_array_equal(ragged[index], one)


def test_no_lists_are_no_boxes() -> None:
    ragged = RaggedBoxes.of([])
    assert len(ragged) == 0
    assert ragged.boxes.shape == (0, 4)
