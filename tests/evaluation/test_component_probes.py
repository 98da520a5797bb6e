"""The rows of table 1, on detections made by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluation.boxes import areas, enclosing_boxes
from evaluation.component_iou import component_iou
from evaluation.component_probes import TABLE_1, Detections, Probe, enlarge, probes
from evaluation.dataset import Boxes
from evaluation.ragged import RaggedBoxes
from tests.evaluation.made_up import random_boxes, some_boxes

DOGS = np.array([[0.0, 0.0, 10.0, 10.0], [90.0, 0.0, 100.0, 10.0]])
MAN = np.array([[40.0, 0.0, 60.0, 90.0]])
DETECTIONS = Detections(RaggedBoxes.of([np.concatenate([DOGS, MAN])]), np.array([0, 0, 1]))
DOG, PERSON = [1.0, 0.0], [0.2, 1.0]
LABELS = np.array([DOG, PERSON])


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def rows(**options: object) -> dict[str, Probe]:
    """Return the probes of "two dogs" and "a man" in one image."""
    truth = RaggedBoxes.of([DOGS, MAN])
    vectors = np.array([DOG, PERSON]), LABELS
    found = probes(
        truth, np.array([True, False]), np.array([0, 0]), DETECTIONS, rng(), vectors=vectors, **options  # type: ignore[arg-type]
    )  # fmt: skip
    return {row.name: row for row in found}


def test_the_rows_are_those_of_the_papers_table_and_ours() -> None:
    found = list(rows(sizes=np.array([[100.0, 100.0]])))
    ours = ["upper bound, pruned", "all objects", "biggest"]
    assert [name for name in found if name not in ours] == list(TABLE_1)
    assert [name for name in found if name in ours] == ours
    truth, plural = RaggedBoxes.of([DOGS]), np.array([True])
    without = probes(truth, plural, np.array([0]), DETECTIONS, rng())
    names = [row.name for row in without]
    assert names == ["upper bound", "upper bound, pruned", "all objects", "biggest", "random"]


def test_sets_raise_the_upper_bound_of_plural_phrases() -> None:
    bound = rows()["upper bound"]
    assert bound.single is not None and bound.several is not None
    assert (bound.single.all.component, bound.single.plural.component) == (2, 1)  # one dog of two is a half
    assert (bound.single.all.iou, bound.single.plural.iou) == (1, 0)
    assert (bound.several.all.iou, bound.several.plural.iou) == (2, 1)


def test_the_reference_system_finds_both_dogs_and_the_man() -> None:
    system = rows()["reference system"]
    assert system.single is not None and system.several is not None
    assert (system.several.all.iou, system.several.all.component) == (2, 2)
    assert (system.single.plural.iou, system.single.plural.component) == (0, 1)


def test_pruning_keeps_plural_phrases_from_single_things() -> None:
    """A plural phrase that is most like "man" still gets the dogs: no other label has several boxes."""
    truth = RaggedBoxes.of([DOGS])
    vectors = np.array([PERSON]), LABELS
    found = {
        row.name: row
        for row in probes(truth, np.array([True]), np.array([0]), DETECTIONS, rng(), vectors=vectors)
    }
    system, pruned = found["reference system"].several, found["pruned"].several
    assert system is not None and pruned is not None
    assert system.all.component == 0
    assert pruned.all.component == 1
    assert found["pruned"].single is None


def test_a_singular_phrase_may_get_a_set_unless_pruned() -> None:
    """For "a dog" with two dogs, the set is the largest of its label; pruned, a single one is taken."""
    one = np.array([[0.0, 0.0, 10.0, 10.0]])
    found = {
        row.name: row
        for row in probes(
            RaggedBoxes.of([one]),
            np.array([False]),
            np.array([0]),
            DETECTIONS,
            rng(),
            vectors=(np.array([DOG]), LABELS),
        )
    }
    system, pruned = found["reference system"], found["pruned"].several
    assert system.single is not None and system.several is not None and pruned is not None
    assert (system.single.all.iou, system.several.all.iou, pruned.all.iou) == (1, 0, 1)
    # c-IoU lets the background object pass (section 4 of the paper), and both measures together do not.
    assert (system.several.all.component, system.several.all.both) == (1, 0)
    assert pruned.all.both == 1


def test_the_pruned_bound_has_sets_for_plural_phrases_and_single_boxes_for_others() -> None:
    bound, pruned = rows()["upper bound"].single, rows()["upper bound, pruned"].several
    assert bound is not None and pruned is not None
    assert rows()["upper bound, pruned"].single is None
    assert (pruned.all.iou, pruned.all.component, pruned.all.both) == (2, 2, 2)
    # One dog of two is half of what they cover, but no set: pruned, the phrase needs both.
    far = Detections(RaggedBoxes.of([np.concatenate([DOGS[:1], MAN, MAN])]), np.array([0, 1, 1]))
    found = probes(RaggedBoxes.of([DOGS]), np.array([True]), np.array([0]), far, rng())
    assert [row.several.all.component for row in found[:2] if row.several] == [1, 0]


def test_the_bound_is_right_by_both_only_if_one_candidate_is() -> None:
    """One candidate is right by IoU alone, and another by component IoU alone."""
    wide = np.array([[0.0, 0.0, 100.0, 10.0]])  # as their enclosing box, and mostly empty
    detections = Detections(RaggedBoxes.of([np.concatenate([wide, DOGS[:1]])]), np.array([0, 1]))
    (bound, *_) = probes(RaggedBoxes.of([DOGS]), np.array([True]), np.array([0]), detections, rng())
    assert bound.several is not None
    assert (bound.several.all.iou, bound.several.all.component, bound.several.all.both) == (1, 1, 0)


def test_the_whole_image_and_all_objects_are_one_prediction_for_every_phrase() -> None:
    found = rows(sizes=np.array([[100.0, 20.0]]))
    whole, objects = found["whole image"], found["all objects"]
    assert whole.single == whole.several and objects.single == objects.several
    assert whole.single is not None and objects.single is not None
    # The image is twice as high as the box around the dogs, which cover a tenth of it.
    assert (whole.single.plural.iou, whole.single.plural.component) == (1, 0)
    # The man is nearly all that the three objects cover.
    assert (objects.single.all.iou, objects.single.all.component) == (0, 1)
    assert "whole image" not in rows(sizes=np.array([[100.0, 0.0]]))


def test_the_biggest_candidate_is_judged_by_its_enclosing_box() -> None:
    biggest = rows()["biggest"]
    assert biggest.single is not None and biggest.several is not None
    assert (biggest.single.all.iou, biggest.single.plural.iou) == (1, 0)  # the man
    assert areas(enclosing_boxes(RaggedBoxes.of([DOGS, MAN]))).tolist() == [1000, 1800]
    boxes = np.array([[0, 0, 9, 9], [90, 90, 99, 99], [0, 0, 50, 50]])
    wide = Detections(RaggedBoxes.of([boxes]), np.array([0, 0, 1]))
    truth = RaggedBoxes.of([np.array([[0.0, 0.0, 99.0, 99.0]])])
    found = {row.name: row for row in probes(truth, np.array([True]), np.array([0]), wide, rng())}
    several = found["biggest"].several
    assert several is not None
    assert (several.all.iou, several.all.component) == (1, 0)


def test_random_predictions_join_things_of_different_labels() -> None:
    """With two labels, a dog and the man are all that can be drawn as single boxes."""
    random = rows()["random"]
    assert random.single is not None
    assert random.single.all.component == 1  # the man, with a dog a tenth as large


def test_an_image_without_detections_has_no_hits() -> None:
    nothing = Detections(RaggedBoxes.of([np.empty((0, 4))]), np.empty(0, dtype=np.int64))
    vectors = np.array([DOG]), LABELS
    for row in probes(
        RaggedBoxes.of([DOGS]), np.array([True]), np.array([0]), nothing, rng(), vectors=vectors
    ):
        for one in (row.single, row.several):
            assert one is None or (one.all.phrases, one.all.iou, one.all.component) == (1, 0, 0)


@given(some_boxes(least=1), st.sampled_from([0.2, 0.5, 3.0]))
def test_boxes_grow_by_the_share_of_their_area_or_of_their_sides(boxes: Boxes, by: float) -> None:
    unbounded = np.zeros(2)
    by_area = enlarge(boxes, by, size=unbounded)
    np.testing.assert_allclose(areas(by_area), (1 + by) * areas(boxes))
    by_sides = enlarge(boxes, by, what="sides", size=unbounded)
    np.testing.assert_allclose(by_sides[:, 2:] - by_sides[:, :2], (1 + by) * (boxes[:, 2:] - boxes[:, :2]))
    for larger in (by_area, by_sides):
        np.testing.assert_allclose(larger[:, :2] + larger[:, 2:], boxes[:, :2] + boxes[:, 2:])


def test_enlarged_boxes_stay_within_the_image() -> None:
    found = enlarge(np.array([[0.0, 90.0, 100.0, 100.0]]), what="sides", size=np.array([100.0, 100.0]))
    assert found.tolist() == [[0, 87.5, 100, 100]]
    grown = rows(sizes=np.array([[100.0, 100.0]]), enlarged_by=9.0)["pruned and enlarged"].several
    assert grown is not None and grown.all.component == 0


def test_the_upper_bound_is_the_best_candidate_whatever_the_boxes_are() -> None:
    generator = np.random.default_rng(5)
    for _ in range(20):
        boxes, labels = random_boxes(generator, 6), generator.integers(0, 3, 6)
        truth = random_boxes(generator, 2)
        sets = [*boxes[:, None], *(boxes[labels == one] for one in range(3) if (labels == one).sum() > 1)]
        best = max(component_iou(truth, one) for one in sets)
        detections, lists = Detections(RaggedBoxes.of([boxes]), labels), RaggedBoxes.of([truth])
        for threshold, right in ((best, 1), (best + 1e-9, 0)):
            row = probes(lists, np.array([True]), np.array([0]), detections, generator, threshold=threshold)[
                0
            ]
            assert row.several is not None and row.several.all.component == right
