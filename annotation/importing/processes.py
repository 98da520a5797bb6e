"""Processes that find mentions. Neither Ctrl-C nor the death of a process makes the import wait for ever.

Each process has its own pipe, and the import holds only its own end. So when one side dies, the other reads
the end of the pipe at once. A pool with shared queues could not do that: a process that dies in the middle of
a write leaves its readers waiting. See "How it works" in docs/importing.md.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from annotation.domain.records import ImageRecord
from annotation.domain.types import BUILT_IN, ProjectTypes
from annotation.importing.prepare import Prepared, prepare_all

_PATIENCE = 5  # seconds to wait for a killed process to end
Result = list[list[Prepared]]


class ProcessDied(Exception):
    """A process ended before its work was done. The message says how."""

    def __init__(self, code: int | None) -> None:
        killed = code is not None and code < 0
        how = "was killed (memory?)" if killed else f"failed with exit code {code}"
        super().__init__(f"a process that finds mentions {how}")


class Processes:
    """At most `count` processes. They start when there is work, and end when the context is left.

    They are spawned, not forked, so that they inherit no database connection.
    """

    def __init__(self, count: int, chunker: str, language: str = "", types: ProjectTypes = BUILT_IN) -> None:
        self._count = count
        self._asked = (chunker, language, types)
        self._submitted = 0
        self._started: list[tuple[SpawnProcess, Connection]] = []

    def submit(self, records: list[ImageRecord]) -> Callable[[], Result]:
        """Let the next process in turn run `prepare_all`. Return a function that waits for the result.

        The functions must be called in the order of submission. Both may raise ProcessDied.
        """
        if len(self._started) < self._count:
            self._start()
        process, pipe = self._started[self._submitted % self._count]
        self._submitted += 1
        try:
            pipe.send(records)
        except OSError as error:
            raise _died(process) from error
        return partial(_result, process, pipe)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with _uninterrupted():
            for process, pipe in self._started:
                pipe.close()
                process.kill()
            for process, _ in self._started:
                process.join(_PATIENCE)

    def _start(self) -> None:
        context = get_context("spawn")
        # The resource tracker would start with the first process, and unblock SIGINT afterwards.
        resource_tracker.ensure_running()
        with _uninterrupted():
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, *self._asked), daemon=True)
            process.start()
            theirs.close()
            self._started.append((process, ours))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C until the block ends.

    A process that starts in the block never gets it: it inherits the mask.

    The mask alone is not enough for this process: another thread may receive the signal, and Python would
    still raise KeyboardInterrupt in the main thread.
    """
    late: list[int] = []
    main = threading.current_thread() is threading.main_thread()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.signal(signal.SIGINT, lambda number, frame: late.append(number)) if main else None
    try:
        yield
    finally:
        if main:
            signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if late:
            signal.raise_signal(signal.SIGINT)


def _result(process: SpawnProcess, pipe: Connection) -> Result:
    try:
        result: Result = pipe.recv()
    except (EOFError, OSError) as error:
        raise _died(process) from error
    return result


def _died(process: SpawnProcess) -> ProcessDied:
    process.join(_PATIENCE)
    return ProcessDied(process.exitcode)


def _serve(pipe: Connection, chunker: str, language: str, types: ProjectTypes) -> None:
    """Work in the child process. Input is received by a thread, so that the import never waits to send."""
    work: SimpleQueue[list[ImageRecord]] = SimpleQueue()
    threading.Thread(target=_receive, args=(pipe, work), daemon=True).start()
    while True:
        pipe.send(prepare_all(work.get(), chunker, language, types))


def _receive(pipe: Connection, work: SimpleQueue[list[ImageRecord]]) -> None:
    try:
        while True:
            work.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(1)  # the import has ended, so nobody needs the result
