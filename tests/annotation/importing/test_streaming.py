from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.importing import streaming
from annotation.importing.preparing import PreparedCaption, prepare_all
from tests.annotation.importing.making import record
from tests.shared import ROOT


def sizes(records: list[ImageRecord | Problem]) -> list[list[str]]:
    return [[one.name for one in group] for group in streaming.groups(records, lambda problem: None)]


def test_groups_are_bounded_in_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "IMAGES_AT_ONCE", 2)
    assert sizes([record(name, "x") for name in "abcde"]) == [["a", "b"], ["c", "d"], ["e"]]


def test_groups_are_bounded_in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "CHARACTERS_AT_ONCE", 9)
    assert sizes([record(name, "x" * 5) for name in "abc"]) == [["a", "b"], ["c"]]


def test_an_image_is_never_twice_in_a_group() -> None:
    assert sizes([record(name, "x") for name in "abca"]) == [["a", "b", "c"], ["a"]]


def test_problems_are_reported_between_the_records() -> None:
    seen: list[Problem] = []
    problem = Problem("x", 1, "bad")
    assert len(list(streaming.groups([problem, record("a", "x"), problem], seen.append))) == 1
    assert seen == [problem, problem]


@pytest.mark.parametrize("processes", [1, 2])
def test_prepared_groups_come_in_order(processes: int) -> None:
    groups = [[record(f"{n}.jpg", f"A man holds {n} dogs.")] for n in range(9)]
    expected = [(group, prepare_all(group, "hanta")) for group in groups]
    assert list(streaming.prepared(groups, "hanta", processes)) == expected


def test_reading_stays_only_a_few_groups_ahead() -> None:
    read = 0

    def reader() -> Iterator[list[ImageRecord]]:
        nonlocal read
        for n in range(50):
            read += 1
            yield [record(f"{n}.jpg", "A man.")]

    stream = streaming.prepared(reader(), "hanta", 2)
    next(stream)
    assert read <= 6
    stream.close()


def test_groups_with_their_own_mentions_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.submit", fail)
    own = ImageRecord("a.jpg", (CaptionRecord(0, "A man .", ("A", "man", "."), ()),))
    [(_, [[prepared]])] = streaming.prepared([[own]], "hanta", 2)
    assert isinstance(prepared, PreparedCaption) and prepared.mentions == ()


KILLED = """
import multiprocessing, os, signal
import django

django.setup()
from annotation.importing import streaming
from tests.annotation.importing.making import record

if __name__ == "__main__":
    stream = streaming.prepared(([record(f"{n}.jpg", "A man.")] for n in range(9)), "hanta", 2)
    next(stream)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_end_when_the_import_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DJANGO_SETTINGS_MODULE": "config.settings"}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=environment) as process:
        children = [int(pid) for pid in process.stdout.readline().split()]  # type: ignore[union-attr]  # PIPE
    assert process.returncode == -signal.SIGKILL and len(children) == 2
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(map(alive, children)):
        time.sleep(0.05)
    left = [pid for pid in children if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
