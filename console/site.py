"""The admin site: django-unfold's, under a policy as strict as its pages allow."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse

if TYPE_CHECKING:
    from django.contrib.admin import AdminSite as _Site
else:
    from unfold.sites import UnfoldAdminSite as _Site

View = TypeVar("View", bound=Callable[..., Any])


def _shown(view: View) -> View:
    """Return the view with CONSOLE_POLICY on its replies, and with pages of our own for refusals and 404."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return view(request, *args, **kwargs)
        except PermissionDenied:
            context = {**admin.site.each_context(request), "title": "Not allowed"}
            return render(request, "403.html", context, status=403)
        except Http404:
            context = {**admin.site.each_context(request), "title": "Not there"}
            return render(request, "404.html", context, status=404)

    return cast(View, csp_update(settings.CONSOLE_POLICY)(answered))


class ConsoleSite(_Site):
    """An admin site whose pages, like all of the console (console.common.access), have CONSOLE_POLICY."""

    site_title = site_header = "Groundcrew"
    index_title = "Research console"
    password_change_template = "console/password.html"  # noqa: S105 - a template
    password_change_done_template = "console/password_changed.html"  # noqa: S105 - a template
    logout_template = "console/logged_out.html"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the context without colours, which unfold would write into a style element."""
        return {**super().each_context(request), "colors": None, "border_radius": None}

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return _shown(super().admin_view(view, cacheable))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Log out, and show a page without the menu, which was for who was logged in."""
        context = {"is_nav_sidebar_enabled": False, "title": "Logged out", **(extra_context or {})}
        return super().logout(request, context)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return _shown(super().login)(request, extra_context)
