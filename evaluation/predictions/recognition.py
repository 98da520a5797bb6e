"""What the text of an answer looks like. It is said in messages, and never decides how a text is read."""

from __future__ import annotations

import re
from typing import Any

from evaluation.predictions.answer_texts import bare_boxes, has_pairs

_SIGNS = (
    (re.compile(r"<\|object_ref_start\|>|<\|box_start\|>|<box>\s*+\("), ("qwen2-vl",)),
    (re.compile(r"<box>\s*+\["), ("internvl",)),
    (re.compile(r"<loc_\d"), ("florence-2",)),
    (re.compile(r"<loc\d{4}>"), ("paligemma",)),
    (re.compile(r"<patch_index_\d"), ("kosmos-2",)),
    (re.compile(r"<points?\s"), ("molmo",)),
    (re.compile(r'"box_2d"'), ("gemini",)),
    (re.compile(r'"(?:bbox_2d|point_2d)"'), ("qwen2.5-vl", "qwen3-vl")),
    (re.compile(r"<ref>"), ("internvl", "qwen2-vl")),
)
_AS_ANSWER = (
    "give lines with image and, in answer, the text of the model; --predictions-format says which model it is"
)
_LOOKED_AT = 20_000
"""Characters of a text that are looked at."""


_KEYS = {"bbox_2d": "qwen2.5-vl or qwen3-vl", "box_2d": "gemini"}
"""Fields of a box that tell which model's they are."""


def hint_of(entry: dict[str, Any]) -> tuple[str, str]:
    """Return the field of an entry that has an answer and is not called so, and what to do; "" for none.

    >>> hint_of({"image": "a.jpg", "output": "a dog<loc_1><loc_2><loc_3><loc_4>"})[0]
    'output'
    """
    for field, value in entry.items():
        if field in _KEYS:
            return field, f"looks like {_KEYS[field]}: {_AS_ANSWER}"
        if isinstance(value, str) and field not in ("image", "phrase") and (names := formats_like(value)):
            return field, f"looks like {' or '.join(names)}: {_AS_ANSWER}"
    return "", ""


def hint_of_text(text: str) -> str:
    """Return what to do about a line that is an answer without anything around it, or ""."""
    names = formats_like(text)
    return f"looks like {' or '.join(names)}: {_AS_ANSWER}" if names else ""


def formats_like(text: str) -> tuple[str, ...]:
    """Return the formats that a text looks like, the likeliest first, or none.

    >>> formats_like("<loc0256><loc0128><loc0768><loc0512> a dog"), formats_like("There is no dog.")
    (('paligemma',), ())
    """
    text = text[:_LOOKED_AT]
    for sign, names in _SIGNS:
        if sign.search(text):
            return names
    if has_pairs(text):
        return ("qwen2-vl",)
    first = next(bare_boxes(text), None)
    if first is None:
        return ()
    if max(first) <= 1:
        return ("shikra", "fractions")
    return ("qwen3-vl", "thousandths", "pixels") if max(first) <= 1000 else ("qwen2.5-vl", "pixels")
