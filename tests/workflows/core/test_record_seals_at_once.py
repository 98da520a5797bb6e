"""Rows that are added and changed while several processes seal are sealed once, in one of their states."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction

from annotation.models import Image, Project, Worker
from annotation.row_changes import change_rows
from tests.factories import NOW, make_image, make_project, make_worker
from tests.workflows.threads import at_once
from workflows.core import record_seals
from workflows.core.models import Seal
from workflows.core.record_seals import seal_records, verify_records

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]
EACH = 12


def seal(patience: float = 2.0) -> int:
    return len(seal_records(clock=lambda: NOW, patience=patience))


def test_of_several_who_seal_at_once_each_row_is_sealed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_seals, "ROWS_PER_SEAL", 3)
    project = make_project()
    for _ in range(10):
        make_worker(project)
    assert sum(at_once([seal] * 4)) == Seal.objects.count() == 5, "a seal of the project, four of workers"
    found = verify_records()
    assert (found.mistakes, found.seals, found.sealed, found.newer) == ([], 5, 11, 0)


def test_while_others_add_and_change_rows_everything_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_seals, "ROWS_PER_SEAL", 5)
    project = make_project()
    images = [make_image(project, [["man"]], name=f"{number}.jpg").pk for number in range(2)]
    left = [4]
    done, counting = threading.Event(), threading.Lock()

    def leave() -> None:
        with counting:
            left[0] -= 1
            if not left[0]:
                done.set()

    def enrol() -> None:
        for _ in range(EACH):
            with transaction.atomic():
                make_worker(project)
                time.sleep(0.01)  # its id is drawn before the commit, and others draw ids meanwhile
        leave()

    def move(image: int) -> None:
        for number in range(EACH):
            change_rows(Image.objects.filter(pk=image), split=("train", "val")[number % 2])
        leave()

    def seal_until_done() -> None:
        while not done.is_set():
            seal()
            time.sleep(0.005)

    writers: list[Callable[[], None]] = [enrol, enrol, *(partial(move, image) for image in images)]
    assert len(writers) == left[0]
    at_once([*writers, seal_until_done, seal_until_done])
    while seal():
        pass
    found = verify_records()
    assert (found.mistakes, found.remarks, found.newer) == ([], [], 0)
    assert Worker.objects.count() == 2 * EACH


def test_a_row_that_commits_late_is_sealed_in_its_place() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("writers take turns, so nothing commits late")
    project: Project = make_project()
    while seal():
        pass
    drawn, later = threading.Event(), threading.Event()

    def late() -> int:
        with transaction.atomic():
            worker = make_worker(project)
            drawn.set()
            assert later.wait(timeout=30)
        return worker.pk

    def others() -> int:
        assert drawn.wait(timeout=30)
        worker = make_worker(project)
        assert seal(patience=0.1) == 0, "an earlier row may still be added"
        threading.Timer(0.3, later.set).start()
        assert seal() == 1, "it waits for the transaction that began before"
        return worker.pk

    first, second = at_once([late, others])
    assert first < second
    assert (verify_records().mistakes, verify_records().newer) == ([], 0)
