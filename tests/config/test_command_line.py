"""manage.py prints one line where a traceback does not help."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from config.serve import ROOT
from tests.selection import and_nightly
from tests.services import database_url

pytestmark = pytest.mark.slow("a process of its own for each case")


def environment(var: Path, **env: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(var), **env}


def manage(var: Path, *command: str, **env: str) -> tuple[int, str]:
    """Run `manage.py command ...`. Return its exit code and what it said on stderr."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment(var, **env),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    "command",
    and_nightly(
        [("createsuperuser", "--noinput", "--username", "u")],
        [(("batch", "list", "--project", "p"),)],
        "a command of ours instead of Django's",
    ),
)
def test_before_migrating_one_is_told_to(tmp_path: Path, command: tuple[str, ...]) -> None:
    code, said = manage(tmp_path, *command, DJANGO_SUPERUSER_PASSWORD="p", DJANGO_SUPERUSER_EMAIL="")
    assert code == 1
    assert said == "The database is not set up, or not up to date: run `python manage.py migrate`.\n"


def test_a_database_that_cannot_be_opened_is_no_traceback(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/none/db.sqlite3"
    code, said = manage(tmp_path, "batch", "list", "--project", "p", DATABASE_URL=url)
    assert (code, said) == (1, "The database cannot be used: unable to open database file\n")


@pytest.mark.usefixtures("transactional_db")
def test_a_mistake_of_ours_keeps_its_traceback(tmp_path: Path) -> None:
    query = "from django.db import connection; connection.cursor().execute('SELECT nonsense')"
    env = {"DATABASE_URL": database_url(), "GROUNDCREW_SECRET_KEY": os.environ["GROUNDCREW_SECRET_KEY"]}
    code, said = manage(tmp_path, "shell", "--no-imports", "--command", query, **env)
    assert code == 1
    assert said.startswith("Traceback")
    assert re.search(r'no such column: nonsense|column "nonsense" does not exist', said)


@pytest.mark.parametrize("command", and_nightly(["migrate"], ["worker_token", "check"], "other commands"))
def test_settings_that_are_wrong_are_one_line(tmp_path: Path, command: str) -> None:
    code, said = manage(tmp_path, command, GROUNDCREW_TOKEN_DAYS="0")
    assert (code, said) == (1, "GROUNDCREW_TOKEN_DAYS has to be at least 1, not 0.\n")


def test_ctrl_c_is_one_line(tmp_path: Path) -> None:
    stop = "import signal; signal.raise_signal(signal.SIGINT)"
    assert manage(tmp_path, "shell", "--no-imports", "--command", stop) == (130, "\nInterrupted.\n")


@pytest.mark.parametrize("lines", [10, 100_000])
def test_a_reader_that_leaves_is_no_error(tmp_path: Path, lines: int) -> None:
    """As with `| head -1`: few lines fail when they are flushed at the end, many while they are written."""
    show = (
        "print('line 0', flush=True)\n"
        "import sys; sys.stdin.read()\n"
        f"for number in range({lines}): print('line', number)"
    )
    with subprocess.Popen(
        [sys.executable, "manage.py", "shell", "--no-imports", "--command", show],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        assert process.stdout.readline() == "line 0\n"
        process.stdout.close()
        process.stdin.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141
