"""What make says if Node is missing or too old for the workers' pages."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shared import ROOT

TOOLS = ("make", "sh", "find", "touch", "env")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Make a fresh checkout with an environment, and with a PATH in `bin` that has no Node."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "frontend" / "src").mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        (tmp_path / "frontend" / name).write_text("{}")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for path in ("requirements.txt", ".venv/bin/python", ".venv/.installed"):
        (tmp_path / path).touch()
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or pytest.fail(f"there is no {tool}"))
    return tmp_path


def make(checkout: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": str(checkout / "bin"), "MAKEFLAGS": ""}
    return subprocess.run(
        ["make", "frontend"], cwd=checkout, env=env, capture_output=True, text=True, check=False
    )


def test_without_node_it_says_what_to_install(checkout: Path) -> None:
    done = make(checkout)
    assert done.returncode == 2
    assert (
        "There is no Node with npm: install Node 24 or later, 22 from 22.13, or 20 from 20.19" in done.stdout
    )


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        *(("18.20.4", False), ("20.18.3", False), ("20.19.0", True), ("20.20.2", True), ("21.7.0", False)),
        *(("22.12.0", False), ("22.13.0", True), ("23.11.0", False), ("24.0.0", True), ("26.1.0", True)),
    ],
)
def test_a_node_that_is_too_old_is_named(checkout: Path, version: str, enough: bool) -> None:
    node = shutil.which("node") or pytest.fail("there is no node")
    pretend = f"Object.defineProperty(process, 'versions', {{value: {{node: '{version}'}}}})"
    _program(
        checkout / "bin" / "node",
        f'[ "$1" = --version ] && {{ echo v{version}; exit; }}\nexec {node} -e "{pretend}; $2"',
    )
    _program(checkout / "bin" / "npm", "echo the packages are installed; exit 3")
    done = make(checkout)
    assert ("the packages are installed" in done.stdout) is enough
    assert (f"Node v{version} is too old" in done.stdout) is not enough


def _program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
