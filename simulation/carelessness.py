"""The answers of careless workers: at random, always the same, or with boxes that are far off."""

import random
from collections.abc import Mapping
from typing import Any

from annotation.domain.answers import BoxJudgment, CampaignStage, CaptionJudgment, NoBoxes
from annotation.domain.geometry import Box
from simulation.questions import Question

MIN_OFFSET, MAX_OFFSET = 0.15, 0.40
"""Each edge of a loose box is off by a share of the box's side in this range. Its IoU is below 0.7."""
_NOTHING = 0.2
"""How often a random worker says that no further box is needed."""
_MAX_BOXES = 3
"""The most boxes that a random worker draws at once."""
_SMALLEST = 3  # pixels a side
_PASTED = 140  # pixels a side


def at_random(stage: str, question: Question, rng: random.Random) -> dict[str, Any]:
    """Return any answer of the stage, all equally likely."""
    match stage:
        case "link" | "verification":
            return {"same": rng.random() < 0.5}
        case "requirement":
            return {"requirement": rng.choice(["box", "scene", "nobox"])}
        case "drawing":
            box = None if rng.random() < _NOTHING else _any_box(question, rng)
            return {"box": None if box is None else list(box.edges)}
        case "quality":
            return {"good": rng.random() < 0.5}
        case "boxes" if rng.random() < _NOTHING:
            return {"none": rng.choice(list(NoBoxes)).value}
        case "boxes":
            boxes = dict.fromkeys(_any_box(question, rng) for _ in range(rng.randint(1, _MAX_BOXES)))
            return {"boxes": [{"box": list(box.edges)} for box in boxes]}
        case "check":
            said = [rng.choice(list(BoxJudgment)).value for _ in question.new_boxes]
            return {"boxes": said, "missing": rng.random() < 0.5}
        case CampaignStage.CAPTION_CHECK:
            return {"caption": rng.choice(list(CaptionJudgment)).value}
        case CampaignStage.GRADING:
            return {"grade": rng.randint(1, 4)}
        case CampaignStage.RELEVANCE:
            return {"describes": [rng.random() < 0.5 for _ in question.captions]}
    return {"complete": rng.random() < 0.5}


def always_yes(stage: str, question: Question) -> dict[str, Any]:
    """Return yes, or where boxes are drawn always the same box at the top left."""
    match stage:
        case "link" | "verification":
            return {"same": True}
        case "requirement":
            return {"requirement": "box"}
        case "drawing" if question.suggestions:
            return take(question, 0)
        case "drawing":
            return {"box": [0, 0, *(min(_PASTED, side) for side in _size(question))]}
        case "quality":
            return {"good": True}
        case "boxes" if question.suggestions:
            return {"boxes": [take(question, place) for place in range(len(question.suggestions))]}
        case "boxes":
            return {"boxes": [always_yes("drawing", question)]}
        case "check":
            return {"boxes": ["good"] * len(question.new_boxes), "missing": False}
        case CampaignStage.CAPTION_CHECK:
            return {"caption": "right"}
        case CampaignStage.GRADING:
            return {"grade": 4}
        case CampaignStage.RELEVANCE:
            return {"describes": [True] * len(question.captions)}
    return {"complete": True}


def take(question: Question, place: int) -> dict[str, Any]:
    """Return a model's suggestion as a box of an answer, as it is."""
    return {"box": list(question.suggestions[place].edges), "suggestion": place}


def ticks(number: int, question: Question, rng: random.Random | None) -> dict[str, Any]:
    """Tick so many of the captions, drawn at random or, without `rng`, the first ones."""
    captions = len(question.captions)
    ticked = range(number) if rng is None else rng.sample(range(captions), min(number, captions))
    return {"describes": [place in ticked for place in range(captions)]}


def loose_box(given: Mapping[str, Any], question: Question, rng: random.Random) -> dict[str, Any]:
    """Return the answer with each edge of all its boxes off by 15 to 40% of the box's side.

    An answer without a box stays as it is.
    """
    if "boxes" in given:
        drawn = [loose_box(one, question, rng) for one in given["boxes"]]
        return {"boxes": list({tuple(one["box"]): one for one in drawn}.values())}
    if given.get("box") is None:
        return dict(given)
    left, top, right, bottom = given["box"]
    width, height = _size(question)
    left, right = _loosened(left, right, width, rng)
    top, bottom = _loosened(top, bottom, height, rng)
    return {"box": [left, top, right, bottom]}


def _loosened(first: int, last: int, end: int, rng: random.Random) -> tuple[int, int]:
    """Return both edges moved in or out, but never out of the image (0 to `end`)."""
    side = last - first
    near, far = (
        rng.choice([-1, 1]) * max(1, round(rng.uniform(MIN_OFFSET, MAX_OFFSET) * side)) for _ in range(2)
    )
    low = first + (abs(near) if first + near < 0 else near)
    high = last - (abs(far) if last + far > end else -far)
    # Nothing may be left of a box of a few pixels.
    return (low, high) if high - low >= _SMALLEST else (first, min(end, first + 2 * side))


def _any_box(question: Question, rng: random.Random) -> Box:
    left, right = _any_edges(_size(question)[0], rng)
    top, bottom = _any_edges(_size(question)[1], rng)
    return Box(left, top, right, bottom)


def _any_edges(end: int, rng: random.Random) -> tuple[int, int]:
    side = rng.randint(min(end, max(_SMALLEST, end // 10)), end)
    first = rng.randint(0, end - side)
    return first, first + side


def _size(question: Question) -> tuple[int, int]:
    return question.size or (640, 480)
