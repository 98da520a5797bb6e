from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Assignment, Judgment, Worker
from tests.factories import LATER, make_at_stage, make_controlled, make_running, make_worker, willing
from tests.workflows.http import Api, check_problem
from workflows.assignments.claim import PAGES_AT_ONCE
from workflows.assignments.leases import expire_leases
from workflows.pipeline.advance import advance_pending

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

LINK = [["man"], ["man"]]
YES = {"same": True}


def without_clock(page: dict[str, Any]) -> dict[str, Any]:
    """Return the page without what changes every moment."""
    return {name: value for name, value in page.items() if name != "expires_in"}


def test_a_page_is_claimed_submitted_and_acknowledged_again() -> None:
    api = Api(make_worker(make_running(LINK, images=3).project))
    claimed = api.claim()
    assert claimed.status_code == 201
    page = claimed.json()
    assert page["stage"] == "link"
    assert [entry["item"] for entry in page["items"]] == [1, 2, 3]
    receipt = {"id": page["id"], "accepted": 3, "acknowledged": 0, "reward": None}
    for status in (201, 200, 200):
        reply = api.submit(page, YES)
        assert (reply.status_code, reply.json()) == (status, receipt)
    assert Judgment.objects.count() == 3


def test_the_next_page_comes_with_the_receipt() -> None:
    worker = make_worker(make_running(LINK, images=4, items_a_page={"link": 2}).project)
    api = Api(worker)
    page = api.claim().json()
    first, again = (api.submit(page, YES, next=True) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    following = first.json()["next"]
    assert without_clock(following) == without_clock(again.json()["next"])
    assert without_clock(following) == without_clock(api.claim("link").json())
    assert following["state"] == "live" and following["id"] != page["id"]
    assert Assignment.objects.filter(worker=worker).count() == 2, "a repetition leases no further page"
    # Nothing is left after it.
    assert api.submit(following, YES, next=True).json()["next"] is None
    assert Judgment.objects.count() == 4


@pytest.mark.parametrize("why", ["blocked", "claim", "shown_page"])
def test_a_receipt_comes_alone_if_no_page_can_be_claimed(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api(make_worker(make_running(LINK, images=4, items_a_page={"link": 2}).project))
    page = api.claim().json()
    if why == "blocked":
        Worker.objects.update(blocked=True)
    else:
        monkeypatch.setattr(f"workflows.assignments.claim.{why}", Mock(side_effect=OperationalError("lock")))
    reply = api.submit(page, YES, next=True)
    receipt = {"id": page["id"], "accepted": 2, "acknowledged": 0, "reward": None}
    assert (reply.status_code, reply.json()) == (201, receipt | {"next": None})
    assert Judgment.objects.count() == 2


def test_a_page_of_an_entrance_does_not_come_with_a_receipt() -> None:
    """A worker who stops would use up all of its questions."""
    worker = make_worker(make_controlled("link", "trusted", control={"entrance": 20}).project)
    api = Api(worker)
    assert api.submit(api.claim("link").json(), YES, next=True).json()["next"] is None
    assert Assignment.objects.get().items == []
    following = api.submit(api.claim("link").json(), YES, next=True).json()["next"]
    assert Assignment.objects.get(pk=following["id"]).items


def test_claiming_again_gives_the_page_in_hand() -> None:
    api = Api(make_worker(make_running(LINK, images=3).project))
    first, again = api.claim(), api.claim("link")
    assert (first.status_code, again.status_code) == (201, 200)
    assert without_clock(first.json()) == without_clock(again.json())


def test_without_work_the_worker_is_told_when_to_ask_again() -> None:
    batch = make_running(LINK)
    Api(make_worker(batch.project)).claim()
    reply = Api(make_worker(batch.project)).claim()
    assert (reply.status_code, reply.content) == (204, b"")
    assert int(reply.headers["Retry-After"]) > 0


def test_a_claim_without_a_body_is_a_claim_of_any_work() -> None:
    api = Api(make_worker(make_running(LINK).project))
    assert api.post("assignments", raw=b"").status_code == 201


def test_a_page_can_be_read_again() -> None:
    batch = make_running(LINK, images=2)
    api = Api(make_worker(batch.project))
    page = api.claim().json()
    assert without_clock(api.get(f"assignments/{page['id']}").json()) == without_clock(page)
    check_problem(Api(make_worker(batch.project)).get(f"assignments/{page['id']}"), 404)


def test_a_lease_is_renewed_until_the_page_is_over() -> None:
    api = Api(make_worker(make_running(LINK).project))
    page = api.claim().json()
    Assignment.objects.update(expires_at=LATER)
    reply = api.post(f"assignments/{page['id']}/renewal")
    assert reply.status_code == 200
    end = datetime.fromisoformat(reply.json()["expires_at"])
    assert reply.json()["expires_in"] == 900
    assert timedelta(seconds=890) < end - timezone.now() <= timedelta(seconds=900)
    api.submit(page, YES)
    problem = check_problem(api.post(f"assignments/{page['id']}/renewal"), 409)
    assert problem["detail"] == "This page was submitted already."


def test_a_returned_page_is_for_others() -> None:
    batch = make_running(LINK)
    api = Api(make_worker(batch.project))
    page = api.claim().json()
    for _ in range(2):
        assert api.post(f"assignments/{page['id']}/return").status_code == 204
    assert Api(make_worker(batch.project)).claim().status_code == 201
    problem = check_problem(api.post(f"assignments/{page['id']}/renewal"), 409)
    assert problem["detail"] == "This page was returned already."


def test_returning_a_submitted_page_changes_nothing() -> None:
    api = Api(make_worker(make_running(LINK).project))
    page = api.claim().json()
    receipt = api.submit(page, YES).json()
    assert api.post(f"assignments/{page['id']}/return").status_code == 204
    assert api.submit(page, YES).json() == receipt


def test_a_late_page_is_accepted_where_needed_and_acknowledged_where_not() -> None:
    batch = make_running(LINK, images=2, items_a_page={"link": 2})
    slow, quick = Api(make_worker(batch.project)), Api(make_worker(batch.project))
    page = slow.claim().json()
    expire_leases(now=timezone.now() + timedelta(hours=1))
    quick.submit(quick.claim().json(), YES)
    reply = slow.submit(page, YES)
    receipt = {"id": page["id"], "accepted": 0, "acknowledged": 2, "reward": None}
    assert (reply.status_code, reply.json()) == (201, receipt)


def test_stages_with_work_are_told() -> None:
    batch = make_at_stage("drawing")
    reply = Api(make_worker(batch.project)).get("stages")
    assert [row["stage"] for row in reply.json() if row["waiting"]] == ["drawing"]
    assert len(reply.json()) == 6


def _told(worker: Worker) -> list[str]:
    return [row["stage"] for row in Api(worker).get("stages").json() if row["waiting"]]


def test_stages_that_do_not_let_the_worker_in_have_no_work_for_them() -> None:
    batch = make_controlled("link", "trusted")
    worker = make_worker(batch.project)
    assert _told(worker) == ["link"]
    Worker.objects.update(completed=3)
    for screening in ({"test": True, "completed": 0}, {"test": False, "completed": 10}):
        batch.settings = batch.settings | {"screening": screening}
        batch.save()
        assert Api(worker).claim(stage="link").status_code == 403
        assert _told(worker) == []


def test_a_page_in_hand_is_work_though_it_has_the_last_items() -> None:
    batch = make_running(LINK)
    worker, other = make_worker(batch.project), make_worker(batch.project)
    Api(worker).claim()
    assert (_told(worker), _told(other)) == (["link"], [])


def test_a_blocked_worker_is_told_of_no_work() -> None:
    worker = make_worker(make_running(LINK).project)
    Worker.objects.update(blocked=True)
    assert _told(worker) == []


def test_a_comment_and_a_flag_are_kept() -> None:
    api = Api(make_worker(make_running(LINK).project))
    page = api.claim().json()
    answer = {"item": 1, "answer": YES, "seconds": 4.2, "comment": "<b>odd</b>", "chunk_flag": True}
    assert api.post(f"assignments/{page['id']}/submission", {"answers": [answer]}).status_code == 201
    judgment = Judgment.objects.get()
    assert (judgment.seconds, judgment.comment, judgment.chunk_flag) == (4.2, "<b>odd</b>", True)


def test_unknown_pages_are_404_everywhere() -> None:
    api = Api(make_worker(make_running(LINK).project))
    path = f"assignments/{uuid4()}"
    answers = {"answers": [{"item": 1, "answer": YES}]}
    for reply in (
        api.get(path),
        api.post(f"{path}/submission", answers),
        api.post(f"{path}/renewal"),
        api.post(f"{path}/return"),
    ):
        check_problem(reply, 404)


def test_a_blocked_worker_gets_no_work_but_may_hand_in_what_is_done() -> None:
    batch = make_running(LINK)
    worker = make_worker(batch.project)
    page = Api(worker).claim().json()
    Worker.objects.update(blocked=True)
    check_problem(Api(worker).claim(), 403)
    assert Api(worker).submit(page, YES).status_code == 201


@pytest.mark.parametrize("key", [7, 1.5, True, ["a"], {"a": 1}])
def test_a_key_is_a_string(key: object) -> None:
    worker = make_worker(make_running(LINK).project)
    reply = Api(worker).claim("link", key=key)
    assert reply.status_code == 400
    assert [error["pointer"] for error in reply.json()["errors"]] == ["/key"]


def test_a_refusal_says_how_many_pages_are_held() -> None:
    worker = make_worker(make_running(LINK, images=8, items_a_page={"link": 1}).project)
    api = Api(worker)
    for number in range(PAGES_AT_ONCE):
        assert api.claim("link", key=str(number)).status_code == 201
    refused = api.claim("link", key="another")
    assert (refused.status_code, refused.json()["pages_held"]) == (409, PAGES_AT_ONCE)


def test_a_key_that_was_used_is_a_conflict() -> None:
    api = Api(make_worker(make_running(LINK, images=20).project))
    page = api.claim("link", key="HIT-1").json()
    api.submit(page, YES)
    assert "new key" in check_problem(api.claim("link", key="HIT-1"), 409)["detail"]


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("assignments", 14),
        ("assignments/{}/submission", 9),
        ("assignments/{}", 6),
        ("stages", 5),
        ("me", 12),
    ],
)
@pytest.mark.parametrize("images", [1, 10])
def test_a_request_costs_few_statements(path: str, most: int, images: int) -> None:
    """A request makes one query besides those of the services: whether the token has ended.

    There is none for a session or a user, and none for each item.
    """
    api = Api(make_worker(make_running(LINK, images=images).project))
    page = {} if path == "assignments" else api.claim().json()
    with CaptureQueriesContext(connection) as captured:
        if path == "assignments":
            reply = api.claim()
        elif path.endswith("submission"):
            reply = api.submit(page, YES)
        else:
            reply = api.get(path.format(page["id"]))
    assert reply.status_code in (200, 201)
    assert len(captured) <= most, [query["sql"][:80] for query in captured]


KEYS = {
    "id", "stage", "state", "expires_at", "expires_in", "items", "item", "question", "image", "url", "width",
    "height", "captions", "index", "segments", "text", "mention", "boxes", "box",
    "accepted", "acknowledged", "waiting", "retry_in", "usual_seconds", "pay_by",
    "renditions", "language", "instructions",
    "reward", "amount", "currency", "drawing", "method", "minimum_side", "unsure",
    "worker", "project", "contact", "earned", "stages", "standing", "pages", "judgments", "seconds",
    "next", "weeks", "refused", "reasons", "reason",
    "check", "preset", "new_boxes", "points",
}  # fmt: skip
"""Every key that a worker may ever see. Any other key may tell a worker too much."""


def keys_of(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from keys_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from keys_of(value)


@pytest.mark.parametrize("stage", ["link", "verification", "requirement", "drawing", "quality", "coverage"])
def test_no_reply_tells_more_than_the_question(stage: str) -> None:
    """A reply has no ids of items, no author, no counted judgment, no answer, and nobody's name."""
    batch = make_at_stage(stage, images=2)
    secrets = {worker.external_id for worker in Worker.objects.all()}
    worker = make_worker(batch.project)
    api = Api(worker)
    page = api.claim(stage).json()
    answer = willing(stage, page["items"][0]["question"])
    replies = [page, api.get(f"assignments/{page['id']}").json(), api.get("stages").json()]
    replies += [api.get("me").json()]
    replies += [api.post(f"assignments/{page['id']}/renewal").json()]
    replies += [api.submit(page, answer, next=True).json()]
    advance_pending(now=timezone.now())
    replies += [api.submit(page, answer).json(), api.get(f"assignments/{page['id']}").json()]
    assert set(keys_of(replies)) <= KEYS
    text = str(replies)
    assert not any(secret in text for secret in secrets)
    for entry in page["items"]:
        assert entry["item"] in (1, 2), "items are named by their place"


def test_ids_in_replies_are_of_pages_and_images_only() -> None:
    batch = make_at_stage("quality")
    page = Api(make_worker(batch.project)).claim("quality").json()
    assert set(page) == {
        *("id", "stage", "state", "expires_at", "expires_in", "reward", "drawing", "items"),
        *("instructions", "usual_seconds", "unsure"),
    }
    (entry,) = page["items"]
    assert set(entry) == {"item", "question"}
    assert set(entry["question"]) == {"image", "captions", "boxes", "box"}
    assert set(entry["question"]["image"]) == {"id", "url", "width", "height", "renditions"}
