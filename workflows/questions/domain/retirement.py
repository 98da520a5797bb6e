"""When a verification question is not asked any more."""

from __future__ import annotations

from dataclasses import dataclass

from workflows.batch_settings.domain.quality_control import Control

WORN_OUT, DOUBTFUL, VOID = "exposures", "good workers fail", "void"
"""Why a question was retired: too many know it; it is likely wrong or unfair; it was found to be wrong.

Answers to a question that is void count in nobody's score.
"""


@dataclass(frozen=True, slots=True)
class Record:
    """What became of a question so far; `good_…` counts the answers of workers who were trusted then."""

    exposures: int
    good_asked: int
    good_right: int


def retired_for(record: Record, control: Control) -> str:
    """Why the question is to be retired, empty where it is not [ours].

    That good workers fail it says more than that many saw it, and goes first.
    """
    enough = record.good_asked >= control.retire_after
    if enough and record.good_right < control.retire_below * record.good_asked:
        return DOUBTFUL
    if record.exposures >= control.exposures:
        return WORN_OUT
    return ""
