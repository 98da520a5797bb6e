"""An emulator that is killed goes on with whatever it had replied to."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import httpx

from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.world import TOKEN
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
