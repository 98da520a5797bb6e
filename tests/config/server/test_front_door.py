"""Where the address of the site alone leads, and pages for what goes wrong instead of Django's own."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


def logged_in(role: str = "") -> Client:
    user = User.objects.create(username="ada", is_staff=bool(role))
    if role:
        user.groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(user)
    return client


def test_a_researcher_comes_to_the_console() -> None:
    reply = logged_in("viewer").get("/")
    assert (reply.status_code, reply["Location"]) == (302, "/admin/")
    assert "no-store" in reply["Cache-Control"], "the next one may be nobody"


def test_others_come_to_the_work_and_cost_no_query(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert client.get("/")["Location"] == "/work/"
    assert logged_in().get("/")["Location"] == "/work/"


def test_what_is_not_in_the_console_is_told_within_it() -> None:
    client = logged_in("viewer")
    for address in ("/admin/projects/999999/", "/admin/nothing/of/this/"):
        reply = client.get(address)
        assert reply.status_code == 404
        page = reply.content.decode()
        assert "There is nothing at this address" in page
        assert 'aria-label="Console"' in page, "with the menu, so that one gets on"
        assert "script-src" in reply["Content-Security-Policy"]


def test_what_is_nowhere_leads_back_to_the_start(client: Client) -> None:
    reply = client.get("/nothing/of/this")
    assert reply.status_code == 404
    assert '<a href="/">To the start</a>' in reply.content.decode()
    assert client.get("/api/v1/nothing").headers["Content-Type"] == "application/problem+json"


def test_an_error_has_a_page_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from console.dashboards import selectors

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(selectors, "overview", broken)
    client = logged_in("viewer")
    client.raise_request_exception = False
    reply = client.get("/admin/")
    assert reply.status_code == 500
    assert "Something went wrong" in reply.content.decode()


def test_a_form_that_is_too_old_is_told_so() -> None:
    User.objects.create_user("ada", password="correct-horse-battery")
    client = Client(enforce_csrf_checks=True)
    reply = client.post("/admin/login/", {"username": "ada", "password": "x"})
    assert reply.status_code == 403
    assert "load it again" in reply.content.decode()


def test_ones_password_is_changed_and_one_logs_out_on_pages_of_ours() -> None:
    client = logged_in("viewer")
    user = User.objects.get()
    user.set_password("correct-horse-battery")
    user.save()
    client.force_login(user)
    address = "/admin/password_change/"
    assert "for security" not in client.get(address).content.decode()
    fields = {"old_password": "correct-horse-battery", "new_password1": "short", "new_password2": "short"}
    wrong = client.post(address, fields)
    assert wrong.status_code == 200 and "at least 12 characters" in wrong.content.decode()
    fields |= {"new_password1": "staple-of-sixteen", "new_password2": "staple-of-sixteen"}
    assert "Your password is changed." in client.post(address, fields, follow=True).content.decode()
    left = client.post("/admin/logout/").content.decode()
    assert "You are logged out." in left and "quality time" not in left
    assert 'aria-label="Console"' not in left, "the menu was for who was logged in"


def test_times_have_24_hours_in_djangos_own_lists() -> None:
    from datetime import UTC, datetime

    from django.template import Context, Template

    afternoon = datetime(2026, 11, 23, 18, 5, tzinfo=UTC)
    said = Template("{{ at }}|{{ at|date }}|{{ at|time }}").render(Context({"at": afternoon}))
    assert said == "23 Nov 2026 18:05|23 Nov 2026|18:05"
