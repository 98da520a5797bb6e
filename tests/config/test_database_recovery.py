"""docs/database-recovery.md, with real servers. Its commands are run exactly as they are written there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg2
import pytest

from config.settings import BASE_DIR
from tests.config.test_backup import commands
from tests.servers import Cluster, postgres_cluster, stop_postgres

pytestmark = pytest.mark.slow("starts several PostgreSQL servers and migrates their databases")

DOC = (BASE_DIR / "docs" / "database-recovery.md").read_text()
SECONDS = 60
WORK = """
import json, sys
import django
django.setup()
from django.core.management import call_command
from annotation.models import Batch, Judgment
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page

match sys.argv[1]:
    case "prepare":
        call_command("migrate", verbosity=0)
        make_running([["man"], ["man"]], images=400)
    case "work":
        project = Batch.objects.get().project
        for number in range(int(sys.argv[2])):
            page = claim_page(make_worker(project, f"{sys.argv[3]}-{number}"))
            submit_page(page)
            print(page.pk, flush=True)  # as the receipt that a worker gets
    case "look":
        call_command("verify_state", stdout=sys.stderr)
        print(json.dumps([str(page) for page in Judgment.objects.values_list("assignment", flat=True)]))
"""


def start_work(url: str, *told: str) -> subprocess.Popen[str]:
    """Start a process of the service's code on this database."""
    env = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": ""}
    return subprocess.Popen(
        [sys.executable, "-c", WORK, *told], cwd=BASE_DIR, env=env, stdout=subprocess.PIPE, text=True
    )


def work(url: str, *told: str) -> str:
    with start_work(url, *told) as process:
        said, _ = process.communicate()
    assert process.returncode == 0
    return said


def pages_of(url: str) -> set[str]:
    return set(json.loads(work(url, "look")))


def ask(url: str, query: str) -> object:
    connection = psycopg2.connect(url)
    connection.autocommit = True
    try:
        with connection.cursor() as cursor:
            cursor.execute(query)
            row = cursor.fetchone()
            return row and row[0]
    finally:
        connection.close()


def wait_until(url: str, query: str) -> None:
    """Wait until the query's result is true, and until the server accepts connections at all."""
    end = time.monotonic() + SECONDS
    while True:
        try:
            if ask(url, query):
                return
        except psycopg2.OperationalError:
            pass  # it is not there yet
        assert time.monotonic() < end, query
        time.sleep(0.1)


def run(cluster: Cluster, name: str, **env: str) -> None:
    """Run the commands with this mark as the user of the server."""
    done = subprocess.run(
        ["bash", "-euc", commands(name, DOC).replace("/srv/archive", str(archive_of(cluster)))],
        env={"PATH": f"{cluster.programs}{os.pathsep}{os.environ['PATH']}", **env},
        cwd=cluster.folder,
        capture_output=True,
        text=True,
        check=False,
        **cluster.identity,
    )
    assert done.returncode == 0, done.stderr


def archive_of(cluster: Cluster) -> Path:
    return cluster.folder / "archive"


def make_folder(path: Path, cluster: Cluster) -> Path:
    path.mkdir()
    if cluster.identity:
        os.chown(path, cluster.identity["user"], cluster.identity["group"])
    return path


def kill(server: subprocess.Popen[bytes]) -> None:
    """Kill the server and all its processes by SIGKILL."""
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


Start = Callable[[Cluster], "subprocess.Popen[bytes]"]


@pytest.fixture
def start() -> Iterator[Start]:
    servers: list[subprocess.Popen[bytes]] = []

    def started(cluster: Cluster) -> subprocess.Popen[bytes]:
        servers.append(cluster.start())
        return servers[-1]

    yield started
    for server in servers:
        if server.poll() is None:
            stop_postgres(server)


@pytest.fixture
def primary() -> Iterator[Cluster]:
    with postgres_cluster(durable=True) as cluster:
        yield cluster


def test_a_deleted_cluster_is_recovered_to_a_moment(primary: Cluster, start: Start) -> None:
    archive, data = make_folder(archive_of(primary), primary), primary.folder / "data"
    settings = commands("archive", DOC).replace("/srv/archive", str(archive))
    with (data / "postgresql.conf").open("a") as file:
        file.write(f"\n{settings}")
    server = start(primary)
    primary.create_database(server)
    work(primary.url, "prepare")
    backup = make_folder(primary.folder / "backup", primary)
    run(primary, "base backup", DATABASE_URL=primary.url, BACKUP=str(backup))

    before = set(work(primary.url, "work", "5", "before").split())
    moment = str(ask(primary.url, "SELECT clock_timestamp()"))
    after = set(work(primary.url, "work", "3", "after").split())
    last = ask(primary.url, "SELECT pg_walfile_name(pg_switch_wal())")
    wait_until(primary.url, f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver")  # noqa: S608
    run(primary, "watch the archive", DATABASE_URL=primary.url)
    kill(server)
    shutil.rmtree(data)

    run(primary, "recover", BACKUP=str(backup), PGDATA=str(data), MOMENT=moment)
    start(primary)
    wait_until(primary.url, "SELECT NOT pg_is_in_recovery()")
    found = pages_of(primary.url)
    assert found == before and not found & after
    assert work(primary.url, "work", "1", "again"), "work goes on"


def test_a_synchronous_standby_has_all_that_was_acknowledged(primary: Cluster, start: Start) -> None:
    server = start(primary)
    primary.create_database(server)
    work(primary.url, "prepare")
    standby = replace(primary, folder=make_folder(primary.folder / "standby", primary))
    run(primary, "standby", DATABASE_URL=primary.url, STANDBY=str(standby.folder / "data"))
    start(standby)
    wait_until(primary.url, "SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'")
    run(primary, "synchronous", DATABASE_URL=primary.url)
    wait_until(primary.url, "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'quorum'")
    run(primary, "watch the standby", DATABASE_URL=primary.url)

    acknowledged: set[str] = set()
    with start_work(primary.url, "work", "390", "before") as worker:
        assert worker.stdout
        for line in worker.stdout:
            acknowledged.add(line.strip())
            if len(acknowledged) == 15:
                kill(server)
        assert worker.wait() != 0, "its database was killed under it"
    assert 15 <= len(acknowledged) < 390

    run(standby, "fail over", STANDBY_URL=standby.url)
    found = pages_of(standby.url)
    assert acknowledged <= found, "no acknowledged answer is lost"
    assert len(found - acknowledged) <= 1, "one page may have been stored whose receipt was lost"
    again = set(work(standby.url, "work", "2", "again").split())
    assert pages_of(standby.url) == found | again, "the service works on the standby"
