"""The demo through Mechanical Turk: an emulator beside it, and the environment that names it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType

from simulation.mturk.running import KEY_ID, SECRET, process

HOST = "127.0.0.1"
REWARD = {"link": 25, "verification": 32, "requirement": 27, "drawing": 45, "quality": 37, "coverage": 30}
"""Cents a page: what comes to 12 dollars an hour at the paper's times (table 3)."""

TURK_SETTINGS: Mapping[str, object] = MappingProxyType(
    {
        "currency": "USD",
        "reward": REWARD,
        "crowd": {
            "provider": "mturk",
            "cap": 500_000,
            "open_pages": 40,
            "hourly_wage": 1250,
            "locales": "US",
        },
    }
)
BONUS = 50
"""Cents for one page."""


@dataclass(frozen=True, slots=True)
class Turk:
    """The emulator, and our port: it has to be known before anything is published."""

    url: str
    port: int


@contextmanager
def turk_of(provider: str) -> Iterator[Turk | None]:
    """None for direct workers. Sets the environment, so before Django reads its settings."""
    if provider != "mturk":
        yield None
        return
    # Ids that no earlier run had: its publications are in the database still.
    with process("--seed", str(secrets.randbelow(2**31))) as handle:
        turk = Turk(handle.url, _free_port())
        os.environ |= {
            "GROUNDCREW_SITE": f"http://{HOST}:{turk.port}",
            "GROUNDCREW_MTURK_ENDPOINT": turk.url,
            "GROUNDCREW_MTURK_ENVIRONMENT": "emulator",
            "GROUNDCREW_MTURK_KEY_ID": KEY_ID,
            "GROUNDCREW_MTURK_SECRET": SECRET,
            "GROUNDCREW_MTURK_QUEUE_URL": handle.queue_url,
            "GROUNDCREW_MTURK_SITES": turk.url,
        }
        yield turk


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
