"""Networks of IP addresses. Attempts are counted by network: one person may have many addresses."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address


def first_of_network(address: str | None) -> str | None:
    """Return an IPv4 address itself, and for an IPv6 address the first one of its /64 network.

    One person usually has a whole /64 network. Returns None for None, an unknown address. Raises ValueError
    if the text is not an IP address.
    """
    if address is None:
        return None
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)
