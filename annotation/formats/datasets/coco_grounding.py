"""COCO files with a caption for each image and `tokens_positive` for each box, as MDETR and GLIP read them.

The fields, and what is one annotation, follow MDETR's script `flickr_combined.py` (Kamath et al., "MDETR -
Modulated Detection for End-to-End Multi-Modal Understanding", ICCV 2021).

As in `odvg`, only the captions are read back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotation.domain.geometry import Box
from annotation.domain.records import ImageRecord, Problem
from annotation.formats import parts
from annotation.formats.base import Writer
from annotation.formats.captions.entries import Entry, parse_entry, records_of
from annotation.formats.captions.json_captions import ERRORS, IMAGES, damaged, listed
from annotation.formats.datasets.coco import INFO
from annotation.formats.datasets.grounded_captions import Phrase, alike, enclosing, said, size_of, split_of
from annotation.formats.datasets.json_sections import JsonSections
from annotation.formats.datasets.odvg import size_in
from annotation.formats.datasets.split_files import SplitFiles
from evaluation.readers.records import MAX_CAPTIONS

SAME = 0.95
"""Boxes of a caption with at least this IoU are one annotation, as in MDETR's script."""
KINDS = ("separate", "merged")
_CATEGORIES = [{"supercategory": "object", "id": 1, "name": "object"}]


def file_name(kind: str, split: str) -> str:
    """Return the name under which MDETR looks for a file."""
    return f"final_flickr_{kind}GT_{split}.json"


_OWN_FIELDS = frozenset({"dataset_name", "tokens_negative", "tokens_positive_eval", "sentence_id"})
_NAME = re.compile(rf"final_flickr_({'|'.join(KINDS)})GT_\w+\.json")


def is_image(entry: object) -> bool:
    """Return whether this is an entry of `images` in such a file: it has a caption and fields of MDETR."""
    return isinstance(entry, dict) and "caption" in entry and not _OWN_FIELDS.isdisjoint(entry)


def is_called_so(name: str) -> bool:
    """Return whether a file has the name of one that may have no images, as that of a split without any."""
    return bool(_NAME.fullmatch(name))


def without_merged(names: Sequence[str]) -> list[str]:
    """Return the names of files without those of merged boxes whose captions another file has."""
    separate, merged = (f"final_flickr_{kind}GT_" for kind in KINDS)
    return [name for name in names if merged not in name or name.replace(merged, separate) not in names]


def read(path: Path) -> Iterator[ImageRecord | Problem]:
    """Yield one record for each run of entries of `images` about an image. `sentence_id` numbers captions."""
    yield from records_of(path, _entries(path))


def _entries(path: Path) -> Iterator[Entry | Problem]:
    try:
        for one in listed(path):
            if one.list == IMAGES:
                place = f"{IMAGES}[{one.index}]"
                try:
                    yield _entry(one.value, place)
                except ValueError as error:
                    yield Problem(str(path), None, f"{place}: {error}", "it was left out")
    except ERRORS as error:
        yield damaged(path, error)


def _entry(fields: object, place: str) -> Entry:
    if not isinstance(fields, dict) or not {"file_name", "caption"} <= fields.keys():
        raise ValueError('it is no object with "file_name" and "caption"')
    number = fields.get("sentence_id")
    first = number if type(number) is int and 0 <= number < MAX_CAPTIONS else None
    given = {"file_name": fields["file_name"], "caption": fields["caption"]}
    entry = parse_entry(given, place=place)
    return replace(entry, first=first, size=size_in(fields))


class CocoGroundingWriter(Writer):
    """Writes two files for each split, in which an image with one caption is an entry of `images`.

    In the `separate` one, each box of a phrase is an annotation. In the `merged` one, it is the box around
    all of them. Ids count from 1 over all files of a kind.
    """

    LACKS = frozenset(
        {
            parts.PHRASES_WITHOUT_BOXES,
            parts.NOT_VISUAL,
            parts.SAME,
            parts.SCENES,
            parts.NOT_BOXED,
        }
    )

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
