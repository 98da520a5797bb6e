"""Fixtures for work on a platform, in which no task that calls the platform is started."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import MagicMock, patch

import pytest

from tests.console.crowd.crowd_rows import (
    make_crowd_batch,
    make_participation,
    make_publication,
    with_account,
)
from workflows.workers.models import Participation


@pytest.fixture
def hints() -> Iterator[MagicMock]:
    """Replace the hints that start tasks which call platforms, and return them."""
    with (
        patch("console.crowd.actions.hint_crowd") as hint,
        patch("console.crowd.actions.hint_write", hint),
        patch("console.crowd.views.confirmed_actions.hint_crowd", hint),
        patch("console.crowd.views.link_lists.hint_crowd", hint),
        patch("console.crowd.views.confirmed_actions.hint_reconcile", hint),
        patch("console.crowd.views.confirmed_actions.hint_balances", hint),
        with_account(),
    ):
        yield hint


@pytest.fixture
def submitted(hints: MagicMock) -> Participation:
    return make_participation(make_publication(make_crowd_batch()))
