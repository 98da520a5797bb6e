"""Operations that block workers and write to them."""

from __future__ import annotations

from dataclasses import dataclass

from simulation.emulators.mturk.api.pagination import page
from simulation.emulators.mturk.errors import bad_value
from simulation.emulators.mturk.state import State, Status
from simulation.emulators.mturk.world import Input, Output, World

MAX_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class _Block:
    serial: int
    worker: str
    reason: str


def block(world: World, given: Input) -> Output:
    if not given["Reason"]:
        raise bad_value("Reason has to be given.")
    world.state.blocks[given["WorkerId"]] = given["Reason"]
    return {}


def unblock(world: World, given: Input) -> Output:
    """Unblock a worker. This does nothing if the worker is not blocked."""
    world.state.blocks.pop(given["WorkerId"], None)
    return {}


def list_blocks(world: World, given: Input) -> Output:
    found = [_Block(place, *one) for place, one in enumerate(world.state.blocks.items())]
    return page(given, "WorkerBlocks", found, lambda one: {"WorkerId": one.worker, "Reason": one.reason})


def notify_workers(world: World, given: Input) -> Output:
    """Send a message to workers whose work was approved or rejected before. Return those not reached."""
    if not 1 <= len(given["WorkerIds"]) <= MAX_AT_ONCE:
        raise bad_value(f"WorkerIds has to have from 1 to {MAX_AT_ONCE}.")
    for name, most in (("Subject", 200), ("MessageText", 4096)):
        if not 1 <= len(given[name]) <= most:
            raise bad_value(f"{name} has to have from 1 to {most} characters.")
    failed = [worker for worker in given["WorkerIds"] if not _knows(world.state, worker)]
    for worker in given["WorkerIds"]:
        if worker not in failed:
            message = {"subject": given["Subject"], "text": given["MessageText"]}
            world.state.worker(worker).messages.append(message)
    return {
        "NotifyWorkersFailureStatuses": [
            {
                "NotifyWorkersFailureCode": "HardFailure",
                "NotifyWorkersFailureMessage": "You have neither approved nor rejected work of this worker.",
                "WorkerId": worker,
            }
            for worker in failed
        ]
    }


def _knows(state: State, worker: str) -> bool:
    return any(
        one.worker == worker and one.status in (Status.APPROVED, Status.REJECTED)
        for one in state.assignments.values()
    )
