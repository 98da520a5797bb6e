"""What vision-language models are taught to say of a caption with boxes, a function for each way of writing.

Each takes a caption with the boxes of its phrases in the model's own coordinates, and returns a line of JSON.
Phrases without boxes stay in the caption, unmarked.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from annotation.domain.geometry import Box
from annotation.formats.datasets.coordinates import Edges, patches
from annotation.formats.datasets.grounded_captions import Phrase

DESCRIBE = "<image>Describe the image, and say where each thing is."
LOCATE = (
    "<image>Where in the image is what these phrases of the caption name? "
    "Answer with a list in JSON.\nCaption: {caption}\nPhrases: {phrases}"
)
TASK = "<CAPTION_TO_PHRASE_GROUNDING>"
"""Florence-2's own name for the task."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A caption with at least one phrase that has boxes."""

    image: str  # the path of its picture within the export
    width: int
    height: int
    text: str
    phrases: tuple[Phrase, ...]  # that have boxes, in reading order
    edges: tuple[tuple[Edges, ...], ...]  # of each phrase, in the model's coordinates

    def marked(self, mark: Callable[[str, tuple[Edges, ...]], str]) -> str:
        """Return the caption with `mark(phrase, edges)` in the place of each phrase."""
        said, reached = [], 0
        for phrase, edges in zip(self.phrases, self.edges, strict=True):
            said += [self.text[reached : phrase.start], mark(phrase.text, edges)]
            reached = phrase.end
        return "".join(said) + self.text[reached:]


def with_objects(taught: Taught) -> dict[str, Any]:
    """Return a line of ms-swift, which puts phrases and boxes in as the model that it trains writes them."""
    line = _chat(
        taught, DESCRIBE, taught.marked(lambda phrase, edges: "<ref-object>" + "<bbox>" * len(edges))
    )
    boxes = [edges for several in taught.edges for edges in several]
    return line | {"objects": {"ref": [phrase.text for phrase in taught.phrases], "bbox": boxes}}


def with_tokens(taught: Taught) -> dict[str, Any]:
    """Return a chat in which the answer is the caption with Qwen2-VL's tokens for phrases and boxes."""

    def mark(phrase: str, edges: tuple[Edges, ...]) -> str:
        boxes = "".join(f"<|box_start|>({a},{b}),({c},{d})<|box_end|>" for a, b, c, d in edges)
        return f"<|object_ref_start|>{phrase}<|object_ref_end|>{boxes}"

    return _chat(taught, DESCRIBE, taught.marked(mark))


def with_json(taught: Taught) -> dict[str, Any]:
    """Return a chat in which the answer is a list of boxes in JSON, as Qwen2.5-VL and Qwen3-VL write it."""
    phrases = json.dumps([phrase.text for phrase in taught.phrases], ensure_ascii=False)
    rows = (
        f"\t{json.dumps({'bbox_2d': edges, 'label': phrase.text}, ensure_ascii=False)}"
        for phrase, several in zip(taught.phrases, taught.edges, strict=True)
        for edges in several
    )
    answer = "```json\n[\n" + ",\n".join(rows) + "\n]\n```"
    return _chat(taught, LOCATE.format(caption=taught.text, phrases=phrases), answer)


def with_internvl_tags(taught: Taught) -> dict[str, Any]:
    """Return a conversation as InternVL learns from it: the boxes of a phrase are one list of lists."""

    def mark(phrase: str, edges: tuple[Edges, ...]) -> str:
        return f"<ref>{phrase}</ref><box>{json.dumps(edges)}</box>"

    turns = [
        {"from": "human", "value": DESCRIBE.replace("<image>", "<image>\n")},
        {"from": "gpt", "value": taught.marked(mark)},
    ]
    size = {"width": taught.width, "height": taught.height}
    return {"image": taught.image, **size, "conversations": turns}


def with_florence_tokens(taught: Taught) -> dict[str, Any]:
    """Return Florence-2's task with the caption, and the phrases with `<loc_…>` for the edges of boxes."""
    said = (
        phrase.text + "".join(f"<loc_{edge}>" for edges in several for edge in edges)
        for phrase, several in zip(taught.phrases, taught.edges, strict=True)
    )
    return {"image": taught.image, "prefix": TASK + taught.text, "suffix": "".join(said)}


def with_paligemma_tokens(taught: Taught) -> dict[str, Any]:
    """Return PaliGemma's task to detect phrases, and `<loc…>` for top, left, bottom and right of each box."""
    asked = dict.fromkeys(phrase.text for phrase in taught.phrases)
    said = (
        "".join(f"<loc{edge:04d}>" for edge in (top, left, bottom, right)) + f" {phrase.text}"
        for phrase, several in zip(taught.phrases, taught.edges, strict=True)
        for left, top, right, bottom in several
    )
    return {"image": taught.image, "prefix": f"detect {' ; '.join(asked)}", "suffix": " ; ".join(said)}


def with_patches(taught: Taught) -> dict[str, Any]:
    """Return the caption with Kosmos-2's tokens: the first and the last patch of each box of a phrase.

    The space before a phrase is within its tag, as in Kosmos-2's own texts.
    """
    said, reached = ["<grounding>"], 0
    for phrase in taught.phrases:
        before = taught.text[reached : phrase.start]
        space = " " if phrase.start == 0 or before.endswith(" ") else ""
        said += [before.removesuffix(" "), f"<phrase>{space}{phrase.text}</phrase>"]
        places = (patches(box, taught.width, taught.height) for box in phrase.boxes)
        boxes = (f"<patch_index_{first:04d}><patch_index_{last:04d}>" for first, last in places)
        said.append(f"<object>{'</delimiter_of_multi_objects/>'.join(boxes)}</object>")
        reached = phrase.end
    return {"image": taught.image, "text": "".join(said) + taught.text[reached:]}


def with_fractions(taught: Taught) -> dict[str, Any]:
    """Return an entry in the shape of GRIT: characters of the caption, and edges as fractions of the sides.

    No phrase contains another one, so that all noun chunks are referring expressions, too.
    """
    sides = (taught.width, taught.height) * 2

    def fractions(box: Box) -> list[float]:
        return [edge / side for edge, side in zip(box.edges, sides, strict=True)]

    chunks = [
        [phrase.start, phrase.end, *fractions(box), 1.0] for phrase in taught.phrases for box in phrase.boxes
    ]
    size = {"width": taught.width, "height": taught.height}
    return {"image": taught.image, "caption": taught.text, **size, "noun_chunks": chunks, "ref_exps": chunks}


def _chat(taught: Taught, asked: str, answer: str) -> dict[str, Any]:
    turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return {"messages": turns, "images": [taught.image]}
