"""The answers of simulated workers: the truth or, at the stage's error rate, something else.

A chain may mix mentions of several true chains because of earlier errors. Then the worker answers for the
highlighted mention.
"""

import random
from collections.abc import Iterable
from typing import Any

from annotation.domain.answers import CampaignStage
from annotation.domain.geometry import Box, clip, encloses, iou
from simulation.caption_answers import judge_captions, write_caption
from simulation.carelessness import take
from simulation.profiles import ErrorProfile
from simulation.questions import Question
from simulation.truth import KnownChain, Truth

COVERED = 0.5
"""IoU from which a shown box counts as the box of a true entity."""
GOOD = 0.7
"""IoU with a true entity from which a new box counts as tight."""
MEANT = 0.1
"""IoU with a true entity from which one sees what a new box that is not tight was meant for."""
_JITTER_SHARE = 0.05
"""An edge is off by at most this share of the box's side, since people are more exact with small boxes."""


def answer(
    stage: str, question: Question, truth: Truth, profile: ErrorProfile, rng: random.Random
) -> dict[str, Any]:
    """Return the JSON object of the answer to one item.

    In the joint stages, a worker errs as often in each box as in box drawing or box quality, and as often
    about what is missing as in box coverage. In the campaigns, a worker errs as often as in chain
    verification.
    """
    if stage in list(CampaignStage):
        wrong = rng.random() < profile.rate("verification")
        if stage == CampaignStage.WRITING:
            return write_caption(question, truth, wrong, rng)
        return judge_captions(stage, question, truth, wrong, rng)
    wrong = rng.random() < profile.rate(stage)
    chains = [truth.chain(question.image, span) for span in question.mentions]
    if stage in ("link", "verification"):
        return {"same": _one_chain(chains) != wrong}
    chain = chains[0] or KnownChain(0)
    match stage:
        case "requirement":
            right = chain.requirement
            return {"requirement": _another(right, rng) if wrong else right}
        case "drawing":
            taken, _ = _taken(question, chain, profile, rng)
            if taken:
                return take(question, taken[0])
            box = (
                _wrong_box(question, truth, chain, rng)
                if wrong
                else _right_box(question, chain, profile, rng)
            )
            return {"box": None if box is None else list(box.edges)}
        case "quality":
            return {"good": is_good(question.box, question.shown, chain) != wrong}
        case "coverage":
            return {"complete": (not uncovered(chain, question.shown)) != wrong}
        case "boxes":
            return _all_boxes(question, truth, chain, profile, rng)
        case "check":
            return _joint_check(question, chain, profile, rng)
    raise ValueError(f"there is no stage {stage!r}")


def uncovered(chain: KnownChain, shown: Iterable[Box]) -> list[Box]:
    """Return the chain's true boxes that no shown box covers."""
    drawn = list(shown)
    return [box for box in chain.boxes if all(iou(box, other) < COVERED for other in drawn)]


def is_good(box: Box | None, shown: Iterable[Box], chain: KnownChain) -> bool:
    """Return whether a new box is tight around a true entity of the chain that had no box."""
    return box is not None and any(iou(box, entity) >= GOOD for entity in uncovered(chain, shown))


def _all_boxes(
    question: Question, truth: Truth, chain: KnownChain, profile: ErrorProfile, rng: random.Random
) -> dict[str, Any]:
    """Draw all boxes that are missing, or say why there are none."""
    rate = profile.rate("drawing")
    taken, missing = _taken(question, chain, profile, rng)
    drawn: list[Box | None] = [
        _wrong_box(question, truth, chain, rng)
        if rng.random() < rate
        else _jittered(box, profile.jitter, question, rng)
        for box in missing
    ]
    if not missing and not taken and rng.random() < rate:
        drawn = [_wrong_box(question, truth, chain, rng)]
    known = {question.suggestions[place] for place in taken}
    boxes = dict.fromkeys(box for box in drawn if box is not None and box not in known)
    if taken or boxes:
        own = [{"box": list(box.edges)} for box in boxes]
        return {"boxes": [*(take(question, place) for place in taken), *own]}
    if question.shown:
        return {"none": "done"}
    return {"none": "nobox" if chain.requirement == "box" else chain.requirement}


def _taken(
    question: Question, chain: KnownChain, profile: ErrorProfile, rng: random.Random
) -> tuple[list[int], list[Box]]:
    """Return the suggestions (places) that a worker takes as they are, and the entities left to draw.

    Good ones are taken, and some bad ones, too: then the worker thinks that what they are around is done.
    """
    left = uncovered(chain, question.shown)
    taken = []
    for place, box in enumerate(question.suggestions):
        meant = max(left, key=lambda entity: iou(box, entity), default=None)
        overlap = 0.0 if meant is None else iou(box, meant)
        if overlap >= GOOD or rng.random() < profile.anchoring:
            taken.append(place)
            if meant is not None and overlap >= MEANT:
                left.remove(meant)
    return taken, left


def _joint_check(
    question: Question, chain: KnownChain, profile: ErrorProfile, rng: random.Random
) -> dict[str, Any]:
    """Say of each new box whether it is good, and whether something has no box at all."""
    said, without = judge_boxes(question, chain)
    for place, one in enumerate(said):
        if rng.random() < profile.rate("quality"):
            said[place] = rng.choice(["loose", "cut", "wrong", "double"]) if one == "good" else "good"
    missing = bool(without) != (rng.random() < profile.rate("coverage"))
    answer: dict[str, Any] = {"boxes": said, "missing": missing}
    if missing and without:
        box = rng.choice(without)
        answer["point"] = [(box.left + box.right) // 2, (box.top + box.bottom) // 2]
    return answer


def judge_boxes(question: Question, chain: KnownChain) -> tuple[list[str], list[Box]]:
    """Return the truth about each new box, and the true boxes of entities without any, even a bad one."""
    free = uncovered(chain, question.shown)
    said = [""] * len(question.new_boxes)
    for place, box in enumerate(question.new_boxes):
        fits = [entity for entity in free if iou(box, entity) >= GOOD]
        if fits:
            said[place] = "good"
            free.remove(max(fits, key=lambda entity: iou(box, entity)))
    for place, box in enumerate(question.new_boxes):
        if said[place]:
            continue
        meant = max(free, key=lambda entity: iou(box, entity), default=None)
        if meant is not None and iou(box, meant) >= MEANT:
            said[place] = "loose" if encloses(box, meant) else "cut"
            free.remove(meant)
        else:
            there = any(iou(box, entity) >= COVERED for entity in chain.boxes)
            said[place] = "double" if there else "wrong"
    return said, free


def _one_chain(chains: list[KnownChain | None]) -> bool:
    ids = {chain.id if chain else None for chain in chains}
    return len(ids) == 1 and None not in ids


def _another(right: str, rng: random.Random) -> str:
    return rng.choice([choice for choice in ("box", "scene", "nobox") if choice != right])


def _right_box(
    question: Question, chain: KnownChain, profile: ErrorProfile, rng: random.Random
) -> Box | None:
    missing = uncovered(chain, question.shown)
    return _jittered(rng.choice(missing), profile.jitter, question, rng) if missing else None


def _jittered(box: Box, jitter: float, question: Question, rng: random.Random) -> Box:
    reach = (min(jitter, _JITTER_SHARE * box.width), min(jitter, _JITTER_SHARE * box.height))
    edges = [
        max(0, round(edge + rng.uniform(-reach[i % 2], reach[i % 2]))) for i, edge in enumerate(box.edges)
    ]
    return _inside(edges, question)


def _wrong_box(question: Question, truth: Truth, chain: KnownChain, rng: random.Random) -> Box | None:
    """Return a sloppy box, the box of something else, or no box although one is missing; equally often."""
    missing = uncovered(chain, question.shown)
    kinds = ["sloppy", "nothing"] if missing else []
    others = truth.others(question.image, chain)
    if others:
        kinds.append("other")
    match rng.choice(kinds or ["anywhere"]):
        case "sloppy":
            return _sloppy(rng.choice(missing), question, rng)
        case "nothing":
            return None
        case "other":
            return rng.choice(others)
    return _anywhere(question, rng)


def _sloppy(box: Box, question: Question, rng: random.Random) -> Box:
    """Return the box moved by 30 to 45% of its size in both directions, so that its IoU is below `GOOD`."""
    dx = rng.choice([-1, 1]) * rng.uniform(0.3, 0.45) * box.width
    dy = rng.choice([-1, 1]) * rng.uniform(0.3, 0.45) * box.height
    edges = [box.left + dx, box.top + dy, box.right + dx, box.bottom + dy]
    return _inside([max(0, round(edge)) for edge in edges], question)


def _anywhere(question: Question, rng: random.Random) -> Box:
    width, height = question.size or (100, 100)
    left, top = rng.randrange(width // 2), rng.randrange(height // 2)
    return Box(left, top, left + width // 3 + 1, top + height // 3 + 1)


def _inside(edges: list[int], question: Question) -> Box:
    """Return a box with these edges, at least 3 pixels wide and high, and within the image."""
    width, height = question.size or (2**31, 2**31)
    left, top = min(edges[0], width - 3), min(edges[1], height - 3)
    return clip(Box(left, top, max(edges[2], left + 3), max(edges[3], top + 3)), width, height)
