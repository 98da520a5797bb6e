"""The network of a drill, which can be made slow, silent or broken."""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Iterator

import pytest

from scripts.fault_drill.plan import RESET, SILENT, SLOW
from scripts.fault_drill.proxy import DELAY, Proxy, passing


class Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while part := self.request.recv(100):
            self.request.sendall(part)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Echo) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}).start()
        network = Proxy(server.server_address[1])
        try:
            with passing(network):
                yield network
        finally:
            server.shutdown()


def test_it_passes_bytes_late_and_later_as_it_is_told(proxy: Proxy) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as here:
        here.sendall(b"one")
        assert here.recv(10) == b"one"
        proxy.state = SLOW
        begun = time.monotonic()
        here.sendall(b"two")
        assert here.recv(10) == b"two" and time.monotonic() - begun >= 2 * DELAY
        proxy.state = SILENT
        here.sendall(b"three")
        here.settimeout(0.3)
        with pytest.raises(TimeoutError):
            here.recv(10)
        proxy.state = ""
        here.settimeout(5)
        assert here.recv(10) == b"three", "nothing is lost, as in a real partition"


def test_a_broken_network_closes_old_connections_and_new_ones(proxy: Proxy) -> None:
    with socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as here:
        here.sendall(b"one")
        assert here.recv(10) == b"one"
        proxy.state = RESET
        assert _is_closed(here)
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=5) as again:
            assert _is_closed(again)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(10) == b""
    except ConnectionResetError:
        return True
