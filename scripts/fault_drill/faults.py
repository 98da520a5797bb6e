"""Does the faults of a plan to running services, and ends those that last."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

import psutil
from django.db import DatabaseError, Error, connection, transaction

from config.serve import Server
from scripts.fault_drill.disk import Clock, Disk
from scripts.fault_drill.partition import NoPartitionError, forgotten
from scripts.fault_drill.plan import (
    CLOCK,
    DISK,
    END,
    EVERYTHING,
    FORGOTTEN,
    IN_IMPORT,
    IN_ROUND,
    KILL,
    LOCK,
    STOP,
    Fault,
)
from scripts.fault_drill.proxy import Proxy
from workflows.jobs.models import Job
from workflows.platforms.models import ProviderCall
from workflows.tasks import hint_crowd

PATIENCE = 8.0
"""Seconds to wait for an import or a round to begin, in the middle of which a worker is to be killed."""


class NotStruckError(Exception):
    """A fault cannot be done. The message says why."""


@dataclass
class Faults:
    """The services (`server`), the servers that they use (`others`), and all that can be done to them."""

    server: Server
    others: Sequence[Server]
    networks: dict[str, Proxy]
    disk: Disk
    clock: Clock | None
    log: Callable[[str], object]
    keep: Callable[[], object]
    struck: Counter[str] = field(default_factory=Counter)
    _ends: list[tuple[float, str, ExitStack]] = field(default_factory=list)

    def begin(self, fault: Fault) -> None:
        """Do a fault. If it lasts, it ends in `end_due`."""
        name = f"{fault.kind.what} {fault.kind.target}".strip()
        stack = ExitStack()
        try:
            said = stack.enter_context(self._done(fault))
        except (NotStruckError, NoPartitionError, Error, psutil.NoSuchProcess, ProcessLookupError) as error:
            connection.close()  # its server may be the one that was killed before
            self.log(f"{name}: not done: {' '.join(str(error).split())}".strip())
            return
        self.struck[fault.kind.what] += 1
        lasts = f" for {fault.seconds} s" if fault.kind.longest else ""
        self.log(f"{name}{lasts}{said and f': {said}'}")
        if fault.kind.longest:
            self._ends.append((time.monotonic() + fault.seconds, name, stack))

    def tick(self) -> None:
        """Do what is due while time passes: end faults, and let the supervisor look."""
        self.end_due()
        self.keep()

    def end_due(self, *, all_of_them: bool = False) -> None:
        """End the faults whose time is over."""
        for entry in list(self._ends):
            at, name, stack = entry
            if all_of_them or time.monotonic() >= at:
                self._ends.remove(entry)
                stack.close()
                self.log(f"{name}: over")

    @contextmanager
    def _done(self, fault: Fault) -> Iterator[str]:
        what, target = fault.kind.what, fault.kind.target
        rng = random.Random(str(fault))
        if what in (KILL, END, STOP):
            with self._signalled(fault, rng) as said:
                yield said
        elif what == DISK:
            with self.disk.full([p for one in self._all() for p in [one, *one.children(recursive=True)]]):
                yield ""
        elif what == LOCK:
            with _locked():
                yield ""
        elif what == FORGOTTEN:
            with forgotten(self.networks[target].port) as connections:
                yield f"{connections} connections"
        elif what == CLOCK:
            if self.clock is None:
                raise NotStruckError("this is not Linux, or there is no C compiler")
            self.clock.set(int(target))
            yield ""
            self.clock.set(0)
        else:
            self.networks[target].state = what
            yield ""
            if self.networks[target].state == what:
                self.networks[target].state = ""

    def _all(self) -> list[psutil.Process]:
        return [psutil.Process(p.pid) for p in self.server.processes.values() if p.poll() is None]

    @contextmanager
    def _signalled(self, fault: Fault, rng: random.Random) -> Iterator[str]:
        what, target = fault.kind.what, fault.kind.target
        pids = self._pids(target, rng)
        number = {KILL: signal.SIGKILL, END: signal.SIGTERM, STOP: signal.SIGSTOP}[what]
        if (what, target) == (END, "postgres"):
            number = signal.SIGINT  # for PostgreSQL, SIGTERM means to wait until all clients have left
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if what == STOP:
            # One of them may be PostgreSQL's process for this very drill. This thread then waits for it,
            # and cannot end the fault.
            alarm = threading.Timer(fault.seconds, _continue, (pids,))
            alarm.daemon = True
            alarm.start()
        yield f"process {', '.join(map(str, pids))}"
        _continue(pids)

    def _pids(self, target: str, rng: random.Random) -> list[int]:
        if target == EVERYTHING:
            return [process.pid for one in self._all() for process in [one, *one.children(recursive=True)]]
        if target == IN_IMPORT:
            self._until(lambda: Job.objects.filter(state=Job.State.RUNNING).exists(), "no import runs")
            return [process.pid for process in self._children("worker")]
        if target.startswith(IN_ROUND):
            platform = target.removeprefix(IN_ROUND)
            seen = set(ProviderCall.objects.filter(provider=platform).values_list("pk", flat=True))
            hint_crowd(platform)
            calls = ProviderCall.objects.filter(provider=platform).exclude(pk__in=seen)
            self._until(lambda: calls.exists(), "no round runs")
            return [process.pid for process in self._children("worker")]
        if target.startswith("a "):
            of = target.removeprefix("a ").removesuffix(" process")
            found = self._children(of)
            if of == "postgres":  # not its writers and cleaners, but what serves a connection
                found = [process for process in found if " groundcrew " in " ".join(process.cmdline())]
            if not found:
                raise NotStruckError("there is none now")
            return [rng.choice(found).pid]
        process = self._process(target)
        if process.poll() is not None:
            raise NotStruckError("it does not run now")
        return [process.pid]

    def _process(self, name: str) -> subprocess.Popen[bytes]:
        return next(one.processes[name] for one in (self.server, *self.others) if name in one.processes)

    def _children(self, of: str) -> list[psutil.Process]:
        parent = self._process(of)
        children = psutil.Process(parent.pid).children() if parent.poll() is None else []
        return [one for one in children if "resource_tracker" not in " ".join(one.cmdline())]

    def _until(self, seen: Callable[[], bool], otherwise: str) -> None:
        end = time.monotonic() + PATIENCE
        while not seen():
            if time.monotonic() > end:
                raise NotStruckError(otherwise)
            self.tick()
            time.sleep(0.02)


@contextmanager
def _locked() -> Iterator[None]:
    """Hold a lock that submissions wait for, in a thread, whose connection is its own."""
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with suppress(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET LOCAL lock_timeout = '3s'")
                cursor.execute("LOCK TABLE annotation_assignment IN ACCESS EXCLUSIVE MODE")
            held.set()  # on SQLite, each transaction holds the one lock from its begin
            over.wait()
        with suppress(DatabaseError):
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    if not held.wait(5):
        over.set()
        thread.join()
        raise NotStruckError("the lock could not be had")
    yield
    over.set()
    thread.join()


def _continue(pids: Sequence[int]) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
