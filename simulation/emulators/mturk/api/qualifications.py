"""Operations on the requester's qualification types, on workers' qualifications and on their requests."""

from __future__ import annotations

from typing import Any

from simulation.emulators.mturk.api.pagination import page
from simulation.emulators.mturk.clock import to_datetime
from simulation.emulators.mturk.errors import ApiError, bad_value, no_such
from simulation.emulators.mturk.requirements import SYSTEM
from simulation.emulators.mturk.state import Qualification, QualificationRequest, QualificationType, State
from simulation.emulators.mturk.world import Input, Output, World

_FIXED = ("Name", "Keywords", "QualificationTypeId")


def create_type(world: World, given: Input) -> Output:
    """Make a qualification type. Raise ApiError: QualificationTypeAlreadyExists if the name is taken."""
    state = world.state
    if any(one.about["Name"] == given["Name"] for one in state.qualification_types.values()):
        raise ApiError(
            "QualificationTypeAlreadyExists", "You have already created a QualificationType with this name."
        )
    for name, most in (("Name", 200), ("Description", 2000)):
        if not 1 <= len(given[name]) <= most:
            raise bad_value(f"{name} has to have from 1 to {most} characters.")
    _check_test(given)
    made = QualificationType(state.new_id(), state.next_serial(), world.now(), dict(given))
    state.qualification_types[made.id] = made
    return {"QualificationType": _tell_type(made)}


def update_type(world: World, given: Input) -> Output:
    found = _find(world.state, given["QualificationTypeId"])
    changed = {name: value for name, value in given.items() if name not in _FIXED}
    _check_test({**found.about, **changed})
    found.about.update(changed)
    return {"QualificationType": _tell_type(found)}


def _check_test(about: Input) -> None:
    if ("Test" in about) != ("TestDurationInSeconds" in about) or (
        "AnswerKey" in about and "Test" not in about
    ):
        raise bad_value("Test and TestDurationInSeconds go together; an AnswerKey needs both.")
    if "Test" in about and about.get("AutoGranted"):
        raise bad_value("A qualification with a test cannot be AutoGranted.")


def get_type(world: World, given: Input) -> Output:
    return {"QualificationType": _tell_type(_find(world.state, given["QualificationTypeId"]))}


def delete_type(world: World, given: Input) -> Output:
    """Delete a type and its requests. Workers' qualifications stay, since HITs may still ask for them."""
    state, found = world.state, _find(world.state, given["QualificationTypeId"])
    del state.qualification_types[found.id]
    state.requests = {key: one for key, one in state.requests.items() if one.type_id != found.id}
    return {}


def list_types(world: World, given: Input) -> Output:
    """Return types whose name or description has the query in it.

    All types are the caller's, since the emulator has only one requester.
    """
    query = given.get("Query", "").casefold()
    found = [
        one
        for one in world.state.qualification_types.values()
        if query in f"{one.about['Name']}\n{one.about['Description']}".casefold()
        and (not given["MustBeRequestable"] or one.about["QualificationTypeStatus"] == "Active")
    ]
    return page(given, "QualificationTypes", found, _tell_type)


def associate(world: World, given: Input) -> Output:
    _grant(world, given["QualificationTypeId"], given["WorkerId"], given.get("IntegerValue", 1))
    return {}


def _grant(world: World, type_id: str, worker: str, value: int) -> None:
    state, found = world.state, _find(world.state, type_id)
    key = f"{found.id}:{worker}"
    earlier = state.qualifications.get(key)
    serial = earlier.serial if earlier else state.next_serial()
    state.qualifications[key] = Qualification(found.id, serial, worker, value, world.now(), "Granted")


def disassociate(world: World, given: Input) -> Output:
    """Revoke a qualification. Raise ApiError if the worker does not have it, or if it was revoked before."""
    held = _held(world.state, given)
    if held.status != "Granted":
        raise ApiError("InvalidQualificationState", "This operation can be called with a status of: Granted")
    held.status, held.reason = "Revoked", given.get("Reason", "")
    return {}


def get_score(world: World, given: Input) -> Output:
    return {"Qualification": _tell_held(_held(world.state, given))}


def list_holders(world: World, given: Input) -> Output:
    found = _find(world.state, given["QualificationTypeId"])
    wanted = given.get("Status", "Granted")
    held = [
        one for one in world.state.qualifications.values() if one.type_id == found.id and one.status == wanted
    ]
    return page(given, "Qualifications", held, _tell_held)


def request(world: World, type_id: str, worker: str, answer: str = "") -> str | None:
    """Make a worker's request for a qualification. Return its id, or None if it is granted at once."""
    found = _find(world.state, type_id)
    if found.about["QualificationTypeStatus"] != "Active":
        raise ApiError("InvalidQualificationTypeState", "This qualification cannot be requested now.")
    if found.about.get("AutoGranted"):
        _grant(world, type_id, worker, found.about.get("AutoGrantedValue", 1))
        return None
    state = world.state
    one = QualificationRequest(state.new_id(), state.next_serial(), type_id, worker, world.now(), answer)
    state.requests[one.id] = one
    return one.id


def list_requests(world: World, given: Input) -> Output:
    wanted = given.get("QualificationTypeId")
    found = [one for one in world.state.requests.values() if wanted in (None, one.type_id)]
    return page(given, "QualificationRequests", found, lambda one: _tell_request(world.state, one))


def accept_request(world: World, given: Input) -> Output:
    one = _take_request(world.state, given)
    _grant(world, one.type_id, one.worker, given.get("IntegerValue", 1))
    return {}


def reject_request(world: World, given: Input) -> Output:
    _take_request(world.state, given)
    return {}


def _take_request(state: State, given: Input) -> QualificationRequest:
    one = state.requests.pop(given["QualificationRequestId"], None)
    if not one:
        raise no_such("QualificationRequest", given["QualificationRequestId"])
    return one


def _find(state: State, type_id: str) -> QualificationType:
    if type_id in SYSTEM:
        raise ApiError("PermissionDenied", "This qualification type is not yours.")
    found = state.qualification_types.get(type_id)
    if not found:
        raise no_such("QualificationType", type_id)
    return found


def _held(state: State, given: Input) -> Qualification:
    found = _find(state, given["QualificationTypeId"])
    held = state.qualifications.get(f"{found.id}:{given['WorkerId']}")
    if not held:
        raise no_such("Qualification", f"of {given['WorkerId']} for {found.id}")
    return held


def _tell_type(one: QualificationType) -> dict[str, Any]:
    return {
        **one.about,
        "QualificationTypeId": one.id,
        "CreationTime": to_datetime(one.created),
        "IsRequestable": one.about["QualificationTypeStatus"] == "Active",
        "AutoGranted": one.about.get("AutoGranted", False),
    }


def _tell_held(one: Qualification) -> dict[str, Any]:
    return {
        "QualificationTypeId": one.type_id,
        "WorkerId": one.worker,
        "GrantTime": to_datetime(one.granted),
        "IntegerValue": one.value,
        "Status": one.status,
    }


def _tell_request(state: State, one: QualificationRequest) -> dict[str, Any]:
    test = state.qualification_types[one.type_id].about.get("Test")
    return {
        "QualificationRequestId": one.id,
        "QualificationTypeId": one.type_id,
        "WorkerId": one.worker,
        "SubmitTime": to_datetime(one.at),
        **({"Test": test} if test else {}),
        **({"Answer": one.answer} if one.answer else {}),
    }
