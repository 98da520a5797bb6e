"""Operations that change HITs: add places, change the expiration, the review status or the type, delete."""

from __future__ import annotations

from simulation.emulators.mturk import lifecycle, money, requirements
from simulation.emulators.mturk.api.hits import find_type
from simulation.emulators.mturk.api.request_tokens import remember, seen
from simulation.emulators.mturk.errors import ApiError, bad_value
from simulation.emulators.mturk.notifications import notify
from simulation.emulators.mturk.state import Status
from simulation.emulators.mturk.world import Input, Output, World


def add_assignments(world: World, given: Input) -> Output:
    """Add places to a HIT.

    Raise ApiError: InvalidMaximumAssignmentsIncrease if a HIT of fewer than ten would get ten or more, or
    DuplicateRequest.
    """
    hit, more = lifecycle.find_hit(world, given["HITId"]), given["NumberOfAdditionalAssignments"]
    token = given.get("UniqueRequestToken", "")
    earlier = seen(world, "extend", token)
    if earlier:
        raise ApiError("DuplicateRequest", f"This request token was used by request {earlier}.")
    if more < 1:
        raise bad_value("NumberOfAdditionalAssignments has to be 1 or more.")
    if hit.disposed:
        raise ApiError("InvalidHITState", "This HIT is disposed of.")
    if hit.places < money.MANY <= hit.places + more:
        raise ApiError(
            "InvalidMaximumAssignmentsIncrease",
            "HITs created with fewer than 10 assignments cannot be extended to have 10 or more assignments.",
        )
    hit.places += more
    try:
        lifecycle.touch(world, hit, world.now())
    except ApiError:
        hit.places -= more
        raise
    remember(world, "extend", token, world.state.new_id())
    notify(world, "HITExtended", hit, at=world.now())
    return {}


def update_expiration(world: World, given: Input) -> Output:
    """Change a HIT's expiration. A past time ends it now; workers with an assignment can still submit."""
    hit, now = lifecycle.find_hit(world, given["HITId"]), world.now()
    if hit.disposed:
        raise ApiError("InvalidHITState", "This HIT is disposed of.")
    before = hit.expires
    hit.expires = max(given["ExpireAt"].timestamp(), hit.created)
    try:
        lifecycle.touch(world, hit, now)
    except ApiError:
        hit.expires = before
        raise
    if hit.expires > max(before, now):
        notify(world, "HITExtended", hit, at=now)
    return {}


def update_review_status(world: World, given: Input) -> Output:
    hit, back = lifecycle.find_hit(world, given["HITId"]), given.get("Revert", False)
    wanted = "Reviewing" if back else "Reviewable"
    if lifecycle.hit_status(world.state, hit, world.now()) != wanted:
        raise ApiError("InvalidHITState", f"This operation can be called with a status of: {wanted}")
    hit.reviewing = not back
    return {}


def update_type(world: World, given: Input) -> Output:
    hit, hit_type = lifecycle.find_hit(world, given["HITId"]), find_type(world.state, given["HITTypeId"])
    before = (hit.type_id, hit.reward, hit.masters, hit.fee)
    hit.masters = requirements.asks_for_masters(hit_type.requirements)
    hit.type_id, hit.reward = hit_type.id, hit_type.reward
    hit.fee = money.fee(hit.reward, places=hit.places, masters=hit.masters)
    try:
        lifecycle.touch(world, hit, world.now())
    except ApiError:
        hit.type_id, hit.reward, hit.masters, hit.fee = before
        raise
    return {}


def delete(world: World, given: Input) -> Output:
    hit = lifecycle.find_hit(world, given["HITId"])
    status = lifecycle.hit_status(world.state, hit, world.now())
    if status not in ("Reviewable", "Reviewing"):
        raise ApiError(
            "InvalidHITState", "This operation can be called with a status of: Reviewing, Reviewable"
        )
    if lifecycle.count(world.state, hit, Status.SUBMITTED):
        raise ApiError("InvalidHITState", "This HIT has assignments that are neither approved nor rejected.")
    lifecycle.dispose(world, hit, world.now())
    return {}
