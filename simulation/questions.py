"""A question as a worker sees it on a page. Simulated workers use nothing else of the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.domain.geometry import Box
from simulation.truth import Span


@dataclass(frozen=True, slots=True)
class Question:
    """One item's question: the image, the highlighted mentions, boxes shown as accepted, and new boxes.

    A question of a campaign has whole captions instead, or a sentence to correct.
    """

    image: int
    mentions: tuple[Span, ...]
    size: tuple[int, int] | None = None
    shown: tuple[Box, ...] = ()
    box: Box | None = None
    new_boxes: tuple[Box, ...] = ()
    suggestions: tuple[Box, ...] = ()
    captions: tuple[str, ...] = ()
    correct: str | None = None


def read_question(data: Mapping[str, Any], image_of: Callable[[str], int]) -> Question:
    """Parse the API's `question` object. Raise KeyError or ValueError when it is not one.

    `image_of` is that of the truth.
    """
    image = data["image"]
    size = (image["width"], image["height"]) if image["width"] and image["height"] else None
    return Question(
        image=image_of(image["id"]),
        mentions=tuple(
            span
            for caption in data["captions"]
            if (span := _mention(caption["index"], caption["segments"])) is not None
        ),
        size=size,
        shown=tuple(Box(*edges) for edges in data.get("boxes", ())),
        box=Box(*data["box"]) if "box" in data else None,
        new_boxes=tuple(Box(*edges) for edges in data.get("new_boxes", ())),
        suggestions=tuple(Box(*one[:4]) for one in data.get("suggestions", ())),
        captions=tuple(
            "".join(segment["text"] for segment in caption["segments"]) for caption in data["captions"]
        ),
        correct=data.get("correct"),
    )


def _mention(index: int, segments: Sequence[Mapping[str, Any]]) -> Span | None:
    """Return the highlighted mention of a caption, or None if the whole caption is asked about."""
    place = 0
    for segment in segments:
        end = place + len(segment["text"])
        if segment["mention"]:
            return index, place, end
        place = end
    return None
