from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from unittest import mock

import pytest
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Worker
from tests.factories import make_project, make_running, make_worker
from tests.workflows.http import Api, check_problem
from workflows.api.authentication import SALT, make_bound_token, make_link_token, make_token
from workflows.workers.enrolment import block_worker, unblock_worker
from workflows.workers.sign_ins import end_sign_ins

pytestmark = pytest.mark.django_db


DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


@contextmanager
def at(now: datetime) -> Iterator[None]:
    """Let it be this time."""
    with mock.patch("django.utils.timezone.now", return_value=now):
        yield


def status(token: str, now: datetime | None = None) -> int:
    """Return how a request with the token ends, now or at this time."""
    with at(now or timezone.now()):
        return Api(None, token).get("stages").status_code


def renew(token: str, now: datetime | None = None) -> str:
    with at(now or timezone.now()):
        reply = Api(None, token).post("token")
    assert reply.status_code == 200, reply.content
    return str(reply.json()["token"])


def earlier_token(worker: Worker) -> str:
    """Return a token as it was made before there were generations."""
    return signing.dumps(worker.pk, salt=SALT)


def test_a_token_speaks_for_its_worker() -> None:
    batch = make_running([["man"], ["man"]])
    other, worker = make_worker(batch.project), make_worker(batch.project)
    page = Api(worker).claim().json()
    assert Api(worker).get(f"assignments/{page['id']}").status_code == 200
    check_problem(Api(other).get(f"assignments/{page['id']}"), 404)


@pytest.mark.parametrize("token", ["", "x", "1:2:3", "é", "W10:1tXYZ:" + "a" * 43, "a" * 10_000])
def test_a_made_up_token_is_refused(token: str) -> None:
    problem = check_problem(Api(None, token).get("stages"), 401)
    assert "not valid" in problem["detail"]


def test_a_changed_token_is_refused() -> None:
    first, second = (make_token(make_worker(make_project())) for _ in range(2))
    mixed = ":".join([second.split(":")[0], *first.split(":")[1:]])
    check_problem(Api(None, mixed).get("stages"), 401)


def test_a_value_signed_for_something_else_is_refused() -> None:
    worker = make_worker(make_project())
    check_problem(Api(None, signing.dumps(worker.pk, salt="other")).get("stages"), 401)


def test_a_token_of_another_secret_is_refused(settings: Any) -> None:
    token = make_token(make_worker(make_project()))
    settings.SECRET_KEY = "another " * 8
    check_problem(Api(None, token).get("stages"), 401)


def test_a_token_ends_after_its_days(settings: Any) -> None:
    token = make_token(make_worker(make_project()))
    assert Api(None, token).get("stages").status_code == 200
    settings.GROUNDCREW_TOKEN_DAYS = -1
    assert "expired" in check_problem(Api(None, token).get("stages"), 401)["detail"]


@pytest.mark.parametrize("header", ["Basic dTpw", "Token abc", "bearer", ""])
def test_other_schemes_are_no_token(header: str) -> None:
    api = Api(None)
    api.client.defaults["HTTP_AUTHORIZATION"] = header
    check_problem(api.get("stages"), 401)


def test_a_cookie_is_no_token(django_user_model: Any) -> None:
    api = Api(None)
    api.client.force_login(django_user_model.objects.create_superuser("root"))
    check_problem(api.get("stages"), 401)


@pytest.mark.parametrize(("make", "queries"), [(make_token, 1), (make_link_token, 1)])
def test_reading_a_token_costs_one_query(make: Any, queries: int) -> None:
    api = Api(None, make(make_worker(make_project())))
    with CaptureQueriesContext(connection) as captured:
        check_problem(api.post("assignments", raw=b"{"), 400)
    assert len(captured) == queries


def test_reading_a_token_that_is_bound_to_a_page_costs_no_query() -> None:
    api = Api(None, make_bound_token(make_worker(make_project()).pk, 1))
    with CaptureQueriesContext(connection) as captured:
        check_problem(api.post("assignments", raw=b"{"), 400)
    assert len(captured) == 0


@pytest.mark.parametrize("make", [make_token, make_link_token, earlier_token])
def test_a_worker_who_is_gone_is_nobody(make: Any) -> None:
    worker = make_worker(make_project())
    token = make(worker)
    Worker.objects.all().delete()
    for reply in (Api(None, token).claim(), Api(None, token).post("token"), Api(None, token).get("me")):
        assert "ended" in check_problem(reply, 401)["detail"]


@pytest.mark.parametrize("make", [make_token, make_link_token, earlier_token])
def test_no_token_is_renewed_for_ever(make: Any) -> None:
    """A token was renewed for ever before, and so was a stolen one."""
    start = timezone.now()
    token = make(make_worker(make_project()))
    for day in range(29, 180, 29):
        token = renew(token, start + day * DAY)
    assert status(token, start + 180 * DAY - MINUTE) == 200
    with at(start + 180 * DAY + MINUTE):
        for reply in (Api(None, token).get("stages"), Api(None, token).post("token")):
            assert "expired" in check_problem(reply, 401)["detail"]


def test_an_old_token_does_not_stay_valid_beside_its_successor() -> None:
    start = timezone.now()
    old = make_token(make_worker(make_project()))
    new = renew(old, start + 2 * DAY)
    assert new != old
    assert status(old, start + 3 * DAY) == 200, "nobody has used the new one: its reply may be lost"
    assert status(new, start + 4 * DAY) == 200
    assert status(old, start + 4 * DAY + MINUTE) == 200, "another tab may be using it"
    with at(start + 4 * DAY + MINUTE + timedelta(seconds=1)):
        assert "ended" in check_problem(Api(None, old).get("stages"), 401)["detail"]
        check_problem(Api(None, old).post("token"), 401)
    assert status(new, start + 5 * DAY) == 200


def test_a_blocked_workers_tokens_are_refused_everywhere() -> None:
    worker = make_worker(make_running([["man"]]).project)
    tokens = [make(worker) for make in (make_token, make_link_token, earlier_token)]
    page = Api(worker).claim().json()
    block_worker(worker_id=worker.pk, by="rita", note="", now=timezone.now())
    for token in tokens:
        api = Api(None, token)
        for reply in (api.post("token"), api.claim(), api.get("me"), api.submit(page, {"same": True})):
            check_problem(reply, 401)
    unblock_worker(worker_id=worker.pk, by="rita", note="", now=timezone.now())
    assert {status(token) for token in tokens} == {401}
    worker.refresh_from_db()
    assert status(make_token(worker)) == 200


def test_a_token_that_a_blocked_worker_is_given_opens_their_account_and_no_work() -> None:
    """So they can read why, and submit what they have."""
    worker = make_worker(make_running([["man"], ["man"]]).project)
    page = Api(worker).claim().json()
    block_worker(worker_id=worker.pk, by="rita", note="", now=timezone.now())
    worker.refresh_from_db()
    api = Api(worker)
    assert api.get("me").json()["stages"][0]["standing"] == "blocked"
    problem = check_problem(api.post("token"), 403)
    assert problem["detail"] == check_problem(api.claim(), 403)["detail"]
    assert api.submit(page, {"same": True}).status_code == 201


def test_ending_a_workers_sign_ins_leaves_others_and_later_ones() -> None:
    worker = make_worker(make_project())
    other = make_token(make_worker(worker.project))
    tokens = [make(worker) for make in (make_token, make_link_token, earlier_token)]
    bound = make_bound_token(worker.pk, 1)
    end_sign_ins(worker_id=worker.pk)
    worker.refresh_from_db()
    assert [status(token) for token in tokens] == [401, 401, 401]
    assert [status(token) for token in (other, make_token(worker), make_link_token(worker))] == [200] * 3
    # It ends with its page: this one says that it is for one page only.
    assert status(bound) == 403


def test_a_link_signs_in_any_number_of_browsers_until_its_days_are_over() -> None:
    start = timezone.now()
    link = make_link_token(make_worker(make_project()))
    phone, laptop = renew(link), renew(link, start + DAY)
    phone = renew(phone, start + 2 * DAY)
    later = start + 10 * DAY
    assert [status(token, later) for token in (phone, laptop, link)] == [200, 200, 200]
    assert [status(token, start + 31 * DAY) for token in (phone, laptop, link)] == [200, 401, 401]


def test_a_young_token_comes_back_as_it_is() -> None:
    token = make_token(make_worker(make_project()))
    assert renew(token) == token
    assert renew(token, timezone.now() + DAY - MINUTE) == token


def test_a_token_of_a_bound_page_is_not_renewed() -> None:
    token = make_bound_token(make_worker(make_project()).pk, 1)
    check_problem(Api(None, token).post("token"), 403)
    check_problem(Api(None).post("token"), 401)


def test_a_young_token_is_looked_at_with_two_queries() -> None:
    api = Api(make_worker(make_project()))
    with CaptureQueriesContext(connection) as captured:
        assert api.post("token").status_code == 200
    assert len(captured) == 2


def test_all_tokens_of_a_worker_begin_alike_and_no_others() -> None:
    """Pages keep a worker's drafts under the first part of the token, also those from before generations."""
    ada, bob = (make_worker(make_project()) for _ in range(2))
    tokens = [make(ada) for make in (earlier_token, make_token, make_link_token)]
    tokens += [renew(token, timezone.now() + 2 * DAY) for token in tokens]
    end_sign_ins(worker_id=ada.pk)
    ada.refresh_from_db()
    tokens.append(make_token(ada))
    assert len(set(tokens)) == 7
    assert {token.split(":")[0] for token in tokens} == {earlier_token(ada).split(":")[0]}
    assert make_token(bob).split(":")[0] not in {token.split(":")[0] for token in tokens}


@pytest.mark.parametrize("claim", ["", "0", "1-5-0-1700000000", "x", "1-2"])
def test_what_a_token_says_cannot_be_changed(claim: str) -> None:
    subject, _, *rest = make_token(make_worker(make_project())).split(":")
    check_problem(Api(None, ":".join([subject, claim, *rest])).get("stages"), 401)


def test_tokens_are_signed_with_their_own_salt() -> None:
    token = make_token(make_worker(make_project()))
    assert signing.TimestampSigner(salt=SALT).unsign(token) == token.rsplit(":", 2)[0]
