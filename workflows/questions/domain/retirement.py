"""The rules by which a verification question is retired."""

from __future__ import annotations

from dataclasses import dataclass

from workflows.batch_settings.domain.quality_control import Control

WORN_OUT, DOUBTFUL, VOID, REFUSED = "exposures", "good workers fail", "void", "refused"
BROKEN = "photograph broken"
"""Why a question was retired: too many have seen it, trusted workers fail it, it was found to be wrong, a
researcher refused it before anybody was asked, or its photograph's file is missing or damaged.

Answers to a void question count in nobody's score.
"""


@dataclass(frozen=True, slots=True)
class Record:
    """How a question fared so far. `good_…` counts the answers of workers who were trusted at the time."""

    exposures: int
    good_asked: int
    good_right: int


def retired_for(record: Record, control: Control) -> str:
    """Return why the question is to be retired, or "" if it is not [ours].

    If trusted workers fail it and many have seen it, the first is the reason, since it says more.
    """
    enough = record.good_asked >= control.retire_after
    if enough and record.good_right < control.retire_below * record.good_asked:
        return DOUBTFUL
    if record.exposures >= control.exposures:
        return WORN_OUT
    return ""
