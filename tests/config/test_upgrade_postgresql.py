"""docs/operations.md, "Upgrade PostgreSQL", from Debian's version to that of the wheel, with real servers."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.config.test_backup import commands, run
from tests.config.test_database_recovery import ask, pages_of, work
from tests.servers import Cluster, postgres_cluster, stop_postgres

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
pytestmark = [
    pytest.mark.slow("starts two PostgreSQL servers and migrates a database"),
    pytest.mark.skipif(not DEBIAN, reason="NOT RUN: there is no other PostgreSQL in /usr/lib/postgresql"),
]


def version(programs: Path) -> int:
    said = subprocess.check_output([programs / "postgres", "--version"], text=True)
    (found,) = re.findall(r"\) (\d+)", said)
    return int(found)


def with_programs(new: Cluster, programs: Path) -> Cluster:
    """Return a cluster of another version beside the given one."""
    folder = new.folder / "old"
    folder.mkdir()
    if new.identity:
        os.chown(folder, new.identity["user"], new.identity["group"])
    command = [str(programs / "initdb"), f"--pgdata={folder / 'data'}", "--username=postgres", "--auth=trust"]
    command += ["--encoding=UTF8", "--locale=C", "--no-sync"]
    subprocess.run(command, check=True, capture_output=True, cwd=folder, **new.identity)
    return replace(new, folder=folder, programs=programs)


def test_an_earlier_major_version_is_upgraded_by_the_commands(tmp_path: Path) -> None:
    with postgres_cluster() as new, ExitStack() as ended:
        old = with_programs(new, DEBIAN[0].parent)
        assert version(old.programs) < version(new.programs)
        for cluster in (old, new):
            server = cluster.start()
            ended.callback(stop_postgres, server)
            cluster.create_database(server)
        work(old.url, "prepare")
        receipts = set(work(old.url, "work", "5", "w").split())
        assert len(receipts) == 5
        run(commands("upgrade postgresql"), OLD_URL=old.url, NEW_URL=new.url, BACKUP=str(tmp_path))
        run(commands("after"), DATABASE_URL=new.url, GROUNDCREW_VAR=str(tmp_path))
        assert pages_of(new.url) == receipts
        assert f"PostgreSQL {version(new.programs)}" in str(ask(new.url, "SELECT version()"))
