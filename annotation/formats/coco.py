"""COCO detections, with captions and the links from phrases to boxes. pycocotools can load them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotation.domain.merge import unite_types
from annotation.domain.records import CaptionRecord, ImageRecord
from annotation.domain.types import TYPES
from annotation.formats.base import Writer, check_name, token_list
from annotation.formats.json_sections import JsonSections

FILE = "coco.json"
INFO = {"description": "Phrases of captions and their boxes, exported by Groundcrew"}
"""COCO's `info`: some versions of pycocotools do not load results for a file without it."""
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

    def add(self, record: ImageRecord) -> None:
        if wrong := check_name(record.name):
            raise ValueError(wrong)
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
        pointing: dict[int, list[int]] = {}
        for place, chain in enumerate(record.chains):
            for index in chain.boxes:
                pointing.setdefault(index, []).append(place)
        ids = {}
        for index, box in enumerate(record.boxes):
            if index not in pointing:
                continue
            chains = [record.chains[place] for place in pointing[index]]
            types = unite_types(chain.types for chain in chains) or ("other",)
            ids[index] = self._put(
                "annotations",
                image_id=image,
                category_id=TYPES.index(types[0]) + 1,
                bbox=(box.box.left, box.box.top, box.box.width, box.box.height),
                area=box.box.area,
                iscrowd=0,
                types=types,
                chain_ids=sorted(chain.id for chain in chains),
            )
        return ids

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
        categories = [
            {"id": place, "name": name, "supercategory": "entity"}
            for place, name in enumerate(TYPES, start=1)
        ]
        self._sections.close({"info": INFO, "licenses": [], "categories": categories})

    def discard(self) -> None:
        self._sections.discard()
