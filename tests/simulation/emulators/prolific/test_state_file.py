"""An emulator that is killed goes on with whatever it had replied to."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import httpx

from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.state_file import Saved
from simulation.emulators.prolific.webhooks import Delivery, Hooks, Subscription
from simulation.emulators.prolific.world import TOKEN, Group, Participant, Study, Submission, World
from tests.shared import ROOT


def test_a_killed_emulator_goes_on_with_what_it_replied_to(tmp_path: Path) -> None:
    data = tmp_path / "prolific.state"
    command = [sys.executable, "-m", "simulation.emulators.prolific", "--data", str(data), "--funds", "500"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        url = running.stdout.readline().split()[-1]
        headers = {"Authorization": f"Token {TOKEN}"}
        body = {"name": "kept", "workspace_id": "64f000000000000000000001"}
        made = httpx.post(f"{url}/api/v1/participant-groups/", json=body, headers=headers)
        running.send_signal(signal.SIGKILL)
    assert made.status_code == 201, made.text
    with Emulator(funds=0, data=data) as again:
        world = again.world
        assert [group.name for group in world.groups.values()] == ["kept"] and world.books.total == 500
        assert world.new_id() not in world.groups, "no id is given twice"


def test_a_file_is_made_by_the_first_request(tmp_path: Path) -> None:
    with Emulator(data=tmp_path / "state") as emulator:
        assert not emulator.world.studies
        httpx.get(f"{emulator.url}/emulator/books").raise_for_status()
    assert (tmp_path / "state").exists()


def test_every_row_comes_back_as_it_was(tmp_path: Path) -> None:
    world, saved = World(), Saved(tmp_path / "state")
    hooks = Hooks(world, secret="s", secret_id="1")
    at = datetime(2026, 3, 1, 12, 0, 0, 5, tzinfo=UTC)
    world.books.top_up(500, at)
    world.studies["a"] = Study("a", {"reward": 7, "filters": [{"id": "x"}]}, at, published_at=at)
    world.submissions["b"] = Submission("b", "a", "p", at, completed=at, bonuses=[(5, at)])
    world.groups["g"] = Group("g", "kept", "", "w", {"p": at})
    world.participants["p"] = Participant("p", "Ireland", 3, 98)
    world.bulks["k"] = ("a", [("b", 5)])
    world.messages.append({"recipient_id": "p", "body": "Grüße", "study_id": "a"})
    world.events.append(("study.status.change", {"study_id": "a", "more": [1, None]}))
    hooks.subscriptions["s"] = Subscription("s", "study.status.change", "https://example.org", "x", True)
    hooks.waiting.append(Delivery("e", "https://example.org", "{…}".encode(), 2))
    saved.save(world, hooks)
    again, theirs = World(), Hooks(World())
    saved.load(again, theirs)
    for name in ("books", "studies", "submissions", "groups", "participants", "bulks", "messages", "events"):
        assert getattr(again, name) == getattr(world, name), name
    assert (theirs.secret, theirs.subscriptions, theirs.waiting) == ("s", hooks.subscriptions, hooks.waiting)
