"""The chains and boxes a crowd has made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.domain.answers import Stage
from annotation.domain.geometry import Box as Rectangle
from annotation.domain.records import BoxRecord
from annotation.exporting.raw import LeftOut, RawChain
from annotation.models import Batch, Box, Chain, ImageWork, Judgment

# States of chains. `workflows.domain.pipeline` names them; a test holds the two together.
SPLIT, REVIEW = "split", "review"
FINISHED = frozenset({"done", "nonvisual"})


@dataclass(slots=True)
class _Row:
    """A row of Chain, and what was gathered for it."""

    id: int
    generation: int
    members: list[int]
    state: str
    flag: str
    boxes: list[BoxRecord] = field(default_factory=list)
    judgments: set[int] = field(default_factory=set)


class Crowd:
    """Of each image the work that is active, or that of `batch`.

    An image is finished when all its chains are done, non-visual, or in review; those in review are left out.
    With `unfinished` nothing is left out: images and chains come with what there is so far.
    """

    def __init__(self, *, batch: Batch | None, unfinished: bool) -> None:
        self._batch = batch
        self._unfinished = unfinished

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """See Source. Three queries and one more for the works."""
        works = ImageWork.objects.filter(image__in=images)
        works = works.filter(batch=self._batch) if self._batch else works.filter(active=True)
        image_of: dict[int, int] = {}
        done: set[int] = set()
        for pk, image, state in works.values_list("pk", "image_id", "state"):
            image_of[pk] = image
            if state in (ImageWork.State.DONE, ImageWork.State.BOXING):
                done.add(pk)
        rows = _rows(list(image_of))
        chosen: dict[int, int] = {}
        for work, image in image_of.items():
            settled = all(row.state in FINISHED or row.state in (SPLIT, REVIEW) for row in rows[work])
            if self._unfinished or (work in done and settled):
                chosen[work] = image
            else:
                left_out.images["unfinished"] += 1
        missing = len(images) - len(image_of)
        if not self._unfinished:
            left_out.images["in no batch"] += missing
        _add_boxes(chosen, rows)
        found = {image: self._finish(rows[work], left_out) for work, image in chosen.items()}
        if self._unfinished:
            found.update({image: [] for image in set(images).difference(image_of.values())})
        return found

    def _finish(self, rows: Sequence[_Row], left_out: LeftOut) -> list[RawChain]:
        found = []
        for row in rows:
            if row.state == SPLIT:
                continue
            finished = row.state in FINISHED
            if not finished and not self._unfinished:
                left_out.chains["in review"] += 1
                continue
            flags = (row.flag == "scene", row.flag == "nobndbox")
            found.append(RawChain(row.members, row.boxes, *flags, sorted(row.judgments), finished))
        return found


def _rows(works: Sequence[int]) -> defaultdict[int, list[_Row]]:
    rows: defaultdict[int, list[_Row]] = defaultdict(list)
    columns = ("work_id", "pk", "generation", "members", "state", "flag")
    for work, *row in Chain.objects.filter(work__in=works).order_by("generation", "pk").values_list(*columns):
        rows[work].append(_Row(*row))
    return rows


def _add_boxes(works: Mapping[int, int], rows: Mapping[int, Sequence[_Row]]) -> None:
    """Accepted boxes, and the judgments that boxes and chains rest on.

    A box rests on the judgment that drew it and those on its quality. A chain rests on the answers to links
    between two of its mentions, and to verification (also of the chain it was split from), requirement and
    coverage, and on drawing answers that no further box is needed.
    """
    by_id = {row.id: row for work in works for row in rows[work]}
    drawn: set[int] = set()
    accepted: dict[int, tuple[int, Rectangle, list[int]]] = {}
    columns = ("pk", "chain_id", "state", "judgment_id", "left", "top", "right", "bottom")
    boxes = Box.objects.filter(chain__work__in=list(works)).order_by("pk").values_list(*columns)
    for pk, chain, state, judgment, *edges in boxes:
        drawn.add(judgment)
        if state == Box.State.ACCEPTED:
            accepted[pk] = (chain, Rectangle(*edges), [judgment])
    heirs = _heirs(works, rows)
    about = ("item__stage", "item__chain_id", "item__box_id", "item__mention_a_id", "item__mention_b_id")
    judgments = Judgment.objects.filter(item__work__in=list(works)).values_list("pk", *about)
    for pk, stage, chain, box, a, b in judgments.iterator(chunk_size=10_000):
        if box is not None:
            if box in accepted:
                accepted[box][2].append(pk)
        elif stage == Stage.LINK:
            if (row := heirs.get(a)) is not None and heirs.get(b) is row:
                row.judgments.add(pk)
        elif pk not in drawn:
            row = by_id[chain]
            row.judgments.add(pk)
            if row.state == SPLIT:
                for mention in row.members:
                    heirs[mention].judgments.add(pk)
    for chain, rectangle, rests_on in accepted.values():
        by_id[chain].boxes.append(BoxRecord(rectangle, tuple(sorted(rests_on))))


def _heirs(works: Mapping[int, int], rows: Mapping[int, Sequence[_Row]]) -> dict[int, _Row]:
    """Mention id -> the chain it ended in."""
    return {
        mention: row for work in works for row in rows[work] if row.state != SPLIT for mention in row.members
    }
