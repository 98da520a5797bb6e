"""Runs web server, Celery worker and beat as child processes: for `make serve`, demo, tests and benchmarks.

In production, each is a service of its own (docker-compose.yml), and this module is not used.
"""

from __future__ import annotations

import errno
import http.client
import ipaddress
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from config.monitoring.healthz import PATH as HEALTH
from config.processes.killed_parents import ending_with_us
from config.processes.schedule import COUNTS_AT_ONCE, LONG, ROUNDS_AT_ONCE, SHORT

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 20
REMIND_SECONDS = 2
LIVES_SECONDS = 20
"""A service that ends sooner after its start will probably end again, so its next start waits."""
PAUSES: Sequence[int] = (0, 1, 2, 5, 10, 30, 60)
"""Seconds before a service is started again, by how often it has ended soon after its start."""
FULL_SECONDS = 10
"""Seconds until the next try to start if the disk is full."""
START_BYTES = 4_000_000
"""The room that a start needs at least."""

# granian and Celery read more from the environment. A variable that is set there wins.
DEFAULTS = {
    "GRANIAN_WEBSOCKETS": "false",
    "GRANIAN_WORKERS": "2",
    "GRANIAN_RESPAWN_FAILED_WORKERS": "true",
    # By default, a process takes no new connection while 512 are open, also if they say nothing.
    "GRANIAN_BACKPRESSURE": "8000",
    "GRANIAN_HTTP1_HEADER_READ_TIMEOUT": "10000",
}


class ServiceFailed(RuntimeError):
    """A process could not start, or ended by itself. The message names it and shows the end of its log."""


@dataclass(frozen=True)
class Server:
    """The running services. `processes` are by name (web, worker, beat). `start` starts the one of a name."""

    url: str
    processes: dict[str, subprocess.Popen[bytes]]
    logs: Path | None
    start: Callable[[str], subprocess.Popen[bytes]]
    started: dict[str, float] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    due: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.started.update(dict.fromkeys(self.processes, time.monotonic()))

    def check(self) -> None:
        """Raise ServiceFailed if one of the processes has ended."""
        for name, process in self.processes.items():
            if process.poll() is not None:
                raise ServiceFailed(f"{name} ended with exit code {process.returncode}.{self._tail(name)}")

    def keep(self) -> None:
        """Start processes again that have ended. The others go on, however often one of them ends."""
        now = time.monotonic()
        for name, process in self.processes.items():
            if process.poll() is None:
                continue
            if name not in self.due:
                soon = now - self.started[name] < LIVES_SECONDS
                self.ends[name] = self.ends.get(name, 0) + 1 if soon else 0
                pause = PAUSES[min(self.ends[name], len(PAUSES) - 1)]
                self.due[name] = now + pause
                said = f"{name} ended with exit code {process.returncode} and is started again"
                when = f" in {pause} s" if pause else ""
                print(f"{said}{when}.{self._tail(name) if soon else ''}", file=sys.stderr)
                _kill(process)
            if now >= self.due[name]:
                del self.due[name]
                self.processes[name], self.started[name] = self.start(name), now

    def _tail(self, name: str) -> str:
        if self.logs is None:
            return ""
        log = self.logs / f"{name}.log"
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join([f" The end of {log}:", *lines[-15:]])


@contextmanager
def services(
    *, port: int = 0, host: str = "127.0.0.1", env: Mapping[str, str] | None = None, logs: Path | None = None
) -> Iterator[Server]:
    """Start all three services, and stop them when the block ends.

    `env` is added to our environment. If `port` is 0, a free one is used. The services' output goes to
    `<name>.log` in the folder `logs`, or to our output. The database has to be migrated. Raise ServiceFailed
    when a service does not start within START_SECONDS. If this process is killed, they end by themselves (on
    Linux).
    """
    environment = {**DEFAULTS, **os.environ, **(env or {})}
    port = _free_port(host, port)
    if logs:
        logs.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(_ending_by_signals())
        processes: dict[str, subprocess.Popen[bytes]] = {}
        stack.callback(_stop, processes)
        commands = _commands(host, port, environment)
        outputs = {
            name: stack.enter_context((logs / f"{name}.log").open("wb")) if logs else None
            for name in commands
        }

        def start(name: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                ending_with_us(commands[name]),
                cwd=ROOT,
                env=environment,
                stdout=outputs.get(name),
                stderr=outputs.get(name),
                start_new_session=True,  # Ctrl-C reaches only us; a second signal would kill running tasks
            )

        for name in commands:
            processes[name] = start(name)
        server = Server(f"http://{_in_url(host)}:{port}", processes, logs, start)
        _wait_until_ready(server, host, port)
        yield server


def _commands(host: str, port: int, environment: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the command of each service."""
    celery = [sys.executable, "-m", "celery", "--app", "config"]
    quiet = [
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]  # workers do not talk to each other
    worker = [*celery, "worker", "--queues", f"{SHORT},{LONG}"]
    processes = environment.get("GROUNDCREW_TASK_PROCESSES", "").strip() or _processes(environment)
    granian = [sys.executable, "-m", "granian", "--interface", "asginl", "--host", host, "--port", str(port)]
    return {
        "worker": [*worker, "--concurrency", processes, "--loglevel", "INFO", *quiet],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
        "web": [*granian, "config.asgi:application"],
    }


def _processes(environment: Mapping[str, str]) -> str:
    """Return the number of the Celery worker's processes, one more than long tasks may use."""
    jobs = environment.get("GROUNDCREW_JOBS_AT_ONCE", "").strip() or "1"
    if not (jobs.isascii() and jobs.isdigit() and len(jobs) <= 3):
        raise ServiceFailed(f"GROUNDCREW_JOBS_AT_ONCE has to be a whole number, not {jobs!r}.")
    return str(int(jobs) + COUNTS_AT_ONCE + ROUNDS_AT_ONCE + 1)


def _free_port(host: str, port: int) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise ServiceFailed(
                f"Port {port} of {host} cannot be used ({error.strerror}); set HOST or PORT."
            ) from error
        return int(probe.getsockname()[1])


def _in_url(host: str) -> str:
    """Return the host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def _wait_until_ready(server: Server, host: str, port: int) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        server.check()
        connection = http.client.HTTPConnection(host, port, timeout=5)
        try:
            connection.request("GET", HEALTH)
            if connection.getresponse().status == http.client.OK:
                return
        except (OSError, http.client.HTTPException):
            pass  # not listening yet
        finally:
            connection.close()
        if time.monotonic() > end:
            raise ServiceFailed(f"{server.url}{HEALTH} does not reply 200 after {START_SECONDS} seconds.")
        time.sleep(0.1)


def _stop(processes: Mapping[str, subprocess.Popen[bytes]]) -> None:
    """Let each process finish its work, and kill it and its children if that takes too long.

    A second Ctrl-C or SIGTERM kills them at once.
    """
    try:
        for process in _alive(processes).values():
            process.terminate()
        end = time.monotonic() + STOP_SECONDS
        while _alive(processes) and time.monotonic() < end:
            reminder = min(end, time.monotonic() + REMIND_SECONDS)
            while _alive(processes) and time.monotonic() < reminder:
                time.sleep(0.05)
            _remind(processes)
        for name in _alive(processes):
            print(f"{name} did not end within {STOP_SECONDS} seconds and is killed.", file=sys.stderr)
    finally:
        for process in processes.values():
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and any children that it has left."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _alive(processes: Mapping[str, subprocess.Popen[bytes]]) -> dict[str, subprocess.Popen[bytes]]:
    return {name: process for name, process in processes.items() if process.poll() is None}


def _remind(processes: Mapping[str, subprocess.Popen[bytes]]) -> None:
    """Send SIGTERM once more, since a signal that comes while a process starts may be lost.

    A process of granian that still loads the application ignores the signal, and granian would wait for it
    for ever. So granian's whole group gets the signal. The Celery worker's processes must not get it, since
    they would drop their tasks; the worker itself tells them to end.
    """
    for name, process in _alive(processes).items():
        if name == "web":
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()


@contextmanager
def _ending_by_signals() -> Iterator[None]:
    """Let SIGTERM, and SIGHUP from a closed terminal, leave the block in order, as Ctrl-C does.

    Signals that are ignored, as under nohup, stay ignored. Only the main thread may use this.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ending = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) != signal.SIG_IGN]
    before = {one: signal.signal(one, lambda number, _: sys.exit(128 + number)) for one in ending}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _port() -> int:
    text = os.environ.get("PORT", "").strip() or "8000"
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and int(text) <= 65535):
        raise ServiceFailed(f"PORT has to be a whole number from 0 to 65535, not {text!r}.")
    return int(text)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _work_links(url: str) -> str:
    """Return a line with a link for each project with open work, for the embedded default only.

    Another process makes them, so that this one stays small. That process prints its own errors.
    """
    command = [sys.executable, "manage.py", "work_links", url, "--only-embedded"]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout


def _is_full(folder: Path) -> bool:
    """Return whether a file of START_BYTES cannot be stored in the folder for lack of room."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(START_BYTES))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return False


def _serve(host: str, port: int) -> int:
    """Migrate the database, and serve until a signal. Return the exit code if it cannot be migrated.

    The port is looked at first: a new database takes half a minute.
    """
    _free_port(host, port)
    print("Preparing the database. A new one takes up to a minute.", flush=True)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    if code := subprocess.run(migrate, cwd=ROOT, check=False).returncode:
        return max(code, 1)  # the command has printed why
    print("Starting the web server, the worker and beat.", flush=True)
    with services(host=host, port=port) as server:
        links = _work_links(server.url) if _is_loopback(host) else ""
        print(
            f"\nGroundcrew is at {server.url} (administration at {server.url}/admin/). Ctrl-C ends it.\n"
            f"{links}",
            flush=True,
        )
        while True:
            server.keep()
            time.sleep(1)


def main() -> int:
    """Migrate the database, and serve until Ctrl-C or SIGTERM. Return 1 when a service failed.

    If the disk is full, wait until there is room, and begin again.
    """
    var = Path(os.environ.get("GROUNDCREW_VAR", "").strip() or ROOT / "var")
    try:
        host, port = os.environ.get("HOST", "").strip().strip("[]") or "127.0.0.1", _port()
        while True:
            try:
                code = _serve(host, port)
            except ServiceFailed as error:
                print(error, file=sys.stderr)
                code = 1
            if not _is_full(var):
                return code
            print(
                f"The disk of {var} is full. Make room: this goes on by itself, in {FULL_SECONDS} s.",
                file=sys.stderr,
                flush=True,
            )
            time.sleep(FULL_SECONDS)
    except KeyboardInterrupt:
        return 0
    except ServiceFailed as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
