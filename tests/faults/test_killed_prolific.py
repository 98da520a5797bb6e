"""Whatever happens to a process at a call to Prolific, everybody is paid once, to the penny.

The emulator runs in its own process. It kills ours with SIGKILL at every call that writes, once before it has
done what was asked, and once after. Or it loses its replies, breaks and throttles. Prolific knows no tokens,
so what was done is found by looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from pytest_django.fixtures import Settings

from tests.faults.crowding import Crowding
from tests.faults.sides import ProlificSide, prolific_side
from tests.faults.telling import bring_through
from tests.selection import and_nightly
from tests.workflows.crowd.scene import SITE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("kills processes at every call in turn, and starts new ones"),
]

PAY = "pay-bonus-payments"
WRITES = (
    "add-to-participant-group",
    "create-bonus-payments",
    "create-participant-group",
    "create-study",
    PAY,
    "publish-study",
    "remove-from-participant-group",
    "transition-submission",
    "update-study",
)
"""The calls of the story that change something.

A process that was killed while it looked has done nothing.
"""
READS = (
    "count-study-submissions-by-status",
    "get-participant-groups",
    "get-project",
    "get-project-studies",
    "get-study",
    "get-submission",
    "get-submissions",
)
KILLS = ("kill-before", "kill-after")


def each(*kinds: str, operations: tuple[str, ...] = WRITES) -> list[str]:
    """Each request is struck once.

    What pays a bonus is another request each time that the bonus is set up.
    """
    return [f"{kind}:{one}:{1 if one == PAY else 'each'}" for one in operations for kind in kinds]


@pytest.fixture
def side() -> Iterator[ProlificSide]:
    with prolific_side() as side:
        yield side


def crowding_of(
    side: ProlificSide, monkeypatch: pytest.MonkeyPatch, settings: Settings, *faults: str, tries: int = 1
) -> Crowding:
    settings.SITE = SITE
    crowding = Crowding(side, tries=tries, faults=faults)
    # How long ago a bonus with a lost answer was asked for is taken from the log of calls.
    monkeypatch.setattr("django.utils.timezone.now", lambda: crowding.now)
    return crowding


def test_a_process_killed_before_and_after_every_call_that_writes(
    side: ProlificSide,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    record_property: Callable[[str, object], None],
) -> None:
    crowding = crowding_of(side, monkeypatch, settings, *each(*KILLS))
    bring_through(crowding)
    struck = {(kind, operation) for kind, operation in side.emulator.state()["struck"]}
    assert struck == {(kind, operation) for kind in KILLS for operation in WRITES}
    record_property("figure", f"{crowding.killed} processes killed at {len(WRITES)} operations of Prolific")


@pytest.mark.parametrize(
    "faults",
    and_nightly(
        [each("cut-after")],
        [each("break", "throttle", operations=WRITES + READS)],
        "a call that failed is repeated like one of a killed process",
    ),
    ids=["lost-replies", "errors"],
)
def test_replies_that_are_lost_errors_and_throttling(
    side: ProlificSide, monkeypatch: pytest.MonkeyPatch, settings: Settings, faults: list[str]
) -> None:
    bring_through(crowding_of(side, monkeypatch, settings, *faults, tries=3))
