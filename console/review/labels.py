"""Labels of rules, decisions, answers and errors on the pages of the review."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from annotation.domain.answers import DRAWS_BOXES, Stage
from annotation.models import Decision
from console.common.labels import say_answer, say_box, say_state
from workflows.pipeline.domain import caption_rules
from workflows.pipeline.models import WrittenCaption

RULES: Mapping[str, str] = MappingProxyType(
    {
        "kept": "verified: one chain",
        "broken": "not verified: split by head noun",
        "box-required": "a box is required",
        "no-box-required": "no box is required",
        "box-drawn": "a box was drawn",
        "requirement-cycle": "a box is required, but again none could be drawn",
        "none-needed": "no box could be drawn: back to box requirement",
        "coverage-cycle": "coverage and drawing keep contradicting each other",
        "none-missing": "no further box",
        "boxes-drawn": "boxes were drawn",
        "no-box-left": "no box is good: draw again",
        "no-box-left-cycle": "too many boxes were rejected",
        "box-accepted": "the box is good",
        "rejection-cycle": "too many boxes were rejected",
        "box-rejected": "the box is bad: draw again",
        "box-missing": "a box is missing: draw again",
        "complete": "all boxes are there",
        "linked": "the links are settled: one chain",
        "split-off": "split off by head noun",
        "decided": "a researcher decided",
        "regrouped": "a researcher regrouped the image",
        "annotated": "a researcher annotated the image",
        "caption-changed": "a researcher changed a caption",
        "replayed": "recomputed, because other judgments count now",
        "withdrawn": "withdrawn, because the judgments behind it no longer count",
        "batch-resumed": "the batch resumed, because it has work again",
        "links-settled": "the links are settled",
        "chains-done": "all chains are done",
        "opened": "the image was opened",
        "no-questions": "there was nothing to ask about the image",
        "questions-done": "all questions about the image are answered",
        "photograph-unusable": "the image rests, because workers say that its photograph is unusable",
        "photograph-usable": "the image goes on, because what made it rest does not count any more",
        "cannot-tell": "workers could not tell the answer",
    }
)
"""The pipeline's rules and what else is logged; one that is not here is shown by its own name."""

DECIDED: Mapping[str, str] = MappingProxyType(
    {
        Decision.Kind.CHAIN: "A researcher decided",
        Decision.Kind.REGROUP: "A researcher regrouped the image",
        Decision.Kind.WITHDRAW: "The image was withdrawn",
        Decision.Kind.BRING_BACK: "The image was brought back",
        Decision.Kind.USABLE: "A researcher let the image go on",
        Decision.Kind.ANNOTATE: "A researcher annotated the image",
        Decision.Kind.CAPTION: "A researcher changed a caption",
        Decision.Kind.WRITTEN: "A researcher decided about a caption of a worker",
        Decision.Kind.CLOSE: "A case was closed without a change",
        Decision.Kind.SET_ASIDE: "Judgments were set aside",
        Decision.Kind.REINSTATE: "Judgments count again",
    }
)
"""Of what researchers decide about an image; a kind that is not here is shown by its own name."""

WRITTEN_STATES: Mapping[str, str] = MappingProxyType(
    {
        WrittenCaption.State.PROPOSED: "waits for a second worker",
        WrittenCaption.State.FLAGGED: "waits for you",
        WrittenCaption.State.ACCEPTED: "accepted",
        WrittenCaption.State.REFUSED: "refused",
        WrittenCaption.State.WITHDRAWN: "set aside",
    }
)
"""The states of captions that workers wrote."""
CAPTION_FLAGS: Mapping[str, str] = MappingProxyType(
    {
        caption_rules.SHORT: f"has less than {caption_rules.MIN_WORDS} words",
        caption_rules.LANGUAGE: "is in another language",
        caption_rules.SPELLING: "has a misspelt word",
        caption_rules.NAME: "has a name",
        caption_rules.GUESS: "guesses what cannot be seen",
        caption_rules.REPEATS_OWN: "repeats an earlier caption of its worker",
        caption_rules.REPEATS_OTHER: "repeats another caption of the photograph",
    }
)
"""Why a caption is flagged; a rule that is not here is shown by its own name."""
FLAGS: Mapping[str, str] = MappingProxyType({"scene": "a scene or place", "nobndbox": "no box possible"})


_COMPLETE = frozenset(
    (
        *("withdrawn", "batch-resumed", "links-settled", "chains-done", "opened"),
        *("no-questions", "questions-done"),
    )
)


def say_caption_flags(flags: Iterable[str]) -> str:
    """Return why a caption is flagged, in words: *has a name, and guesses what cannot be seen*."""
    return ", and ".join(CAPTION_FLAGS.get(flag, flag) for flag in flags)


def say_right_answer(stage: str, answer: Mapping[str, Any]) -> str:
    """Return the known answer of a question in words.

    In drawing, any of several boxes can be right; in the joint stage, all of them are to be drawn.
    """
    boxes = answer.get("boxes") or []
    if stage not in DRAWS_BOXES or "none" in answer:
        return say_answer(stage, answer)
    if not boxes:
        return "no further box"
    which = "one of these boxes" if stage == Stage.DRAWING else "all of these boxes"
    return (f"{which}: " if len(boxes) > 1 else "") + "; ".join(say_box(box) for box in boxes)


def say_change(content: Mapping[str, Any]) -> str:
    """Return what a decision about a caption did, in words."""
    before, after = content["text"]
    name = f"Caption {content['caption'] + 1}"
    if content["action"] == "undo":
        return f"{name}: a change was undone"
    if not after:
        return f"{name} was withdrawn: “{before}”"
    if not before:
        return f"{name} was brought back: “{after}”"
    if before == after:
        return f"{name} has other phrases: “{after}”"
    return f"{name} was “{before}” and is “{after}”"


def say_rule(rule: str) -> str:
    return RULES.get(rule, rule.replace("-", " "))


def say_move(rule: str, target: str) -> str:
    """Return a move in words, with its target state unless the rule says it all."""
    return say_rule(rule) if rule in _COMPLETE else f"{say_rule(rule)} → {say_state(target)}"


_VERBS = ("is", "are", "has", "have", "must", "may", "reaches", "belongs")


def say_error(field: str, message: str) -> str:
    """Return a service's error as a sentence. A message without a subject gets its field's name.

    `field` is a path, as in boxes[2]; the third box is Box 3.
    """
    if message.split(" ", 1)[0] in _VERBS:
        name, place = re.findall(r"(\w+)(?:\[(\d+)\])?$", field)[0] if field else ("", "")
        singular = {"boxes": "Box", "mentions": "Mention", "chains": "Chain"}.get(name)
        subject = f"{singular} {int(place) + 1}" if singular and place else f"The {name or 'input'}"
        if singular and not place and message.startswith(("is ", "has ")):
            subject = f"The list of {name}"
        message = f"{subject.replace('_', ' ')} {message}"
    return message[:1].upper() + message[1:] + ("" if message.endswith((".", "!")) else ".")


def share(right: int, asked: int) -> str:
    """Format a share in per cent; a dash if `asked` is 0."""
    return f"{100 * right / asked:.1f}%" if asked else "–"


def per_cent(part: float | None) -> str:
    """Format a share from 0 to 1 in per cent; a dash for None."""
    return "–" if part is None else f"{part:.1%}"
