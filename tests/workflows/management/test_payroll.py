from __future__ import annotations

import csv
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Batch, Worker
from tests.factories import NOW, claim_page, make_running, make_worker, submit_page
from tests.workflows.threads import at_once
from workflows.core.models import AuditEntry
from workflows.crowd.direct.page_earnings import post_earnings
from workflows.crowd.payments.book_check import verify_books
from workflows.money.domain.payroll import COLUMNS, parse_period
from workflows.money.models import LedgerEntry
from workflows.money.payroll import mark_paid

pytestmark = pytest.mark.django_db
DAY = NOW.date().isoformat()
LATER = NOW + timedelta(days=2)


@pytest.fixture
def batch() -> Batch:
    words = [["man", "dog"], ["man", "dog"]]
    return make_running(words, images=4, reward={"link": 125}, items_a_page={"link": 1})


@pytest.fixture
def formula(batch: Batch) -> Worker:
    return make_worker(batch.project, '=HYPERLINK("http://x")')


def _work(worker: Worker, *, pages: int = 1, minutes: int = 3) -> None:
    for _ in range(pages):
        submit_page(claim_page(worker, now=NOW), now=NOW + timedelta(minutes=minutes))
    post_earnings(clock=lambda: NOW)


def _run(batch: Batch, *arguments: str, first: str = DAY, last: str = DAY) -> str:
    out = StringIO()
    call_command(
        "payroll", "--project", batch.project.name, "--from", first, "--to", last, *arguments, stdout=out
    )
    return out.getvalue()


def _lines(text: str) -> list[dict[str, str]]:
    rows = csv.DictReader(StringIO(text))
    assert rows.fieldnames == list(COLUMNS)
    return list(rows)


def test_a_line_has_pages_hours_and_amounts_of_the_period(batch: Batch) -> None:
    worker = make_worker(batch.project, "anna")
    _work(worker, pages=2, minutes=9)
    (line,) = _lines(_run(batch))
    assert line == {
        **{"from": DAY, "to": DAY, "provider": "direct", "worker": "anna", "currency": "USD", "pages": "2"},
        **{"hours": "0.30", "earned": "2.50", "paid": "0.00", "due": "2.50"},
    }
    yesterday = (NOW - timedelta(days=1)).date().isoformat()
    assert _lines(_run(batch, first=yesterday, last=yesterday)) == []
    assert AuditEntry.objects.filter(action="payroll.export").count() == 2


def test_no_name_becomes_a_formula(batch: Batch, formula: Worker) -> None:
    _work(formula)
    (line,) = _lines(_run(batch))
    assert line["worker"] == f"'{formula.external_id}"


def test_what_was_paid_is_marked_once_and_no_more_due(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: LATER)
    _work(make_worker(batch.project, "anna"), pages=2)
    assert _run(batch, "--mark-paid", "--by", "bob") == "2 entries marked as paid\n"
    assert _run(batch, "--mark-paid") == "0 entries marked as paid\n"
    (line,) = _lines(_run(batch))
    assert (line["earned"], line["paid"], line["due"]) == ("2.50", "2.50", "0.00")
    assert AuditEntry.objects.get(action="payroll.paid").by == "bob"
    assert verify_books() == []


def test_a_period_that_overlaps_pays_nothing_twice(batch: Batch) -> None:
    period = parse_period(DAY, DAY)
    wider = parse_period((NOW - timedelta(days=9)).date().isoformat(), DAY)
    _work(make_worker(batch.project), pages=2)
    mark: Any = partial(mark_paid, project=batch.project, by="bob", now=LATER)
    assert mark(period=period) == 2
    assert mark(period=wider) == 0
    assert LedgerEntry.objects.filter(kind=LedgerEntry.Kind.PAYROLL).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_who_mark_at_once_mark_each_entry_once(batch: Batch) -> None:
    _work(make_worker(batch.project), pages=4)
    period = parse_period(DAY, DAY)
    marked = at_once([partial(mark_paid, project=batch.project, period=period, by="b", now=LATER)] * 4)
    assert sum(marked) == 4
    assert verify_books() == []


def test_a_period_that_is_not_over_cannot_be_paid(batch: Batch) -> None:
    with pytest.raises(CommandError, match="--to: 9998-01-01 is not over"):
        _run(batch, "--mark-paid", last="9998-01-01")


@pytest.mark.parametrize(
    ("first", "last", "says"),
    [
        ("soon", DAY, "--from: 'soon' is not a day"),
        (DAY, "2026-02-30", "--to: '2026-02-30' is not a day"),
        ("2026-12-02", "2026-12-01", "--to: 2026-12-01 is before 2026-12-02"),
        (DAY, "9999-12-31", "--to: 9999-12-31"),
    ],
)
def test_bad_days_are_named(batch: Batch, first: str, last: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        _run(batch, first=first, last=last)


def test_a_file_is_written_once_and_not_over_another(batch: Batch, tmp_path: Path) -> None:
    _work(make_worker(batch.project, "anna"))
    path = tmp_path / "pay.csv"
    assert _run(batch, "--out", str(path)) == "lines: 1\n"
    assert len(_lines(path.read_text())) == 1
    with pytest.raises(CommandError, match="File exists"):
        _run(batch, "--out", str(path))
