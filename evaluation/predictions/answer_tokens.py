"""Finds boxes in answers that write them in tokens of their own, such as `<loc_24>`.

Each function takes time in proportion to the length of the text.
"""

from __future__ import annotations

import re

from evaluation.coordinates import PATCHES, from_patches
from evaluation.predictions.answers import MAX_SHOWN, Found, label_of

_FLORENCE = re.compile(r"(<poly>(?:<loc_\d{1,6}>|<sep>)*+)|((?:<loc_\d{1,6}>)++)")
_PALIGEMMA = re.compile(r"((?:<loc\d{4}>)++)(?:<seg\d{3}>)*+([^<;\n]*+)")
_KOSMOS = re.compile(
    r"<phrase>([^<]*+)|<patch_index_(\d{1,6})>|(</delimiter_of_multi_objects/>)|(<object>)|(</object>)"
)
_DIGITS = re.compile(r"\d+")
_TOKENS = {"florence": 1000, "paligemma": 1024}


def boxes_of_florence(text: str) -> Found:
    """Find `a dog<loc_24><loc_60><loc_400><loc_680>`, as Florence-2 writes it: the label is first.

    A number is a bin of 1000, from 0. A polygon is no box.
    """
    found, end, label = Found(), 0, ""
    for match in _FLORENCE.finditer(text):
        label = label_of(text[end : match.start()]) or label
        end = match.end()
        if match[1]:
            found.unreadable.append(f"{label} {match[1]}"[:MAX_SHOWN])
        else:
            _add(found, match[2], label, _TOKENS["florence"])
    return found


def boxes_of_paligemma(text: str) -> Found:
    """Find `<loc0060><loc0024><loc0680><loc0400> a dog ; …`, as PaliGemma writes it.

    The numbers are top, left, bottom, right, each from 0 to 1023, which are both ends of a side. The label is
    last.
    """
    found = Found()
    for match in _PALIGEMMA.finditer(text):
        _add(found, match[1], label_of(match[2]), _TOKENS["paligemma"])
    return found


def boxes_of_kosmos(text: str) -> Found:
    """Find `<phrase>a dog</phrase><object><patch_index_0044><patch_index_0863></object>`.

    So Kosmos-2 writes boxes: the first and the last patch of each, in a grid of 32 × 32. The numbers found
    are fractions of the sides.
    """
    found, label, patches = Found(), "", list[int]()

    def close() -> None:
        if len(patches) == 2 and max(patches) < PATCHES * PATCHES:
            found.add(list(from_patches(*patches)), label)
        elif patches:
            found.unreadable.append(f"{label} {len(patches)} patches {patches[:2]}"[:MAX_SHOWN])
        patches.clear()

    for match in _KOSMOS.finditer(text):
        if match[1] is not None:
            close()
            label = label_of(match[1])
        elif match[2]:
            patches.append(int(match[2]))
        else:
            close()
            if match[5]:
                label = ""
    close()
    return found


def _add(found: Found, tokens: str, label: str, count: int) -> None:
    numbers = [float(one) for one in _DIGITS.findall(tokens.replace("loc_", "").replace("loc", ""))]
    if max(numbers) >= count:
        found.unreadable.append(f"{label} {tokens}"[:MAX_SHOWN])
        return
    found.add(numbers, label)
