"""Which states a researcher may put a chain into."""

from __future__ import annotations

from collections.abc import Sequence

from annotation.domain.answers import Stage
from annotation.domain.chain_states import DONE, NONVISUAL, REVIEW
from annotation.domain.mentions import Mention
from workflows.pipeline.domain.moves import Protocol
from workflows.pipeline.replay.domain.decisions import FLAGS, DecisionError


def legal_states(boxes: int, members: Sequence[Mention], protocol: Protocol) -> list[str]:
    """The states that a chain of these mentions with so many accepted boxes can go on from.

    A stage that judges new boxes is none: there is no new box. What asks whether a box is needed is asked
    of chains without one, what asks whether boxes are missing of chains that have some.
    """
    found = [str(stage) for stage in protocol.decide if stage not in protocol.judging]
    unfit = {Stage.VERIFICATION} if len(members) < 2 else set()
    unfit.add(Stage.REQUIREMENT if boxes else Stage.COVERAGE)
    return [state for state in found if state not in unfit] + [DONE if boxes else NONVISUAL, REVIEW]


def check_state(
    state: str, flag: str, boxes: int, members: Sequence[Mention], protocol: Protocol, field: str = ""
) -> None:
    """Raise DecisionError where the state or its flag does not fit the chain. `field` is where both stand."""
    legal = legal_states(boxes, members, protocol)
    if state not in legal:
        has = f"{boxes} box{'' if boxes == 1 else 'es'}"
        raise DecisionError(
            f"{field}state",
            f"{state!r} does not fit a chain of {len(members)} mention(s) with {has}: "
            f"use one of {', '.join(legal)}",
        )
    if state == NONVISUAL and flag not in FLAGS:
        raise DecisionError(f"{field}flag", f"must be one of {', '.join(FLAGS)} for a chain without boxes")
    if state != NONVISUAL and flag:
        raise DecisionError(f"{field}flag", f"is for a chain that is {NONVISUAL} only: leave it out")
