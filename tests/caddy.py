"""Caddy as a proxy, with the files of deploy/ or others, in processes that end with the block."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.settings import BASE_DIR

START_SECONDS = 20
LACKING = "Caddy is missing, so the proxies of deploy/ are not tried: install the package caddy"


def free_ports(number: int) -> list[int]:
    """Return so many ports of 127.0.0.1 that nobody uses now."""
    sockets = [socket.socket() for _ in range(number)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()


def shipped(name: str, folder: Path, *, web: str, http: int, check: int) -> Path:
    """Return a copy of a Caddyfile of deploy/ which calls `web` and listens on these ports of 127.0.0.1 only.

    `http` takes the place of port 80, and `check` that of the port for the health check.
    """
    site = (BASE_DIR / "deploy" / "site.caddy").read_text()
    (folder / "site.caddy").write_text(replaced(site, {" web:8000 ": f" {web} "}))
    path = folder / name
    listening = {"\nhttp:// {": f"\nhttp://:{http} {{\n\tbind 127.0.0.1", ":8081 {": f":{check} {{"}
    path.write_text(replaced((BASE_DIR / "deploy" / name).read_text(), listening))
    return path


def replaced(text: str, changes: Mapping[str, str]) -> str:
    """Return the text with these changes, each of which has to be possible."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def caddy(file: Path, port: int, **env: str) -> Iterator[None]:
    """Run Caddy with the file until the block ends. It has to listen on the port.

    Its data is beside the file.
    """
    program = shutil.which("caddy")
    if program is None:
        pytest.skip(LACKING)
    data = {"XDG_DATA_HOME": str(file.parent), "XDG_CONFIG_HOME": str(file.parent), "HOME": str(file.parent)}
    log = file.with_name(f"{file.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [program, "run", "--config", file, "--adapter", "caddyfile"],
            env={"PATH": os.environ["PATH"], **data, **env},
            stdout=output,
            stderr=output,
        )
    try:
        end = time.monotonic() + START_SECONDS
        while not _listens(port):
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(timeout=START_SECONDS)


def trusting(folder: Path, port: int) -> ssl.SSLContext:
    """Return a context that trusts the certificates which the Caddy of this folder has made for itself.

    Caddy listens before it has a certificate for the port, so wait for both.
    """
    root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    end = time.monotonic() + START_SECONDS
    while not root.exists():
        assert time.monotonic() < end, "Caddy has made no certificate of its own authority"
        time.sleep(0.05)
    context = ssl.create_default_context(cafile=str(root))
    while (failure := _handshake_failure(context, port)) is not None:
        assert time.monotonic() < end, failure
        time.sleep(0.05)
    return context


def _handshake_failure(context: ssl.SSLContext, port: int) -> ssl.SSLError | None:
    with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as plain:
        try:
            context.wrap_socket(plain, server_hostname="127.0.0.1").close()
        except ssl.SSLError as error:
            return error
    return None


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
