"""Whatever happens to a process at a call to Mechanical Turk, everybody is paid once, to the cent.

The emulator runs in its own process. It kills ours with SIGKILL at every call in turn, once before it has
done what was asked, and once after. Or it loses its replies, throttles, and doubles and drops notifications.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_django.fixtures import Settings

from simulation.emulators.mturk.handle import Handle
from tests.faults.crowding import Crowding
from tests.faults.sides import MTurkSide, mturk_side
from tests.faults.telling import bring_through
from tests.selection import and_nightly
from tests.workflows.crowd.scene import SITE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("kills processes at every call in turn, and starts new ones"),
]

KILLS = ({"kind": "kill-before", "once": True}, {"kind": "kill-after", "once": True})
LOST_REPLIES = ({"kind": "timeout-after", "once": True},)
ERRORS = ({"kind": "error-before", "once": True},)
THROTTLED = ({"kind": "throttle", "every": 3},)
NOTIFICATIONS = ({"kind": "duplicate", "every": 2}, {"kind": "drop", "every": 2})

WRITES = {
    "ApproveAssignment",
    "AssociateQualificationWithWorker",
    "CreateHITType",
    "CreateHITWithHITType",
    "CreateQualificationType",
    "CreateWorkerBlock",
    "DeleteMessageBatch",
    "DisassociateQualificationFromWorker",
    "RejectAssignment",
    "SendBonus",
    "UpdateExpirationForHIT",
    "UpdateNotificationSettings",
}
"""The calls of the story that change something. Other calls only look."""


@pytest.fixture
def side() -> Iterator[MTurkSide]:
    with mturk_side() as side:
        yield side


@pytest.fixture
def turk(side: MTurkSide) -> Handle:
    return side.turk


def test_a_process_killed_before_and_after_every_call_in_turn(
    side: MTurkSide, turk: Handle, settings: Settings, record_property: Callable[[str, object], None]
) -> None:
    settings.SITE = SITE
    crowding = Crowding(side, faults=KILLS)
    bring_through(crowding)
    calls = turk.calls()
    killed = {
        told: {call["operation"] for call in calls if call["outcome"] == told}
        for told in ("kill-before", "kill-after")
    }
    assert killed["kill-before"] == killed["kill-after"] >= WRITES
    assert {call["operation"] for call in calls} == killed["kill-before"]
    record_property("figure", f"{crowding.killed} processes killed at {len(WRITES)} operations that write")


@pytest.mark.parametrize(
    ("faults", "skew"),
    and_nightly(
        [(LOST_REPLIES, 0), (NOTIFICATIONS, 600)],
        [(ERRORS + THROTTLED, 0), (NOTIFICATIONS, -600)],
        "a call that failed is repeated like one of a killed process",
    ),
    ids=["lost-replies", "notifications-and-early-clock", "errors", "notifications-and-late-clock"],
)
def test_replies_that_are_lost_throttling_odd_notifications_and_wrong_clocks(
    side: MTurkSide, turk: Handle, settings: Settings, faults: tuple[dict[str, object], ...], skew: int
) -> None:
    settings.SITE = SITE
    turk.set_clock(skew=skew)
    bring_through(Crowding(side, tries=2, faults=faults))
