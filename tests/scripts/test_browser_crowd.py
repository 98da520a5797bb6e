"""Workers who take turns in browsers are counted like those who speak HTTP. No browser is started here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from scripts import browser_crowd
from scripts.browser_crowd import Browsing, Record
from simulation.characters import Character
from simulation.crowd import CrowdStalledError, Progress
from simulation.truth import Truth
from simulation.workers import Manners, Tally


@dataclass
class Somebody:
    """Gets nothing to do for so many turns, and then answers once."""

    refusals: int
    idle: float = 0.0
    page: Any = field(default_factory=Mock)

    def turn(self) -> Tally:
        self.refusals -= 1
        return Tally(Counter(link=2), pages=1) if self.refusals < 0 else Tally()


@dataclass
class WithoutBrowsers(Browsing):
    refusals: int = field(kw_only=True)

    def _launch(self, playwright: Any) -> Any:
        return Mock()

    def _arrive(self, browser: Any, names: Iterator[tuple[int, str]]) -> Any:
        return Somebody(self.refusals)


@pytest.fixture(autouse=True)
def no_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_crowd, "sync_playwright", nullcontext)
    monkeypatch.setattr(browser_crowd, "PAUSE", 0.01)


def crowd(folder: Path, *, refusals: int, stalled_after: float = 60.0) -> WithoutBrowsers:
    return WithoutBrowsers(
        *("http://server", [f"t{number}" for number in range(5)], 5, Truth(), [Character()]),
        manners=Manners(),
        stalled_after=stalled_after,
        emulator=Mock(),
        browsers=2,
        executable="",
        record=Record(folder),
        refusals=refusals,
    )


def test_workers_who_get_nothing_at_first_go_on_until_all_is_done(tmp_path: Path) -> None:
    team = crowd(tmp_path, refusals=2)
    done = team.run(lambda: Progress(team.tally.judgments, 10, team.tally.judgments >= 10), bar=False)
    assert done.judgments >= 10


def test_if_nobody_ever_gets_anything_the_run_ends(tmp_path: Path) -> None:
    team = crowd(tmp_path, refusals=10**6, stalled_after=0.0)
    with pytest.raises(CrowdStalledError, match="nobody answered"):
        team.run(lambda: Progress(0, 10, False), bar=False)
