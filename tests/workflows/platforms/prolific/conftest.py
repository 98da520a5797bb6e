"""A stage of the emulated Prolific, for tests of whole batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.workflows.crowd.scene import SITE
from tests.workflows.platforms.prolific.play import Play
from tests.workflows.platforms.prolific.stage import prolific_stage


@pytest.fixture
def play(settings: Any, db: None) -> Iterator[Play]:
    settings.SITE = SITE
    with prolific_stage() as stage:
        yield Play(stage)
