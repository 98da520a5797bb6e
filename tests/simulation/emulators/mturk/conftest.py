"""An emulator for each test, whose clock stands still until the test moves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from simulation.emulators.mturk.handle import Handle
from simulation.emulators.mturk.run import emulator
from tests.simulation.emulators.mturk.calls import START


@pytest.fixture
def turk() -> Iterator[Handle]:
    with emulator(seed=1, stand=START) as found:
        yield found
