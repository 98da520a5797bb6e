"""Who may see the researchers' pages, and who may decide: the one place that says so."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

VIEW = "annotation.view_chain"
DECIDE = "annotation.change_chain"

View = Callable[..., HttpResponse]


def viewing(view: View) -> View:
    """For staff with VIEW; a POST changes something and takes DECIDE, too. Others log in or get a 403."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        needed = (VIEW,) if request.method in ("GET", "HEAD") else (VIEW, DECIDE)
        if not request.user.has_perms(needed):
            return _refused(request)
        return view(request, *args, **kwargs)

    wrapped: View = admin.site.admin_view(checked)
    return wrapped


def deciding(view: View) -> View:
    """For staff who may decide, whatever the method: the pages that ask before something is done."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.has_perm(DECIDE):
            return _refused(request)
        return view(request, *args, **kwargs)

    return viewing(checked)


def _refused(request: HttpRequest) -> HttpResponse:
    """A page that says so. Nothing is raised: that somebody may not is no fault to trace."""
    context = {**admin.site.each_context(request), "is_nav_sidebar_enabled": False, "title": "Not allowed"}
    return render(request, "403.html", context, status=403)


def may_decide(request: HttpRequest) -> bool:
    """Whether the forms are shown at all."""
    return request.user.has_perm(DECIDE)
