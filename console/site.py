"""The admin site: django-unfold's, under a policy as strict as its pages allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from unfold.sites import UnfoldAdminSite

View = Callable[..., HttpResponse]

_shown: Callable[[View], View] = csp_update(settings.CONSOLE_POLICY)


class ConsoleSite(UnfoldAdminSite):
    """Every page that it shows, and every page of the console (console/access.py), has CONSOLE_POLICY."""

    site_title = site_header = "Groundcrew"
    index_title = "Research console"

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Without colours: unfold would write them into a style element. console/tokens.css has them."""
        return {**super().each_context(request), "colors": None, "border_radius": None}

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        return _shown(super().admin_view(view, cacheable))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return _shown(super().login)(request, extra_context)
