"""HIT types and HITs: from making to disposing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from tests.simulation.emulators.mturk.calls import (
    HOUR,
    START,
    counts,
    make_hit,
    make_type,
    question,
    refused,
    status,
    submitted,
)


def test_the_same_values_are_the_same_type(turk: Handle) -> None:
    assert make_type(turk) == make_type(turk) != make_type(turk, Reward="0.11")


def test_ids_depend_on_the_seed_only() -> None:
    def ids(seed: int) -> list[str]:
        with emulator(seed=seed) as turk:
            hit = make_hit(turk)
            return [hit, turk.worker("A1").accept(hit_id=hit)["assignmentId"]]

    assert ids(1) == ids(1) != ids(2)


def test_a_token_makes_one_hit_within_a_day(turk: Handle) -> None:
    first = make_hit(turk, UniqueRequestToken="order-1", LifetimeInSeconds=100 * HOUR)
    with refused("HITAlreadyExists") as refusal:
        make_hit(turk, UniqueRequestToken="order-1")
    assert first in refusal.message
    turk.set_clock(advance=24 * HOUR)
    assert make_hit(turk, UniqueRequestToken="order-1") != first


def test_a_hit_goes_from_assignable_to_disposed(turk: Handle) -> None:
    hit = make_hit(turk, 2)
    assert (status(turk, hit), counts(turk, hit)) == ("Assignable", (2, 0, 0))
    one = submitted(turk, hit, "A1")
    taken = turk.worker("A2").accept(hit_id=hit)["assignmentId"]
    assert (status(turk, hit), counts(turk, hit)) == ("Unassignable", (0, 1, 0))
    turk.worker("A2").submit(taken)
    assert (status(turk, hit), counts(turk, hit)) == ("Reviewable", (0, 0, 0))
    client = turk.client()
    with refused("InvalidHITState"):
        client.delete_hit(HITId=hit)
    for assignment in (one, taken):
        client.approve_assignment(AssignmentId=assignment)
    client.update_hit_review_status(HITId=hit)
    assert status(turk, hit) == "Reviewing"
    client.delete_hit(HITId=hit)
    assert status(turk, hit) == "Disposed"
    assert client.list_hits()["HITs"] == []


def test_an_expired_hit_waits_for_who_is_at_work(turk: Handle) -> None:
    hit = make_hit(turk, 3)
    taken = turk.worker("A1").accept(hit_id=hit)["assignmentId"]
    turk.client().update_expiration_for_hit(HITId=hit, ExpireAt=datetime(2015, 1, 1, tzinfo=UTC))
    assert (status(turk, hit), counts(turk, hit)) == ("Unassignable", (2, 1, 0))
    turk.worker("A1").submit(taken)
    assert status(turk, hit) == "Reviewable"
    later = datetime.fromtimestamp(START + HOUR, UTC)
    turk.client().update_expiration_for_hit(HITId=hit, ExpireAt=later)
    assert status(turk, hit) == "Assignable"
    turk.set_clock(advance=HOUR)
    assert status(turk, hit) == "Reviewable"


@pytest.mark.parametrize(("places", "more"), [(9, 1), (1, 9), (5, 100)])
def test_no_extension_makes_places_dearer(turk: Handle, places: int, more: int) -> None:
    hit = make_hit(turk, places)
    with refused("InvalidMaximumAssignmentsIncrease"):
        turk.client().create_additional_assignments_for_hit(HITId=hit, NumberOfAdditionalAssignments=more)
    assert counts(turk, hit) == (places, 0, 0)


@pytest.mark.parametrize(("places", "more"), [(8, 1), (10, 5)])
def test_an_extension_counts_once(turk: Handle, places: int, more: int) -> None:
    hit = make_hit(turk, places)
    given = {"HITId": hit, "NumberOfAdditionalAssignments": more, "UniqueRequestToken": "more"}
    turk.client().create_additional_assignments_for_hit(**given)
    with refused("DuplicateRequest"):
        turk.client().create_additional_assignments_for_hit(**given)
    assert counts(turk, hit) == (places + more, 0, 0)


def test_lists_are_walked_by_tokens_and_a_full_last_page_is_followed_by_an_empty_one(turk: Handle) -> None:
    hits = [make_hit(turk) for _ in range(6)]
    client, found, sizes = turk.client(), [], []
    token: dict[str, str] = {}
    while True:
        page = client.list_hits(MaxResults=3, **token)
        found += [hit["HITId"] for hit in page["HITs"]]
        sizes.append(page["NumResults"])
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
        hits.append(make_hit(turk))  # the newest come first, so one that is made meanwhile moves nothing
    assert found == list(reversed(hits[:6])) and sizes == [3, 3, 0]
    with refused("InvalidParameterValue"):
        client.list_hits(NextToken="made-up")


@pytest.mark.parametrize(
    "wrong",
    [
        {"LifetimeInSeconds": 29},
        {"MaxAssignments": 0},
        {"RequesterAnnotation": "x" * 256},
        {"HITLayoutId": "3LAYOUT"},
        {"Question": question("http://crowd.example/work")},
        {"Question": question("javascript:alert(1)")},
        {"Question": question("https://crowd.example/" + "x" * 65_535)},
    ],
)
def test_a_hit_that_the_platform_would_not_take_is_refused_whole(turk: Handle, wrong: dict[str, Any]) -> None:
    with refused("InvalidParameterValue"):
        given = {"LifetimeInSeconds": 60, "Question": question(), **wrong}
        turk.client().create_hit_with_hit_type(HITTypeId=make_type(turk), **given)
    assert turk.state()["hits"] == [] and turk.books()["held"] == 0


@pytest.mark.parametrize(
    "xml",
    [
        "no xml",
        "<HTMLQuestion/>",
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>',
        question().replace("FrameHeight", "Height"),
    ],
)
def test_a_question_of_another_form_is_refused(turk: Handle, xml: str) -> None:
    with refused("XMLParseError"):
        make_hit(turk, Question=xml)


def test_what_is_not_there_is_named_so(turk: Handle) -> None:
    with refused("HITDoesNotExist"):
        turk.client().get_hit(HITId="3NONE")
    with refused("HITTypeDoesNotExist"):
        make_hit(turk, type_id="3NONE")
    with refused("AssignmentDoesNotExist"):
        turk.client().approve_assignment(AssignmentId="3NONE")
