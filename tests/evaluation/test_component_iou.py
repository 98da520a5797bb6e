"""Component IoU against pixels, and the bias report on phrases that were counted by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain import geometry
from evaluation.boxes import enclosing, iou_matrix
from evaluation.component_iou import bias_report, compare, component_iou, component_ious, enclosing_ious
from evaluation.dataset import Boxes
from evaluation.ragged import RaggedBoxes
from tests.evaluation.made_up import dataset, raster, some_boxes

APART = np.array([[0.0, 0.0, 10.0, 10.0], [90.0, 0.0, 100.0, 10.0]])
AROUND = np.array([[0.0, 0.0, 100.0, 10.0]])


def test_a_box_around_two_far_components_is_right_only_by_iou() -> None:
    truth, predicted = RaggedBoxes.of([APART]), RaggedBoxes.of([AROUND])
    assert enclosing_ious(truth, predicted).tolist() == [1]
    assert component_ious(truth, predicted).tolist() == [0.2]
    assert component_iou(APART, APART) == 1


@given(some_boxes(), some_boxes())
def test_component_iou_is_that_of_the_pixels(truth: Boxes, predicted: Boxes) -> None:
    a, b = raster(truth), raster(predicted)
    union = np.maximum(a, b).sum()
    assert component_iou(truth, predicted) == pytest.approx((a * b).sum() / union if union else 0)


@given(some_boxes(), some_boxes())
def test_workers_are_judged_by_the_same_measure(truth: Boxes, predicted: Boxes) -> None:
    """The product has it for a few boxes of whole pixels, without arrays."""
    drawn, known = (
        [geometry.Box(*edges) for edges in boxes.astype(int).tolist()] for boxes in (predicted, truth)
    )
    assert geometry.component_iou(known, drawn) == component_iou(truth, predicted)


@given(some_boxes(least=1, most=1), some_boxes(least=1, most=1))
def test_it_is_the_usual_iou_of_single_boxes(truth: Boxes, predicted: Boxes) -> None:
    assert component_iou(truth, predicted) == pytest.approx(iou_matrix(truth, predicted)[0, 0])


@given(st.lists(st.tuples(some_boxes(), some_boxes()), max_size=5))
def test_lists_are_compared_one_by_one(pairs: list[tuple[Boxes, Boxes]]) -> None:
    truth, predicted = RaggedBoxes.of(a for a, _ in pairs), RaggedBoxes.of(b for _, b in pairs)
    expected = [component_iou(a, b) for a, b in pairs]
    np.testing.assert_allclose(component_ious(truth, predicted), expected)
    usual = enclosing_ious(truth, predicted)
    for place, (a, b) in enumerate(pairs):
        if len(a) and len(b):
            assert usual[place] == iou_matrix(enclosing(a)[None], enclosing(b)[None])[0, 0]
        else:
            assert usual[place] == 0


def test_both_measures_are_counted_of_all_and_of_plural_phrases() -> None:
    one = np.array([[0.0, 0.0, 10.0, 10.0]])
    truth = RaggedBoxes.of([APART, APART, one, one])
    predicted = RaggedBoxes.of([AROUND, APART, one, np.empty((0, 4))])
    found = compare(truth, predicted, np.array([True, True, False, False]))
    assert (found.all.phrases, found.all.iou, found.all.component) == (4, 3, 2)
    assert (found.plural.phrases, found.plural.iou, found.plural.component) == (2, 2, 1)
    assert (found.plural.iou_share, found.plural.component_share) == (1, 0.5)
    with pytest.raises(ValueError, match="4 phrases, and predictions for 3"):
        compare(truth, RaggedBoxes.of([one] * 3), np.zeros(4, dtype=bool))


def test_the_bias_report_counts_what_the_paper_counted() -> None:
    one = np.array([[0.0, 0.0, 10.0, 10.0]])
    near = np.array([[0.0, 0.0, 10.0, 10.0], [10.0, 0.0, 20.0, 10.0], [20.0, 0.0, 25.0, 10.0]])
    data = dataset(
        [
            [
                ("two dogs", ("animals",), APART),  # a fifth of the enclosing box is dogs
                ("three men", ("people",), near),  # all of it is men
                ("two cats", ("animals",), near),  # three boxes: another number
                ("five hats", ("clothing",), one),  # one box only, so its number does not count
                ("children", ("people",), APART),
                ("a man", ("people",), one),
                ("jeans", ("clothing",), one),
                ("birds", ("animals",), np.empty((0, 4))),  # not a phrase with boxes
            ]
        ]
    )
    found = bias_report(data)
    values = {figure.name: figure.value for figure in found.figures}
    assert len(values) == len(found.figures)
    assert values["phrases with boxes"] == 7
    assert values["plural phrases"] == 5
    assert values["plural phrases, of all"] == 5 / 7
    assert values["boxes a plural phrase"] == 11 / 5
    assert values["boxes a plural phrase with several"] == 10 / 4
    assert values["enclosing box that boxes cover"] == pytest.approx((0.2 + 1 + 1 + 1 + 0.2) / 5)
    assert values["enclosing box that several boxes cover"] == pytest.approx((0.2 + 1 + 1 + 0.2) / 4)
    assert values["enclosing box of several more than half empty"] == 2 / 4
    assert values["enclosing box more than half empty"] == 2 / 5
    assert values["plural phrases with one box only"] == 1 / 5
    assert values["another number of boxes than named"] == 1 / 5
    assert values["one box only, or another number"] == 2 / 5
    np.testing.assert_allclose(found.cover, [0.2, 1, 1, 0.2])
    paper = [figure.paper for figure in found.figures]
    assert paper[:4] == [140_972, 8_301, 30_762, 0.218]
    assert values["different words of these phrases"] == 11  # "two" twice
    assert pytest.approx(0.218, abs=5e-4) == 30_762 / 140_972


def test_a_data_set_without_phrases_has_no_shares() -> None:
    values = {figure.name: figure.value for figure in bias_report(dataset([])).figures}
    assert values["phrases with boxes"] == 0
    assert math.isnan(values["plural phrases, of all"])
    assert math.isnan(values["enclosing box that boxes cover"])
