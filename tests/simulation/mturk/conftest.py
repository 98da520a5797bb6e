"""An emulator for each test, whose clock stands still until the test moves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from simulation.mturk.handle import Handle
from simulation.mturk.running import emulator
from tests.simulation.mturk.calls import START


@pytest.fixture
def turk() -> Iterator[Handle]:
    with emulator(seed=1, stand=START) as found:
        yield found
