"""Links give a role once, and an advisor's opens only until it ends."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from annotation.models import Project
from tests.factories import NOW, make_project
from tests.workflows.threads import at_once
from workflows.core.models import AuditEntry
from workflows.members.domain import JOINED, Ended, Role, ended
from workflows.members.links import (
    MadeLink,
    MemberError,
    find_link,
    join,
    make_link,
    open_as_advisor,
    withdraw_link,
)
from workflows.members.memberships import change_role, remove_member
from workflows.members.models import MemberLink, Membership
from workflows.members.selectors import links_of, members_of, roles_of

pytestmark = pytest.mark.both_databases

DAY = timedelta(days=1)


def make(project: Project | None = None, role: Role = Role.REVIEWER, **more: Any) -> MadeLink:
    usual: dict[str, Any] = {"label": "Rita of the lab", "days": 7, "by": "mona", "now": NOW}
    return make_link(project=project or make_project(), role=role, **(usual | more))


def user(name: str = "rita") -> User:
    return User.objects.create(username=name, is_staff=True)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, None),
        ({"used_at": NOW}, Ended.USED),
        ({"used_at": NOW, "role": Role.ADVISOR}, None),
        ({"ends_at": NOW}, Ended.EXPIRED),
        ({"withdrawn_at": NOW, "ends_at": NOW}, Ended.WITHDRAWN),
    ],
)
def test_why_a_link_opens_nothing(changed: dict[str, Any], why: Ended | None) -> None:
    usual: dict[str, Any] = {"role": Role.VIEWER, "used_at": None, "ends_at": NOW + DAY, "withdrawn_at": None}
    assert ended(**(usual | changed), now=NOW) is why


@pytest.mark.django_db
@pytest.mark.parametrize("role", JOINED)
def test_one_account_joins_by_a_link(role: Role) -> None:
    made = make(role=role)
    rita = user()
    member = join(code=made.code, user=rita, now=NOW + DAY)
    assert (member.role, member.project, member.by) == (role, made.link.project, "mona")
    assert roles_of(rita.pk, now=NOW + 400 * DAY) == {made.link.project_id: role}
    with pytest.raises(MemberError, match="has ended"):
        join(code=made.code, user=user("otto"), now=NOW + DAY)
    assert [one.user for one in members_of(made.link.project)] == [rita]
    assert MemberLink.objects.get().user == rita
    actions = list(AuditEntry.objects.order_by("pk").values_list("by", "action"))
    assert actions == [("mona", "member.invite"), ("rita", "member.join")]


@pytest.mark.django_db
def test_a_new_account_is_saved_as_staff_and_only_with_its_role() -> None:
    made = make()
    with pytest.raises(MemberError):
        join(code="wrong", user=User(username="new"), now=NOW)
    assert not User.objects.filter(username="new").exists()
    join(code=made.code, user=User(username="new"), now=NOW)
    new = User.objects.get(username="new")
    assert new.is_staff and not new.is_superuser and not new.groups.exists()


@pytest.mark.django_db
def test_a_member_does_not_use_another_link_up() -> None:
    project, rita = make_project(), user()
    join(code=make(project, Role.MANAGER).code, user=rita, now=NOW)
    second = make(project, Role.VIEWER)
    with pytest.raises(MemberError, match="You are a manager"):
        join(code=second.code, user=rita, now=NOW)
    assert roles_of(rita.pk, now=NOW) == {project.pk: Role.MANAGER}
    join(code=second.code, user=user("otto"), now=NOW)


@pytest.mark.django_db
@pytest.mark.parametrize("ends", ["expired", "withdrawn", "project"])
def test_a_link_that_has_ended_opens_nothing(ends: str) -> None:
    made, looked = make(), make(role=Role.ADVISOR)
    later = NOW + 7 * DAY if ends == "expired" else NOW
    for one in (made, looked):
        if ends == "withdrawn":
            withdraw_link(project=one.link.project, link=one.link.pk, by="mona", now=NOW)
        if ends == "project":
            Project.objects.filter(pk=one.link.project_id).update(deleted_at=NOW)
    with pytest.raises(MemberError, match="has ended"):
        join(code=made.code, user=user(), now=later)
    with pytest.raises(MemberError, match="has ended"):
        open_as_advisor(code=looked.code, now=later)
    assert not User.objects.filter(username="rita", memberships__isnull=False).exists()


@pytest.mark.django_db
def test_an_advisor_looks_until_the_link_ends() -> None:
    made = make(role=Role.ADVISOR)
    with pytest.raises(MemberError):
        join(code=made.code, user=user(), now=NOW)
    first, second = (open_as_advisor(code=made.code, now=NOW + one * DAY) for one in (1, 2))
    assert first == second == made.link.user
    assert first.is_staff and not first.has_usable_password()
    assert roles_of(first.pk, now=NOW + 6 * DAY) == {made.link.project_id: Role.ADVISOR}
    assert roles_of(first.pk, now=NOW + 7 * DAY) == {}
    assert members_of(made.link.project) == []
    assert MemberLink.objects.get().used_at == NOW + DAY


@pytest.mark.django_db
def test_an_advisor_whose_link_is_withdrawn_sees_nothing() -> None:
    made = make(role=Role.ADVISOR)
    looking = open_as_advisor(code=made.code, now=NOW)
    other = make_project("other")
    assert withdraw_link(project=other, link=made.link.pk, by="mona", now=NOW) is None
    assert withdraw_link(project=made.link.project, link=made.link.pk, by="mona", now=NOW) is not None
    assert withdraw_link(project=made.link.project, link=made.link.pk, by="mona", now=NOW) is None
    looking.refresh_from_db()
    assert roles_of(looking.pk, now=NOW) == {} and not looking.is_active


@pytest.mark.django_db
def test_roles_change_and_end() -> None:
    made = make()
    member = join(code=made.code, user=user(), now=NOW)
    elsewhere: dict[str, Any] = {
        "project": make_project("other"),
        "member": member.pk,
        "by": "mona",
        "now": NOW,
    }
    here = {**elsewhere, "project": made.link.project}
    assert change_role(**elsewhere, role=Role.MANAGER) is None
    assert remove_member(**elsewhere) is None
    changed = change_role(**here, role=Role.MANAGER)
    assert changed is not None and changed.role == Role.MANAGER
    assert change_role(**here, role=Role.MANAGER) is None
    with pytest.raises(ValueError, match="advisor"):
        change_role(**here, role=Role.ADVISOR)
    assert remove_member(**here) is not None
    assert remove_member(**here) is None
    assert not Membership.objects.exists()
    kept = AuditEntry.objects.order_by("pk").values_list("action", "object", "detail")
    assert list(kept)[2:] == [
        ("member.role", "rita", {"before": "reviewer", "now": "manager"}),
        ("member.remove", "rita", {"role": "manager"}),
    ]


@pytest.mark.django_db
def test_an_advisor_is_not_made_a_member() -> None:
    made = make(role=Role.ADVISOR)
    member = Membership.objects.get()
    usual: dict[str, Any] = {"project": made.link.project, "member": member.pk, "by": "mona", "now": NOW}
    assert change_role(**usual, role=Role.MANAGER) is None
    assert remove_member(**usual) is None
    assert Membership.objects.get().role == Role.ADVISOR


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("field", "value"), [("label", " "), ("label", "x" * 61), ("label", "a\0"), ("days", 0), ("days", 366)]
)
def test_what_cannot_be_made_names_its_field(field: str, value: Any) -> None:
    with pytest.raises(MemberError) as raised:
        make(**{field: value})
    assert raised.value.field == field
    assert not MemberLink.objects.exists()


@pytest.mark.django_db
def test_codes_are_nowhere_in_the_database() -> None:
    made = make()
    kept = str(list(MemberLink.objects.values())) + str(list(AuditEntry.objects.values()))
    assert len(made.code) >= 22 and made.code not in kept
    assert find_link(made.code) == made.link and made.link.ended(NOW) is None
    assert find_link(made.code[:-1]) is None
    assert links_of(made.link.project) == [made.link]


@pytest.mark.django_db(transaction=True)
def test_several_at_once_join_by_a_link_once() -> None:
    made = make()
    people = [user(f"rita-{number}") for number in range(4)]

    def attempt(who: User) -> bool:
        try:
            join(code=made.code, user=who, now=NOW)
        except MemberError:
            return False
        return True

    assert sorted(at_once([partial(attempt, who) for who in people])) == [False, False, False, True]
    assert Membership.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_links_at_once_give_one_role() -> None:
    project, rita = make_project(), user()
    codes = [make(project, role).code for role in (Role.VIEWER, Role.MANAGER, Role.REVIEWER)]

    def attempt(code: str) -> bool:
        try:
            join(code=code, user=rita, now=NOW)
        except MemberError:
            return False
        return True

    assert sorted(at_once([partial(attempt, code) for code in codes])) == [False, False, True]
    assert MemberLink.objects.filter(used_at=None).count() == 2
