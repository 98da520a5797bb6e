"""Many images with the chains and boxes that their pages show first, in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from annotation.domain.geometry import Box as Rectangle
from annotation.domain.records import BoxRecord
from annotation.exporting.images import read_drafts
from annotation.exporting.raw import LeftOut, RawChain
from annotation.models import Box, Chain, GoldChain, Image, ImageWork
from console.common.chain_page import GONE
from console.common.pictures import Shape
from console.inspector.image_page import Shown, showing


class FirstChains:
    """The chains and boxes of each image as its page shows them first, without what they rest on.

    They are those of the batch if there is one, otherwise of the active work, then the known ones, and then
    those of an image's last work. `works` has the work of each image, by the image's id.
    """

    def __init__(self, batch: int | None) -> None:
        self._batch = batch
        self.works: dict[int, int] = {}

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """Return the chains, as Source says. Four queries."""
        found: dict[int, list[RawChain]] = {image: [] for image in images}
        known = defaultdict(list)
        gold = GoldChain.objects.filter(image__in=images, superseded=False).order_by("pk")
        for image, members, boxes in gold.values_list("image_id", "members", "boxes"):
            known[image].append(RawChain(members, [BoxRecord(Rectangle(*edges)) for edges in boxes]))
        works = ImageWork.objects.grounding().filter(image__in=images).order_by("active", "pk")
        rows = works.values_list("pk", "image_id", "batch_id", "active")
        for pk, image, batch, active in rows:
            if batch == self._batch or (not self._batch and (active or image not in known)):
                self.works[image] = pk
        image_of = {work: image for image, work in self.works.items()}
        boxes_of: defaultdict[int, list[BoxRecord]] = defaultdict(list)
        accepted = Box.objects.filter(chain__work__in=image_of, state=Box.State.ACCEPTED).order_by("pk")
        for chain, *edges in accepted.values_list("chain_id", "left", "top", "right", "bottom"):
            boxes_of[chain].append(BoxRecord(Rectangle(*edges)))
        chains = Chain.objects.filter(work__in=image_of).exclude(state__in=GONE)
        for pk, work, members in chains.values_list("pk", "work_id", "members"):
            found[image_of[work]].append(RawChain(members, boxes_of[pk]))
        return {**found, **{image: chains for image, chains in known.items() if image not in self.works}}


def chains_of(images: Iterable[Image], batch: int | None) -> dict[int, list[Shown]]:
    """Return the chains of these images of one project, by the image's id. Seven queries."""
    ids = {image.name: image.pk for image in images}
    drafts = read_drafts(list(ids.values()), FirstChains(batch), LeftOut())
    return {ids[draft.record.name]: showing(draft, None).chains for draft in drafts}


def chain_shapes(chains: Iterable[Shown]) -> tuple[Shape, ...]:
    """Return the boxes of chains, each with the letter of its chain."""
    return tuple(Shape(chain.look, chain.letter, *box) for chain in chains for box in chain.boxes)
