"""A network that can be made slow, silent or broken: a proxy for TCP connections on 127.0.0.1."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from scripts.fault_drill.plan import RESET, SILENT, SLOW

DELAY = 0.4
"""Seconds by which each part of a slow connection's bytes is late."""
_LOOK = 0.05


@dataclass
class Proxy:
    """Passes connections to an address: a port of this machine, or a Unix socket's path.

    `state` may be set at any time. What is sent while it is SILENT arrives later, as with a real partition.
    """

    upstream: int | str
    port: int = 0
    state: str = ""
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    async def serve(self, ready: threading.Event, over: asyncio.Event) -> None:
        server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        while not over.is_set():
            if self.state == RESET:
                self._close_all()
            await asyncio.sleep(_LOOK)
        server.close()
        self._close_all()

    def _close_all(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        there: asyncio.StreamWriter | None = None
        try:
            if self.state == RESET:
                return
            source, there = await self._connect()
            self._open.add(there)
            await asyncio.gather(self._pump(reader, there), self._pump(source, writer))
        except OSError:
            pass  # one side is away: the other one sees its connection closed
        finally:
            for end in (writer, there):
                if end is not None:
                    self._open.discard(end)
                    end.transport.abort()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.upstream, str):
            return await asyncio.open_unix_connection(self.upstream)
        return await asyncio.open_connection("127.0.0.1", self.upstream)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while part := await reader.read(65536):
            if self.state == SLOW:
                await asyncio.sleep(DELAY)
            while self.state == SILENT:
                await asyncio.sleep(_LOOK)
            writer.write(part)
            await writer.drain()
        with suppress(OSError, RuntimeError):  # the other side may be closed already
            writer.write_eof()


@contextmanager
def passing(*proxies: Proxy) -> Iterator[None]:
    """Run proxies in a thread. Their ports are known within the block."""
    ready = [threading.Event() for _ in proxies]
    loop, over = asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        await asyncio.gather(*(proxy.serve(up, over) for proxy, up in zip(proxies, ready, strict=True)))
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        await asyncio.wait(others, timeout=2) if others else None

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        for up in ready:
            if not up.wait(10):
                raise RuntimeError("a proxy did not start")
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
