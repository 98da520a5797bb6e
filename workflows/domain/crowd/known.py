"""Whether what a platform tells of a submission is all known here: then nothing is to be done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from workflows.crowd.base import Stand, Submitted

_STATES: Mapping[Stand, str] = MappingProxyType(
    {
        Stand.WORKING: "opened",
        Stand.SUBMITTED: "submitted",
        Stand.APPROVED: "approved",
        Stand.REJECTED: "rejected",
        Stand.RETURNED: "returned",
    }
)


@dataclass(frozen=True, slots=True)
class Held:
    """A participation as we have it."""

    state: str
    confirmed: bool
    submitted_at: datetime | None
    deadline: datetime | None
    page: str  # the state of its page; empty: it has none
    waiting: bool  # its answers are held, or its page waits to be confirmed
    settling: bool  # there is a payment or a refusal that settles it
    unpaid: bool  # some payment of it is not done
    disputed: bool  # its answers are said to be a stranger's


def is_known(told: Submitted, here: Held | None) -> bool:
    """Whether it changes nothing. Where in doubt it is taken once more, which changes nothing either."""
    if here is None or here.state != _STATES[told.stand] or here.disputed:
        return False
    if (here.submitted_at, here.deadline) != (told.submitted_at, told.deadline):
        return False
    if told.stand == Stand.RETURNED:
        return here.page not in ("live", "submitted") and not here.unpaid
    settled = here.settling or told.stand == Stand.WORKING
    return here.confirmed and not here.waiting and settled
