"""What stands between browsers and the web server, as the environment says it.

Each function raises ImproperlyConfigured, which names the variable.
"""

from __future__ import annotations

import re
from ipaddress import ip_network
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment import choice, number, text

OUTERMOST = "none"
"""What docker-compose.yml says of the proxy before its own if there is none."""
YEAR = 31_536_000
OUR_PATHS = frozenset({"admin", "api", "healthz", "media", "metrics", "readyz", "static", "work"})
"""What addresses of the site begin with. Whether a proxy took a prefix away or left it has to be clear."""
_PREFIX = re.compile(r"(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+")


def proxies(*, tls: bool) -> int:
    """Return how many proxies a request passes: so many addresses at the end of X-Forwarded-For are trusted.

    Numbers with which clients could not be told apart are refused.
    """
    outer = outer_proxy()
    count = number("GROUNDCREW_PROXIES", (2 if outer else 1) if tls else 0)
    if tls and not count:
        raise ImproperlyConfigured(
            "GROUNDCREW_PROXIES has to be at least 1 with GROUNDCREW_TLS, not 0: all clients would have the "
            "address of the proxy that terminates TLS."
        )
    if outer and count < 2:
        raise ImproperlyConfigured(
            f"GROUNDCREW_PROXIES has to be at least 2 with GROUNDCREW_OUTER_PROXY, not {count}: all clients "
            "would have the address of that proxy."
        )
    if outer is not None and not outer and count > 1:
        raise ImproperlyConfigured(
            f"GROUNDCREW_PROXIES is {count}, but the proxy of docker-compose.yml tells only the address that "
            "called it. If there is a proxy in front of it, set GROUNDCREW_OUTER_PROXY to its addresses."
        )
    return count


def outer_proxy() -> list[str] | None:
    """Return the addresses of the proxies that call the proxy of docker-compose.yml.

    There are none if that is the outermost. Return None if it is not used, so that nobody knows.
    """
    said = text("GROUNDCREW_OUTER_PROXY", "")
    if not said:
        return None
    found = [] if said == OUTERMOST else said.split()
    for one in found:
        try:
            network = ip_network(one)
        except ValueError as error:
            raise ImproperlyConfigured(
                "GROUNDCREW_OUTER_PROXY has to be addresses or networks with spaces between them, such as "
                f"172.16.0.0/12, not {one!r}."
            ) from error
        if not network.prefixlen:
            raise ImproperlyConfigured(
                f"GROUNDCREW_OUTER_PROXY cannot be {one}: whoever is trusted can pretend to have any address."
            )
    return found


def prefix_of(site: str) -> str:
    """Return the path below which the site is, such as "/groundcrew", or "" if it has the host for itself."""
    prefix = urlsplit(site).path.rstrip("/")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise ImproperlyConfigured(
            f"GROUNDCREW_SITE cannot have the path {prefix!r}: only letters, digits, . _ - between slashes."
        )
    if taken := set(prefix.split("/")) & OUR_PATHS:
        raise ImproperlyConfigured(
            f"GROUNDCREW_SITE cannot have {min(taken)!r} in its path: this site has an address of that name."
        )
    return prefix


def strict_transport() -> tuple[int, bool, bool]:
    """Return for how many seconds browsers insist on https, and whether for subdomains and in their lists."""
    seconds = number("GROUNDCREW_HSTS_SECONDS", YEAR)
    scope = choice("GROUNDCREW_HSTS", "host", ("host", "subdomains", "preload"))
    if scope == "preload" and seconds < YEAR:
        raise ImproperlyConfigured(
            f"GROUNDCREW_HSTS_SECONDS has to be at least {YEAR} with GROUNDCREW_HSTS=preload, not {seconds}: "
            "browsers' lists take no other site."
        )
    return seconds, scope != "host", scope == "preload"
