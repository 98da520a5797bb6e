"""The IP address that a request came from, also behind proxies, and the network that it counts for."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """Return the client's IP address, or None if it is unknown: see `address_of`."""
    return address_of(request.META.get("REMOTE_ADDR", ""), request.META.get("HTTP_X_FORWARDED_FOR", ""))


def address_of(remote: str, forwarded_for: str) -> str | None:
    """Return the client's IP address, or None if it is unknown, as behind a Unix socket without a proxy.

    `remote` is the address that the connection comes from, `forwarded_for` the header X-Forwarded-For. Each
    of the GROUNDCREW_PROXIES proxies appends to this header the address that it was called from. The client
    may have written what stands before these addresses, so it is not trusted.
    """
    proxies: int = settings.GROUNDCREW_PROXIES
    forwarded = forwarded_for.split(",")
    if proxies and len(forwarded) >= proxies:
        return _address(forwarded[-proxies])
    return _address(remote)


def first_of_network(address: str | None) -> str | None:
    """Return an IPv4 address itself, and for an IPv6 address the first one of its /64 network.

    Attempts are counted by it, because one person usually has a whole /64 network. An unknown address, None,
    stays None. Raises ValueError if the text is not an IP address.
    """
    if address is None:
        return None
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)


def _address(said: str) -> str | None:
    try:
        return str(ip_address(said.strip().split("%")[0]))
    except ValueError:
        return None
