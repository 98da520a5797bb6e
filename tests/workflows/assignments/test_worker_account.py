from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Worker
from tests.entities_fast import make_fast
from tests.factories import (
    LATER,
    NOW,
    answer_page,
    claim_page,
    make_batch,
    make_image,
    make_project,
    make_running,
    make_worker,
    replies,
    submit_page,
)
from tests.workflows.http import Api, check_problem
from workflows.assignments.leases import expire_leases
from workflows.assignments.submit import submit
from workflows.assignments.worker_account import account_of, stages_with_work
from workflows.batches.lifecycle import move_batch
from workflows.crowd.direct.extra_pay import pay_more

pytestmark = pytest.mark.django_db

LINK = [["man"], ["man"]]


def of(worker: Worker) -> dict[str, Any]:
    found = account_of(worker_id=worker.pk, now=NOW)
    assert found is not None
    return found


def stage(worker: Worker, name: str) -> dict[str, Any]:
    (row,) = (row for row in of(worker)["stages"] if row["stage"] == name)
    return {key: value for key, value in row.items() if key != "stage"}


def test_a_new_worker_has_done_nothing_and_may_work_everywhere() -> None:
    batch = make_running(LINK, reward={"link": 7})
    worker = make_worker(batch.project)
    found = of(worker)
    assert (found["worker"], found["project"], found["earned"]) == (
        worker.external_id,
        batch.project.name,
        [],
    )
    assert [row["stage"] for row in found["stages"]] == [
        *("link", "verification", "requirement", "drawing", "quality", "coverage")
    ]
    nothing = {"standing": "open", "retry_in": None, "pages": 0, "judgments": 0, "seconds": 0.0}
    nothing["pay_by"] = "page"
    assert stage(worker, "link") == nothing | {
        "waiting": True,
        "reward": {"amount": 7, "currency": "USD"},
        "usual_seconds": 75.0,
    }
    assert stage(worker, "drawing") == nothing | {"waiting": False, "reward": None, "usual_seconds": 134.0}


def test_pages_judgments_time_and_earnings_are_summed_by_stage() -> None:
    batch = make_running(LINK, images=5, items_a_page={"link": 2}, reward={"link": 12}, currency="EUR")
    worker = make_worker(batch.project)
    for seconds in (1.5, None):
        page = claim_page(worker)
        answers = [replace(reply, seconds=seconds) for reply in replies(page)]
        submit(worker_id=worker.pk, assignment_id=page.pk, replies=answers, now=NOW)
    claim_page(worker)  # still held: not done, not paid
    done = stage(worker, "link")
    assert (done["pages"], done["judgments"], done["seconds"]) == (2, 4, 3.0)
    assert of(worker)["earned"] == [{"amount": 24, "currency": "EUR"}]
    other = make_worker(batch.project)
    assert of(other)["earned"] == [] and stage(other, "link")["pages"] == 0


def test_what_was_earned_is_told_a_currency_each() -> None:
    project = make_project()
    worker = make_worker(project)
    for name, currency in (("first", "USD"), ("second", "CHF")):
        make_image(project, LINK)
        make_batch(project, name=name, reward={"link": 5}, currency=currency)
        answer_page(worker)
    assert of(worker)["earned"] == [
        {"amount": 5, "currency": "CHF"},
        {"amount": 5, "currency": "USD"},
    ]


def test_a_bonus_is_earned_as_well() -> None:
    batch = make_running(LINK, reward={"link": 5})
    worker = make_worker(batch.project)
    page = claim_page(worker)
    submit_page(page)
    page.refresh_from_db()
    pay_more(page=page, amount=3, reason="the picture was missing", by="ann", now=LATER)
    assert of(worker)["earned"] == [{"amount": 8, "currency": "USD"}]


def test_a_page_that_came_too_late_is_paid_and_counts_no_judgment() -> None:
    batch = make_running(LINK, reward={"link": 5})
    slow, quick = make_worker(batch.project), make_worker(batch.project)
    page = claim_page(slow)
    expire_leases(now=LATER)
    answer_page(quick, now=LATER)
    submit_page(page, now=LATER)
    done = stage(slow, "link")
    assert (done["pages"], done["judgments"]) == (1, 0)
    assert of(slow)["earned"] == of(quick)["earned"] == [{"amount": 5, "currency": "USD"}]


def test_the_reward_of_the_page_in_hand_comes_first() -> None:
    batch = make_running(LINK, images=3, items_a_page={"link": 1}, reward={"link": 5})
    busy, idle = make_worker(batch.project), make_worker(batch.project)
    claim_page(busy)
    batch.settings["reward"]["link"] = 9
    batch.save()
    assert stage(busy, "link")["reward"] == {"amount": 5, "currency": "USD"}
    assert stage(idle, "link")["reward"] == {"amount": 9, "currency": "USD"}


def test_a_page_in_hand_is_work_also_where_it_has_the_last_items() -> None:
    batch = make_running(LINK, images=1)
    holder, other = make_worker(batch.project), make_worker(batch.project)
    claim_page(holder)
    assert stage(holder, "link")["waiting"] is True
    assert stage(other, "link")["waiting"] is False


def test_the_reward_is_that_of_the_first_batch_with_work() -> None:
    project = make_project()
    for name, amount in (("empty", 3), ("full", 4)):
        make_image(project, LINK)
        make_batch(project, name=name, reward={"link": amount, "quality": amount})
    claim_page(make_worker(project))  # the only item of the first batch
    worker = make_worker(project)
    assert stage(worker, "link")["reward"] == {"amount": 4, "currency": "USD"}
    # Nothing waits there yet. This is what the next page is expected to pay.
    assert stage(worker, "quality")["reward"] == {"amount": 3, "currency": "USD"}


def test_a_blocked_worker_reads_the_account_and_sees_it() -> None:
    worker = make_worker(make_running(LINK).project)
    Worker.objects.update(blocked=True)
    reply = Api(worker).get("me")
    assert reply.status_code == 200
    assert {row["standing"] for row in reply.json()["stages"]} == {"blocked"}


def test_a_worker_who_is_gone_has_no_account() -> None:
    worker = make_worker(make_project())
    api = Api(worker)
    Worker.objects.all().delete()
    check_problem(api.get("me"), 401)


def test_the_contact_is_that_of_the_project_or_of_the_installation(settings: Any) -> None:
    project = make_project()
    worker = make_worker(project)
    settings.GROUNDCREW_CONTACT = ""
    assert of(worker)["contact"] == ""
    settings.GROUNDCREW_CONTACT = "lab@example.org"
    assert of(worker)["contact"] == "lab@example.org"
    project.contact = "https://example.org/ask"
    project.save()
    assert of(worker)["contact"] == "https://example.org/ask"


def test_an_account_costs_the_same_however_much_was_done() -> None:
    batch = make_running(LINK, images=8, items_a_page={"link": 2})
    worker = make_worker(batch.project)
    costs = []
    for hours in range(3):
        with CaptureQueriesContext(connection) as captured:
            of(worker)
        costs.append(len(captured))
        answer_page(worker, now=NOW + timedelta(hours=hours))
    assert costs == [11, 11, 11]


def test_an_account_has_the_stages_of_the_protocol_and_those_of_earlier_answers() -> None:
    """The worker answered a page of the paper's protocol, and now a batch of the other one runs."""
    batch = make_fast(reward={"boxes": 9})
    worker = make_worker(batch.project)
    fast = [row["stage"] for row in of(worker)["stages"]]
    assert fast == ["link", "verification", "requirement", "boxes", "check"]
    assert stage(worker, "boxes")["reward"] == {"amount": 9, "currency": "USD"}
    assert stage(worker, "boxes")["usual_seconds"] == 160
    found = {row["stage"]: row["waiting"] for row in stages_with_work(worker_id=worker.pk, now=NOW)}
    assert found == {**dict.fromkeys(fast, False), "boxes": True}
    make_image(batch.project, [["man"]])
    paper = make_batch(batch.project, name="paper")
    answer_page(worker, stage="drawing")
    move_batch(batch=paper, action="pause")
    assert [row["stage"] for row in of(worker)["stages"]] == [*fast[:3], "drawing", *fast[3:]]
