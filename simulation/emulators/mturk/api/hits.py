"""Operations that make HIT types and HITs, and that list and describe HITs."""

from __future__ import annotations

import hashlib
import json

from simulation.emulators.mturk import lifecycle, money, question, requirements
from simulation.emulators.mturk.api.pagination import page
from simulation.emulators.mturk.api.request_tokens import remember, seen
from simulation.emulators.mturk.clock import to_datetime
from simulation.emulators.mturk.errors import ApiError, bad_value, no_such
from simulation.emulators.mturk.notifications import notify
from simulation.emulators.mturk.state import Hit, HitType, State, Status
from simulation.emulators.mturk.world import Input, Output, World

DAY = 86_400
YEAR = 365 * DAY
MAX_APPROVAL_DELAY = 30 * DAY
_NOT_EMULATED = ("HITLayoutId", "HITLayoutParameters", "AssignmentReviewPolicy", "HITReviewPolicy")
_TYPE_FIELDS = (
    "AutoApprovalDelayInSeconds",
    "AssignmentDurationInSeconds",
    "Reward",
    "Title",
    "Keywords",
    "Description",
    "QualificationRequirements",
)


def create_type(world: World, given: Input) -> Output:
    """Make a HIT type. The same values give the same type again."""
    return {"HITTypeId": _make_type(world.state, given).id}


def _make_type(state: State, given: Input) -> HitType:
    _within("AssignmentDurationInSeconds", given["AssignmentDurationInSeconds"], 30, YEAR)
    delay = given.get("AutoApprovalDelayInSeconds", MAX_APPROVAL_DELAY)
    _within("AutoApprovalDelayInSeconds", delay, 0, MAX_APPROVAL_DELAY)
    for name, least, most in (("Title", 1, 128), ("Description", 1, 2000), ("Keywords", 0, 1000)):
        _within(f"the length of {name}", len(given.get(name, "")), least, most)
    wanted = given.get("QualificationRequirements", [])
    requirements.check(state, wanted)
    reward = money.to_cents(given["Reward"])
    values = (reward, delay, *(given.get(name) for name in _TYPE_FIELDS[1:] if name != "Reward"))
    alike = hashlib.sha256(f"{state.seed}:{json.dumps(values, sort_keys=True)}".encode()).hexdigest().upper()
    hit_type = HitType(
        id="3" + alike[:29],
        group_id="3" + alike[29:58],
        title=given["Title"],
        description=given["Description"],
        keywords=given.get("Keywords", ""),
        reward=reward,
        duration=given["AssignmentDurationInSeconds"],
        approval_delay=delay,
        requirements=list(wanted),
    )
    return state.types.setdefault(hit_type.id, hit_type)


def create(world: World, given: Input) -> Output:
    known = set(_TYPE_FIELDS)
    made = _make_type(world.state, {name: value for name, value in given.items() if name in known})
    rest = {name: value for name, value in given.items() if name not in known}
    return create_with_type(world, {**rest, "HITTypeId": made.id})


def create_with_type(world: World, given: Input) -> Output:
    """Make a HIT of a type.

    Raise ApiError: HITAlreadyExists, which names the HIT, if the token was used within a day;
    InsufficientFunds.
    """
    state, now = world.state, world.now()
    hit_type = find_type(state, given["HITTypeId"])
    for name in _NOT_EMULATED:
        if name in given:
            raise bad_value(f"{name} is not emulated.")
    if "Question" not in given:
        raise bad_value("A Question or a HITLayoutId must be provided.")
    token = given.get("UniqueRequestToken", "")
    earlier = seen(world, "hit", token)
    if earlier:
        raise ApiError(
            "HITAlreadyExists", f"The HIT with ID {earlier} already exists, created with this token."
        )
    question.parse(given["Question"])
    places = given.get("MaxAssignments", 1)
    _within("MaxAssignments", places, 1, 1_000_000_000)
    _within("LifetimeInSeconds", given["LifetimeInSeconds"], 30, YEAR)
    _within("the length of RequesterAnnotation", len(given.get("RequesterAnnotation", "")), 0, 255)
    masters = requirements.asks_for_masters(hit_type.requirements)
    hit = Hit(
        id=state.new_id(),
        serial=state.next_serial(),
        type_id=hit_type.id,
        question=given["Question"],
        annotation=given.get("RequesterAnnotation", ""),
        places=places,
        created=now,
        expires=now + given["LifetimeInSeconds"],
        reward=hit_type.reward,
        fee=money.fee(hit_type.reward, places=places, masters=masters),
        masters=masters,
    )
    lifecycle.touch(world, hit, now)
    world.expect(now + lifecycle.DISPOSED_AFTER)
    state.hits[hit.id] = hit
    remember(world, "hit", token, hit.id)
    notify(world, "HITCreated", hit, at=now)
    return {"HIT": tell(world, hit)}


def find_type(state: State, type_id: str) -> HitType:
    """Return the HIT type with this id. Raise ApiError if there is none."""
    found = state.types.get(type_id)
    if not found:
        raise no_such("HITType", type_id)
    return found


def tell(world: World, hit: Hit) -> Output:
    hit_type, state = lifecycle.type_of(world.state, hit), world.state
    status = lifecycle.hit_status(state, hit, world.now())
    return {
        "HITId": hit.id,
        "HITTypeId": hit_type.id,
        "HITGroupId": hit_type.group_id,
        "CreationTime": to_datetime(hit.created),
        "Title": hit_type.title,
        "Description": hit_type.description,
        "Question": hit.question,
        **({"Keywords": hit_type.keywords} if hit_type.keywords else {}),
        "HITStatus": status,
        "MaxAssignments": hit.places,
        "Reward": money.to_dollars(hit.reward),
        "AutoApprovalDelayInSeconds": hit_type.approval_delay,
        "Expiration": to_datetime(hit.expires),
        "AssignmentDurationInSeconds": hit_type.duration,
        **({"RequesterAnnotation": hit.annotation} if hit.annotation else {}),
        "QualificationRequirements": hit_type.requirements,
        "HITReviewStatus": "MarkedForReview" if status == "Reviewing" else "NotReviewed",
        "NumberOfAssignmentsPending": lifecycle.count(state, hit, Status.PENDING),
        "NumberOfAssignmentsAvailable": lifecycle.available(hit),
        "NumberOfAssignmentsCompleted": lifecycle.count(state, hit, Status.APPROVED, Status.REJECTED),
    }


def get(world: World, given: Input) -> Output:
    return {"HIT": tell(world, lifecycle.find_hit(world, given["HITId"]))}


def list_all(world: World, given: Input) -> Output:
    return _page(world, given, [hit for hit in world.state.hits.values() if not hit.disposed])


def list_reviewable(world: World, given: Input) -> Output:
    wanted, type_id = given.get("Status", "Reviewable"), given.get("HITTypeId")
    found = [
        hit
        for hit in world.state.hits.values()
        if lifecycle.hit_status(world.state, hit, world.now()) == wanted and type_id in (None, hit.type_id)
    ]
    return _page(world, given, found)


def list_for_qualification(world: World, given: Input) -> Output:
    found = [
        hit
        for hit in world.state.hits.values()
        if not hit.disposed
        and given["QualificationTypeId"]
        in (one["QualificationTypeId"] for one in lifecycle.type_of(world.state, hit).requirements)
    ]
    return _page(world, given, found)


def list_policy_results(world: World, given: Input) -> Output:
    """Return no results, since HITs have no review policies here."""
    return {"HITId": lifecycle.find_hit(world, given["HITId"]).id}


def _page(world: World, given: Input, found: list[Hit]) -> Output:
    return page(given, "HITs", found, lambda hit: tell(world, hit), newest_first=True)


def _within(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise bad_value(f"{name} has to be from {least} to {most}, not {value}.")
