"""Predictions for `selection`: the boxes that a system chose in each image.

The file has JSON lines `{"image": "a.jpg", "boxes": [[l, t, r, b], …]}`, with the best box first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from evaluation.boxes import iou_matrix
from evaluation.content_selection import Instances
from evaluation.errors import Place, boxes_of, fields_of, within
from evaluation.predictions.findings import Findings
from evaluation.predictions.localization import MAX_LINE
from evaluation.readers.files import json_lines

SAME = 0.5
"""The least IoU with which a chosen box is one of the image's boxes [ours]."""


def read_selection(path: Path, images: Mapping[str, Instances], findings: Findings) -> dict[str, list[int]]:
    """Return the instances that a system chose in each image, by its name, the best first.

    A box that is none of the image's gets a number that none of them has. What else the file has is counted
    in `findings`. Raise InputError for the first thing that cannot be read.
    """
    found: dict[str, list[int]] = {}
    for value, place in json_lines(path, MAX_LINE):
        fields = fields_of(value, place, ("image", "boxes"))
        name = within(fields["image"], str, place, "image")
        boxes = boxes_of(fields["boxes"], place, "boxes")
        if name not in images:
            findings.add("prediction for an image that the data set does not have", f"{place.entry}: {name}")
        elif name in found:
            findings.add("second prediction for the same image", f"{place.entry}: {name}")
        else:
            found[name] = _instances(boxes, images[name], place, findings)
    for name in images:
        if name not in found:
            findings.add("image without a selection", name)
        elif not found[name]:
            findings.add("image that selects nothing", name)
    return found


def _instances(
    boxes: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    image: Instances,
    place: Place,
    findings: Findings,
) -> list[int]:
    chosen: dict[int, None] = {}
    for at, box in enumerate(boxes):
        overlaps = iou_matrix(box[None], image.boxes)[0] if np.isfinite(box).all() else np.zeros(1)
        best = int(overlaps.argmax())
        if overlaps[best] < SAME:
            findings.add("chosen box that is not a box of the image", f"{place.entry}: boxes[{at}]")
            chosen[len(image.boxes) + at] = None
        elif best in chosen:
            findings.add("box that is chosen twice", f"{place.entry}: boxes[{at}]")
        else:
            chosen[best] = None
    return list(chosen)
