from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from django.utils import timezone

from annotation.models import Project
from config.lost_processes import EXIT_CODE
from config.serve import (
    PAUSES,
    ROOT,
    ServiceFailed,
    _ending_by_signals,
    _is_loopback,
    _wait_until_ready,
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
def test_the_services_answer_work_and_end(tmp_path: Path) -> None:
    Project.objects.create(name="seen-by-all")
    with services_of_test(tmp_path, GROUNDCREW_SWEEP_SECONDS="1", GROUNDCREW_LOG_LEVEL="DEBUG") as server:
        assert httpx.get(f"{server.url}/admin/login/").status_code == 200
        assert (
            httpx.get(f"{server.url}/static/admin/css/base.css")
            .headers["content-type"]
            .startswith("text/css")
        )
        assert httpx.get(f"{server.url}/api/v1/stages").status_code == 401
        assert set(server.processes) == {"web", "worker", "beat"}
    assert all(process.poll() is not None for process in server.processes.values())
    with pytest.raises(httpx.ConnectError):
        httpx.get(server.url)


def test_a_service_that_dies_is_named_with_its_log(tmp_path: Path) -> None:
    with services(
        env={"GROUNDCREW_VAR": str(tmp_path), "DATABASE_URL": ""}, logs=tmp_path / "logs"
    ) as server:
        server.check()
        server.processes["beat"].kill()
        server.processes["beat"].wait()
        with pytest.raises(ServiceFailed, match=r"beat ended with exit code -9\. The end of .*beat\.log:"):
            server.check()


@pytest.mark.usefixtures("transactional_db")
def test_a_worker_of_which_idle_processes_are_killed_ends_and_works_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process that waits for the next task holds the lock for which all others wait."""
    monkeypatch.setattr("config.serve.LIVES_SECONDS", 0)
    with services_of_test(
        tmp_path, REDIS_URL="", GROUNDCREW_VAR=str(tmp_path), GROUNDCREW_SWEEP_SECONDS="1"
    ) as server:
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


def pool_of(worker: subprocess.Popen[bytes]) -> list[int]:
    """Return the processes that do the worker's tasks."""
    return [int(pid) for pid in Path(f"/proc/{worker.pid}/task/{worker.pid}/children").read_text().split()]


def until(seen: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not seen():
        assert time.monotonic() < end, f"not seen within {seconds} seconds"
        time.sleep(0.1)


def test_a_service_that_ends_again_and_again_takes_no_other_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with services(env={"GROUNDCREW_VAR": str(tmp_path), "DATABASE_URL": ""}, logs=tmp_path) as server:
        web = server.processes["web"].pid
        for pause in PAUSES[1:3]:
            server.processes["beat"].kill()
            server.processes["beat"].wait()
            begun = time.monotonic()
            while server.processes["beat"].poll() is not None:
                server.keep()
                time.sleep(0.05)
            assert time.monotonic() - begun >= pause, "it waits longer each time"
        assert server.processes["web"].pid == web
        assert httpx.get(f"{server.url}/healthz").text == "ok\n"
    assert "beat ended with exit code -9 and is started again in 2 s." in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends children with their parent")
def test_the_web_servers_processes_end_with_their_parent(tmp_path: Path) -> None:
    """They would go on serving the old code on the port that the next web server shares with them."""
    with services(env={"GROUNDCREW_VAR": str(tmp_path), "DATABASE_URL": ""}, logs=tmp_path) as server:
        web = server.processes["web"]
        children = Path(f"/proc/{web.pid}/task/{web.pid}/children").read_text().split()
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
def test_a_port_that_is_none_is_said_in_one_line(tmp_path: Path, port: str) -> None:
    done = serve(tmp_path, PORT=port)
    assert done.returncode == 1
    assert done.stderr == f"PORT has to be a whole number from 0 to 65535, not {port!r}.\n"
    assert not list(tmp_path.iterdir())


def test_settings_that_are_wrong_are_said_in_one_line(tmp_path: Path) -> None:
    done = serve(tmp_path, GROUNDCREW_MAX_PIXELS="many")
    assert (done.returncode, done.stderr) == (
        1,
        "GROUNDCREW_MAX_PIXELS has to be a whole number, not 'many'.\n",
    )


@pytest.mark.parametrize(
    "ending",
    and_nightly([signal.SIGTERM], [signal.SIGINT, signal.SIGHUP], "SIGINT ends it below, SIGHUP as SIGTERM"),
)
def test_make_serve_ends_all_its_processes(tmp_path: Path, ending: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    ours = signal.signal(ending, signal.SIG_DFL)  # a signal that is ignored here would also be ignored there
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(tmp_path), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    signal.signal(ending, ours)
    assert supervisor.stdout is not None
    said = ""
    for line in supervisor.stdout:
        said += line
        if line.startswith("Groundcrew is at"):
            break
    assert f"Groundcrew is at http://127.0.0.1:{port}" in said
    children = [
        int(pid) for pid in Path(f"/proc/{supervisor.pid}/task/{supervisor.pid}/children").read_text().split()
    ]
    assert len(children) == 3
    supervisor.send_signal(ending)
    rest, _ = supervisor.communicate(timeout=40)
    assert "killed" not in rest
    assert not re.search(" WARNING |Websockets", said + rest), "a normal run is quiet"
    assert supervisor.returncode == (0 if ending == signal.SIGINT else 128 + ending)
    for pid in children:
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


MAKE_WORK = "from tests.factories import make_running; print(make_running([['man'], ['man']]).project.name)"


def test_make_serve_prints_links_for_work_here_and_nowhere_else(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(tmp_path)}
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, "migrate", "--verbosity", "0"], cwd=ROOT, env=env, check=True)
    name = subprocess.check_output([*manage, "shell", "-v0", "-c", MAKE_WORK], cwd=ROOT, env=env, text=True)
    said = _until_served(env)
    (link,) = re.findall(rf"^To work on {name.strip()}: (\S+)$", said, re.MULTILINE)
    assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/work/#token=[\w:-]+", link)
    assert "#token=" not in _until_served({**env, "HOST": EVERYWHERE}), "everybody can see that server"


def _until_served(env: dict[str, str]) -> str:
    """Return what `make serve` prints after it is up, until it is told to end."""
    supervisor = subprocess.Popen(
        [sys.executable, "-m", "config.serve"],
        cwd=ROOT,
        env={**env, "PORT": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert supervisor.stdout is not None
    said = ""
    for line in supervisor.stdout:
        said += line
        if line.startswith("Groundcrew is at"):
            break
    supervisor.send_signal(signal.SIGINT)
    said += supervisor.stdout.read()  # communicate() would not return what is buffered here
    assert supervisor.wait(timeout=40) == 0
    supervisor.stdout.close()
    return said
