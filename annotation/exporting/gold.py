"""The known chains and boxes, as an export takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord
from annotation.exporting.raw import LeftOut, RawChain
from annotation.models import GoldChain, Mention


class Gold:
    """The known annotation: of images with known chains, and of those without any mention for a chain.

    With `unfinished`, images whose chains are not known are taken too.
    """

    def __init__(self, *, unfinished: bool) -> None:
        self._unfinished = unfinished

    def chains(self, images: Sequence[int], left_out: LeftOut) -> Mapping[int, Sequence[RawChain]]:
        """Return the chains, as Source says. This takes two queries."""
        found: dict[int, list[RawChain]] = {}
        columns = ("image_id", "members", "boxes", "scene", "nobndbox", "number", "decision_id")
        rows = (
            GoldChain.objects.filter(image__in=images, superseded=False).order_by("pk").values_list(*columns)
        )
        for image, members, boxes, scene, nobndbox, number, decision in rows:
            records = [BoxRecord(Box(*edges)) for edges in boxes]
            imported = (number,) if decision is None else ()
            chain = RawChain(members, records, scene, nobndbox, imported=imported)
            found.setdefault(image, []).append(chain)
        without = set(images).difference(found)
        unknown: set[int] = set()
        if without and not self._unfinished:
            asked = Mention.objects.filter(image__in=without, annotatable=True)
            unknown = set(asked.values_list("image_id", flat=True).distinct())
            left_out.images["without known chains"] += len(unknown)
        found.update({image: [] for image in without - unknown})
        return found
