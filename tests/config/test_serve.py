from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from annotation.models import Project
from config.serve import ROOT, ServiceFailed, services
from tests.services import services_of_test


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


def test_a_port_in_use_is_said_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(ServiceFailed, match=f"Port {port} of 127.0.0.1 cannot be used"),
            services(port=port),
        ):
            raise AssertionError("it started")


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_make_serve_ends_all_its_processes(tmp_path: Path, ending: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    supervisor = subprocess.Popen(
        [sys.executable, "-u", "-m", "config.serve"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "GROUNDCREW_VAR": str(tmp_path), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
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
    assert supervisor.returncode == (0 if ending == signal.SIGINT else 143)
    for pid in children:
        wait_until_gone(pid)
