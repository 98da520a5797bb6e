"""Logging in, failing to, and logging out, as the audit log keeps them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.http import HttpRequest
from django.utils import timezone

from workflows.core.audit_log import record_action
from workflows.core.client_addresses import client_address

UNKNOWN = "(unknown)"
"""Replaces a name that no account has, because people type passwords into the wrong field."""


def _record(request: HttpRequest | None, action: str, by: str, **detail: Any) -> None:
    address = client_address(request) if request is not None else None
    record_action(by=by, action=action, now=timezone.now(), detail=detail, address=address)


def logged_in(sender: object, user: AbstractBaseUser, request: HttpRequest | None = None, **_: Any) -> None:
    _record(request, "login", user.get_username())


def logged_out(
    sender: object, user: AbstractBaseUser | None, request: HttpRequest | None = None, **_: Any
) -> None:
    """Log a logout, unless the session had already ended."""
    if user is not None:
        _record(request, "logout", user.get_username())


def login_failed(
    sender: object, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """Log every failed attempt, but only the first of those that a lockout turns away.

    Otherwise somebody who does not stop would fill the log.
    """
    if getattr(request, "axes_locked_out", False) and not getattr(request, "axes_failures_since_start", None):
        return
    name = str(credentials.get("username", ""))
    known = bool(name) and "\0" not in name and User.objects.filter(username=name).exists()
    locked = bool(getattr(request, "axes_locked_out", False))
    _record(request, "login.failed", name if known else UNKNOWN, **({"locked": True} if locked else {}))


def connect() -> None:
    """After django-axes has connected its own: whether it locked somebody out is known by then."""
    user_logged_in.connect(logged_in, dispatch_uid="console.audit.in")
    user_logged_out.connect(logged_out, dispatch_uid="console.audit.out")
    user_login_failed.connect(login_failed, dispatch_uid="console.audit.failed")
