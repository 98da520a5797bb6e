"""Operations on assignments: list, approve, reject, override a rejection, and pay bonuses."""

from __future__ import annotations

from simulation.emulators.mturk import lifecycle, money
from simulation.emulators.mturk.api.hits import DAY
from simulation.emulators.mturk.api.hits import tell as tell_hit
from simulation.emulators.mturk.api.pagination import page
from simulation.emulators.mturk.api.request_tokens import remember, seen
from simulation.emulators.mturk.clock import to_datetime
from simulation.emulators.mturk.errors import ApiError, bad_value
from simulation.emulators.mturk.state import Assignment, Bonus, Status
from simulation.emulators.mturk.world import Input, Output, World

OVERRIDE_WITHIN = 30 * DAY
_SHOWN = (Status.SUBMITTED, Status.APPROVED, Status.REJECTED)
MAX_REASON = 4096  # characters


def list_for_hit(world: World, given: Input) -> Output:
    hit = lifecycle.find_hit(world, given["HITId"])
    wanted = given.get("AssignmentStatuses") or _SHOWN
    found = [world.state.assignments[one] for one in hit.assignments]
    shown = [one for one in found if one.status in wanted and one.status != Status.PENDING]
    return page(given, "Assignments", shown, tell)


def get(world: World, given: Input) -> Output:
    one = _submitted(world, given["AssignmentId"], *_SHOWN)
    return {"Assignment": tell(one), "HIT": tell_hit(world, world.state.hits[one.hit_id])}


def approve(world: World, given: Input) -> Output:
    """Approve an assignment; a rejected one only with OverrideRejection, within 30 days of its submission."""
    override = given.get("OverrideRejection", False)
    one = _submitted(
        world, given["AssignmentId"], Status.SUBMITTED, *((Status.REJECTED,) if override else ())
    )
    if one.status == Status.REJECTED:
        late = (one.submitted or 0.0) + OVERRIDE_WITHIN <= world.now()
        if late or world.state.hits[one.hit_id].disposed:
            raise ApiError(
                "InvalidAssignmentState",
                "The rejection cannot be overridden: it is over 30 days old, or no HIT.",
            )
    lifecycle.approve(world, one, at=world.now(), feedback=given.get("RequesterFeedback", ""))
    return {}


def reject(world: World, given: Input) -> Output:
    one = _submitted(world, given["AssignmentId"], Status.SUBMITTED)
    feedback = given["RequesterFeedback"]
    if not feedback or len(feedback) > 1024:
        raise bad_value("RequesterFeedback has to have from 1 to 1024 characters.")
    lifecycle.reject(world, one, at=world.now(), feedback=feedback)
    return {}


def send_bonus(world: World, given: Input) -> Output:
    """Pay a bonus. Raise ApiError: DuplicateRequest if the token was used within a day; InsufficientFunds."""
    one = _submitted(world, given["AssignmentId"], *_SHOWN)
    token, amount = given.get("UniqueRequestToken", ""), money.to_cents(given["BonusAmount"])
    earlier = seen(world, "bonus", token)
    if earlier:
        raise ApiError("DuplicateRequest", f"This request token was used by request {earlier}.")
    if one.worker != given["WorkerId"]:
        raise bad_value(f"Assignment {one.id} is not one of worker {given['WorkerId']}.")
    if not 1 <= amount <= 1_000_000:
        raise bad_value("BonusAmount has to be from 0.01 to 10000.00.")
    if not given["Reason"] or len(given["Reason"]) > MAX_REASON:
        raise bad_value(f"Reason has to have from 1 to {MAX_REASON} characters.")
    state, now = world.state, world.now()
    money.pay_bonus(state, now, amount, hit_id=one.hit_id, assignment=one.id, worker=one.worker)
    state.bonuses.append(
        Bonus(state.next_serial(), one.worker, one.id, one.hit_id, amount, given["Reason"], now)
    )
    remember(world, "bonus", token, state.new_id())
    return {}


def list_bonuses(world: World, given: Input) -> Output:
    if ("HITId" in given) == ("AssignmentId" in given):
        raise bad_value("ListBonusPayments needs either HITId or AssignmentId.")
    if "HITId" in given:
        hit = lifecycle.find_hit(world, given["HITId"])
        found = [one for one in world.state.bonuses if one.hit_id == hit.id]
    else:
        assignment = _submitted(world, given["AssignmentId"], *_SHOWN)
        found = [one for one in world.state.bonuses if one.assignment == assignment.id]
    return page(given, "BonusPayments", found, _tell_bonus)


def balance(world: World, given: Input) -> Output:
    totals = world.state.totals
    return {
        "AvailableBalance": money.to_dollars(totals.get("available", 0)),
        "OnHoldBalance": money.to_dollars(totals.get("held", 0)),
    }


def refuse_upload(world: World, given: Input) -> Output:
    raise ApiError("InvalidParameterValue", "Questions with uploaded files are not emulated.")


def tell(one: Assignment) -> Output:
    assert one.submitted is not None and one.approves is not None
    times = {"ApprovalTime": one.approved, "RejectionTime": one.rejected}
    return {
        "AssignmentId": one.id,
        "WorkerId": one.worker,
        "HITId": one.hit_id,
        "AssignmentStatus": one.status.value,
        "AutoApprovalTime": to_datetime(one.approves),
        "AcceptTime": to_datetime(one.accepted),
        "SubmitTime": to_datetime(one.submitted),
        **{name: to_datetime(at) for name, at in times.items() if at is not None},
        "Deadline": to_datetime(one.deadline),
        "Answer": one.answer,
        **({"RequesterFeedback": one.feedback} if one.feedback else {}),
    }


def _tell_bonus(one: Bonus) -> Output:
    return {
        "WorkerId": one.worker,
        "BonusAmount": money.to_dollars(one.amount),
        "AssignmentId": one.assignment,
        "Reason": one.reason,
        "GrantTime": to_datetime(one.at),
    }


def _submitted(world: World, name: str, *statuses: Status) -> Assignment:
    """Return an assignment in one of the statuses. Raise ApiError if it does not exist or has another."""
    one = world.state.assignments.get(name)
    if not one:
        raise ApiError("AssignmentDoesNotExist", f"Assignment {name} does not exist.")
    if one.status not in statuses:
        raise ApiError(
            "InvalidAssignmentState",
            f"This operation can be called with a status of: {', '.join(statuses)}",
        )
    return one
