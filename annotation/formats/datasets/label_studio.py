"""Tasks with annotations that Label Studio imports, and the labelling configuration they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

import orjson

from annotation.domain.geometry import Box
from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import PICTURES, Writer
from annotation.formats.datasets.coco import Categories
from annotation.formats.datasets.grounded_captions import Said, drawn, said, size_of

FILE, CONFIG = "tasks.json", "label_config.xml"
LOCAL_FILES = "/data/local-files/?d="
"""How Label Studio calls a file below the folder from which it serves local files."""


class LabelStudioWriter(Writer):
    """Writes `tasks.json`, a task for each image, and `label_config.xml`.

    A box is a region with all its types as labels, and with its phrases as a text. The task's data have the
    captions, and the chains with their phrases, also those without boxes. Boxes are in percent of the sides.
    """

    LACKS = frozenset({parts.NOT_VISUAL})

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._file = (out / FILE).open("wb")
        self._file.write(b"[")
        self._categories = Categories()
        self._count = 0

    def _add(self, record: ImageRecord) -> None:
        self._categories.add(record)
        self._count += 1
        self._file.write((b",\n" if self._count > 1 else b"\n") + orjson.dumps(_task(record, self._count)))

    def close(self) -> None:
        self._file.write(b"\n]\n")
        self.discard()
        labels = "".join(
            f"    <Label value={quoteattr(entry['name'])}/>\n" for entry in self._categories.to_json()
        )
        config = (
            '<View>\n  <Image name="image" value="$image"/>\n'
            f'  <RectangleLabels name="types" toName="image" choice="multiple">\n'
            f"{labels}  </RectangleLabels>\n"
            '  <TextArea name="phrases" toName="image" perRegion="true" editable="true"/>\n'
            '  <Text name="captions" value="$captions"/>\n</View>\n'
        )
        (self.out / CONFIG).write_bytes(config.encode())

    def discard(self) -> None:
        self._file.close()


def _task(record: ImageRecord, number: int) -> dict[str, Any]:
    width, height = size_of(record)
    captions = said(record)
    data = {
        "image": LOCAL_FILES + quote(f"{PICTURES}/{record.name}"),
        "file_name": record.name,
        "split": record.split,
        "captions": "\n".join(caption.text for caption in captions),
        "chains": list(_chains(record, captions)),
    }
    result = list(_regions(record, captions, width, height))
    return {"id": number, "data": data, "annotations": [{"id": number, "result": result}]}


def _chains(record: ImageRecord, captions: list[Said]) -> Iterator[dict[str, Any]]:
    for chain in record.chains:
        phrases = [
            {"caption": place, "start": phrase.start, "end": phrase.end, "text": phrase.text}
            for place, caption in enumerate(captions)
            for phrase in caption.phrases
            if phrase.chain == chain.id
        ]
        flags = {"scene": chain.scene, "nobndbox": chain.nobndbox}
        regions = [_region_id(index) for index in chain.boxes]
        yield {"id": chain.id, "types": chain.types, **flags, "regions": regions, "phrases": phrases}


def _regions(record: ImageRecord, captions: list[Said], width: int, height: int) -> Iterator[dict[str, Any]]:
    for index, one in drawn(record).items():
        phrases = dict.fromkeys(
            phrase.text for caption in captions for phrase in caption.phrases if phrase.chain in one.chains
        )
        region = {
            "id": _region_id(index),
            "to_name": "image",
            "original_width": width,
            "original_height": height,
            "image_rotation": 0,
        }
        place = _percent(one.box, width, height)
        yield region | {
            "type": "rectanglelabels",
            "from_name": "types",
            "value": {**place, "rectanglelabels": one.types},
        }
        yield region | {"type": "textarea", "from_name": "phrases", "value": {**place, "text": list(phrases)}}


def _region_id(index: int) -> str:
    return f"box{index + 1}"


def _percent(box: Box, width: int, height: int) -> dict[str, float]:
    return {
        "x": 100 * box.left / width,
        "y": 100 * box.top / height,
        "width": 100 * box.width / width,
        "height": 100 * box.height / height,
        "rotation": 0,
    }
