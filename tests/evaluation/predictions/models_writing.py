"""How models write boxes, as functions that tests write answers with. They share no code with the readers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Box = tuple[float, float, float, float]
Labelled = list[tuple[str, Box]]


@dataclass(frozen=True)
class Writing:
    """`write` gives the answer for boxes in pixels of an image of (width, height).

    `rounding` is how far a side that is read back may be off, as a share of the image's side.
    """

    write: Callable[[Labelled, int, int], str]
    rounding: float


def _share(box: Box, width: int, height: int) -> Box:
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def _thousand(box: Box, width: int, height: int) -> list[int]:
    return [round(1000 * one) for one in _share(box, width, height)]


def qwen25(found: Labelled, width: int, height: int) -> str:
    # Images between 56 x 56 and 3584 x 3584 pixels are only rounded to multiples of 28.
    across, down = 28 * max(1, round(width / 28)), 28 * max(1, round(height / 28))
    entries = [
        {
            "bbox_2d": [
                round(box[0] * across / width),
                round(box[1] * down / height),
                round(box[2] * across / width),
                round(box[3] * down / height),
            ],
            "label": label,
        }
        for label, box in found
    ]
    return f"```json\n{json.dumps(entries, indent=1)}\n```"


def qwen3(found: Labelled, width: int, height: int) -> str:
    entries = [{"label": label, "bbox_2d": _thousand(box, width, height)} for label, box in found]
    return f"Here they are: {json.dumps(entries)}. Anything else?"


def qwen2(found: Labelled, width: int, height: int) -> str:
    pieces = []
    for label, box in found:
        left, top, right, bottom = _thousand(box, width, height)
        pieces.append(
            f"<|object_ref_start|>{label}<|object_ref_end|>"
            f"<|box_start|>({left},{top}),({right},{bottom})<|box_end|>"
        )
    return " and ".join(pieces) + "<|im_end|>"


def internvl(found: Labelled, width: int, height: int) -> str:
    return ", ".join(
        f"<ref>{label}</ref><box>[{_thousand(box, width, height)}]</box>" for label, box in found
    )


def florence(found: Labelled, width: int, height: int) -> str:
    def token(share: float) -> str:
        return f"<loc_{min(999, math.floor(share * 1000))}>"

    pieces = [label + "".join(map(token, _share(box, width, height))) for label, box in found]
    return f"</s><s>{''.join(pieces)}</s>"


def paligemma(found: Labelled, width: int, height: int) -> str:
    pieces = []
    for label, box in found:
        left, top, right, bottom = (round(one * 1023) for one in _share(box, width, height))
        pieces.append(f"<loc{top:04d}><loc{left:04d}><loc{bottom:04d}><loc{right:04d}> {label}")
    return " ; ".join(pieces)


def kosmos(found: Labelled, width: int, height: int) -> str:
    pieces = []
    for label, box in found:
        left, top, right, bottom = _share(box, width, height)
        first = math.floor(top * 32) * 32 + math.floor(left * 32)
        last = math.ceil(bottom * 32 - 1) * 32 + math.ceil(right * 32 - 1)
        pieces.append(
            f"<phrase> {label}</phrase><object><patch_index_{first:04d}><patch_index_{last:04d}></object>"
        )
    return "<grounding> An image of" + " and".join(pieces)


def shikra(found: Labelled, width: int, height: int) -> str:
    side = max(width, height)
    right_by, down_by = (side - width) // 2, (side - height) // 2
    pieces = []
    for label, box in found:
        numbers = (box[0] + right_by, box[1] + down_by, box[2] + right_by, box[3] + down_by)
        pieces.append(f"{label} [{','.join(f'{one / side:.3f}' for one in numbers)}]")
    return ", ".join(pieces) + "."


def gemini(found: Labelled, width: int, height: int) -> str:
    entries = []
    for label, box in found:
        left, top, right, bottom = _thousand(box, width, height)
        entries.append({"box_2d": [top, left, bottom, right], "label": label})
    return "```json\n" + json.dumps(entries) + "\n```"


WRITINGS: Mapping[str, Writing] = {
    "qwen2.5-vl": Writing(qwen25, 0.5 / 56),
    "qwen3-vl": Writing(qwen3, 0.0005),
    "qwen2-vl": Writing(qwen2, 0.0005),
    "internvl": Writing(internvl, 0.0005),
    "florence-2": Writing(florence, 0.0005),
    "paligemma": Writing(paligemma, 0.5 / 1023),
    "kosmos-2": Writing(kosmos, 1 / 32),
    "shikra": Writing(shikra, 0.0005),
    "gemini": Writing(gemini, 0.0005),
}
