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
_SECTIONS = ("images", "annotations", "captions", "phrases", "chains")


class Categories:
    """The categories of the boxes, from 1: the eight types, then own ones as they first come in a chain.

    `evaluation.predictions.coco.categories` counts them in the same way.
    """

    def __init__(self) -> None:
        self._ids = {name: place for place, name in enumerate(TYPES, start=1)}

    def add(self, record: ImageRecord) -> None:
        """Count the types of the next image's chains. This comes before any of its boxes."""
        for chain in record.chains:
            for name in chain.types:
                self._ids.setdefault(name, len(self._ids) + 1)

    def __getitem__(self, name: str) -> int:
        """Return the id of a type that was counted."""
        return self._ids[name]

    def to_json(self) -> list[dict[str, Any]]:
        """Return COCO's `categories`."""
        return [{"id": place, "name": name, "supercategory": "entity"} for name, place in self._ids.items()]


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
        self._categories = Categories()

    def _add(self, record: ImageRecord) -> None:
        self._categories.add(record)
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
                category_id=self._categories[one.types[0]],
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
        self._sections.close({"info": INFO, "licenses": [], "categories": self._categories.to_json()})

    def discard(self) -> None:
        self._sections.discard()
