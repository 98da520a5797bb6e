"""The permissions of the researchers' pages: who may see them, who may decide, and who may manage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from console.common.reach import (
    DECIDE,
    MANAGE,
    VIEW,
    first_id,
    held_everywhere,
    held_in,
    held_somewhere,
    is_advisor,
    project_of,
    roles_in_projects,
)
from workflows.members.domain import ADVISORS

ADVISOR_PAGES = frozenset(
    {
        *("admin:index", "dashboards:overview", "dashboards:project", "dashboards:batch"),
        *("inspector:search", "inspector:image", "inspector:photograph", "inspector:rendition"),
        *("inspector:merged", "inspector:history", "boxes:wall", "boxes:chains"),
        *("statistics:project", "agreement:project"),
    }
)
"""The only pages that an advisor's link opens. A page that is not named here is not there for advisors."""

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
        held = _held_here(request, kwargs)
        request._held_here = held  # type: ignore[attr-defined]
        if not held.issuperset(needed):
            return _refused(request)
        return view(request, *args, **kwargs)

    wrapped: View = admin.site.admin_view(checked, cacheable=kept)
    return wrapped


def _held_here(request: HttpRequest, ids: Mapping[str, Any]) -> frozenset[str]:
    """Return the user's permissions in the project that the address is about.

    If it is about none, they are those that the user has in any project; a page then shows rows of
    `reach_of`. Only whoever manages the installation manages what is of no project. Raises Http404 if the
    address is about a project of which the user is no member, or its page is none for advisors.
    """
    everywhere = held_everywhere(request)
    if MANAGE in everywhere:
        return everywhere
    match = request.resolver_match
    if match is None:
        return everywhere
    if is_advisor(request) and match.view_name not in ADVISOR_PAGES:
        raise Http404
    named = first_id(match.route)
    if named is None:
        return everywhere | held_somewhere(request) - {MANAGE}
    if everywhere and not roles_in_projects(request):
        return everywhere
    word, name = named
    project = project_of(word, int(ids[name]))
    held = everywhere | (held_in(request, project) if project is not None else frozenset())
    if not held:
        raise Http404
    return held


def _refused(request: HttpRequest) -> HttpResponse:
    """Render the refusal. Nothing is raised, because a missing permission is not an error to trace."""
    ended = request.user.get_username().startswith(ADVISORS)
    context = {**admin.site.each_context(request), "title": "Not allowed", "link_ended": ended}
    return render(request, "403.html", context, status=403)


def may_decide(request: HttpRequest) -> bool:
    """Return whether the user may decide in the project of this page."""
    return DECIDE in _held(request)


def may_manage(request: HttpRequest) -> bool:
    """Return whether the user may manage the project of this page; of a page without one, all projects."""
    return MANAGE in _held(request)


def advises(request: HttpRequest) -> bool:
    """Return whether the user came by an advisor's link, so that pages leave out what they cannot open."""
    return MANAGE not in _held(request) and is_advisor(request)


def _held(request: HttpRequest) -> frozenset[str]:
    held: frozenset[str] | None = getattr(request, "_held_here", None)
    return held_everywhere(request) if held is None else held
