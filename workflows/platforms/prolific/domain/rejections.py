"""Prolific's rules on rejecting a submission.

A rejection needs a category, and a message of at least 100 characters that the participant reads
(researcher-help.prolific.com, "Valid rejection reasons"; API reference, "Approve or reject a submission").
Whoever finished in time with a completion code has to be paid, unless one of the valid reasons clearly holds.
Being screened out, answers that one does not like, or a broken page are not valid reasons. Here only
researchers reject, never a rule.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MIN_LENGTH, MAX_LENGTH = 100, 5000  # characters
OTHER = "OTHER"
RULES = (
    f"Prolific asks for at least {MIN_LENGTH} characters; a category before them, as in LOW_EFFORT: …, does "
    "not count."
)
"""Shown to researchers who write a reason."""
CATEGORIES = {
    "TOO_QUICKLY": "far faster than everybody else: three standard deviations below the mean",
    "TOO_SLOWLY": "far slower than was allowed",
    "FAILED_INSTRUCTIONS": "did something else than the instructions say",
    "FAILED_CHECK": "failed fair attention checks: one in under 5 minutes, else several",
    "LOW_EFFORT": "plainly no effort where the effort asked for was clear",
    "MALINGERING": "pretended to be somebody the study is for",
    "NO_CODE": "no completion code, and no answers",
    "BAD_CODE": "a wrong completion code, and no answers",
    "NO_DATA": "no answers reached us",
    "UNSUPP_DEVICE": "a device that the study does not allow",
    "INCOMP_LONGITUDINAL": "a part of a study in several parts is missing",
    OTHER: "something else: say what",
}
_NAMED = re.compile(r"\s*([A-Z_]{4,}):\s*(.*)", re.DOTALL)


class ReasonError(ValueError):
    """Prolific would refuse the reason. The message says what to write."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A category of Prolific's, and the message that the participant reads."""

    category: str
    message: str


def read_reason(reason: str) -> Rejection:
    """Return the rejection in a reason, which may begin with a category as in `LOW_EFFORT: the boxes …`.

    Raises ReasonError if Prolific would refuse it.
    """
    named = _NAMED.fullmatch(reason)
    category, message = (named[1], named[2]) if named else (OTHER, reason)
    if category not in CATEGORIES:
        raise ReasonError(f"{category} is not a category of Prolific's; they are {', '.join(CATEGORIES)}.")
    message = message.strip()
    if not MIN_LENGTH <= len(message) <= MAX_LENGTH:
        raise ReasonError(
            f"Prolific asks for a reason of {MIN_LENGTH} to {MAX_LENGTH} characters that the participant "
            f"reads; this one has {len(message)}. Say what is wrong with which answers."
        )
    return Rejection(category, message)
