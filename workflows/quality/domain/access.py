"""Whether a worker may take work of a stage, as the API says it."""

from __future__ import annotations

from enum import StrEnum


class Access(StrEnum):
    """A worker's standing in a stage. Those further up are better news."""

    OPEN = "open"
    TEST = "test"  # there is a qualification test to pass, or to go on with
    WAITING = "waiting"  # a try at it failed; the next one is possible later
    CLOSED = "closed"  # no tries are left, or too many answers were wrong
    FIGURES = "figures"  # the platform's figures of the worker are below what is asked
    BLOCKED = "blocked"  # by a researcher
