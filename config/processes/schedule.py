"""The schedule of periodic tasks, and the queue of each task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHORT, LONG = "celery", "long"
QUEUES: dict[str, dict[str, Any]] = {SHORT: {}, LONG: {}}
"""All queues. A worker that is given none takes from all of them."""

# Tasks that may take minutes or hours have a queue of their own, so that judgments are read and leases taken
# back meanwhile. GROUNDCREW_JOBS_AT_ONCE of `run_queued_job`, COUNTS_AT_ONCE counts (one of each kind), and a
# round with a crowd platform may run at the same time.
_SLOW = (
    "run_queued_job",
    "refresh_counts",
    "count_statistics",
    "crowd_step",
    "crowd_reconcile",
    "write_to_worker",
    "erase_projects",
    "make_renditions",
)
ROUTES = {f"workflows.tasks.{name}": {"queue": LONG} for name in _SLOW}
COUNTS_AT_ONCE, ROUNDS_AT_ONCE = 2, 1
CROWD_SECONDS, SEAL_SECONDS, RENDITION_SECONDS = 30, 60, 60


def schedule(
    sweep_seconds: int, platforms: Sequence[str] = (), *, carried: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the schedule of beat. Each of `platforms` has its rounds, and is compared once an hour.

    Those `carried` have rounds alone: a person carries their lists, so there is nothing to compare with.
    """
    rounds = {
        f"crowd-{name}": {
            "task": "workflows.tasks.crowd_step",
            "args": (name,),
            "schedule": CROWD_SECONDS,
            "options": {"expires": CROWD_SECONDS},
        }
        for name in (*platforms, *carried)
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
    seals = {
        f"seal-{name}": {
            "task": "workflows.tasks.seal",
            "args": (name,),
            "schedule": SEAL_SECONDS,
            "options": {"expires": SEAL_SECONDS},
        }
        for name in ("audit", "ledger", "records")
    }
    return {
        **rounds,
        **comparisons,
        **seals,
        "sweep": {
            "task": "workflows.tasks.sweep",
            "schedule": sweep_seconds,
            # The message expires, so that a worker that was away finds one sweep and not an hour of them.
            "options": {"expires": sweep_seconds},
        },
        "clean": {"task": "workflows.tasks.delete_leftovers", "schedule": 3600, "options": {"expires": 3600}},
        "erase": {"task": "workflows.tasks.erase_projects", "schedule": 3600, "options": {"expires": 3600}},
        "renditions": {
            "task": "workflows.tasks.make_renditions",
            "schedule": RENDITION_SECONDS,
            "options": {"expires": RENDITION_SECONDS},
        },
        # It looks back a quarter of an hour, so the next run makes up for one that is missed.
        "pace": {"task": "workflows.tasks.look_at_pace", "schedule": 300, "options": {"expires": 300}},
        "suggestions": {
            "task": "workflows.tasks.look_at_shown_suggestions",
            "schedule": sweep_seconds,
            "options": {"expires": sweep_seconds},
        },
        "pay": {"task": "workflows.tasks.post_pay", "schedule": 30, "options": {"expires": 30}},
        "balances": {
            "task": "workflows.tasks.look_at_balances",
            "schedule": 600,
            "options": {"expires": 600},
        },
        "counts": {"task": "workflows.tasks.refresh_counts", "schedule": 15, "options": {"expires": 15}},
    }
