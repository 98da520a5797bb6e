"""What somebody sees who failed to log in too often."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


@csp_update(settings.CONSOLE_POLICY)
def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """Says for how long at most, whether or not there is such an account. Called by django-axes."""
    wait: timedelta = settings.AXES_COOLOFF_TIME
    context = {
        **admin.site.each_context(request),
        "is_nav_sidebar_enabled": False,  # there is nowhere to go
        "title": "Too many attempts",
        "minutes": round(wait.total_seconds() / 60),
    }
    page = render(request, "audit/locked.html", context, status=429)
    page["Retry-After"] = str(round(wait.total_seconds()))
    return page
