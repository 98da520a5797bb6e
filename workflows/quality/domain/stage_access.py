"""The words by which the API says whether a worker may work in a stage."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """Whether a worker may work in a stage, and if not, why. The better news come first."""

    OPEN = "open"
    TEST = "test"  # there is a qualification test to pass, or to go on with
    WAITING = "waiting"  # a try at the test failed; the next one is possible later
    ENOUGH = "enough"  # they have the most pages that the batch gives one person, for a day or at all
    CLOSED = "closed"  # no tries are left, or too many answers were wrong
    FIGURES = "figures"  # the platform's data on the worker are below what is asked
    BLOCKED = "blocked"  # a researcher blocked the worker
