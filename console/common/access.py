"""The permissions of the researchers' pages: who may see them, who may decide, and who may manage."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

VIEW = "annotation.view_chain"
"""See every page."""
DECIDE = "annotation.change_chain"
"""Decide about annotation and workers."""
MANAGE = "annotation.change_batch"
"""Import a corpus, spend money, launch and end batches, and export the data set."""

ROLES = {"viewer": (VIEW,), "reviewer": (VIEW, DECIDE), "manager": (VIEW, DECIDE, MANAGE)}
"""The groups and their permissions."""

View = Callable[..., HttpResponseBase]


def viewing(view: View) -> View:
    """Allow the view to staff with VIEW; a POST also needs DECIDE. Others must log in or get a 403."""
    return _guarded(view, reading=(VIEW,), writing=(VIEW, DECIDE))


def viewing_kept(view: View) -> View:
    """Allow the view as `viewing` does. Browsers may keep its replies, if these say so."""
    return _guarded(view, reading=(VIEW,), writing=(VIEW, DECIDE), kept=True)


def deciding(view: View) -> View:
    """Allow the view to staff with DECIDE, whatever the method."""
    return _guarded(view, reading=(VIEW, DECIDE), writing=(VIEW, DECIDE))


def overseeing(view: View) -> View:
    """Allow the view to staff with VIEW; a POST also needs MANAGE."""
    return _guarded(view, reading=(VIEW,), writing=(VIEW, MANAGE))


def managing(view: View) -> View:
    """Allow the view to staff with MANAGE, whatever the method."""
    return _guarded(view, reading=(VIEW, MANAGE), writing=(VIEW, MANAGE))


def _guarded(view: View, *, reading: tuple[str, ...], writing: tuple[str, ...], kept: bool = False) -> View:
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        needed = reading if request.method in ("GET", "HEAD") else writing
        if not request.user.has_perms(needed):
            return _refused(request)
        return view(request, *args, **kwargs)

    wrapped: View = admin.site.admin_view(checked, cacheable=kept)
    return wrapped


def _refused(request: HttpRequest) -> HttpResponse:
    """Render the refusal. Nothing is raised, because a missing permission is not an error to trace."""
    context = {**admin.site.each_context(request), "title": "Not allowed"}
    return render(request, "403.html", context, status=403)


def may_decide(request: HttpRequest) -> bool:
    """Return whether the user may decide."""
    return request.user.has_perm(DECIDE)


def may_manage(request: HttpRequest) -> bool:
    return request.user.has_perm(MANAGE)
