"""Files with all labelled boxes of images, for `selection`: mentioned or not.

The file has JSON lines `{"image": "a.jpg", "boxes": [[l, t, r, b], …], "labels": ["dog", …]}`, or is one
object in COCO's format with `images`, `annotations` and `categories`. Its boxes are `[x, y, width, height]`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from evaluation.arrays import Floats
from evaluation.content_selection import Labelled
from evaluation.errors import Place, boxes_of, entries_of, fields_of, load_json, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.readers.captions import MAX_COCO, is_one_object
from evaluation.readers.files import json_lines, opened_file

_Entry = tuple[str, Labelled, Place]


def read_labelled(path: Path, names: Iterable[str], findings: Findings) -> dict[str, Labelled]:
    """Return the boxes of the images with these names, which a file may give without their suffixes.

    What else the file has is counted in `findings`. Raise InputError for the first thing that cannot be read,
    and for a box that is empty or infinite.
    """
    own_names = list(names)
    stems = Counter(name.rpartition(".")[0] or name for name in own_names)
    known = {stem: name for name in own_names if stems[stem := name.rpartition(".")[0] or name] == 1}
    known |= {name: name for name in own_names}
    found: dict[str, Labelled] = {}
    for name, labelled, place in _coco(path) if is_one_object(path) else _lines(path):
        own = known.get(name)
        if own is None:
            findings.add("labelled boxes of an image that is not measured", name)
        elif own in found:
            raise place.error("image", f"{name} is given twice")
        else:
            found[own] = labelled
    for name in sorted({*own_names} - found.keys()):
        findings.add("image without labelled boxes", name)
    return found


def _lines(path: Path) -> Iterator[_Entry]:
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("image", "boxes", "labels"))
        boxes = _checked(boxes_of(fields["boxes"], place, "boxes"), place, "boxes")
        labels = within(fields["labels"], list, place, "labels")
        if len(labels) != len(boxes):
            raise place.error("labels", f"has {len(labels)} entries for {len(boxes)} boxes")
        words = tuple(within(one, str, place, f"labels[{at}]") for at, one in enumerate(labels))
        yield within(fields["image"], str, place, "image"), Labelled(boxes, words), place


def _coco(path: Path) -> Iterator[_Entry]:
    place = Place(str(path))
    with opened_file(path) as file:
        content = file.read(MAX_COCO + 1)
    if len(content) > MAX_COCO:
        raise place.error("", f"has more than {MAX_COCO:,} bytes")
    top = within(load_json(content, place), dict, place, "")
    for name in ("images", "annotations", "categories"):
        if name not in top:
            raise place.error(name, "is missing: labelled boxes need images, annotations and categories")
    names = dict(_ids(top["images"], place, "images", "file_name"))
    labels = dict(_ids(top["categories"], place, "categories", "name"))
    boxes: defaultdict[int, list[Floats]] = defaultdict(list)
    called: defaultdict[int, list[str]] = defaultdict(list)
    for value, field in entries_of(top["annotations"], place, "annotations", None):
        one = within(value, dict, place, field)
        image = within(one.get("image_id"), int, place, f"{field}.image_id")
        category = within(one.get("category_id"), int, place, f"{field}.category_id")
        if image not in names:
            raise place.error(f"{field}.image_id", f"{image} is the id of no image")
        if category not in labels:
            raise place.error(f"{field}.category_id", f"{category} is the id of no category")
        box = boxes_of([one.get("bbox")], place, f"{field}.bbox")
        edges = np.concatenate([box[:, :2], box[:, :2] + box[:, 2:]], axis=1)
        boxes[image].append(_checked(edges, place, f"{field}.bbox")[0])
        called[image].append(labels[category])
    for image, name in names.items():
        yield name, Labelled(np.array(boxes[image]).reshape(-1, 4), tuple(called[image])), place


def _ids(value: object, place: Place, name: str, text: str) -> Iterator[tuple[int, str]]:
    for entry, field in entries_of(value, place, name, None):
        one = within(entry, dict, place, field)
        said = within(one.get(text), str, place, f"{field}.{text}")
        yield within(one.get("id"), int, place, f"{field}.id"), said


def _checked(boxes: Floats, place: Place, field: str) -> Floats:
    finite = np.isfinite(boxes).all(axis=1)
    wrong = ~finite | (boxes[:, 0] >= boxes[:, 2]) | (boxes[:, 1] >= boxes[:, 3])
    if wrong.any():
        raise place.error(f"{field}[{int(wrong.argmax())}]", "is an empty or infinite box")
    return boxes
