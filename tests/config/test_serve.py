from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from django.utils import timezone

from annotation.models import Project
from config.processes.lost_processes import EXIT_CODE
from config.serve import (
    PAUSES,
    ROOT,
    Server,
    ServiceFailed,
    _ending_by_signals,
    _is_loopback,
    _serve,
    _wait_until_ready,
    main,
    services,
)
from tests.selection import and_nightly
from tests.services import services_of_test
from workflows.core.models import SWEEP, Beat

pytestmark = pytest.mark.slow("starts all that `make serve` does, again and again")


def wait_until_gone(pid: int, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} still runs")


@pytest.mark.usefixtures("transactional_db")
def test_the_services_answer_and_work_even_if_idle_processes_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The worker's process that waits for the next task holds the lock for which all others wait."""
    Project.objects.create(name="seen-by-all")
    monkeypatch.setattr("config.serve.LIVES_SECONDS", 0)
    with services_of_test(
        tmp_path,
        REDIS_URL="",
        GROUNDCREW_VAR=str(tmp_path),
        GROUNDCREW_SWEEP_SECONDS="1",
        GROUNDCREW_LOG_LEVEL="DEBUG",
    ) as server:
        assert httpx.get(f"{server.url}/admin/login/").status_code == 200
        style = httpx.get(f"{server.url}/static/admin/css/base.css")
        assert style.headers["content-type"].startswith("text/css")
        assert httpx.get(f"{server.url}/api/v1/stages").status_code == 401
        assert set(server.processes) == {"web", "worker", "beat"}
        worker = server.processes["worker"]
        until(lambda: "ready." in (tmp_path / "worker.log").read_text())
        server.keep()
        assert server.processes["worker"] is worker, "it runs"
        children = pool_of(worker)
        until(lambda: Beat.objects.filter(pk=SWEEP).exists())
        for pid in children:  # most wait for the lock, or hold it and wait for a task
            os.kill(pid, signal.SIGKILL)
        assert worker.wait(timeout=30) == EXIT_CODE
        assert "was killed (signal 9) while it waited for a task" in (tmp_path / "worker.log").read_text()
        for pid in children:
            wait_until_gone(pid)
        ended = timezone.now()
        server.keep()
        assert f"worker ended with exit code {EXIT_CODE} and is started again." in capsys.readouterr().err
        until(lambda: Beat.objects.filter(pk=SWEEP, began_at__gt=ended).exists())
    assert all(process.poll() is not None for process in server.processes.values())
    with pytest.raises(httpx.ConnectError):
        httpx.get(server.url)


def children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def pool_of(worker: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that do the worker's tasks."""
    return [int(pid) for pid in children_of(worker.pid)]


def until(seen: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end, f"not seen within {seconds} seconds"
        time.sleep(0.1)


def test_a_service_that_ends_is_named_and_started_again_and_takes_no_other_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with services(
        env={"GROUNDCREW_VAR": str(tmp_path), "DATABASE_URL": ""}, logs=tmp_path / "logs"
    ) as server:
        server.check()
        web = server.processes["web"]
        for pause in PAUSES[1:3]:
            server.processes["beat"].kill()
            server.processes["beat"].wait()
            with pytest.raises(
                ServiceFailed, match=r"beat ended with exit code -9\. The end of .*beat\.log:"
            ):
                server.check()
            begun = time.monotonic()
            while server.processes["beat"].poll() is not None:
                server.keep()
                time.sleep(0.05)
            assert time.monotonic() - begun >= pause, "it waits longer each time"
        assert "beat ended with exit code -9 and is started again in 2 s." in capsys.readouterr().err
        assert server.processes["web"] is web
        assert httpx.get(f"{server.url}/healthz").text == "ok\n"
        if sys.platform.startswith("linux"):  # only Linux ends children with their parent
            check_that_web_processes_end_with_their_parent(server)


def check_that_web_processes_end_with_their_parent(server: Server) -> None:
    """They would go on serving the old code on the port that the next web server shares with them."""
    web = server.processes["web"]
    children = children_of(web.pid)
    assert len(children) >= 2
    os.kill(web.pid, signal.SIGKILL)
    web.wait()
    for child in children:
        wait_until_gone(int(child))
    while web.poll() is not None and server.processes["web"] is web:
        server.keep()
        time.sleep(0.05)
    _wait_until_ready(server, "127.0.0.1", int(server.url.rpartition(":")[2]))


def test_a_port_in_use_is_said_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(ServiceFailed, match=f"Port {port} of 127.0.0.1 cannot be used"),
            services(port=port),
        ):
            raise AssertionError("it started")


def test_a_port_in_use_is_said_before_the_database_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.serve.subprocess.run", lambda *_, **__: pytest.fail("it began"))
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(ServiceFailed, match="cannot be used"),
    ):
        _serve("127.0.0.1", taken.getsockname()[1])


SLOW_SECOND = """
import os, pathlib, time
from config.asgi import application
try:
    pathlib.Path(os.environ["GROUNDCREW_VAR"], "first").touch(exist_ok=False)
except FileExistsError:
    time.sleep(3)
    print("slow one loaded", flush=True)
"""


def test_a_web_process_that_still_loads_is_reminded_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A process of granian that still loads loses a SIGTERM, and granian would wait for it for ever."""
    (tmp_path / "slow_second.py").write_text(SLOW_SECOND)
    granian = [
        sys.executable,
        "-m",
        "granian",
        "--interface",
        "asginl",
        "--workers",
        "2",
        "--working-dir",
        ".",
    ]

    def commands(host: str, port: int, _: object) -> dict[str, list[str]]:
        return {"web": [*granian, "--host", host, "--port", str(port), "slow_second:application"]}

    monkeypatch.setattr("config.serve._commands", commands)
    env = {"GROUNDCREW_VAR": str(tmp_path), "DATABASE_URL": "", "PYTHONPATH": str(tmp_path)}
    with services(env=env, logs=tmp_path / "logs"):
        pass
    assert "slow one loaded" in (tmp_path / "logs" / "web.log").read_text(), "it was loading at the end"
    assert "killed" not in capsys.readouterr().err


def serve(var: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `make serve` when it is expected to end by itself."""
    return subprocess.run(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(var), **env},
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )


@pytest.mark.parametrize("port", ["abc", "99999", "-1", "８０８０"])
def test_a_port_that_is_none_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    monkeypatch.setenv("PORT", port)
    monkeypatch.setattr("config.serve.subprocess.run", pytest.fail)
    assert main() == 1
    assert capsys.readouterr().err == f"PORT has to be a whole number from 0 to 65535, not {port!r}.\n"


def test_settings_that_are_wrong_are_said_in_one_line(tmp_path: Path) -> None:
    done = serve(tmp_path, GROUNDCREW_MAX_PIXELS="many")
    assert (done.returncode, done.stderr) == (
        1,
        "GROUNDCREW_MAX_PIXELS has to be a whole number, not 'many'.\n",
    )


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system of 12 MB for a folder."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="NOT RUN: only root can mount a small disk")
def test_a_start_on_a_full_disk_goes_on_when_there_is_room(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with small_disk(tmp_path / "var") as var, log.open("wb") as out:
        filler = var / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as full:
            while True:
                full.write(bytes(4096))
        supervisor = subprocess.Popen(
            [sys.executable, "-m", "config.serve"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(var), "PORT": "0"},
            stdout=out,
            stderr=out,
        )
        try:
            until(lambda: f"The disk of {var} is full. Make room" in log.read_text(), 180)
            assert supervisor.poll() is None
            filler.unlink()
            until(lambda: "Groundcrew is at http://127.0.0.1:" in log.read_text(), 180)
        finally:
            supervisor.terminate()
            supervisor.wait(timeout=40)


def test_another_error_at_the_start_ends_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a disk that becomes free by itself is waited for."""
    full, codes = iter((True, True, False)), iter((1, 7, 9))
    monkeypatch.setattr("config.serve._serve", lambda host, port: next(codes))
    monkeypatch.setattr("config.serve._is_full", lambda folder: next(full))
    monkeypatch.setattr("config.serve.FULL_SECONDS", 0)
    assert main() == 9
    assert capsys.readouterr().err.count("Make room: this goes on by itself") == 2


MAKE_WORK = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.factories import make_running
print(make_running([["man"], ["man"]]).project.name)
"""


@pytest.mark.parametrize(
    "ending",
    and_nightly([signal.SIGTERM], [signal.SIGINT, signal.SIGHUP], "handled in the same place as SIGTERM"),
)
def test_make_serve_prints_links_for_work_and_ends_all_its_processes(
    tmp_path: Path, ending: signal.Signals
) -> None:
    env = {
        "PATH": os.environ["PATH"],
        "GROUNDCREW_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    name = subprocess.check_output([sys.executable, "-c", MAKE_WORK], cwd=ROOT, env=env, text=True).strip()
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    ours = signal.signal(ending, signal.SIG_DFL)  # a signal that is ignored here would also be ignored there
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env={**env, "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    signal.signal(ending, ours)
    assert supervisor.stdout is not None
    said = ""
    for line in supervisor.stdout:
        said += line
        if line.startswith("To work on"):
            break
    assert f"Groundcrew is at http://127.0.0.1:{port}" in said
    (link,) = re.findall(rf"^To work on {name}: (\S+)$", said, re.MULTILINE)
    assert re.fullmatch(rf"http://127\.0\.0\.1:{port}/work/#token=[\w:-]+", link)
    children = [int(pid) for pid in children_of(supervisor.pid)]
    assert len(children) == 3
    supervisor.send_signal(ending)
    rest, _ = supervisor.communicate(timeout=40)
    assert "killed" not in rest
    assert not re.search(" WARNING |Websockets", said + rest), "a normal run is quiet"
    assert supervisor.returncode == (0 if ending == signal.SIGINT else 128 + ending)
    for pid in children:
        wait_until_gone(pid)


LEFT_BEHIND = """
import time
from config.serve import services
with services() as server:
    print("They run:", *(process.pid for process in server.processes.values()), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends children with their parent")
def test_services_end_with_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    """A second worker and beat would go on beside those of the next `make serve`, with the old code."""
    env = {"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(tmp_path)}
    command = [sys.executable, "-c", LEFT_BEHIND]
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as supervisor:
        assert supervisor.stdout is not None
        line = next(line for line in supervisor.stdout if line.startswith("They run:"))
        pids = [int(pid) for pid in line.split()[2:]]
        assert len(pids) == 3
        pids += [int(child) for pid in pids for child in children_of(pid)]
        supervisor.kill()
    for pid in pids:
        wait_until_gone(pid)


def test_under_nohup_a_terminal_that_is_closed_ends_nothing() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with _ending_by_signals():
            signal.raise_signal(signal.SIGHUP)
            with pytest.raises(SystemExit) as ended:
                signal.raise_signal(signal.SIGTERM)
        assert ended.value.code == 143
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


EVERYWHERE = "0.0.0.0"  # noqa: S104  (binding there is what is tested)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        *(("127.0.0.1", True), ("127.1.2.3", True), ("::1", True), ("localhost", True)),
        *((EVERYWHERE, False), ("::", False), ("192.0.2.7", False), ("annotate.example.org", False)),
    ],
)
def test_only_this_machine_is_a_loopback(host: str, loopback: bool) -> None:
    assert _is_loopback(host) is loopback


@pytest.mark.allow_hosts(["127.0.0.1", "::1"])
@pytest.mark.usefixtures("transactional_db")
def test_it_listens_at_an_ipv6_address(tmp_path: Path) -> None:
    with services_of_test(tmp_path, host="::1") as server:
        assert server.url.startswith("http://[::1]:")
        assert httpx.get(f"{server.url}/work/").status_code == 200


@pytest.mark.parametrize(("host", "linked"), [("127.0.0.1", True), (EVERYWHERE, False)])
def test_links_for_work_are_printed_only_if_nobody_else_sees_the_server(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], host: str, linked: bool
) -> None:
    """The server is as if somebody pressed Ctrl-C as soon as it is up."""

    class Interrupted(Server):
        def keep(self) -> None:
            raise KeyboardInterrupt

    @contextmanager
    def up(**_: object) -> Iterator[Server]:
        yield Interrupted("http://here", {}, None, pytest.fail)

    monkeypatch.setenv("HOST", host)
    monkeypatch.setattr("config.serve.services", up)
    monkeypatch.setattr("config.serve._work_links", lambda url: f"To work: {url}/work/#token=secret\n")
    monkeypatch.setattr("config.serve.subprocess.run", lambda *_, **__: subprocess.CompletedProcess([], 0))
    assert main() == 0
    assert ("#token=" in capsys.readouterr().out) is linked
