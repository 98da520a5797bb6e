"""What is one caller among addresses: what tries are counted by, so that nobody has many of them."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Network, ip_address


def first_of_network(address: str | None) -> str | None:
    """The address itself for IPv4; for IPv6 the first one of its /64, all of which one person has.

    None where the address cannot be told. Raises ValueError for what is no address.
    """
    if address is None:
        return None
    found = ip_address(address)
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, 64), strict=False).network_address)
