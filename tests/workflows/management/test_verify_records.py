"""manage.py verify_records says what differs from the seals, and how far they reach."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Caption
from tests.factories import NOW, make_running
from workflows.core.models import Seal
from workflows.core.record_seals import seal_records
from workflows.tasks import seal

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch() -> Batch:
    return make_running([["man", "dog"], ["man"]])


def _run(*arguments: str) -> str:
    out = StringIO()
    try:
        call_command("verify_records", *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_a_database_from_before_has_no_seal_and_is_told_so(batch: Batch) -> None:
    line = _run()
    assert line.startswith("records: 0 rows are as they were sealed, ")
    assert line.endswith(" are not sealed yet\n")


def test_it_says_since_when_rows_are_sealed_and_the_newest_hash(batch: Batch) -> None:
    made = seal_records(clock=lambda: NOW)
    first, second, third = _run().splitlines()
    assert first.endswith("rows are as they were sealed, 0 are not sealed yet")
    assert second == "the first seal was made at 2026-03-01 12:00 UTC; nothing is known of before"
    assert third == f"newest hash (seal {len(made)}): {made[-1].hash}"
    assert "records: " in _run("--expect", made[0].hash)
    assert "no seal has the hash" in _run("--expect", "0" * 64)
    assert _run("--expect", "12").startswith("--expect: give the 64")


def test_what_differs_is_printed(batch: Batch) -> None:
    seal_records(clock=lambda: NOW)
    Caption.objects.update(text="a cat")
    ids = list(Caption.objects.order_by("pk").values_list("pk", flat=True))
    project = batch.project_id
    assert _run() == (
        f"annotation.Caption {ids[0]} to {ids[-1]} of project {project}: not as sealed\n1 differences"
    )


def test_the_task_seals_records_too(batch: Batch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", logger="workflows.tasks")
    seal("records")
    newest = Seal.objects.latest("number")
    assert caplog.messages[-1].endswith(newest.hash)
