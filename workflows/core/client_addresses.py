"""Where a request came from, also behind proxies."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """The client's IP address; None where it cannot be told, as behind a Unix socket without a proxy.

    Each of the GROUNDCREW_PROXIES proxies adds whom it heard from to X-Forwarded-For, at its end. What
    stands before that the client may have written itself, and is not believed.
    """
    proxies: int = settings.GROUNDCREW_PROXIES
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if proxies and len(forwarded) >= proxies:
        return _address(forwarded[-proxies])
    return _address(request.META.get("REMOTE_ADDR", ""))


def _address(said: str) -> str | None:
    try:
        return str(ip_address(said.strip().split("%")[0]))
    except ValueError:
        return None
