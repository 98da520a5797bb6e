"""Whatever happens to a process while a researcher carries lists, everybody is paid once, to the cent.

No platform is called. Processes of a worker's request, of a round, of a list that is read and of one that is
taken out are killed with SIGKILL before and after each transaction that they commit, at each function once.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django.fixtures import Settings

from tests.faults.crowding import Crowding
from tests.faults.link_side import link_side
from tests.faults.telling import bring_through
from tests.workflows.crowd.scene import SITE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow("kills processes at every transaction in turn, and starts new ones"),
]

WRITES = {"take_list", "take_out", "submit"}
"""Functions of the story that store something, among others."""


def test_a_process_killed_before_and_after_every_transaction(
    settings: Settings, record_property: Callable[[str, object], None]
) -> None:
    settings.SITE = SITE
    with link_side() as side:
        crowding = Crowding(side, faults=("kill",))
        bring_through(crowding)
    struck = {
        when: {site[len(when) + 1 :] for site in side.sites if site.startswith(when)}
        for when in ("before", "after")
    }
    assert struck["before"] == struck["after"]
    assert {site.rsplit(" ", 1)[1] for site in struck["before"]} >= WRITES
    record_property(
        "figure", f"{crowding.killed} processes killed at {len(struck['before'])} functions that write"
    )
