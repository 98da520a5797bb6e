"""Measures of how far a data set agrees with the truth from which it was annotated."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from annotation.domain.geometry import iou
from annotation.domain.records import ImageRecord

_Place = tuple[int, int, int]
RECALLED = 0.5
"""IoU from which a true box counts as found (the usual PASCAL threshold)."""


@dataclass
class Agreement:
    """Counts over images. A share is 1.0 if there is nothing to get wrong."""

    links_true: int = 0
    links_found: int = 0
    links_right: int = 0
    chains_true: int = 0
    chains_exact: int = 0
    boxes_true: int = 0
    boxes_recalled: int = 0
    boxes_found: int = 0
    boxes_right: int = 0
    iou_sum: float = 0.0
    images: int = 0

    @property
    def precision(self) -> float:
        """Return the share of pairs of mentions in one chain that truly belong together."""
        return _share(self.links_right, self.links_found)

    @property
    def recall(self) -> float:
        """Return the share of pairs of mentions that truly belong together that are in one chain."""
        return _share(self.links_right, self.links_true)

    @property
    def f1(self) -> float:
        return _share(2 * self.links_right, self.links_found + self.links_true)

    @property
    def exact_chains(self) -> float:
        """Return the share of true chains that were found with exactly their mentions."""
        return _share(self.chains_exact, self.chains_true)

    @property
    def box_recall(self) -> float:
        """Return the share of true boxes that were found.

        A true box is found if a chain that shares a mention has a box with an IoU of at least `RECALLED`.
        """
        return _share(self.boxes_recalled, self.boxes_true)

    @property
    def box_precision(self) -> float:
        """Return the share of annotated boxes, chain by chain, that match a true box.

        The true box must be of a chain that shares a mention.
        """
        return _share(self.boxes_right, self.boxes_found)

    @property
    def mean_iou(self) -> float:
        """Return the mean IoU over the true boxes that were found."""
        return _share(self.iou_sum, self.boxes_recalled)


def compare(truth: Iterable[ImageRecord], found: Iterable[ImageRecord]) -> Agreement:
    """Compare two data sets image by image (by name, without its extension).

    Images that only one of them has are left out, since an unfinished image says nothing. Mentions are
    matched by caption index and token span.
    """
    known = {_stem(record): record for record in truth}
    result = Agreement()
    for record in found:
        if true := known.get(_stem(record)):
            _add(result, true, record)
    return result


def _add(result: Agreement, truth: ImageRecord, found: ImageRecord) -> None:
    right, given = _pairs(truth), _pairs(found)
    result.images += 1
    result.links_true += len(right)
    result.links_found += len(given)
    result.links_right += len(right & given)
    sets = {chain.mentions for chain in found.chains}
    result.chains_true += len(truth.chains)
    result.chains_exact += sum(chain.mentions in sets for chain in truth.chains)
    recalled = [best for best in _best(truth, found) if best >= RECALLED]
    result.boxes_true += sum(len(chain.boxes) for chain in truth.chains)
    result.boxes_recalled += len(recalled)
    result.iou_sum += sum(recalled)
    result.boxes_found += sum(len(chain.boxes) for chain in found.chains)
    result.boxes_right += sum(best >= RECALLED for best in _best(found, truth))


def _best(record: ImageRecord, other: ImageRecord) -> Iterator[float]:
    """Yield for each box of each chain the best IoU with a box of the other's chains that share a mention."""
    boxes_at: dict[_Place, set[int]] = {}
    for chain in other.chains:
        for place in chain.mentions:
            boxes_at.setdefault(place, set()).update(chain.boxes)
    for chain in record.chains:
        numbers = set().union(*(boxes_at.get(place, set()) for place in chain.mentions))
        for index in chain.boxes:
            yield max((iou(record.boxes[index].box, other.boxes[n].box) for n in numbers), default=0.0)


def _pairs(record: ImageRecord) -> set[tuple[_Place, _Place]]:
    return {pair for chain in record.chains for pair in itertools.combinations(sorted(chain.mentions), 2)}


def _stem(record: ImageRecord) -> str:
    return record.name.rpartition(".")[0]


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0
