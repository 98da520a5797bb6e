"""Turn an export in the format odvg into chat lines, from which vision-language models learn grounding.

    python docs/recipes/chat_lines.py odvg_train.jsonl chat_train.jsonl --style tags
    python docs/recipes/chat_lines.py odvg_train.jsonl chat_train.jsonl --style json --scale 1000

Each line of the output is `{"image": …, "conversations": [{"from": "human", …}, {"from": "gpt", …}]}`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TAGS_ASKED = "Describe the image, and say where each thing is."
JSON_ASKED = (
    "Where in the image is what these phrases name? Answer in JSON. Caption: {caption} Phrases: {phrases}"
)


def places(line: dict[str, Any], scale: int) -> dict[tuple[int, int], list[list[int]]]:
    """Return the boxes of each phrase, by its characters in the caption, in reading order.

    `scale` is the size of the image that the model is taught to see, or 0 for the pixels of the file.
    """
    sides = (line["width"], line["height"]) * 2
    found: dict[tuple[int, int], list[list[int]]] = {}
    for region in line["grounding"]["regions"]:
        box = region["bbox"]
        if scale:
            box = [round(scale * value / side) for value, side in zip(box, sides, strict=True)]
        ((start, end),) = region["tokens_positive"]
        found.setdefault((start, end), []).append(box)
    return dict(sorted(found.items()))


def with_tags(line: dict[str, Any], scale: int) -> tuple[str, str]:
    """Return a question, and the caption with `<ref>phrase</ref><box>(x1,y1),(x2,y2)</box>`, as Qwen-VL."""
    said = line["grounding"]["caption"]
    for (start, end), boxes in reversed(places(line, scale).items()):
        where = "".join(f"<box>({x1},{y1}),({x2},{y2})</box>" for x1, y1, x2, y2 in boxes)
        said = f"{said[:start]}<ref>{said[start:end]}</ref>{where}{said[end:]}"
    return TAGS_ASKED, said


def as_json(line: dict[str, Any], scale: int) -> tuple[str, str]:
    """Return a question that names the phrases, and a list of boxes and labels, as Qwen2.5-VL answers."""
    caption = line["grounding"]["caption"]
    found = places(line, scale)
    phrases = json.dumps([caption[start:end] for start, end in found], ensure_ascii=False)
    boxes = [
        {"bbox_2d": box, "label": caption[start:end]}
        for (start, end), these in found.items()
        for box in these
    ]
    return JSON_ASKED.format(caption=caption, phrases=phrases), json.dumps(boxes, ensure_ascii=False)


STYLES = {"tags": with_tags, "json": as_json}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the lines one by one, and write as many."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("odvg", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--style", choices=STYLES, default="tags")
    parser.add_argument("--scale", type=int, help="0: pixels (default: 1000 for tags, 0 for json)")
    chosen = parser.parse_args(arguments)
    scale = chosen.scale if chosen.scale is not None else {"tags": 1000, "json": 0}[chosen.style]
    with chosen.odvg.open(encoding="utf-8") as lines, chosen.out.open("w", encoding="utf-8") as out:
        for text in lines:
            line = json.loads(text)
            asked, answer = STYLES[chosen.style](line, scale)
            turns = [{"from": "human", "value": f"<image>\n{asked}"}, {"from": "gpt", "value": answer}]
            out.write(
                json.dumps({"image": line["filename"], "conversations": turns}, ensure_ascii=False) + "\n"
            )


if __name__ == "__main__":
    main()
