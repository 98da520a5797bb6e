"""The IP address that a request came from, also behind proxies."""

from __future__ import annotations

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """Return the client's IP address, or None if it is unknown, as behind a Unix socket without a proxy.

    Each of the GROUNDCREW_PROXIES proxies appends the address that it was called from to X-Forwarded-For.
    The client may have written what stands before these addresses, so it is not trusted.
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
