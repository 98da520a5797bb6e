"""The environment of the demo through a platform."""

from __future__ import annotations

import os
from typing import Any

import httpx
import pytest

from annotation.domain.answers import Stage
from annotation.domain.protocols import ALL_STAGES
from config.crowd_accounts import mturk_account, prolific_account, site
from simulation.emulators.prolific.handle import Handle
from simulation.platform_demo import REWARD, platform_of
from workflows.batch_settings.domain.settings import parse_settings
from workflows.crowd.installation import crowd_obstacles
from workflows.platforms.provider import Environment


def test_direct_workers_need_none() -> None:
    before = dict(os.environ)
    with platform_of("direct") as platform:
        assert platform is None
    assert os.environ == before


def test_settings_read_from_it_find_the_emulator_and_a_batch_can_be_launched(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    with platform_of("mturk") as turk:
        assert turk is not None
        assert httpx.get(f"{turk.url}/control/books", trust_env=False).json()["available"] > 0
        account = mturk_account()
        assert account is not None
        assert (account.endpoint, account.environment) == (turk.url, Environment.EMULATOR)
        assert account.submit_origins == (turk.url,)
        ours = site("GROUNDCREW_SITE")
        assert ours == f"http://127.0.0.1:{turk.port}"
        settings.MTURK, settings.SITE = account, ours
        assert crowd_obstacles(parse_settings(dict(turk.settings(Stage)))) == []


def test_the_same_with_prolific(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(os, "environ", dict(os.environ))
    with platform_of("prolific") as platform:
        assert platform is not None
        with Handle(platform.url) as emulator:
            assert emulator.books()["available"] > 0
        account = prolific_account()
        assert account is not None
        assert (account.endpoint, account.environment) == (platform.url, Environment.EMULATOR)
        assert account.site == platform.url and account.currency == platform.currency
        settings.PROLIFIC, settings.SITE = account, site("GROUNDCREW_SITE")
        assert crowd_obstacles(parse_settings(dict(platform.settings(Stage)))) == []


def test_a_page_of_every_stage_has_a_reward() -> None:
    """Each protocol can be tried through a platform: `make demo PROVIDER=mturk PROTOCOL=fast`."""
    assert set(REWARD) == set(ALL_STAGES)
