"""Component IoU, and how far the usual IoU favours large boxes for plural phrases.

The source is the paper on component IoU for plural phrases, called U below. Several true boxes of a phrase
are usually compared as their one enclosing box, most of which may show nothing that the phrase means.
Component IoU compares what the boxes cover instead (section 3, figure 1). This module has the measure and the
report on a data set (section 2.1). `component_probes` has table 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from evaluation.arrays import Bools, Floats, Ints
from evaluation.boxes import areas, disjoint, enclosing_boxes, intersections, paired_iou, share_of_union
from evaluation.dataset import Boxes, Dataset
from evaluation.plurals import is_plural, number_named
from evaluation.ragged import RaggedBoxes

RIGHT = 0.5
"""The least overlap of a prediction that is right, by IoU as by component IoU (U, section 2)."""


# The measure ------------------------------------------------------------------------------------------------


def component_iou(truth: Boxes, predicted: Boxes) -> float:
    """Return the component IoU of two sets of boxes, from 0 to 1 (U, section 3).

    It is the area that both sets cover over the area that any of them covers, and 0 if no box has an area.
    For single boxes it is the usual IoU.

    >>> truth = np.array([[0, 0, 10, 10], [90, 0, 100, 10]])
    >>> component_iou(truth, np.array([[0, 0, 100, 10]]))
    0.2
    """
    a, b = disjoint(truth), disjoint(predicted)
    shared, covered = np.array([intersections(a, b).sum()]), np.array([areas(a).sum()])
    return float(share_of_union(shared, covered, np.array([areas(b).sum()]))[0])


def component_ious(truth: RaggedBoxes, predicted: RaggedBoxes) -> Floats:
    """Return the component IoU of each list of `truth` with the list at its place in `predicted`.

    The result has the shape (lists,). Raises ValueError if their numbers differ.
    """
    _check_lengths(truth, predicted)
    sizes = np.diff(truth.offsets), np.diff(predicted.offsets)
    found = np.zeros(len(truth))
    single = (sizes[0] == 1) & (sizes[1] == 1)
    found[single] = paired_iou(
        truth.boxes[truth.offsets[:-1][single]], predicted.boxes[predicted.offsets[:-1][single]]
    )
    for place in np.flatnonzero(~single & (sizes[0] > 0) & (sizes[1] > 0)).tolist():
        found[place] = component_iou(truth[place], predicted[place])
    return found


def enclosing_ious(truth: RaggedBoxes, predicted: RaggedBoxes) -> Floats:
    """Return the usual IoU: that of the enclosing boxes, list by list, of shape (lists,).

    Raises ValueError if the numbers of lists differ.
    """
    _check_lengths(truth, predicted)
    found = paired_iou(enclosing_boxes(truth), enclosing_boxes(predicted))
    found[(np.diff(truth.offsets) == 0) | (np.diff(predicted.offsets) == 0)] = 0.0
    return found


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How many of some phrases are right by IoU of the enclosing boxes, by component IoU, and by both.

    By IoU, what is out of focus is wrong, and by component IoU what shows other things; the paper proposes to
    combine them (U, section 4).
    """

    phrases: int
    iou: int
    component: int
    both: int

    @property
    def iou_share(self) -> float:
        """Return the share that is right by IoU, from 0 to 1; nan without phrases."""
        return _share(self.iou, self.phrases)

    @property
    def component_share(self) -> float:
        """Return the share that is right by component IoU, from 0 to 1; nan without phrases."""
        return _share(self.component, self.phrases)

    @property
    def both_share(self) -> float:
        """Return the share that is right by both, from 0 to 1; nan without phrases."""
        return _share(self.both, self.phrases)


@dataclass(frozen=True, slots=True)
class Compared:
    """Predictions by both measures: of all phrases, and of plural ones."""

    all: Accuracy
    plural: Accuracy


def compare(
    truth: RaggedBoxes, predicted: RaggedBoxes, plural: Bools, *, threshold: float = RIGHT
) -> Compared:
    """Return how many sets of predicted boxes are right by both measures.

    A phrase has one list in `truth` and one in `predicted`, and `plural` has the shape (phrases,). A phrase
    for which nothing was predicted is not right. Raises ValueError if the numbers of lists differ.

    >>> truth = RaggedBoxes.of([np.array([[0, 0, 10, 10], [90, 0, 100, 10]])])
    >>> compare(truth, RaggedBoxes.of([np.array([[0, 0, 100, 10]])]), np.array([True])).plural
    Accuracy(phrases=1, iou=1, component=0, both=0)
    """
    usual, component = enclosing_ious(truth, predicted), component_ious(truth, predicted)
    right = usual >= threshold, component >= threshold
    return judge(*right, right[0] & right[1], plural)


def judge(usual: Bools, component: Bools, both: Bools, plural: Bools) -> Compared:
    """Return the counts of what is right by each measure. All arguments have the shape (phrases,)."""
    measures = usual, component, both
    return Compared(
        all=Accuracy(len(plural), *(int(one.sum()) for one in measures)),
        plural=Accuracy(int(plural.sum()), *(int(one[plural].sum()) for one in measures)),
    )


# The bias report --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the report beside the paper's, which is None where the paper has none.

    `share` says that it is a share from 0 to 1; otherwise it is a number. Both are nan without phrases.
    """

    name: str
    value: float
    paper: float | None
    share: bool


@dataclass(frozen=True, slots=True)
class BiasReport:
    """What makes plural phrases of a data set easy prey for large boxes (U, sections 2.1 and 3)."""

    figures: tuple[Figure, ...]
    cover: Floats
    """The share of its enclosing box that a plural phrase's several boxes cover, of shape (phrases,)."""


def bias_report(dataset: Dataset) -> BiasReport:
    """Return the report on the mentions of a data set that have boxes.

    The paper does not say whether components and cover are over all plural phrases or over those with several
    boxes, so both are reported beside its figures. A number word is compared with the number of boxes if
    there are several, so that "one box only" and "another number of boxes" exclude each other; together they
    are the paper's 37%. Words are counted in lower case [ours].

    >>> from evaluation.dataset import Caption, Chain, Image, Mention, MentionKey
    >>> dogs = Chain("7", ("animals",), np.array([[0.0, 0.0, 10.0, 10.0], [90.0, 0.0, 100.0, 10.0]]))
    >>> mention = Mention(MentionKey("1.jpg", 0, 0, 2), ("two", "dogs"), ("animals",), "7")
    >>> caption = Caption(0, ("two", "dogs"), (mention,))
    >>> data = Dataset("two dogs", (Image("1.jpg", 100, 100, "test", (caption,), {"7": dogs}),))
    >>> bias_report(data).cover.tolist()
    [0.2]
    """
    phrases, numbers, boxes = 0, [], []
    words: set[str] = set()
    for image in dataset.images:
        for mention in image.mentions():
            chain = image.chains.get(mention.chain) if mention.chain else None
            if chain is None or not len(chain.boxes):
                continue
            phrases += 1
            words.update(map(str.lower, mention.tokens))
            if is_plural(mention.tokens):
                numbers.append(number_named(mention.tokens))
                boxes.append(chain.boxes)
    count = np.array([len(one) for one in boxes], dtype=np.int64)
    lists = RaggedBoxes.of(boxes)
    whole = areas(enclosing_boxes(lists))
    covered = np.array([areas(disjoint(one)).sum() for one in boxes], dtype=np.float64)
    cover = np.divide(covered, whole, out=np.ones_like(covered), where=whole > 0)
    several = count > 1
    unlike = several & np.array([named is not None for named in numbers], dtype=bool)
    unlike &= np.array([named or 0 for named in numbers], dtype=np.int64) != count
    return BiasReport(
        figures=(
            Figure("phrases with boxes", phrases, 140_972, share=False),
            Figure("different words of these phrases", len(words), 8_301, share=False),
            Figure("plural phrases", len(boxes), 30_762, share=False),
            Figure(
                "plural phrases, of all", len(boxes) / phrases if phrases else math.nan, 0.218, share=True
            ),
            Figure("boxes a plural phrase", _mean(count), 3.6, share=False),
            Figure("boxes a plural phrase with several", _mean(count[several]), 3.6, share=False),
            Figure("enclosing box that boxes cover", _mean(cover), 0.68, share=True),
            Figure("enclosing box that several boxes cover", _mean(cover[several]), 0.68, share=True),
            Figure("enclosing box more than half empty", _mean(cover < 0.5), 0.24, share=True),
            Figure(
                "enclosing box of several more than half empty", _mean(cover[several] < 0.5), 0.24, share=True
            ),
            Figure("plural phrases with one box only", _mean(~several), 1 / 3, share=True),
            Figure("another number of boxes than named", _mean(unlike), 0.09, share=True),
            Figure("one box only, or another number", _mean(~several | unlike), 0.37, share=True),
        ),
        cover=cover[several],
    )


def _check_lengths(truth: RaggedBoxes, predicted: RaggedBoxes) -> None:
    if len(truth) != len(predicted):
        raise ValueError(f"there are {len(truth)} phrases, and predictions for {len(predicted)}")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _mean(values: Floats | Ints | Bools) -> float:
    return float(np.mean(values)) if len(values) else math.nan
