"""Callbacks of django-axes: what failed logins are counted by, and what a locked-out user sees."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from workflows.core.client_addresses import client_address, first_of_network

NAMES_PER_ADDRESS = 10
"""An address may fail ten times as often as one name, since several people may share it."""


class LoginFailures(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Counts failures of a name at an address, and of an address with whatever names."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the failures of the name, or the address's by NAMES_PER_ADDRESS if these are more.

        An unknown address is not counted, since everybody may share it.
        """
        of_name, of_address = (
            attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        known = login_address(request) is not None
        return int(max(of_name, of_address // NAMES_PER_ADDRESS if known else 0))

    def reset_user_attempts(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Forget the failures of a name at an address, from which somebody has logged in with it.

        Those of other names there stay: they may be tries of somebody else.
        """
        of_name, _ = self.filter_user_attempts(request, credentials)
        count, _ = of_name.delete()
        return int(count)


def login_name(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str | None:
    """The name that was tried, cut where no account's goes on: longer ones do not fit django-axes' table."""
    given = (credentials or request.POST).get("username")
    longest = get_user_model()._meta.get_field("username").max_length
    return None if given is None else str(given).replace("\0", "")[:longest]


def login_address(request: HttpRequest) -> str | None:
    """What failures are counted by: an address, or the first of the network that one person has whole."""
    return first_of_network(client_address(request))


@csp_update(settings.CONSOLE_POLICY)
def locked_out(
    request: HttpRequest, response: HttpResponse | None = None, credentials: dict[str, Any] | None = None
) -> HttpResponse:
    """Show how long the lockout lasts at most, whether or not there is such an account."""
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
