"""Who may see, preview and take a HIT, and what a requester does with qualifications and workers."""

from __future__ import annotations

from typing import Any

import pytest

from simulation.emulators.mturk.handle import Handle, RefusedError
from simulation.emulators.mturk.requirements import APPROVED, LOCALE, MASTERS, PERCENT, meets
from simulation.emulators.mturk.state import Qualification, State, Worker
from tests.simulation.emulators.mturk.calls import REASON, make_hit, make_type, refused, submitted

OURS = "3OURS"


def requirement(
    type_id: str, comparator: str, *integers: int, locales: tuple[str, ...] = ()
) -> dict[str, Any]:
    places = [dict(zip(("Country", "Subdivision"), one.split("-"), strict=False)) for one in locales]
    return {
        "QualificationTypeId": type_id,
        "Comparator": comparator,
        **({"IntegerValues": list(integers)} if integers else {}),
        **({"LocaleValues": places} if places else {}),
    }


@pytest.mark.parametrize(
    ("comparator", "integers", "fits"),
    [
        ("LessThan", (7,), False),
        ("LessThan", (8,), True),
        ("LessThanOrEqualTo", (7,), True),
        ("LessThanOrEqualTo", (6,), False),
        ("GreaterThan", (6,), True),
        ("GreaterThan", (7,), False),
        ("GreaterThanOrEqualTo", (7,), True),
        ("GreaterThanOrEqualTo", (8,), False),
        ("EqualTo", (7,), True),
        ("EqualTo", (6,), False),
        ("NotEqualTo", (6,), True),
        ("NotEqualTo", (7,), False),
        ("In", (1, 7), True),
        ("In", (1, 2), False),
        ("NotIn", (1, 2), True),
        ("NotIn", (1, 7), False),
        ("Exists", (), True),
        ("DoesNotExist", (), False),
    ],
)
def test_every_comparator_compares_what_a_worker_has(
    comparator: str, integers: tuple[int, ...], fits: bool
) -> None:
    state, worker = State(), Worker("A1")
    wanted = requirement(OURS, comparator, *integers)
    assert meets(state, worker, wanted) is (comparator == "DoesNotExist"), "one who has it not"
    held = Qualification(OURS, 1, "A1", 7, 0.0, "Granted")
    state.qualifications[f"{OURS}:A1"] = held
    assert meets(state, worker, wanted) is fits
    held.status = "Revoked"
    assert meets(state, worker, wanted) is (comparator == "DoesNotExist"), "one whom it was taken from"


@pytest.mark.parametrize(
    ("worker", "wanted", "fits"),
    [
        (Worker("A1", approved=499), requirement(APPROVED, "GreaterThanOrEqualTo", 500), False),
        (Worker("A1", approved=500), requirement(APPROVED, "GreaterThanOrEqualTo", 500), True),
        (Worker("A1", approved=949, rejected=51), requirement(PERCENT, "GreaterThanOrEqualTo", 95), False),
        (Worker("A1", approved=950, rejected=50), requirement(PERCENT, "GreaterThanOrEqualTo", 95), True),
        (Worker("A1", approved=1, rejected=98), requirement(PERCENT, "GreaterThanOrEqualTo", 95), True),
        (Worker("A1", country="US", subdivision="NY"), requirement(LOCALE, "EqualTo", locales=("US",)), True),
        (Worker("A1", country="US"), requirement(LOCALE, "EqualTo", locales=("US-CA",)), False),
        (Worker("A1", country="CA"), requirement(LOCALE, "In", locales=("US-CA", "CA")), True),
        (Worker("A1", country="CA"), requirement(LOCALE, "NotIn", locales=("CA", "GB")), False),
        (Worker("A1", country="IN"), requirement(LOCALE, "NotEqualTo", locales=("US",)), True),
        (Worker("A1", masters=True), requirement(min(MASTERS), "Exists"), True),
        (Worker("A1"), requirement(max(MASTERS), "Exists"), False),
    ],
)
def test_what_the_platform_knows_of_a_worker_counts(
    worker: Worker, wanted: dict[str, Any], fits: bool
) -> None:
    assert meets(State(workers={"A1": worker}), worker, wanted) is fits


@pytest.mark.parametrize(
    ("guard", "seen", "previewed"),
    [("Accept", True, True), ("PreviewAndAccept", True, False), ("DiscoverPreviewAndAccept", False, False)],
)
def test_a_requirement_guards_what_it_says(turk: Handle, guard: str, seen: bool, previewed: bool) -> None:
    wanted = {**requirement(APPROVED, "GreaterThan", 9), "ActionsGuarded": guard}
    hit = make_hit(turk, type_id=make_type(turk, QualificationRequirements=[wanted]))
    novice, expert = turk.worker("A1", approved=9), turk.worker("A2", approved=10)
    assert bool(novice.groups()) is seen and expert.groups()
    if previewed:
        assert "assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE" in novice.preview(hit)
    else:
        with pytest.raises(RefusedError, match="preview"):
            novice.preview(hit)
    with pytest.raises(RefusedError, match="accept"):
        novice.accept(hit_id=hit)
    assert expert.accept(hit_id=hit)["hitId"] == hit


@pytest.mark.parametrize(
    "wrong",
    [
        requirement(APPROVED, "Exists", 1),
        requirement(APPROVED, "EqualTo", 1, 2),
        requirement(APPROVED, "GreaterThan"),
        requirement(APPROVED, "In", *range(16)),
        requirement(LOCALE, "GreaterThan", locales=("US",)),
        requirement(LOCALE, "In", 5),
    ],
)
def test_a_requirement_that_makes_no_sense_is_refused(turk: Handle, wrong: dict[str, Any]) -> None:
    with refused("InvalidParameterValue"):
        make_type(turk, QualificationRequirements=[wrong])


def test_a_requirement_of_an_unknown_qualification_is_refused(turk: Handle) -> None:
    with refused("QualificationTypeDoesNotExist"):
        make_type(turk, QualificationRequirements=[requirement("3NONE", "Exists")])


def test_a_qualification_is_given_again_and_taken_once(turk: Handle) -> None:
    client = turk.client()
    about = {"Name": "Trusted", "Description": "d", "QualificationTypeStatus": "Active"}
    ours = client.create_qualification_type(**about)["QualificationType"]["QualificationTypeId"]
    with refused("QualificationTypeAlreadyExists"):
        client.create_qualification_type(**about)
    both = {"QualificationTypeId": ours, "WorkerId": "A1"}
    with refused("QualificationDoesNotExist"):
        client.disassociate_qualification_from_worker(**both)
    for value in (1, 2):
        client.associate_qualification_with_worker(**both, IntegerValue=value, SendNotification=False)
    assert client.get_qualification_score(**both)["Qualification"]["IntegerValue"] == 2
    client.disassociate_qualification_from_worker(**both)
    with refused("InvalidQualificationState"):
        client.disassociate_qualification_from_worker(**both)
    assert client.list_workers_with_qualification_type(QualificationTypeId=ours)["Qualifications"] == []


def test_a_request_waits_for_the_requester_unless_it_is_granted_by_itself(turk: Handle) -> None:
    client = turk.client()
    about = {"Description": "d", "QualificationTypeStatus": "Active"}
    asks = client.create_qualification_type(Name="Asks", **about)["QualificationType"]["QualificationTypeId"]
    gives = client.create_qualification_type(Name="Gives", **about, AutoGranted=True, AutoGrantedValue=5)
    gives_id = gives["QualificationType"]["QualificationTypeId"]
    request = turk.worker("A1").request(asks)
    (told,) = client.list_qualification_requests(QualificationTypeId=asks)["QualificationRequests"]
    assert (told["QualificationRequestId"], told["WorkerId"]) == (request, "A1")
    client.accept_qualification_request(QualificationRequestId=request, IntegerValue=3)
    with refused("QualificationRequestDoesNotExist"):
        client.reject_qualification_request(QualificationRequestId=request)
    assert turk.worker("A1").request(gives_id) is None
    for one, value in ((asks, 3), (gives_id, 5)):
        held = client.get_qualification_score(QualificationTypeId=one, WorkerId="A1")["Qualification"]
        assert held["IntegerValue"] == value


def test_a_blocked_worker_sees_and_takes_nothing(turk: Handle) -> None:
    hit, client, worker = make_hit(turk), turk.client(), turk.worker("A1")
    client.create_worker_block(WorkerId="A1", Reason=REASON)
    assert worker.groups() == []
    with pytest.raises(RefusedError, match="accept"):
        worker.accept(hit_id=hit)
    for _ in range(2):
        client.delete_worker_block(WorkerId="A1")
    assert worker.groups()


def test_only_workers_whose_work_was_decided_can_be_written_to(turk: Handle) -> None:
    hit, client = make_hit(turk, 2), turk.client()
    client.approve_assignment(AssignmentId=submitted(turk, hit, "A1"))
    submitted(turk, hit, "A2")
    told = client.notify_workers(Subject="s", MessageText="m", WorkerIds=["A1", "A2", "A3"])
    failed = [one["WorkerId"] for one in told["NotifyWorkersFailureStatuses"]]
    assert failed == ["A2", "A3"]
    assert turk.worker("A1").profile()["messages"] == [{"subject": "s", "text": "m"}]
    with refused("InvalidParameterValue"):
        client.notify_workers(Subject="s", MessageText="m", WorkerIds=[f"A{n}" for n in range(101)])
