"""The review queue as a tool: several cases at once, cases of one person, and the way through the queue."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.chain_states import REVIEW
from annotation.models import Case, Chain
from tests.console.review.review_rows import make_flagged
from tests.factories import NOW, make_project, make_worker
from workflows.cases.review_queue import open_case
from workflows.core.models import AuditEntry
from workflows.review.decide import version_of
from workflows.workers.enrolment import block_worker, unblock_worker

pytestmark = pytest.mark.django_db

QUEUE = "/admin/review/"


def pace_cases(*names: str) -> list[Case]:
    """Open a case about the pace of a worker of each of these names, in one project."""
    project = make_project()
    for name in names:
        worker = make_worker(project, name)
        open_case(project_id=project.pk, reason="pace", now=NOW, worker_id=worker.pk, stage="link")
    return list(Case.objects.order_by("pk"))


def post(client: Client, cases: list[Case], **data: Any) -> str:
    reply = client.post(QUEUE, {"case": [case.pk for case in cases], **data}, follow=True)
    content: str = reply.content.decode()
    return content


def still_open() -> list[int]:
    return list(Case.objects.filter(closed_at=None).order_by("pk").values_list("pk", flat=True))


def test_chosen_cases_are_closed_together(reviewer: Client) -> None:
    first, second, third = pace_cases("ann", "bob", "cid")
    said = post(reviewer, [first, third], action="close", note="looked at both")
    assert "2 cases were closed without a change." in said
    assert still_open() == [second.pk]
    first.refresh_from_db()
    assert first.decision is not None
    assert (first.decision.note, first.decision.by) == ("looked at both", "rita")
    assert "0 cases were closed" in post(reviewer, [first, third], action="close")
    assert AuditEntry.objects.filter(action="case.close-several").count() == 2


def test_a_chain_that_is_left_with_the_researchers_keeps_its_case(reviewer: Client) -> None:
    chain, case = make_flagged()
    Chain.objects.filter(pk=chain.pk).update(state=REVIEW)
    said = post(reviewer, [case], action="close")
    assert "1 case was left open: only a decision about the chain ends them." in said
    assert still_open() == [case.pk]


def test_without_a_choice_nothing_happens(reviewer: Client) -> None:
    (case,) = pace_cases("ann")
    assert "Choose cases first." in post(reviewer, [], action="close")
    assert still_open() == [case.pk]


def test_a_viewer_closes_nothing(viewer: Client) -> None:
    (case,) = pace_cases("ann")
    assert viewer.post(QUEUE, {"action": "close", "case": [case.pk]}).status_code == 403
    assert still_open() == [case.pk]


def test_cases_are_assigned_and_found_by_whose_they_are(reviewer: Client, manager: Client) -> None:
    first, second = pace_cases("ann", "bob")
    assert "1 case was assigned to mona." in post(reviewer, [first], action="assign", assign="mona")
    hers = manager.get(QUEUE, {"to": "mona"}).content.decode()
    assert "worker ann" in hers and "worker bob" not in hers and "for mona" in hers
    free = manager.get(QUEUE, {"to": "-"}).content.decode()
    assert "worker bob" in free and "worker ann" not in free
    assert "There is no researcher eve." in post(reviewer, [second], action="assign", assign="eve")
    assert "1 case was assigned to nobody." in post(reviewer, [first], action="assign", assign="")
    assert set(Case.objects.values_list("assigned_to", flat=True)) == {""}


def test_what_is_alike_is_one_filter_away(reviewer: Client) -> None:
    project = make_project()
    for name in ("ann", "bob"):
        worker = make_worker(project, name)
        open_case(
            project_id=project.pk, reason="comment", now=NOW, worker_id=worker.pk, detail={"note": name}
        )
    first = Case.objects.earliest("pk")
    alike = f"?reason=comment&worker={first.worker_id}"
    assert alike.replace("&", "&amp;") in reviewer.get(QUEUE).content.decode()
    only = reviewer.get(QUEUE + alike).content.decode()
    assert ">ann</bdi></p>" in only and ">bob</bdi></p>" not in only
    # The filter stays on the way through the queue.
    assert f"worker={first.worker_id}" in only and "Show all" in only


def test_blocking_a_worker_closes_what_asks_about_the_worker() -> None:
    first, second = pace_cases("ann", "bob")
    assert first.worker_id is not None
    decision = block_worker(worker_id=first.worker_id, by="ada", note="", now=NOW)
    first.refresh_from_db()
    assert (first.closed_at, first.decision) == (NOW, decision)
    assert still_open() == [second.pk]
    unblock_worker(worker_id=first.worker_id, by="ada", note="", now=NOW)
    assert still_open() == [second.pk]


def decide(client: Client, chain: Chain, case: Case, **data: Any) -> Any:
    address = reverse("review:chain", args=[chain.pk]) + f"?case={case.pk}"
    given = {"boxes": "10 20 110 220", "state": "done", "version": version_of(chain.work), **data}
    return client.post(address, given)


def test_a_decision_goes_on_in_the_queue(reviewer: Client) -> None:
    chain, case = make_flagged()
    following = pace_cases("ann")[-1]
    reply = decide(reviewer, chain, case, close="on")
    assert reply.status_code == 302
    assert f"case={following.pk}" in reply.headers["Location"]


def test_a_decision_can_stay_where_it_is(reviewer: Client) -> None:
    chain, case = make_flagged()
    pace_cases("ann")
    reply = decide(reviewer, chain, case, stay="1")
    assert reply.headers["Location"].startswith(reverse("review:chain", args=[chain.pk]))


def test_a_chain_that_still_waits_is_not_called_decided(reviewer: Client) -> None:
    chain, case = make_flagged()
    reply = decide(reviewer, chain, case, state="review", boxes="")
    said = reviewer.get(reply.headers["Location"]).content.decode()
    assert "still waits for a researcher: it stays in the queue." in said
    assert "Decided about" not in said


def test_the_cases_around_are_listed_beside_the_case(reviewer: Client) -> None:
    chain, case = make_flagged()
    others = pace_cases("ann", "bob")[1:]
    page = reviewer.get(reverse("review:chain", args=[chain.pk]) + f"?case={case.pk}").content.decode()
    assert "Cases around this one" in page
    for other in others:
        assert f"case={other.pk}" in page
