"""What the text of an answer looks like. It is said in messages, and never decides how a text is read."""

from __future__ import annotations

import re

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
_LOOKED_AT = 20_000
"""Characters of a text that are looked at."""


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
