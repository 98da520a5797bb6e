"""The entries of the sidebar that an account may open."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from console.common.access import ADVISOR_PAGES
from console.common.reach import VIEW, held_somewhere, is_advisor

_GROUPS: tuple[tuple[str, tuple[tuple[str, str, str, str], ...]], ...] = (
    (
        "Work",
        (
            ("Projects", "admin:index", "folder_open", VIEW),
            ("Review queue", "review:queue", "inbox", VIEW),
            ("Verification questions", "questions:list", "quiz", VIEW),
            ("Batches", "batches:all", "stacks", VIEW),
            ("Workers", "workers:list", "group", VIEW),
        ),
    ),
    (
        "Records",
        (
            ("Images", "admin:annotation_image_changelist", "image", "annotation.view_image"),
            ("Chains", "boxes:newest-chains", "link", VIEW),
            ("Judgments", "admin:annotation_judgment_changelist", "gavel", "annotation.view_judgment"),
            ("Jobs", "admin:workflows_job_changelist", "manufacturing", "workflows.view_job"),
            ("Snapshots", "admin:workflows_snapshot_changelist", "archive", "workflows.view_snapshot"),
            ("Audit log", "audit:log", "history", VIEW),
        ),
    ),
    (
        "Accounts",
        (
            ("Users", "admin:auth_user_changelist", "person", "auth.view_user"),
            ("Groups", "admin:auth_group_changelist", "groups", "auth.view_group"),
        ),
    ),
)
"""Titles of groups, and of each entry: words, the address' name, a Material Symbol, the permission."""


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the entries as dicts for django-unfold. The current one is that nearest to the address."""
    groups: list[dict[str, Any]] = []
    for title, entries in _GROUPS:
        if items := [item for entry in entries if (item := _item(request, *entry))]:
            groups.append({"title": title, "items": items})
    everything = [item for group in groups for item in group["items"]]
    # A page of one project belongs to the projects, whichever area its address is in.
    path = reverse("admin:index") if "/projects/" in request.path else request.path
    near = [item for item in everything if path.startswith(item["link"])]
    nearest = max(near, key=lambda item: len(item["link"]), default=None)
    for item in everything:
        item["active"] = item is nearest
    return groups


def _item(request: HttpRequest, title: str, name: str, icon: str, permission: str) -> dict[str, Any] | None:
    if not request.user.has_perm(permission) and not _for_members(request, name, permission):
        return None
    try:
        return {"title": title, "link": reverse(name), "icon": icon}
    except NoReverseMatch:
        return None


def _for_members(request: HttpRequest, name: str, permission: str) -> bool:
    """Return whether people who are members of a project, and no more, may open the entry."""
    if permission != VIEW or VIEW not in held_somewhere(request):
        return False
    return name in ADVISOR_PAGES or not is_advisor(request)
