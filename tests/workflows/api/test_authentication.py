from __future__ import annotations

import time
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock

import pytest
from django.core import signing
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Worker
from tests.factories import make_project, make_running, make_worker
from tests.workflows.http import Api, check_problem
from workflows.api.authentication import SALT, make_token

pytestmark = pytest.mark.django_db


def freeze(now: float) -> AbstractContextManager[object]:
    """Make tokens at this time, in seconds since 1970."""
    return mock.patch("django.core.signing.time.time", return_value=now)


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


def test_reading_a_token_costs_no_query() -> None:
    api = Api(make_worker(make_project()))
    with CaptureQueriesContext(connection) as captured:
        check_problem(api.post("assignments", raw=b"{"), 400)
    assert len(captured) == 0


def test_a_token_of_a_worker_who_is_gone_gets_no_work() -> None:
    worker = make_worker(make_project())
    token = make_token(worker)
    Worker.objects.all().delete()
    check_problem(Api(None, token).claim(), 403)


def test_a_token_is_exchanged_for_a_fresh_one(settings: Any) -> None:
    worker = make_worker(make_project())
    with freeze(time.time() - 29 * 24 * 3600):
        old = make_token(worker)
    fresh = Api(None, old).post("token").json()["token"]
    settings.GROUNDCREW_TOKEN_DAYS = 20
    assert Api(None, fresh).get("stages").status_code == 200
    check_problem(Api(None, old).post("token"), 401)
    check_problem(Api(None).post("token"), 401)


def test_a_blocked_worker_gets_no_fresh_token() -> None:
    """Until it ends, the token still opens the worker's own page, which says why."""
    worker = make_worker(make_project())
    token = make_token(worker)
    Worker.objects.update(blocked=True)
    problem = check_problem(Api(None, token).post("token"), 403)
    assert problem["detail"] == check_problem(Api(None, token).claim(), 403)["detail"]
    assert Api(None, token).get("me").status_code == 200


def test_a_worker_who_is_gone_gets_no_fresh_token() -> None:
    worker = make_worker(make_project())
    token = make_token(worker)
    Worker.objects.all().delete()
    check_problem(Api(None, token).post("token"), 403)


def test_a_fresh_token_costs_one_query() -> None:
    api = Api(make_worker(make_project()))
    with CaptureQueriesContext(connection) as captured:
        assert api.post("token").status_code == 200
    assert len(captured) == 1


def test_all_tokens_of_a_worker_begin_alike_and_no_others() -> None:
    """Pages keep a worker's drafts under the first part of the token."""
    ada, bob = (make_worker(make_project()) for _ in range(2))
    with freeze(1e9):
        early = make_token(ada)
    late = Api(ada).post("token").json()["token"]
    assert early != late
    assert early.split(":")[0] == late.split(":")[0] != make_token(bob).split(":")[0]


def test_tokens_are_signed_with_their_own_salt() -> None:
    worker = make_worker(make_project())
    assert signing.loads(make_token(worker), salt=SALT) == worker.pk
