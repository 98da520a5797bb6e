"""After how long a connection to PostgreSQL or Redis is given up whose other side says nothing."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any

KEEPALIVE: Mapping[str, int] = {
    "tcp_user_timeout": 20_000,  # milliseconds until sent data has to be acknowledged
    "keepalives_idle": 10,  # seconds of silence until the first probe
    "keepalives_interval": 3,
    "keepalives_count": 3,
}
"""By libpq's names. The kernel gives up a connection that waits after 10 + 3 x 3 seconds."""
_SOCKET_OPTIONS = {
    "tcp_user_timeout": "TCP_USER_TIMEOUT",
    "keepalives_idle": "TCP_KEEPIDLE",
    "keepalives_interval": "TCP_KEEPINTVL",
    "keepalives_count": "TCP_KEEPCNT",
}


def socket_options() -> dict[int, int]:
    """Return KEEPALIVE as options of a TCP socket, as far as this system has them."""
    found = {getattr(socket, option, None): KEEPALIVE[name] for name, option in _SOCKET_OPTIONS.items()}
    return {option: value for option, value in found.items() if option is not None}


REDIS_OPTIONS: Mapping[str, Any] = {
    "socket_connect_timeout": 2,
    "socket_timeout": 5,  # or a server that never replies would hold a request for ever
    # A worker that waits for messages has no such limit. The kernel gives its connection up; if it does not
    # (the machine of Redis still lives, or this is not Linux), kombu does. Redis replies to it each second,
    # and kombu looks each so many seconds whether the reply is late by as much.
    "socket_keepalive": True,
    "socket_keepalive_options": socket_options(),
    "health_check_interval": 10,
}
"""Options of kombu's transport for Redis."""
