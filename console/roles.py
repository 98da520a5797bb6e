"""The researchers' groups, as `console.common.reach.ROLES` has them; every migrate updates them."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q

from console.common.reach import ROLES

LISTED = ("annotation", "workflows")
"""The apps whose lists every role may look through in the admin."""


def keep_roles(sender: AppConfig, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Let every group have exactly its permissions. For `post_migrate`; running it again is no harm.

    It hears of the last of the apps in LISTED, when the permissions of all of them are there.
    """
    permissions = Permission.objects.using(using)
    listed = Q(content_type__app_label__in=LISTED, codename__startswith="view_")
    for role, named in ROLES.items():
        own = Q()
        for name in named:
            app, codename = name.split(".")
            own |= Q(content_type__app_label=app, codename=codename)
        wanted = set(permissions.filter(listed | own).values_list("pk", flat=True))
        group, _made = Group.objects.using(using).get_or_create(name=role)
        if set(group.permissions.using(using).values_list("pk", flat=True)) != wanted:
            group.permissions.set(wanted)
