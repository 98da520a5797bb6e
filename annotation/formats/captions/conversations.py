"""Finds the caption in a conversation with a model about an image, as LLaVA and ShareGPT have it.

- `[{"from": "human", "value": "<image>\\nDescribe it."}, {"from": "gpt", "value": "A man walks."}]`
- `[{"role": "user", "content": "<image>Describe it."}, {"role": "assistant", "content": "A man walks."}]`
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SPEAKERS = ("from", "role")
_WORDS = ("value", "content")
_MODEL = frozenset({"gpt", "assistant", "model", "chatgpt", "bot"})
_IMAGE = re.compile(r"<(?:image|img|ImageHere)>", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"<\||<(?:box|ref|quad|point|loc_?\d|phrase|object|grounding)|```|\[\s*\[?\s*[\d.]+\s*,|\{\s*\""
)
"""What answers have in them that give boxes, points or code."""


def answer_of(turns: object) -> str:
    """Return the only answer of the model, without the mark of the image.

    Raise ValueError if there is no answer or more than one, since nothing says which one is a caption, or if
    the answer has boxes or code.
    """
    if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns):
        raise ValueError("its conversation is not a list of turns such as {from, value}")
    answers = [_said(turn) for turn in turns if _speaker(turn) in _MODEL]
    if len(answers) != 1:
        count = "no answer" if not answers else f"{len(answers)} answers"
        raise ValueError(f"its conversation has {count} of a model, and has to have one: the caption")
    answer = _IMAGE.sub(" ", answers[0]).strip()
    if _NO_TEXT.search(answer):
        raise ValueError("the answer in its conversation has boxes or code in it, so that it is no caption")
    return answer


def _speaker(turn: Mapping[str, object]) -> str:
    return next((str(turn[name]).casefold() for name in _SPEAKERS if name in turn), "")


def _said(turn: Mapping[str, object]) -> str:
    """Return the text of a turn, which may be in parts: `[{"type": "text", "text": …}, …]`."""
    words = next((turn[name] for name in _WORDS if name in turn), None)
    if isinstance(words, list):
        texts = [part.get("text") for part in words if isinstance(part, Mapping)]
        words = "\n".join(text for text in texts if isinstance(text, str))
    if not isinstance(words, str):
        raise ValueError("an answer in its conversation is not a text")
    return words
