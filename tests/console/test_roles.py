"""The groups of the researchers."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType

from console.common.reach import ROLES
from console.roles import keep_roles

pytestmark = pytest.mark.django_db


def _codes(role: str) -> set[str]:
    rows = Group.objects.get(name=role).permissions.values_list("content_type__app_label", "codename")
    return {f"{app}.{code}" for app, code in rows}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_has_what_the_table_says_and_the_lists_to_look_through(role: str) -> None:
    codes = _codes(role)
    assert {code for code in codes if ".view_" not in code} == {c for c in ROLES[role] if ".view_" not in c}
    seen = {code for code in codes if ".view_" in code}
    assert "annotation.view_worker" in seen and "workflows.view_job" in seen
    assert not [code for code in seen if code.startswith("auth.")], "accounts are the superuser's"


def test_what_was_changed_by_hand_is_put_right_by_the_next_migrate() -> None:
    viewer = Group.objects.get(name="viewer")
    before = _codes("viewer")
    viewer.permissions.add(Permission.objects.get(codename="change_batch"))
    Group.objects.filter(name="manager").delete()
    for _ in range(2):
        keep_roles(apps.get_app_config("workflows"))
    assert _codes("viewer") == before
    assert "annotation.change_batch" in _codes("manager")
    assert Group.objects.count() == 3


def test_it_writes_nothing_where_all_is_as_it_should_be(django_assert_num_queries: object) -> None:
    ContentType.objects.clear_cache()
    with django_assert_num_queries(3 * len(ROLES)):  # type: ignore[operator]  # pytest-django's has no type
        keep_roles(apps.get_app_config("workflows"))
