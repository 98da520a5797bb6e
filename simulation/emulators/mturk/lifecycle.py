"""How HITs and assignments change with time and with the actions of workers.

A HIT is Assignable until it expires or every place is taken, Unassignable while somebody is still at work,
then Reviewable. An assignment is pending, then submitted, returned or abandoned; a submitted one is approved
by itself after the HIT type's delay.
"""

from __future__ import annotations

import math

from simulation.emulators.mturk import money
from simulation.emulators.mturk.errors import ApiError
from simulation.emulators.mturk.notifications import notify
from simulation.emulators.mturk.state import Assignment, Hit, HitType, Left, State, Status
from simulation.emulators.mturk.world import World

DISPOSED_AFTER = 120 * 86_400  # seconds


def count(state: State, hit: Hit, *statuses: Status) -> int:
    return sum(state.assignments[one].status in statuses for one in hit.assignments)


def available(hit: Hit) -> int:
    """Return the places that nobody has taken. As on the real platform, an expired HIT has them too."""
    return max(0, hit.places - len(hit.assignments))


def hit_status(state: State, hit: Hit, now: float) -> str:
    if hit.disposed:
        return "Disposed"
    expired = hit.expires <= now
    if available(hit) and not expired:
        return "Assignable"
    if count(state, hit, Status.PENDING):
        return "Unassignable"
    return "Reviewing" if hit.reviewing else "Reviewable"


def type_of(state: State, hit: Hit) -> HitType:
    return state.types[hit.type_id]


def catch_up(world: World) -> None:
    """Do everything that is due by now. This must be called before anything is read or done."""
    now = world.now()
    if now < world.due:
        return
    world.due = math.inf
    for hit in world.state.hits.values():
        if not hit.disposed:
            _advance(world, hit, now)


def _advance(world: World, hit: Hit, now: float) -> None:
    for one in [world.state.assignments[name] for name in hit.assignments]:
        if one.status == Status.PENDING:
            if one.deadline <= now:
                leave(world, one, "abandoned", one.deadline)
            else:
                world.expect(one.deadline)
        elif one.status == Status.SUBMITTED and one.approves is not None:
            if one.approves <= now:
                approve(world, one, at=one.approves)
            else:
                world.expect(one.approves)
    if hit.expires > now:
        world.expect(hit.expires)
    if hit.created + DISPOSED_AFTER <= now:
        dispose(world, hit, now)
    else:
        world.expect(hit.created + DISPOSED_AFTER)
        touch(world, hit, now)


def wanted_hold(state: State, hit: Hit, now: float) -> int:
    """Return the cents that a HIT may still cost: places free, at work, or waiting for a decision."""
    places = count(state, hit, Status.PENDING, Status.SUBMITTED)
    if not hit.disposed and hit.expires > now:
        places += available(hit)
    return places * (hit.reward + hit.fee)


def touch(world: World, hit: Hit, now: float) -> None:
    """Update the hold and send notifications after any change to a HIT. Raise ApiError for lack of funds."""
    money.hold(world.state, now, hit, wanted_hold(world.state, hit, now))
    if hit.expires <= now and not hit.expired_told:
        hit.expired_told = True
        notify(world, "HITExpired", hit, at=hit.expires)
    if hit.expires > now:
        hit.expired_told = False
        world.expect(hit.expires)
    reviewable = hit_status(world.state, hit, now) in ("Reviewable", "Reviewing")
    if reviewable and not hit.reviewable_told:
        notify(world, "HITReviewable", hit, at=now)
    hit.reviewable_told = reviewable


def leave(world: World, one: Assignment, how: str, at: float) -> None:
    """Return or abandon an assignment. Its place is free again, and its id may go to the next worker."""
    state = world.state
    hit = state.hits[one.hit_id]
    hit.assignments.remove(one.id)
    hit.returned_ids.append(one.id)
    del state.assignments[one.id]
    state.left.append(Left(one.id, hit.id, one.worker, how, at))
    notify(world, f"Assignment{how.capitalize()}", hit, one.id, at=at)
    touch(world, hit, world.now())


def approve(world: World, one: Assignment, *, at: float, feedback: str = "") -> None:
    """Approve and pay, from the hold or (after a rejection) the balance. Raise ApiError for lack of funds."""
    state = world.state
    hit = state.hits[one.hit_id]
    was_rejected = one.status == Status.REJECTED
    money.pay_reward(state, at, hit, one.id, one.worker, held=not was_rejected)
    worker = state.worker(one.worker)
    worker.approved += 1
    worker.rejected -= was_rejected
    one.status, one.approved, one.feedback = Status.APPROVED, at, feedback or one.feedback
    notify(world, "AssignmentApproved", hit, one.id, at=at)
    touch(world, hit, world.now())


def reject(world: World, one: Assignment, *, at: float, feedback: str) -> None:
    hit = world.state.hits[one.hit_id]
    world.state.worker(one.worker).rejected += 1
    one.status, one.rejected, one.feedback = Status.REJECTED, at, feedback
    notify(world, "AssignmentRejected", hit, one.id, at=at)
    touch(world, hit, world.now())


def dispose(world: World, hit: Hit, now: float) -> None:
    """Delete a HIT. Waiting assignments are approved first, so that no worker loses pay."""
    for one in [world.state.assignments[name] for name in hit.assignments]:
        if one.status == Status.SUBMITTED:
            approve(world, one, at=now)
    hit.disposed = True
    touch(world, hit, now)
    notify(world, "HITDisposed", hit, at=now)


def find_hit(world: World, hit_id: str) -> Hit:
    """Return the HIT with this id. Raise ApiError if there is none."""
    hit = world.state.hits.get(hit_id)
    if not hit:
        raise ApiError("HITDoesNotExist", f"Hit {hit_id} does not exist.")
    return hit
