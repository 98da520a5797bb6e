"""Joining by an invitation, over HTTP: without a token, and with problems that say what to do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotation.models import Worker
from tests.factories import make_project
from tests.workflows.http import Api, check_problem
from workflows.crowd.invitations.invite import Made, invite, revoke
from workflows.workers.enrolment import block_worker
from workflows.workers.sign_ins import end_sign_ins

pytestmark = pytest.mark.django_db
DEVICE = {"device": "a-device-of-somebody"}


def make(**more: Any) -> Made:
    (made,) = invite(
        project=make_project(), label="lab", by="mona", now=timezone.now() - timedelta(days=1), **more
    )
    return made


def test_a_link_shows_what_it_needs_and_gives_a_token(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    made, api = make(passcode="open sesame"), Api(None)
    body = {"code": made.code, **DEVICE}
    project = made.invitation.project.name
    assert api.post("invitation", body).json() == {"project": project, "passcode": True, "name": True}

    wrong = check_problem(api.post("joining", {**body, "name": "ada", "passcode": "x"}), 400)
    assert [error["pointer"] for error in wrong["errors"]] == ["/passcode"]
    right = {**body, "name": "ada@example.org", "passcode": "open sesame"}
    reply = api.post("joining", right)
    assert reply.status_code == 201
    assert reply.json()["worker"] == "ada@example.org"
    assert api.post("joining", right).status_code == 200
    me = Api(None, token=reply.json()["token"]).get("me").json()
    assert (me["worker"], me["project"]) == ("ada@example.org", project)


def test_an_old_token_in_the_browser_is_no_hindrance() -> None:
    made = make()
    assert Api(None, token="no-token").post("invitation", {"code": made.code, **DEVICE}).status_code == 200


def test_who_joined_comes_back_after_their_sign_ins_were_ended_and_not_when_blocked() -> None:
    made, api = make(), Api(None)
    body = {"code": made.code, **DEVICE, "name": "ada"}
    first = api.post("joining", body).json()["token"]
    worker = Worker.objects.get()
    end_sign_ins(worker_id=worker.pk)
    check_problem(Api(None, first).get("stages"), 401)
    check_problem(api.post("joining", {**body, "device": "a-device-of-a-thief"}), 409)
    second = api.post("joining", body).json()["token"]
    assert Api(None, second).get("stages").status_code == 200
    block_worker(worker_id=worker.pk, by="rita", note="", now=timezone.now())
    check_problem(Api(None, second).get("stages"), 401)
    check_problem(api.post("joining", body), 403)


def test_names_are_refused_at_their_field() -> None:
    made, api = make(uses=2), Api(None)
    body = {"code": made.code, **DEVICE}
    api.post("joining", {**body, "name": "ada"})
    taken = {"code": made.code, "device": "another-device-there", "name": "ada"}
    for given in (taken, {**body, "name": ""}, {**body, "name": "a\u202eb"}, {**body, "name": "x" * 129}):
        problem = check_problem(api.post("joining", given), 400)
        assert [error["pointer"] for error in problem["errors"]] == ["/name"]
    assert Worker.objects.count() == 1


def test_what_is_over_says_why() -> None:
    now, api = timezone.now(), Api(None)
    used, expired, revoked = make(), make(expires_at=now), make()
    api.post("joining", {"code": used.code, "device": "another-device-there", "name": "bob"})
    revoke(project=revoked.invitation.project, invitations=[revoked.invitation.pk], by="mona", now=now)
    for code, status, word in (
        (used.code, 409, "used"),
        (expired.code, 410, "expired"),
        (revoked.code, 410, "not valid any more"),
        ("no-such-code", 404, "complete"),
    ):
        for path, more in (("invitation", {}), ("joining", {"name": "ada"})):
            problem = check_problem(api.post(path, {"code": code, **DEVICE, **more}), status)
            assert word in problem["detail"]


def test_too_many_tries_say_how_long_to_wait_whatever_a_client_writes_of_itself(settings: Any) -> None:
    settings.GROUNDCREW_PROXIES = 1
    api = Api(None)

    def look(said: str) -> Any:
        return api.client.post(
            "/api/v1/invitation",
            {"code": "no-such-code", **DEVICE},
            content_type="application/json",
            headers={"X-Forwarded-For": said},
        )

    for place in range(20):
        check_problem(look(f"192.0.2.{place}, 198.51.100.1"), 404)
    limited = look("192.0.2.99, 198.51.100.1")
    check_problem(limited, 429)
    assert 150 < int(limited.headers["Retry-After"]) <= 180
    check_problem(look("198.51.100.1, 198.51.100.2"), 404)
