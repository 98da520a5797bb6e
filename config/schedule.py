"""Which tasks run when, and which queue each waits in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHORT, LONG = "celery", "long"
QUEUES: dict[str, dict[str, Any]] = {SHORT: {}, LONG: {}}
"""A worker that names none takes from all."""

# What may take minutes or hours waits by itself: judgments are read and leases taken back meanwhile.
# GROUNDCREW_JOBS_AT_ONCE of `run`, COUNTS_AT_ONCE counts, one of each kind, and a round with a crowd platform
# go on at the same time.
_SLOW = ("run", "count_figures", "count_statistics", "crowd_step", "crowd_reconcile", "write_to_worker")
ROUTES = {f"workflows.tasks.{name}": {"queue": LONG} for name in _SLOW}
COUNTS_AT_ONCE, ROUNDS_AT_ONCE = 2, 1
CROWD_SECONDS = 30


def schedule(sweep_seconds: int, platforms: Sequence[str] = ()) -> dict[str, Any]:
    """Of beat. Each of `platforms`, on which there are accounts, has its rounds, and a comparison an hour."""
    rounds = {
        f"crowd-{name}": {
            "task": "workflows.tasks.crowd_step",
            "args": (name,),
            "schedule": CROWD_SECONDS,
            "options": {"expires": CROWD_SECONDS},
        }
        for name in platforms
    }
    comparisons = {
        f"reconcile-{name}": {
            "task": "workflows.tasks.crowd_reconcile",
            "args": (name,),
            "schedule": 3600,
            "options": {"expires": 3600},
        }
        for name in platforms
    }
    return {
        **rounds,
        **comparisons,
        "sweep": {
            "task": "workflows.tasks.sweep",
            "schedule": sweep_seconds,
            # A worker that was away finds one sweep, not an hour of them.
            "options": {"expires": sweep_seconds},
        },
        "clean": {"task": "workflows.tasks.clean", "schedule": 3600, "options": {"expires": 3600}},
        # Looks back a quarter of an hour: one that is missed is made up for by the next.
        "pace": {"task": "workflows.tasks.look_at_pace", "schedule": 300, "options": {"expires": 300}},
        "pay": {"task": "workflows.tasks.earn", "schedule": 30, "options": {"expires": 30}},
        "balances": {
            "task": "workflows.tasks.look_at_balances",
            "schedule": 600,
            "options": {"expires": 600},
        },
        "figures": {"task": "workflows.tasks.count_figures", "schedule": 15, "options": {"expires": 15}},
    }
