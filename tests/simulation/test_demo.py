"""`make demo`, in a process of its own as make starts it."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from annotation.models import Project
from simulation.demo import free_name
from tests.shared import ROOT


def demo(var: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the demo on an embedded database in `var`."""
    kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
    command = [sys.executable, "-m", "simulation.demo", *arguments]
    env = {**kept, "GROUNDCREW_VAR": str(var), **more}
    return subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300, check=False
    )


def test_it_goes_the_whole_way_and_ends_by_itself(tmp_path: Path) -> None:
    done = demo(tmp_path, "--scenes", "3")
    assert done.returncode == 0, done.stderr + done.stdout
    for expected in (
        "3 images replayed: no difference",
        "Images whose links are settled: 3 of 3",
        "agreement with the truth",
        "removed by merging",
        "demo-1/export",
        "link it prints for demo-1-open",
    ):
        assert expected in done.stdout
    assert re.search(r"^coverage +[1-9]", done.stdout, re.MULTILINE)
    assert re.search(r"^inferred by transitivity +[1-9]", done.stdout, re.MULTILINE)
    exported = list((tmp_path / "demo" / "demo-1" / "export" / "Sentences").iterdir())
    assert 0 < len(exported) <= 3
    server = re.search(r"Serving at (\S+),", done.stdout)
    assert server
    with pytest.raises(urllib.error.URLError):  # nothing serves there any more
        urllib.request.urlopen(server[1], timeout=5)  # noqa: S310  (our own http://)


def test_a_failure_is_said_and_gives_an_exit_code(tmp_path: Path) -> None:
    failed = demo(tmp_path, DATABASE_URL=f"sqlite:///{tmp_path}/nowhere/at-all.sqlite3")
    assert failed.returncode == 1
    assert "The demo failed: unable to open database file" in failed.stderr


@pytest.mark.django_db
def test_every_run_has_a_project_of_its_own(tmp_path: Path) -> None:
    assert free_name(tmp_path) == "demo-1"
    Project.objects.create(name="demo-1")
    assert free_name(tmp_path) == "demo-2"
    (tmp_path / "demo-2").mkdir()  # of a run that broke off before its project was there
    assert free_name(tmp_path) == "demo-3"
