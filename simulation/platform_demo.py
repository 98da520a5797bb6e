"""The demo through a crowd platform: runs an emulator, and sets the environment that names it."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from types import MappingProxyType

from simulation.emulators.mturk.run import KEY_ID, SECRET
from simulation.emulators.mturk.run import process as mturk_process
from simulation.emulators.mturk.world import QUEUE
from simulation.emulators.panel.server import Panel
from simulation.emulators.prolific.handle import process as prolific_process
from simulation.emulators.prolific.world import PROJECT, TOKEN

HOST = "127.0.0.1"
REWARD = {
    **{"link": 25, "verification": 32, "requirement": 27, "drawing": 45, "quality": 37, "coverage": 30},
    **{"boxes": 53, "check": 25, "writing": 40, "caption_check": 30, "grading": 40, "relevance": 50},
}
"""Cents a page by stage: 12 dollars an hour at the paper's times (table 3), or ours for its other stages."""
BONUS = 50
"""Cents for one page."""
FUNDS = 1_000_000  # cents
_SEEDS = 2**31
"""The seed of ids, different in each run, since earlier runs' publications are still in the database."""


@dataclass(frozen=True, slots=True)
class Platform:
    """The emulator, and our port, which has to be known before anything is published."""

    name: str  # as in `crowd.provider`; the option of commands that takes the url
    called: str
    url: str
    port: int
    currency: str
    country: str
    more: Mapping[str, object] = field(default_factory=dict)  # further settings of a batch

    def settings(self, stages: Iterable[str]) -> Mapping[str, object]:
        """Return the settings of a batch with these stages that is published there."""
        crowd = {
            "provider": self.name,
            "cap": 500_000,
            "open_pages": 40,
            "hourly_wage": 1250,
            "locales": self.country,
        }
        return {
            "currency": self.currency,
            "reward": {stage: REWARD[stage] for stage in stages},
            "crowd": crowd,
            **self.more,
        }

    @property
    def option(self) -> tuple[str, str]:
        return f"--{self.name}", self.url


def at_mturk(url: str) -> Platform:
    """Return the platform of an emulator that runs at this address, and set the environment that names it."""
    return _named(
        Platform("mturk", "Mechanical Turk", url, _free_port(), "USD", "US"),
        {
            "GROUNDCREW_MTURK_ENDPOINT": url,
            "GROUNDCREW_MTURK_ENVIRONMENT": "emulator",
            "GROUNDCREW_MTURK_KEY_ID": KEY_ID,
            "GROUNDCREW_MTURK_SECRET": SECRET,
            "GROUNDCREW_MTURK_QUEUE_URL": url + QUEUE,
            "GROUNDCREW_MTURK_SITES": url,
        },
    )


def at_prolific(url: str) -> Platform:
    """Return the platform of an emulator that runs at this address, and set the environment that names it."""
    return _named(
        Platform("prolific", "Prolific", url, _free_port(), "GBP", "GB"),
        {
            "GROUNDCREW_PROLIFIC_ENDPOINT": url,
            "GROUNDCREW_PROLIFIC_ENVIRONMENT": "emulator",
            "GROUNDCREW_PROLIFIC_TOKEN": TOKEN,
            "GROUNDCREW_PROLIFIC_PROJECT": PROJECT,
            "GROUNDCREW_PROLIFIC_SITE": url,
        },
    )


@contextmanager
def _mturk() -> Iterator[Platform]:
    with mturk_process("--seed", str(secrets.randbelow(_SEEDS))) as handle:
        yield at_mturk(handle.url)


@contextmanager
def _prolific() -> Iterator[Platform]:
    with prolific_process("--seed", str(secrets.randbelow(_SEEDS)), "--funds", str(FUNDS)) as handle:
        yield at_prolific(handle.url)


@contextmanager
def _panel() -> Iterator[Platform]:
    with Panel() as panel:
        link = {"participant": "participantId", "assignment": "assignmentId", "code": panel.world.code}
        link["out_code"] = panel.world.out_code
        yield _named(Platform("link", "A panel", panel.url, _free_port(), "USD", "", {"by_link": link}), {})


_DIRECT = "direct"
_PLATFORMS: Mapping[str, Callable[[], AbstractContextManager[Platform]]] = MappingProxyType(
    {"mturk": _mturk, "prolific": _prolific, "link": _panel}
)
PROVIDERS = (_DIRECT, *_PLATFORMS)


def platform_of(provider: str) -> AbstractContextManager[Platform | None]:
    """Run the platform's emulator, or nothing (None) for direct workers.

    This sets the environment, so it has to come before Django reads its settings.
    """
    return nullcontext() if provider == _DIRECT else _PLATFORMS[provider]()


def _named(platform: Platform, variables: Mapping[str, str]) -> Platform:
    site = f"http://{HOST}:{platform.port}"
    # The whole crowd has one address. Its workers give back places for which they get no page.
    os.environ |= {"GROUNDCREW_SITE": site, "GROUNDCREW_SESSIONS_PER_ADDRESS": "100000", **variables}
    return platform


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
