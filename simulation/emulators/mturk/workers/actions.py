"""The actions of workers: list HITs, preview, accept, submit, return and abandon."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simulation.emulators.mturk import lifecycle, question, requirements
from simulation.emulators.mturk.errors import ApiError, bad_value, no_such
from simulation.emulators.mturk.notifications import notify
from simulation.emulators.mturk.state import Assignment, Hit, HitType, Status
from simulation.emulators.mturk.world import World

MAX_AT_ONCE = 25  # assignments that a worker may have accepted
MAX_ANSWER = 131_072  # characters of all fields together


def known(worker: str) -> str:
    """Return a worker's id. Raise ApiError if it is malformed."""
    if not re.fullmatch("A[A-Z0-9]{1,63}", worker):
        raise bad_value("A worker's id is an A, then capitals and digits, at most 64.")
    return worker


def groups(world: World, worker: str) -> list[tuple[HitType, list[Hit]]]:
    """Return the HITs that this worker may see and could take, by HIT type, oldest first."""
    found: dict[str, list[Hit]] = {}
    for hit in world.state.hits.values():
        if _is_open(world, hit, worker) and requirements.allowed(world.state, worker, hit, "discover"):
            found.setdefault(hit.type_id, []).append(hit)
    return [(world.state.types[type_id], hits) for type_id, hits in found.items()]


def _is_open(world: World, hit: Hit, worker: str) -> bool:
    state = world.state
    return lifecycle.hit_status(state, hit, world.now()) == "Assignable" and not any(
        state.assignments[one].worker == worker for one in hit.assignments
    )


def preview(world: World, worker: str, hit_id: str) -> Hit:
    """Return a HIT for a preview. Raise ApiError if the worker may not preview it."""
    hit = lifecycle.find_hit(world, hit_id)
    if not requirements.allowed(world.state, worker, hit, "preview"):
        raise ApiError("NotQualified", "You do not have what is needed to preview this HIT.")
    return hit


def accept(world: World, worker: str, *, hit_id: str = "", group_id: str = "") -> Assignment:
    """Accept one HIT of a group, or a certain one. Raise ApiError if there is none for this worker."""
    state, now = world.state, world.now()
    candidates = [state.hits[hit_id]] if hit_id in state.hits else []
    if group_id:
        candidates = [hit for hit in state.hits.values() if state.types[hit.type_id].group_id == group_id]
    open_now = [hit for hit in candidates if _is_open(world, hit, worker)]
    if not open_now:
        raise ApiError("NoMoreHITs", "There are no more of these HITs for you.")
    free = [hit for hit in open_now if requirements.allowed(state, worker, hit)]
    if not free:
        raise ApiError("NotQualified", "You do not have what is needed to accept this HIT.")
    at_work = sum(one.worker == worker and one.status == Status.PENDING for one in state.assignments.values())
    if at_work >= MAX_AT_ONCE:
        raise ApiError(
            "TooManyAccepted", f"You have accepted {MAX_AT_ONCE} HITs; submit or return one first."
        )
    hit = free[0]
    made = Assignment(
        # As on the real platform, the next worker gets the id of a returned assignment.
        id=hit.returned_ids.pop(0) if hit.returned_ids else state.new_id(),
        serial=state.next_serial(),
        hit_id=hit.id,
        worker=worker,
        accepted=now,
        deadline=now + state.types[hit.type_id].duration,
    )
    state.assignments[made.id] = made
    hit.assignments.append(made.id)
    world.expect(made.deadline)
    notify(world, "AssignmentAccepted", hit, made.id, at=now)
    lifecycle.touch(world, hit, now)
    return made


def page_address(world: World, one: Assignment) -> str:
    """Return the address of the frame."""
    return question.parse(world.state.hits[one.hit_id].question).address(
        assignmentId=one.id, hitId=one.hit_id, workerId=one.worker, turkSubmitTo=world.site
    )


def preview_address(world: World, hit: Hit) -> str:
    """Return the frame's address for a preview. As on the real platform, it does not name the worker."""
    return question.parse(hit.question).address(assignmentId=question.NOT_AVAILABLE, hitId=hit.id)


def submit(world: World, assignment_id: str, fields: Sequence[tuple[str, str]]) -> Assignment:
    """Submit the fields that a page posts. Raise ApiError without a field, or a pending assignment."""
    one = world.state.assignments.get(assignment_id)
    if not one:
        raise no_such("Assignment", assignment_id or "(none)")
    if not fields:
        raise bad_value("The form has to have at least one field besides assignmentId.")
    if sum(len(name) + len(value) for name, value in fields) > MAX_ANSWER:
        raise bad_value(f"The form has more than {MAX_ANSWER} characters.")
    if one.status != Status.PENDING:
        raise ApiError("InvalidAssignmentState", "This assignment was submitted already.")
    hit, now = world.state.hits[one.hit_id], world.now()
    one.status, one.submitted, one.answer = Status.SUBMITTED, now, question.write_answers(fields)
    one.approves = now + world.state.types[hit.type_id].approval_delay
    world.expect(one.approves)
    notify(world, "AssignmentSubmitted", hit, one.id, at=now)
    lifecycle.touch(world, hit, now)
    return one


def give_back(world: World, worker: str, assignment_id: str, *, how: str = "returned") -> None:
    """Return an assignment, or abandon it before its time is up. Raise ApiError if it is not the worker's."""
    one = world.state.assignments.get(assignment_id)
    if not one or one.worker != worker:
        raise no_such("Assignment", assignment_id)
    if one.status != Status.PENDING:
        raise ApiError("InvalidAssignmentState", "This assignment was submitted already.")
    lifecycle.leave(world, one, how, world.now())
