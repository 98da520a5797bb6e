"""What becomes of HITs and assignments as time goes by and workers come and go.

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
    """Places nobody has taken; also of an expired HIT, as the real one tells it."""
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
    """Let happen what was due by now: call it before anything is asked or done."""
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
    """Return what the HIT may still cost: places that can be taken, are at work, or wait for a decision."""
    places = count(state, hit, Status.PENDING, Status.SUBMITTED)
    if not hit.disposed and hit.expires > now:
        places += available(hit)
    return places * (hit.reward + hit.fee)


def touch(world: World, hit: Hit, now: float) -> None:
    """After any change to a HIT: what is on hold for it, what is to be told. Raises ApiError for funds."""
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
    """Returned or abandoned: the place is free again, and its id may go to the next worker."""
    state = world.state
    hit = state.hits[one.hit_id]
    hit.assignments.remove(one.id)
    hit.returned_ids.append(one.id)
    del state.assignments[one.id]
    state.left.append(Left(one.id, hit.id, one.worker, how, at))
    notify(world, f"Assignment{how.capitalize()}", hit, one.id, at=at)
    touch(world, hit, world.now())


def approve(world: World, one: Assignment, *, at: float, feedback: str = "") -> None:
    """Pay for it: out of what is on hold, or after a rejection of the balance. Raises ApiError for funds."""
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
    """Whatever still waits on it is approved first: a worker's pay never goes with a HIT."""
    for one in [world.state.assignments[name] for name in hit.assignments]:
        if one.status == Status.SUBMITTED:
            approve(world, one, at=now)
    hit.disposed = True
    touch(world, hit, now)
    notify(world, "HITDisposed", hit, at=now)


def find_hit(world: World, hit_id: str) -> Hit:
    """Raises ApiError."""
    hit = world.state.hits.get(hit_id)
    if not hit:
        raise ApiError("HITDoesNotExist", f"Hit {hit_id} does not exist.")
    return hit
