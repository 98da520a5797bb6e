from __future__ import annotations

import pytest
from celery.exceptions import Retry
from pytest_django.fixtures import Settings

from config.processes.schedule import schedule
from tests.workflows.crowd.scene import SITE, Scene, make_crowd_batch
from workflows import tasks
from workflows.crowd.rounds.reconcile import BusyError
from workflows.platforms import registry
from workflows.platforms.provider import UnavailableError

pytestmark = pytest.mark.django_db

CROWD_TASKS = "workflows.tasks.crowd_"


@pytest.fixture
def scene(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Scene:
    settings.SITE = SITE
    scene = Scene()
    monkeypatch.setattr(registry, "provider", lambda name: scene.fake)
    return scene


def test_each_account_has_its_rounds_and_comparisons() -> None:
    planned = schedule(15, ["mturk", "prolific"])
    crowd = {name: entry["args"] for name, entry in planned.items() if entry["task"].startswith(CROWD_TASKS)}
    assert crowd == {
        "crowd-mturk": ("mturk",),
        "crowd-prolific": ("prolific",),
        "reconcile-mturk": ("mturk",),
        "reconcile-prolific": ("prolific",),
    }
    assert not any(entry["task"].startswith(CROWD_TASKS) for entry in schedule(15).values())


def test_a_round_publishes(scene: Scene) -> None:
    make_crowd_batch()
    tasks.crowd_step("mturk")
    assert len(scene.fake.publications) == 1


def test_a_platform_without_an_account_breaks_nothing(caplog: pytest.LogCaptureFixture) -> None:
    tasks.crowd_step("mturk")
    tasks.crowd_reconcile("mturk")
    assert caplog.text.count("There is no account on 'mturk'") == 2


def test_a_comparison_with_a_platform_that_is_away_comes_again_in_its_time(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    scene.fake.fail_next("published", UnavailableError("no answer"))
    tasks.crowd_reconcile("mturk")
    assert "no answer" in caplog.text


def test_a_comparison_waits_for_a_round(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(**_: object) -> None:
        raise BusyError("a round is under way")

    monkeypatch.setattr(tasks, "reconcile", busy)
    monkeypatch.setattr(tasks.crowd_reconcile, "retry", lambda **_: Retry())
    with pytest.raises(Retry):
        tasks.crowd_reconcile("mturk")


def test_a_message_is_sent_and_not_again_by_itself(scene: Scene) -> None:
    tasks.write_to_worker("mturk", "W1", "Hello", "Thank you.")
    assert scene.fake.messages == [("W1", "Hello", "Thank you.")]
    assert tasks.write_to_worker.acks_late is False
