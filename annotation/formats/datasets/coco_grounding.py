"""COCO files with a caption for each image and `tokens_positive` for each box, as MDETR and GLIP read them.

The fields, and what is one annotation, follow MDETR's script `flickr_combined.py` (Kamath et al., "MDETR -
Modulated Detection for End-to-End Multi-Modal Understanding", ICCV 2021).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from annotation.domain.geometry import Box
from annotation.domain.records import ImageRecord
from annotation.formats.base import Writer
from annotation.formats.datasets.coco import INFO
from annotation.formats.datasets.grounded_captions import Phrase, alike, enclosing, said, size_of, split_of
from annotation.formats.datasets.json_sections import JsonSections
from annotation.formats.datasets.split_files import SplitFiles

SAME = 0.95
"""Boxes of a caption with at least this IoU are one annotation, as in MDETR's script."""
KINDS = ("separate", "merged")
_CATEGORIES = [{"supercategory": "object", "id": 1, "name": "object"}]


def file_name(kind: str, split: str) -> str:
    """Return the name under which MDETR looks for a file."""
    return f"final_flickr_{kind}GT_{split}.json"


class CocoGroundingWriter(Writer):
    """Writes two files for each split, in which an image with one caption is an entry of `images`.

    In the `separate` one, each box of a phrase is an annotation. In the `merged` one, it is the box around
    all of them. Ids count from 1 over all files of a kind.
    """

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._files = {kind: SplitFiles(self._maker(kind)) for kind in KINDS}
        self._images = 0
        self._annotations = dict.fromkeys(KINDS, 0)

    def _maker(self, kind: str) -> Any:
        return lambda split: JsonSections(self.out / file_name(kind, split), ("images", "annotations"))

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        stem = Path(record.name).stem
        for place, caption in enumerate(said(record)):
            self._images += 1
            image = {
                "file_name": record.name,
                "height": height,
                "width": width,
                "id": self._images,
                "caption": caption.text,
                "dataset_name": "flickr",
                "tokens_negative": [(0, len(caption.text))],
                "sentence_id": place,
                # MDETR's evaluator looks for this number, and so has no other names.
                "original_img_id": int(stem) if stem.isdecimal() and str(int(stem)) == stem else stem,
                "tokens_positive_eval": [[phrase.span] for phrase in caption.phrases if phrase.boxes],
            }
            for kind in KINDS:
                file = self._files[kind].of(split_of(record))
                file.add("images", image)
                for box, spans in _grounded(caption.phrases, merged=kind == "merged"):
                    self._annotations[kind] += 1
                    file.add("annotations", self._annotation(self._annotations[kind], box, spans))

    def _annotation(self, number: int, box: Box, spans: Sequence[tuple[int, int]]) -> dict[str, Any]:
        return {
            "id": number,
            "image_id": self._images,
            "category_id": 1,
            "bbox": (box.left, box.top, box.width, box.height),
            "area": box.area,
            "iscrowd": 0,
            "tokens_positive": spans,
        }

    def close(self) -> None:
        head = {"info": INFO, "licenses": [], "categories": _CATEGORIES}
        for kind in KINDS:
            for file in self._files[kind].all():
                file.close(head)

    def discard(self) -> None:
        for kind in KINDS:
            for file in self._files[kind].opened():
                file.discard()


def _grounded(phrases: Sequence[Phrase], *, merged: bool) -> Iterator[tuple[Box, Sequence[tuple[int, int]]]]:
    """Yield the boxes of a caption with the spans of all their phrases. Of boxes alike, the last is taken."""
    placed = [
        (box, phrase)
        for phrase in phrases
        if phrase.boxes
        for box in ([enclosing(phrase.boxes)] if merged else phrase.boxes)
    ]
    for group in alike([box for box, _ in placed], SAME):
        yield placed[group[-1]][0], sorted({placed[place][1].span for place in group})
