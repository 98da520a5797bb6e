from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from multiprocessing import active_children
from pathlib import Path

import psutil
import pytest

from annotation.importing import processes
from annotation.importing.prepare import prepare_all
from annotation.importing.processes import ProcessDied, Processes
from tests.annotation.importing.made_corpora import record
from tests.shared import ROOT

pytestmark = pytest.mark.slow("processes of its own that are killed")

GROUP = [record("a.jpg", "A man holds two dogs.")]


def ended(pids: list[int]) -> bool:
    """Return whether all of these ended within ten seconds. Kill those that did not."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(map(alive, pids)):
        time.sleep(0.05)
    left = [pid for pid in pids if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return left == []


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_results_come_whichever_way_the_pipe_is_full() -> None:
    """Groups and results are larger than a pipe, and no result is taken before all groups are sent."""
    groups = [[record(f"{n}.jpg", *["A man holds two dogs."] * 900)] for n in range(4)]
    with Processes(2, "hanta") as pool:
        results = [pool.submit(group) for group in groups]
        assert [result() for result in results] == [prepare_all(group, "hanta") for group in groups]


@pytest.mark.parametrize("when", ["starting", "idle"])
def test_a_killed_process_is_an_error_and_the_others_end(when: str) -> None:
    """The kernel kills a process like this when memory runs out."""
    before = set(active_children())
    with Processes(2, "hanta") as pool:

        def use() -> None:
            for result in [pool.submit(GROUP), *results, pool.submit(GROUP)]:
                result()

        results = [pool.submit(GROUP), pool.submit(GROUP)]
        if when == "idle":
            use()
        children = set(active_children()) - before
        killed = min(children, key=lambda child: child.pid or 0)
        killed.kill()
        if when == "idle":
            killed.join()
        with pytest.raises(ProcessDied, match=r"a process that finds mentions was killed \(memory\?\)"):
            use()
    assert len(children) == 2 and set(active_children()) == before


def test_a_process_that_fails_says_so() -> None:
    with Processes(1, "none") as pool, pytest.raises(ProcessDied, match="failed with exit code 1"):
        pool.submit(GROUP)()


def test_an_interrupt_waits_until_a_process_is_started_and_is_not_lost() -> None:
    reached = []

    def interrupt() -> None:
        with processes._uninterrupted():
            # Sent to this thread: earlier tests may have left others, for which nothing is held back.
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            reached.append("the end of the block")

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert reached and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


KILLED = """
import multiprocessing, os, signal
from annotation.importing import stream
from tests.annotation.importing.test_processes import GROUP

if __name__ == "__main__":
    groups = stream.prepare_groups((GROUP for n in range(9)), "hanta", 2)
    next(groups)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "config.settings", **more}


def test_processes_end_when_the_import_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED.replace("from annotation", "import django\ndjango.setup()\nfrom annotation", 1))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=environment()) as process:
        children = [int(pid) for pid in process.stdout.readline().split()]  # type: ignore[union-attr]  # PIPE
    assert process.returncode == -signal.SIGKILL and len(children) == 2
    assert ended(children)
