"""Answers as one word out of a few: what can be counted. No numpy, since the service reads this, too."""

from __future__ import annotations

from annotation.domain.answer_labels import NAMES
from workflows.pipeline.domain.agreement import Verdict

_VERDICTS = {
    "true": "same",
    "false": "different",
    "box drawn": "box",
    "no further box": "none",
    "scene": "scene",
    "nobndbox": "nobox",
}


def label_of_verdict(stage: str, verdict: Verdict) -> int:
    """The code of what the protocol's rules decided. Raises ValueError for a verdict of another stage."""
    name = verdict.flag or verdict.name
    return NAMES[stage].index(_VERDICTS.get(name, name))
