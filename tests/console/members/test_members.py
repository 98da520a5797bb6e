"""The page of a project's members, and the page by which people join."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project
from tests.console.conftest import client_of, join_as
from tests.factories import make_project
from workflows.core.models import AuditEntry
from workflows.members.domain import Role
from workflows.members.links import make_link
from workflows.members.models import MemberLink, Membership

pytestmark = pytest.mark.django_db

JOIN = "/admin/join/"
PASSWORD = "correct horse battery staple"


@pytest.fixture
def project() -> Project:
    return make_project("dogs")


def _page(project: Project) -> str:
    return reverse("members:list", args=[project.pk])


def _invite(client: Client, project: Project, role: str = "reviewer", **more: str) -> Any:
    body = {"action": "invite", "label": "Rita", "role": role, "days": "7"} | more
    return client.post(_page(project), body)


def _code(client: Client, project: Project, role: str = "reviewer") -> str:
    return str(_invite(client, project, role).context["made"].code)


def test_a_link_is_shown_once_with_its_code_in_the_fragment(manager: Client, project: Project) -> None:
    text = _invite(manager, project).content.decode()
    found = re.search(r"http://testserver/admin/join/#([\w-]{22})</textarea>", text)
    assert found
    again = manager.get(_page(project)).content.decode()
    assert found[1] not in again and "Rita" in again
    assert AuditEntry.objects.get(action="member.invite").by == "mona"


def test_what_cannot_be_made_is_said_at_its_field(manager: Client, project: Project) -> None:
    reply = _invite(manager, project, days="0", role="owner")
    assert reply.status_code == 422
    assert set(reply.context["form"].errors) == {"days", "role"}
    assert not MemberLink.objects.exists()


def test_a_person_makes_an_account_and_finds_the_project_alone(manager: Client, project: Project) -> None:
    make_project("cats")
    code, person = _code(manager, project), Client()
    assert "data-join" in person.get(JOIN).content.decode()
    shown = person.post(JOIN, {"code": code}).content.decode()
    assert "invites you to" in shown and "dogs" in shown and "reviewer" in shown
    body = {"code": code, "join": "1", "username": "rita", "password1": PASSWORD, "password2": PASSWORD}
    reply = person.post(JOIN, body)
    assert reply["Location"] == reverse("dashboards:project", args=[project.pk])
    text = person.get("/admin/").content.decode()
    assert "dogs" in text and "cats" not in text
    assert "New project" not in text and "/admin/auth/user/" not in text
    assert Membership.objects.get().user.username == "rita"


def test_a_weak_password_or_a_taken_name_makes_no_account(manager: Client, project: Project) -> None:
    code = _code(manager, project)
    for name, password in (("rita", "12345"), ("mona", PASSWORD)):
        body = {"code": code, "join": "1", "username": name, "password1": password, "password2": password}
        reply = Client().post(JOIN, body)
        assert reply.status_code == 422 and reply.context["form"].errors
    assert list(User.objects.values_list("username", flat=True)) == ["mona"]
    assert MemberLink.objects.get().used_at is None


def test_who_has_an_account_joins_with_it(manager: Client, project: Project) -> None:
    code, rita = _code(manager, project, "viewer"), client_of("rita")
    assert rita.get(reverse("dashboards:project", args=[project.pk])).status_code == 404
    assert "Join as rita" in rita.post(JOIN, {"code": code}).content.decode()
    rita.post(JOIN, {"code": code, "join": "1"})
    assert rita.get(reverse("dashboards:project", args=[project.pk])).status_code == 200
    used = client_of("otto").post(JOIN, {"code": code, "join": "1"})
    assert used.status_code == 404 and "has ended" in used.content.decode()


def test_a_member_is_told_and_the_link_stays(manager: Client, project: Project) -> None:
    rita = client_of("rita")
    join_as("rita", project, "manager")
    reply = rita.post(JOIN, {"code": _code(manager, project), "join": "1"})
    assert reply.status_code == 409 and "You are a manager" in reply.content.decode()
    assert MemberLink.objects.get().used_at is None


@pytest.mark.parametrize("code", ["wrong", "\0", "x" * 1000, "\udcff"])
def test_a_wrong_code_opens_nothing(code: str) -> None:
    reply = Client().post(JOIN, {"code": code.encode("utf-8", "surrogatepass").decode("latin-1")})
    assert reply.status_code == 404 and "has ended" in reply.content.decode()


def test_an_advisor_looks_and_changes_nothing(manager: Client, project: Project) -> None:
    code, advisor = _code(manager, project, "advisor"), Client()
    assert "Look at the project" in advisor.post(JOIN, {"code": code}).content.decode()
    assert advisor.get("/admin/").status_code == 302, "a look at the link logs nobody in"
    advisor.post(JOIN, {"code": code, "look": "1"})
    text = advisor.get(reverse("dashboards:project", args=[project.pk])).content.decode()
    for name in ("Settings", "Batches", "Workers", "Instructions", "Exports", "Review"):
        assert f">{name}</a>" not in text
    for name in ("Overview", "Images", "Statistics", "Agreement"):
        assert f">{name}</a>" in text
    link = MemberLink.objects.get()
    manager.post(_page(project), {"action": "withdraw", "id": link.pk})
    assert advisor.get(reverse("dashboards:project", args=[project.pk])).status_code == 302


def test_a_link_for_an_advisor_gives_no_account(manager: Client, project: Project) -> None:
    code = _code(manager, project, "advisor")
    body = {"code": code, "join": "1", "username": "rita", "password1": PASSWORD, "password2": PASSWORD}
    Client().post(JOIN, body)
    assert not User.objects.filter(username="rita").exists()
    assert not Membership.objects.exclude(role="advisor").exists()


def test_an_advisor_joins_with_an_account_of_their_own(manager: Client, project: Project) -> None:
    advisor = Client()
    advisor.post(JOIN, {"code": _code(manager, project, "advisor"), "look": "1"})
    code = _code(manager, project, "viewer")
    assert "Make the account" in advisor.post(JOIN, {"code": code}).content.decode()


def test_an_advisor_sees_nothing_once_the_link_has_ended(project: Project) -> None:
    ended = timezone.now() - timedelta(days=2)
    made = make_link(project=project, role=Role.ADVISOR, label="Al", days=1, by="mona", now=ended)
    assert made.link.user is not None
    advisor = Client()
    advisor.force_login(made.link.user)
    assert advisor.get(reverse("dashboards:project", args=[project.pk])).status_code == 404
    refused = advisor.get("/admin/")
    assert refused.status_code == 403 and "the link has ended" in refused.content.decode()


def test_roles_change_and_end(manager: Client, project: Project) -> None:
    rita = client_of("rita")
    member = join_as("rita", project, "viewer")
    manager.post(_page(project), {"action": "role", "id": member.pk, "role": "manager"})
    assert rita.get(_page(project)).status_code == 200
    manager.post(_page(project), {"action": "role", "id": member.pk, "role": "advisor"})
    assert Membership.objects.get().role == "manager"
    rita.post(_page(project), {"action": "remove", "id": member.pk})  # of themselves
    assert rita.get(_page(project)).status_code == 404
    assert rita.get("/admin/").status_code == 403


def test_the_page_names_who_reaches_every_project(manager: Client, project: Project) -> None:
    client_of("vic", "viewer")
    client_of("rita")
    join_as("rita", project, "viewer")
    context = manager.get(_page(project)).context
    assert [one.username for one in context["everywhere"]] == ["mona", "vic"]
    assert [one.user.username for one in context["members"]] == ["rita"]


@pytest.mark.parametrize("ends", ["expired", "erased"])
def test_nobody_joins_with_an_account_of_an_advisor(manager: Client, project: Project, ends: str) -> None:
    """The session outlives the link, and whoever had the link shares the account."""
    advisor = Client()
    advisor.post(JOIN, {"code": _code(manager, project, "advisor"), "look": "1"})
    if ends == "expired":
        Membership.objects.update(ends_at=timezone.now())
    else:
        Membership.objects.all().delete()
    code = _code(manager, make_project("cats"))
    assert "Make the account and join" in advisor.post(JOIN, {"code": code}).content.decode()
    assert advisor.post(JOIN, {"code": code, "join": "1"}).status_code == 422
    assert not Membership.objects.filter(role="reviewer").exists()


def test_who_opens_their_used_link_again_comes_to_the_project(manager: Client, project: Project) -> None:
    code, rita = _code(manager, project), client_of("rita")
    for _ in range(2):
        reply = rita.post(JOIN, {"code": code, "join": "1"})
        assert reply["Location"] == reverse("dashboards:project", args=[project.pk])
    Membership.objects.all().delete()
    assert rita.post(JOIN, {"code": code}).status_code == 404


@pytest.mark.parametrize("name", ["-", "nobody", "Reconcile", "advisor-1234", "m\u043ena", "_x", "\uff4dona"])
def test_a_name_that_could_be_mistaken_makes_no_account(manager: Client, project: Project, name: str) -> None:
    body = {"code": _code(manager, project), "join": "1", "username": name}
    body |= {"password1": PASSWORD, "password2": PASSWORD}
    reply = Client().post(JOIN, body)
    assert reply.status_code == 422 and set(reply.context["form"].errors) == {"username"}
    assert MemberLink.objects.get().used_at is None
