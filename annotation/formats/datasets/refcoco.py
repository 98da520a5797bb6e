"""Referring expressions in the shape of RefCOCO: `instances.json`, and references to its boxes."""

from __future__ import annotations

import pickle
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from annotation.domain.records import ImageRecord
from annotation.formats import parts
from annotation.formats.base import Writer
from annotation.formats.datasets.coco import INFO, Categories
from annotation.formats.datasets.grounded_captions import Phrase, drawn, said, size_of, split_of
from annotation.formats.datasets.json_sections import JsonSections

INSTANCES = "instances.json"
REFS_LINES, REFS_PICKLE = "refs(groundcrew).jsonl", "refs(groundcrew).p"
UNCLEAR = "phrases that name several chains"
_PROTOCOL = 2  # the newest that Python 2 reads, in which the API of RefCOCO is written


class RefcocoWriter(Writer):
    """Writes `instances.json`, and each chain with exactly one box as a reference: its phrases name the box.

    A phrase that names another chain of the image, too, is left out, since it does not say which is meant.
    The references are written as lines of JSON, and as a pickle, which programs for RefCOCO read. There is no
    second file `*.json`, since converters of COCO read all of them.
    """

    LACKS = frozenset(
        {
            parts.CAPTIONS,
            parts.PHRASES_WITHOUT_BOXES,
            parts.NOT_VISUAL,
            parts.SEVERAL_BOXES,
            parts.SCENES,
            parts.NOT_BOXED,
        }
    )

    def __init__(self, out: Path) -> None:
        super().__init__(out)
        self._instances = JsonSections(out / INSTANCES, ("images", "annotations"))
        self._files = ExitStack()
        self._lines = self._files.enter_context((out / REFS_LINES).open("wb"))
        self._pickle = self._files.enter_context((out / REFS_PICKLE).open("wb"))
        self._pickle.write(pickle.PROTO + bytes([_PROTOCOL]) + pickle.EMPTY_LIST)
        self._categories = Categories()
        self._images = self._annotations = self._refs = self._sentences = 0

    def _add(self, record: ImageRecord) -> None:
        width, height = size_of(record)
        self._categories.add(record)
        self._images += 1
        image = {"id": self._images, "file_name": record.name, "height": height, "width": width}
        self._instances.add("images", image)
        annotations: dict[int, dict[str, Any]] = {}
        for index, one in drawn(record).items():
            self._annotations += 1
            annotations[index] = {
                "id": self._annotations,
                "image_id": self._images,
                "category_id": self._categories[one.types[0]],
                "bbox": (one.box.left, one.box.top, one.box.width, one.box.height),
                "area": one.box.area,
                "iscrowd": 0,
                "segmentation": [],
            }
            self._instances.add("annotations", annotations[index])
        expressions, unclear = _expressions(record)
        self.not_held[UNCLEAR] += unclear
        for chain in record.chains:
            if len(chain.boxes) == 1 and (phrases := expressions.get(chain.id)):
                self._add_ref(record, annotations[chain.boxes[0]], phrases)

    def _add_ref(self, record: ImageRecord, annotation: dict[str, Any], phrases: list[Phrase]) -> None:
        sentences = []
        for phrase in phrases:
            self._sentences += 1
            words = [token.lower() for token in phrase.tokens]
            sentence = {
                "sent_id": self._sentences,
                "sent": " ".join(words),
                "raw": phrase.text,
                "tokens": words,
            }
            sentences.append(sentence)
        self._refs += 1
        ref = {
            "ref_id": self._refs,
            "ann_id": annotation["id"],
            "image_id": annotation["image_id"],
            "category_id": annotation["category_id"],
            "file_name": record.name,
            "split": split_of(record),
            "sent_ids": [sentence["sent_id"] for sentence in sentences],
            "sentences": sentences,
        }
        self._lines.write(orjson.dumps(ref, option=orjson.OPT_APPEND_NEWLINE))
        # A pickle of a long list, written entry by entry: without its first two bytes (the protocol) and its
        # last (the end), the pickle of an entry can stand within another one.
        self._pickle.write(pickle.dumps(ref, _PROTOCOL)[2:-1] + pickle.APPEND)

    def close(self) -> None:
        self._pickle.write(pickle.STOP)
        self._instances.close({"info": INFO, "licenses": [], "categories": self._categories.to_json()})
        self.discard()

    def discard(self) -> None:
        self._instances.discard()
        self._files.close()


def _expressions(record: ImageRecord) -> tuple[dict[int, list[Phrase]], int]:
    """Return the phrases of each chain that name nothing else in the image, each of them once.

    Also return the number of the other words, counted once for each chain that they name.
    """
    named: dict[int, dict[str, Phrase]] = {}
    for caption in said(record):
        for phrase in caption.phrases:
            named.setdefault(phrase.chain, {}).setdefault(" ".join(phrase.tokens).lower(), phrase)
    counts = Counter(words for phrases in named.values() for words in phrases)
    kept = {
        chain: [phrase for words, phrase in phrases.items() if counts[words] == 1]
        for chain, phrases in named.items()
    }
    return kept, sum(count for count in counts.values() if count > 1)
