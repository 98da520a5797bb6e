"""COCO detections, with captions and the links from phrases to boxes. pycocotools can load them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.domain.records import CaptionRecord, ImageRecord
from annotation.domain.types import TYPES
from annotation.formats.base import Writer, token_list
from annotation.formats.datasets.grounded_captions import drawn
from annotation.formats.datasets.json_sections import JsonSections

FILE = "coco.json"
INFO = {"description": "Phrases of captions and their boxes, exported by Groundcrew"}
"""COCO's `info`: some versions of pycocotools do not load results for a file without it."""
CATEGORIES = [
    {"id": place, "name": name, "supercategory": "entity"} for place, name in enumerate(TYPES, start=1)
]
_SECTIONS = ("images", "annotations", "captions", "phrases", "chains")


class CocoWriter(Writer):
    """Writes `coco.json`.

    Ids count from 1 in the order of the images. A box has one annotation, in the category of the first of its
    chains' types. `phrases` holds mentions, [start, end) in tokens, with their chain (0 = notvisual) and
    annotation ids.
    """

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._sections = JsonSections(out / FILE, _SECTIONS)
        self._counts = dict.fromkeys(_SECTIONS, 0)

    def _add(self, record: ImageRecord) -> None:
        image = self._put(
            "images",
            file_name=record.name,
            width=record.width or 0,
            height=record.height or 0,
            split=record.split,
        )
        annotations = self._add_boxes(record, image)
        boxes_of = {chain.id: [annotations[index] for index in chain.boxes] for chain in record.chains}
        for caption in record.captions:
            self._add_caption(caption, image, boxes_of)
        for chain in record.chains:
            self._sections.add(
                "chains",
                {
                    "id": chain.id,
                    "image_id": image,
                    "types": chain.types,
                    "scene": chain.scene,
                    "nobndbox": chain.nobndbox,
                    "annotation_ids": boxes_of[chain.id],
                },
            )

    def _add_boxes(self, record: ImageRecord, image: int) -> dict[int, int]:
        """Write the boxes that chains point to. Return their annotation ids by index of the box."""
        return {
            index: self._put(
                "annotations",
                image_id=image,
                category_id=TYPES.index(one.types[0]) + 1,
                bbox=(one.box.left, one.box.top, one.box.width, one.box.height),
                area=one.box.area,
                iscrowd=0,
                types=one.types,
                chain_ids=one.chains,
            )
            for index, one in drawn(record).items()
        }

    def _add_caption(self, caption: CaptionRecord, image: int, boxes_of: dict[int, list[int]]) -> None:
        tokens = token_list(caption)
        number = self._put(
            "captions", image_id=image, index=caption.index, caption=caption.text, tokens=tokens
        )
        for mention in caption.mentions or ():
            self._put(
                "phrases",
                image_id=image,
                caption_id=number,
                start=mention.start,
                end=mention.end,
                phrase=" ".join(tokens[mention.start : mention.end]),
                types=mention.types,
                chain_id=mention.chain or 0,
                annotation_ids=boxes_of.get(mention.chain or 0, []),
            )

    def _put(self, section: str, **fields: Any) -> int:
        self._counts[section] += 1
        self._sections.add(section, {"id": self._counts[section], **fields})
        return self._counts[section]

    def close(self) -> None:
        self._sections.close({"info": INFO, "licenses": [], "categories": CATEGORIES})

    def discard(self) -> None:
        self._sections.discard()
