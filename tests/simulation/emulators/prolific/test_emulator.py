"""The emulated Prolific does what the reference says, as far as a client can see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.submissions import MIN_MESSAGE

WORKER, OTHER = f"{1:024x}", f"{2:024x}"
REASON = "x" * MIN_MESSAGE


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(funds=10_000) as emulator:
        yield emulator


@pytest.fixture
def client(emulator: Emulator) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Token {emulator.world.token}"}
    with httpx.Client(base_url=f"{emulator.url}/api/v1", headers=headers, trust_env=False) as client:
        yield client


def body(**fields: Any) -> dict[str, Any]:
    usual = {
        "name": "Do two phrases name the same thing?",
        "internal_name": "first",
        "description": "Ten questions.",
        "external_study_url": "https://g.example/?p={{%PROLIFIC_PID%}}&s={{%SESSION_ID%}}",
        "prolific_id_option": "url_parameters",
        "completion_codes": [
            {"code": "DONE", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]}
        ],
        "total_available_places": 2,
        "estimated_completion_time": 2,
        "reward": 100,
    }
    return usual | fields


def make(client: httpx.Client, **fields: Any) -> str:
    """Make and publish a study."""
    made = client.post("/studies/", json=body(**fields)).json()["id"]
    assert move(client, made, "PUBLISH").status_code == 200
    return str(made)


def move(client: httpx.Client, study: str, action: str) -> httpx.Response:
    return client.post(f"/studies/{study}/transition/", json={"action": action})


def review(client: httpx.Client, submission: str, **fields: str) -> httpx.Response:
    return client.post(f"/submissions/{submission}/transition/", json=fields)


def status(client: httpx.Client, study: str) -> str:
    return str(client.get(f"/studies/{study}/").json()["status"])


def balance(client: httpx.Client, emulator: Emulator) -> tuple[int, int]:
    found = client.get(f"/workspaces/{emulator.world.workspace}/balance/").json()
    return found["total_balance"], found["available_balance"]


def test_money_is_set_aside_paid_and_let_go(client: httpx.Client, emulator: Emulator) -> None:
    study = make(client)
    assert balance(client, emulator) == (10_000, 10_000 - 2 * 143)
    one = emulator.participants.start(study, WORKER)
    assert f"p={WORKER}&s={one.submission_id}" in one.url
    emulator.participants.complete(one.submission_id, "DONE")
    assert review(client, one.submission_id, action="APPROVE").json()["status"] == "APPROVED"
    assert review(client, one.submission_id, action="APPROVE").status_code == 200  # ignored
    assert balance(client, emulator) == (9_857, 9_857 - 143)
    move(client, study, "STOP")
    assert balance(client, emulator) == (9_857, 9_857)


def test_a_study_lives_as_its_places_do(client: httpx.Client, emulator: Emulator) -> None:
    study = make(client, total_available_places=1)
    one = emulator.participants.start(study, WORKER)
    assert (status(client, study), emulator.participants.studies(f"{2:024x}")) == ("ACTIVE", [])
    emulator.participants.complete(one.submission_id, "DONE")
    assert status(client, study) == "AWAITING REVIEW"
    review(client, one.submission_id, action="REJECT", message=REASON, rejection_category="LOW_EFFORT")
    assert status(client, study) == "PAUSED"
    move(client, study, "START")
    other = emulator.participants.start(study, f"{2:024x}")
    emulator.participants.complete(other.submission_id, "DONE")
    review(client, other.submission_id, action="APPROVE")
    assert status(client, study) == "COMPLETED"
    assert client.patch(f"/studies/{study}/", json={"total_available_places": 2}).status_code == 200
    assert status(client, study) == "ACTIVE"


def test_places_come_back_when_time_is_up_or_they_are_returned(
    client: httpx.Client, emulator: Emulator
) -> None:
    study = make(client, maximum_allowed_time=10)
    late = emulator.participants.start(study, WORKER)
    back = emulator.participants.start(study, f"{2:024x}")
    emulator.participants.give_back(back.submission_id)
    assert client.get(f"/studies/{study}/").json()["places_taken"] == 1
    emulator.world.clock.advance(601)
    assert client.get(f"/submissions/{late.submission_id}/").json()["status"] == "TIMED-OUT"
    counts = client.get(f"/studies/{study}/submissions/counts/").json()
    assert counts == {"TIMED-OUT": 1, "RETURNED": 1, "TOTAL": 2}
    assert emulator.participants.studies(f"{2:024x}") == []  # it was returned, so it cannot be taken again


def test_what_nobody_reviews_is_approved_after_three_weeks(client: httpx.Client, emulator: Emulator) -> None:
    one = emulator.participants.start(make(client), WORKER)
    emulator.participants.complete(one.submission_id, "DONE")
    emulator.world.clock.advance(21 * 86_400 + 1)
    assert client.get(f"/submissions/{one.submission_id}/").json()["status"] == "APPROVED"


def test_a_bonus_is_paid_as_often_as_it_is_asked_for(client: httpx.Client, emulator: Emulator) -> None:
    study = make(client)
    one = emulator.participants.start(study, WORKER)
    emulator.participants.complete(one.submission_id, "DONE")
    emulator.world.bonus_seconds = 60
    bulk = client.post(
        "/submissions/bonus-payments/",
        json={"study_id": study, "csv_bonuses": f"{WORKER},0.25\n{one.submission_id},1.50"},
    ).json()
    assert (bulk["amount"], bulk["fees"], bulk["total_amount"]) == (175, 11 + 65, 251)
    for _ in range(2):
        assert client.post(f"/bulk-bonus-payments/{bulk['id']}/pay/").status_code == 202
    assert emulator.world.books.paid("bonus") == 350
    assert client.get(f"/submissions/{one.submission_id}/").json()["bonus_payments"] == []
    emulator.world.clock.advance(61)
    assert client.get(f"/submissions/{one.submission_id}/").json()["bonus_payments"] == [25, 150, 25, 150]


@pytest.mark.parametrize(
    "line", ["nobody,1.00", f"{WORKER},x", f"{WORKER},0.001", f"{WORKER},-1", WORKER, ""]
)
def test_a_bonus_for_nobody_or_of_nothing_is_refused(
    client: httpx.Client, emulator: Emulator, line: str
) -> None:
    study = make(client)
    emulator.participants.start(study, WORKER)
    given = {"study_id": study, "csv_bonuses": line}
    assert client.post("/submissions/bonus-payments/", json=given).status_code == 400


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": ""}, "name"),
        ({"reward": 0}, "reward"),
        ({"reward": 1.5}, "reward"),
        ({"total_available_places": None}, "total_available_places"),
        ({"maximum_allowed_time": 5}, "maximum_allowed_time"),
        ({"external_study_url": "http://g.example/"}, "external_study_url"),
        ({"completion_codes": []}, "completion_codes"),
        (
            {"completion_codes": [{"code": "A", "code_type": "X", "actions": [{"action": "?"}]}]},
            "completion_codes",
        ),
        ({"device_compatibility": ["watch"]}, "device_compatibility"),
        ({"filters": [{"filter_id": "shoe-size", "selected_values": ["9"]}]}, "filters"),
        ({"filters": [{"filter_id": "approval_rate"}]}, "filters"),
        ({"project": "another"}, "project"),
        ({"study_labels": ["art"]}, "study_labels"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_wrong_with_a_study_is_told_by_field(
    client: httpx.Client, emulator: Emulator, fields: dict[str, Any], field: str
) -> None:
    reply = client.post("/studies/", json=body(**fields))
    assert reply.status_code == 400 and list(reply.json()["error"]["detail"]) == [field]
    assert not emulator.world.studies


def codes(pay: int = 40, slots: int = 2, several: int = 1) -> list[dict[str, Any]]:
    """Return the usual code, and `several` that screen participants out."""
    action = {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": pay, "slots": slots}
    screening = [
        {"code": f"OUT{number}", "code_type": "FIXED_SCREENOUT", "actions": [action]}
        for number in range(several)
    ]
    return [*body()["completion_codes"], *screening]


def test_who_is_screened_out_is_paid_and_leaves_the_place_to_others(
    client: httpx.Client, emulator: Emulator
) -> None:
    study = make(client, total_available_places=1, completion_codes=codes())
    assert balance(client, emulator) == (10_000, 10_000 - 143 - 2 * 58)
    people = emulator.participants
    assert people.complete(people.start(study, WORKER).submission_id, "OUT0").status == "SCREENED OUT"
    assert balance(client, emulator) == (10_000 - 58, 10_000 - 143 - 2 * 58)
    assert status(client, study) == "ACTIVE" and emulator.world.books.paid("screen-out") == 40
    people.complete(people.start(study, OTHER).submission_id, "OUT0")
    assert status(client, study) == "PAUSED", "no further participant may be screened out"
    move(client, study, "STOP")
    assert balance(client, emulator) == (10_000 - 2 * 58, 10_000 - 2 * 58)


@pytest.mark.parametrize("given", [codes(pay=9), codes(pay=100), codes(slots=0), codes(several=2)], ids=str)
def test_a_pay_for_screen_outs_that_prolific_refuses(
    client: httpx.Client, given: list[dict[str, Any]]
) -> None:
    reply = client.post("/studies/", json=body(completion_codes=given))
    assert reply.status_code == 400 and list(reply.json()["error"]["detail"]) == ["completion_codes"]


@pytest.mark.parametrize(
    "fields",
    [
        {"action": "REJECT", "message": REASON},
        {"action": "REJECT", "message": REASON[1:], "rejection_category": "OTHER"},
        {"action": "REJECT", "message": REASON, "rejection_category": "DULL"},
        {"action": "FORGET"},
    ],
)
def test_a_review_is_refused_without_what_it_needs(
    client: httpx.Client, emulator: Emulator, fields: dict[str, str]
) -> None:
    one = emulator.participants.start(make(client), WORKER)
    emulator.participants.complete(one.submission_id, "DONE")
    assert review(client, one.submission_id, **fields).status_code == 400


def test_what_is_published_cannot_be_changed_deleted_or_made_smaller(
    client: httpx.Client, emulator: Emulator
) -> None:
    study = make(client)
    for change in ({"reward": 1}, {"total_available_places": 1}):
        assert client.patch(f"/studies/{study}/", json=change).status_code == 400
    assert client.delete(f"/studies/{study}/").status_code == 400
    assert move(client, study, "PUBLISH").status_code == 400
    assert (
        client.patch(f"/studies/{study}/", json={"total_available_places": 900}).status_code == 400
    )  # funds


def test_who_has_no_token_sees_nothing(emulator: Emulator) -> None:
    reply = httpx.get(f"{emulator.url}/api/v1/studies/", trust_env=False)
    assert (reply.status_code, reply.json()["error"]["status"]) == (401, 401)


def test_faults_come_where_and_as_often_as_they_are_planned(client: httpx.Client, emulator: Emulator) -> None:
    faults = emulator.world.faults
    faults.add("throttle", "get-user", skip=1)
    assert [client.get("/users/me/").status_code for _ in range(3)] == [200, 429, 200]
    faults.add("cut-after", "create-study")
    with pytest.raises(httpx.TransportError):
        client.post("/studies/", json=body())
    assert len(emulator.world.studies) == 1
    faults.add("break", times=-1)
    assert [client.get("/users/me/").status_code for _ in range(3)] == [500] * 3


def test_a_participant_goes_through_it_in_a_browser(client: httpx.Client, emulator: Emulator) -> None:
    study = make(client)
    with httpx.Client(base_url=emulator.url, trust_env=False) as browser:
        assert f"/studies/{study}/start" in browser.get(f"/participants/{WORKER}").text
        there = browser.get(f"/participants/{WORKER}/studies/{study}/start")
        assert there.status_code == 302 and there.headers["Location"].startswith("https://g.example/")
        assert browser.get("/submissions/complete?cc=DONE").status_code == 200
    (row,) = client.get("/submissions/", params={"study": study}).json()["results"]
    assert (row["status"], row["study_code"], row["participant_id"]) == ("AWAITING REVIEW", "DONE", WORKER)


def test_another_process_turns_its_clock_and_reads_its_books(emulator: Emulator) -> None:
    before = emulator.world.clock.now()
    with httpx.Client(base_url=f"{emulator.url}/emulator", trust_env=False) as client:
        assert client.post("/clock", json={"seconds": 3600}).status_code == 204
        assert client.post("/faults", json={"faults": ["throttle:get-user:2"]}).status_code == 204
        assert client.post("/faults", json={"faults": ["nonsense"]}).status_code == 400
        assert client.get("/books").json()["available"] == 10_000
    assert (emulator.world.clock.now() - before).total_seconds() >= 3600
    assert [one.times for one in emulator.world.faults.planned] == [2]
