"""Finds boxes in answers that write them as JSON, in brackets or in parentheses.

Text around them, code fences, and JSON that is cut off or wrong elsewhere make no difference. Each function
takes time in proportion to the length of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from evaluation.predictions.answers import MAX_SHOWN, NUMBER, Found, label_of

_FOUR = rf"{NUMBER}(?:\s*+,\s*+{NUMBER}){{3}}+"
_SEVERAL = re.compile(rf"[\[(]\s*+({_FOUR}(?:\s*+;\s*+{_FOUR})*+)\s*+[\])]")
_PAIRS = rf"\(\s*+{NUMBER}\s*+,\s*+{NUMBER}\s*+\)\s*+,?+\s*+\(\s*+{NUMBER}\s*+,\s*+{NUMBER}\s*+\)"
_PAIR = re.compile(_PAIRS)
_NUMBER = re.compile(NUMBER)
_BOX = re.compile(rf"\[\s*+({_FOUR})\s*+\]")
_COMMA = re.compile(r"\s*+,?+\s*+")
_NOTHING = re.compile(r"null|None|\[\s*+\]")
_LABEL = re.compile(r'"(?:label|phrase|ref|name|text)"\s*+:\s*+"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_SCORE = re.compile(rf'"(?:score|confidence)"\s*+:\s*+({NUMBER})')
_WITHIN = re.compile(r'(?:[^"}]|"(?:[^"\\]|\\.)*+")*+', re.DOTALL)
"""The rest of an object, up to its end, or up to where the text is cut off."""
_REF = r"<\|object_ref_start\|>|<ref>"
_QWEN2 = re.compile(rf"(?:{_REF})([^<]*+)|({_PAIRS})|(<\|box_start\|>|<box>)")
_INTERN = re.compile(rf"<ref>([^<]*+)|\[\s*+({_FOUR})\s*+\]|(<box>)")
_POINTS = re.compile(r"<points?\b([^<>]*+)>")
_ABSCISSA = re.compile(r"\bx\d{0,4}\s*+=")
_COORDS = re.compile(r"coords?\s*+=")


def boxes_of_qwen(text: str) -> Found:
    """Find `{"bbox_2d": [12, 30, 200, 340], "label": "a dog"}`, as Qwen2.5-VL and Qwen3-VL write it.

    Without such an object, bare lists such as `[12, 30, 200, 340]` count. `"point_2d"` is a point.
    """
    return _of_keys(text, "bbox_2d|bbox")


def boxes_of_gemini(text: str) -> Found:
    """Find `{"box_2d": [30, 12, 340, 200], "label": "a dog"}`, as Gemini writes it: the top is first.

    Without such an object, bare lists count.
    """
    return _of_keys(text, "box_2d")


def boxes_of_json(text: str) -> Found:
    """Find boxes as `boxes_of_qwen` and `boxes_of_gemini` do, under any of these names, or `box`."""
    return _of_keys(text, "bbox_2d|bbox|box_2d|box")


def boxes_of_qwen2(text: str) -> Found:
    """Find `<|object_ref_start|>a dog<|object_ref_end|><|box_start|>(12,30),(200,340)<|box_end|>`.

    So Qwen2-VL writes boxes; Qwen-VL has `<ref>` and `<box>`. The marks may be missing.
    """
    found, label, begun = Found(), "", ""
    for match in _QWEN2.finditer(text):
        if match[1] is not None:
            found.unreadable += _left(begun)
            label, begun = label_of(match[1]), ""
        elif match[3]:
            found.unreadable += _left(begun)
            begun = text[match.start() : match.start() + MAX_SHOWN]
        else:
            found.add(_numbers(match[2]), label)
            begun = ""
    found.unreadable += _left(begun)
    return found


def boxes_of_internvl(text: str) -> Found:
    """Find `<ref>a dog</ref><box>[[12, 30, 200, 340]]</box>`, as InternVL writes it. Marks may be missing."""
    found, label, begun = Found(), "", ""
    for match in _INTERN.finditer(text):
        if match[1] is not None:
            found.unreadable += _left(begun)
            label, begun = label_of(match[1]), ""
        elif match[3]:
            found.unreadable += _left(begun)
            begun = text[match.start() : match.start() + MAX_SHOWN]
        else:
            found.add(_numbers(match[2]), label)
            begun = ""
    found.unreadable += _left(begun)
    return found


def boxes_of_brackets(text: str) -> Found:
    """Find `a dog [0.1,0.2,0.3,0.4;0.5,0.6,0.7,0.8]`, as Shikra writes it: the label is before the boxes."""
    found, end = Found(), 0
    for match in _SEVERAL.finditer(text):
        found.add(_numbers(match[1]), label_of(text[end : match.start()]))
        end = match.end()
    return found


def points(text: str) -> Found:
    """Count `<point x="61.5" y="40.4" alt="a dog">`, as Molmo writes it. These are no boxes."""
    found = Found()
    for tag in _POINTS.finditer(text):
        found.points += len(_ABSCISSA.findall(tag[1])) or len(_COORDS.findall(tag[1]))
    return found


def bare_boxes(text: str) -> Iterator[tuple[float, ...]]:
    """Yield four numbers in brackets, whatever they are called."""
    for match in _SEVERAL.finditer(text):
        numbers = _numbers(match[1])
        yield from (tuple(numbers[at : at + 4]) for at in range(0, len(numbers), 4))


def has_pairs(text: str) -> bool:
    """Return whether a text has boxes in parentheses, such as `(12,30),(200,340)`."""
    return _PAIR.search(text) is not None


def _of_keys(text: str, names: str) -> Found:
    found = Found()
    keys = list(re.finditer(rf'"(?:{names})"\s*+:\s*+', text))
    for at, key in enumerate(keys):
        begin = keys[at - 1].end() if at else 0
        end = keys[at + 1].start() if at + 1 < len(keys) else len(text)
        opened = text.rfind("{", begin, key.start())
        before = text[opened : key.start()] if opened >= 0 else ""
        numbers, after = _lists(text, key.end(), end)
        if numbers is None:
            found.unreadable.append(text[key.start() : min(key.start() + MAX_SHOWN, end)])
            continue
        within = _WITHIN.match(text, after, end)
        fields = before + (within[0] if within else "")
        label, score = _LABEL.search(fields), _SCORE.search(fields)
        if numbers:
            said = label_of(_unescaped(label[1])) if label else ""
            found.add(numbers, said, float(score[1]) if score else None)
    found.points = len(re.findall(r'"point_2d"', text))
    if not keys and not found.points:
        return boxes_of_brackets(text)
    return found


def _lists(text: str, at: int, end: int) -> tuple[list[float] | None, int]:
    """Return the numbers of a list, or of a list of lists, and where it ends. None if they are no boxes."""
    if nothing := _NOTHING.match(text, at, end):
        return [], nothing.end()
    if one := _BOX.match(text, at, end):
        return _numbers(one[1]), one.end()
    if not text.startswith("[", at):
        return None, at
    at = _end(_COMMA, text, at + 1, end)
    numbers: list[float] = []
    while one := _BOX.match(text, at, end):
        numbers += _numbers(one[1])
        at = _end(_COMMA, text, one.end(), end)
    return numbers or None, at


def _end(pattern: re.Pattern[str], text: str, at: int, end: int) -> int:
    match = pattern.match(text, at, end)
    return match.end() if match else at


def _numbers(text: str) -> list[float]:
    return [float(one) for one in _NUMBER.findall(text)]


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text


def _left(begun: str) -> list[str]:
    return [begun] if begun else []
