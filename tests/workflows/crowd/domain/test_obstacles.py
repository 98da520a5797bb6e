from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.answers import Stage
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.crowd.domain.obstacles import Installation, money_obstacles, obstacles

PAID = dict.fromkeys(map(str, Stage), 10)
HERE = Installation("sandbox", "USD", "https://annotate.example.org")


def _said(here: Installation = HERE, reward: Any = PAID, **crowd: Any) -> list[str]:
    given = {"provider": "mturk", "cap": 10_000, **crowd}
    return list(obstacles(BatchSettings(reward=reward, crowd=parse_settings({"crowd": given}).crowd), here))


def test_nothing_is_in_the_way_of_a_batch_that_has_all_it_needs() -> None:
    assert _said() == []


def test_direct_workers_need_nothing_of_a_platform() -> None:
    assert _said(Installation(), dict.fromkeys(Stage, 0), provider="direct", cap=None) == []


@pytest.mark.parametrize(
    ("here", "settings", "says"),
    [
        (Installation(site=HERE.site), {}, "GROUNDCREW_MTURK_SECRET"),
        (Installation(site=HERE.site), {"provider": "prolific"}, "GROUNDCREW_PROLIFIC_TOKEN"),
        (Installation("sandbox", "USD", ""), {}, "GROUNDCREW_SITE"),
        (Installation("sandbox", "USD", "http://127.0.0.1:8000"), {}, "has to be https"),
        (Installation("live", "USD", HERE.site), {}, "GROUNDCREW_LIVE_MONEY=1"),
        (Installation("sandbox", "GBP", HERE.site), {}, "pays in GBP"),
        (HERE, {"cap": None}, "no cap"),
        (HERE, {"reward": {**PAID, "drawing": 0, "link": 0}}, "link, drawing: the reward is 0"),
    ],
)
def test_each_thing_that_is_missing_is_said_alone(
    here: Installation, settings: dict[str, Any], says: str
) -> None:
    said = _said(here, settings.pop("reward", PAID), **settings)
    assert len(said) == 1 and says in said[0]


def test_amounts_are_looked_at_alone() -> None:
    """A batch that is launched already may have lost its account."""
    crowd = parse_settings({"crowd": {"provider": "mturk", "cap": 10_000}}).crowd
    settings = BatchSettings(reward={**PAID, "link": 0, "drawing": 0}, crowd=crowd)
    (said,) = money_obstacles(settings)
    assert said.startswith("link, drawing: the reward is 0")


def test_an_emulator_is_reached_on_this_machine_and_real_money_where_it_is_allowed() -> None:
    assert _said(Installation("emulator", "USD", "http://127.0.0.1:8000")) == []
    assert _said(Installation("live", "USD", HERE.site, live_money=True)) == []
