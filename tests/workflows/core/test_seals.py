"""Logs are sealed once and in order, also while others write, and what was changed afterwards is found."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import QuerySet

from tests.factories import NOW, make_batch, make_image, make_project
from tests.unguarded import unguarded
from tests.workflows.threads import at_once
from workflows.core import seals as seals_module
from workflows.core.audit_log import AUDIT, record_action
from workflows.core.models import AuditEntry, Seal
from workflows.core.seals import Log, seal_log, verify_log
from workflows.money.ledger import release, reserve
from workflows.money.ledger_rows import LEDGER
from workflows.money.models import LedgerEntry, LedgerLine

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def seal(log: Log = AUDIT) -> int:
    """Seal what there is, and return how many seals were made."""
    return len(seal_log(log, clock=lambda: NOW))


def write(*names: str) -> list[int]:
    return [record_action(by=name, action="login", now=NOW, detail={"n": 1.5}).pk for name in names]


def book(entries: int = 2) -> int:
    """Reserve and release money, and return the batch's id."""
    project = make_project()
    make_image(project, [["man"], ["man"]])
    batch = make_batch(project).pk
    for number in range(entries // 2):
        reserve(batch_id=batch, token=f"{batch}-{number}", amount=5, currency="USD", now=NOW)
        release(token=f"{batch}-{number}", reserved_under=f"{batch}-{number}", amount=2, now=NOW)
    return batch


def test_what_was_added_is_sealed_once() -> None:
    assert seal() == 0
    write("ada", "bob")
    assert [seal(), seal()] == [1, 0]
    write("eve")
    assert seal() == 1
    assert list(Seal.objects.order_by("pk").values_list("log", "number", "through")) == [
        ("audit", 1, AuditEntry.objects.order_by("pk")[1].pk),
        ("audit", 2, AuditEntry.objects.latest("pk").pk),
    ]
    assert verify_log(AUDIT).mistakes == []


def test_each_log_has_seals_of_its_own() -> None:
    write("ada")
    book()
    assert [seal(AUDIT), seal(LEDGER)] == [1, 1]
    found = verify_log(LEDGER)
    assert (found.mistakes, found.counts.sealed, found.counts.newer) == ([], 2, 0)
    book()
    assert verify_log(LEDGER).counts.newer == 2


def test_many_entries_get_several_seals_and_several_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals_module, "ROWS_PER_SEAL", 2)
    monkeypatch.setattr(seals_module, "MAX_SEALS", 2)
    book(10)
    assert [seal(LEDGER), seal(LEDGER), seal(LEDGER)] == [2, 2, 1]
    assert verify_log(LEDGER).mistakes == []


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("UPDATE workflows_ledgerentry SET memo = 'x' WHERE id = {second}", "entry {second} was changed"),
        ("UPDATE workflows_ledgerline SET amount = 4 WHERE entry_id={second}", "entry {second} was changed"),
        ("DELETE FROM workflows_ledgerline WHERE entry_id = {second}", "entry {second} was changed"),
        ("DELETE FROM workflows_ledgerline WHERE entry_id = {last}", "entry {last} was changed"),
        (
            "INSERT INTO workflows_ledgerline (entry_id, account, amount) VALUES ({second}, 'fees', 1)",
            "entry {second} was changed",
        ),
    ],
)
def test_an_entry_that_was_changed_is_named(statement: str, says: str) -> None:
    book(6)
    seal(LEDGER)
    numbers = list(LedgerEntry.objects.order_by("pk").values_list("pk", flat=True))
    ids = {"second": numbers[1], "last": numbers[-1]}
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(statement.format(**ids))
    assert verify_log(LEDGER).mistakes == [says.format(**ids)]


def test_removed_inserted_and_swapped_entries_are_named() -> None:
    free, second, third, fourth = write("ada", "bob", "eve", "dan")
    rows: QuerySet[AuditEntry] = QuerySet(AuditEntry)
    with unguarded():
        rows.filter(pk=free).delete()
    seal()
    with unguarded():
        rows.filter(pk=second).delete()
        for old, new in ((third, -1), (fourth, third), (-1, fourth)):
            rows.filter(pk=old).update(id=new)
        AuditEntry(pk=free, by="eve", action="login", created_at=NOW).save()
    assert verify_log(AUDIT).mistakes == [
        f"entry {free} was inserted after its place was sealed",
        f"entry {second} was removed",
        f"entry {third} was changed",
        f"entry {fourth} was changed",
    ]


@pytest.mark.parametrize("number", [0, -7])
def test_an_entry_with_an_id_that_no_database_gives_is_named(number: int) -> None:
    write("ada")
    book()
    for sealed in (False, True):
        if sealed:
            seal()
            seal(LEDGER)
        with unguarded(), transaction.atomic():
            AuditEntry(pk=number, by="eve", action="login", created_at=NOW).save()
            assert verify_log(AUDIT).mistakes == [
                f"entry {number} was inserted by hand: the database counts from 1"
            ]
            transaction.set_rollback(True)
    first = LedgerEntry.objects.order_by("pk")[0]
    with unguarded():
        first.pk, first.token, first._state.adding = number, "reserve:forged", True
        first.save()
    assert verify_log(LEDGER).mistakes == [f"entry {number} was inserted by hand: the database counts from 1"]


def test_lines_of_an_entry_that_is_not_there_are_named() -> None:
    book()
    seal(LEDGER)
    last = LedgerEntry.objects.latest("pk").pk
    with transaction.atomic():
        if connection.vendor == "sqlite":
            LedgerLine(entry_id=last + 5, account="fees", amount=1).save()
            assert verify_log(LEDGER).mistakes == [f"entry {last + 5} has lines, and is not there itself"]
            transaction.set_rollback(True)
            return
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        LedgerLine(entry_id=last + 5, account="fees", amount=1).save()
        assert verify_log(LEDGER).mistakes == [f"entry {last + 5} has lines, and is not there itself"]
        transaction.set_rollback(True)


def test_a_log_that_is_written_anew_as_a_whole_is_found_by_a_hash_kept_elsewhere() -> None:
    write("ada", "eve")
    seal()
    kept = verify_log(AUDIT).counts.newest
    write("bob")
    seal()
    assert verify_log(AUDIT, expect=kept).mistakes == []
    with unguarded():
        QuerySet(AuditEntry).filter(by="eve").update(action="x")
        QuerySet(Seal).delete()
    seal()
    assert verify_log(AUDIT).mistakes == [], "within the database, nothing tells it"
    (line,) = verify_log(AUDIT, expect=kept).mistakes
    assert line.startswith(f"no seal has the hash {kept}")


def test_a_seal_is_made_once() -> None:
    write("ada")
    (made,) = seal_log(AUDIT, clock=lambda: NOW)
    made.pk, made._state.adding = None, True
    with pytest.raises(IntegrityError), transaction.atomic():
        made.save()


def test_of_several_who_seal_at_once_each_entry_is_sealed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals_module, "ROWS_PER_SEAL", 3)
    write(*"abcdefghij")
    assert sum(at_once([seal] * 4)) == 4
    found = verify_log(AUDIT)
    assert (found.mistakes, found.counts.seals, found.counts.sealed) == ([], 4, 10)


def test_while_many_write_everything_is_sealed_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seals_module, "ROWS_PER_SEAL", 7)
    batches = [book(0) for _ in range(3)]
    writers = len(batches)
    left = threading.Semaphore(0)

    def pay(batch: int) -> None:
        for number in range(20):
            with transaction.atomic():
                reserve(batch_id=batch, token=f"{batch}-{number}", amount=5, currency="USD", now=NOW)
                write(f"{batch}-{number}")
                time.sleep(0.01)  # ids are drawn long before the commit, and by others meanwhile
        left.release()

    def seal_until_done() -> None:
        done = 0
        while done < writers:
            done += left.acquire(timeout=0.01)
            seal(AUDIT)
            seal(LEDGER)

    calls: list[Callable[[], None]] = [partial(pay, batch) for batch in batches]
    at_once([*calls, seal_until_done])
    seal(AUDIT), seal(LEDGER)
    for log in (AUDIT, LEDGER):
        found = verify_log(log)
        assert (found.mistakes, found.counts.sealed, found.counts.newer) == ([], 60, 0)
        assert found.counts.seals > 60 // 7


def test_an_entry_that_commits_late_is_sealed_in_its_place() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("writers take turns, so nothing commits late")
    drawn, later = threading.Event(), threading.Event()

    def late() -> int:
        with transaction.atomic():
            (number,) = write("late")
            drawn.set()
            assert later.wait(timeout=30)
        return number

    def others() -> int:
        assert drawn.wait(timeout=30)
        (number,) = write("ada")
        assert seal_log(AUDIT, clock=lambda: NOW, patience=0.1) == [], "an earlier one may still be added"
        threading.Timer(0.3, later.set).start()
        assert seal() == 1, "it waits for whoever began before"
        return number

    first, second = at_once([late, others])
    assert first < second
    found = verify_log(AUDIT)
    assert (found.mistakes, found.counts.sealed) == ([], 2)


def test_whoever_begins_later_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("writers take turns, so nothing commits late")
    write("ada")
    writers, asked = seals_module._writers, threading.Event()
    begun, sealed = threading.Event(), threading.Event()

    def early() -> None:
        with transaction.atomic():
            write("bob")
            begun.set()
            assert asked.wait(timeout=30)

    def later() -> None:
        assert asked.wait(timeout=30)
        with transaction.atomic():
            write("eve")
            assert sealed.wait(timeout=30)

    def counted(model: type[models.Model]) -> set[str]:
        found = writers(model)
        asked.set()
        return found

    def sealer() -> int:
        assert begun.wait(timeout=30)
        monkeypatch.setattr(seals_module, "_writers", counted)
        try:
            return len(seal_log(AUDIT, clock=lambda: NOW, patience=20))
        finally:
            sealed.set()

    assert at_once([early, later, sealer])[2] == 1
    assert verify_log(AUDIT).counts.newer == 2


def test_entries_before_and_after_a_new_column_are_both_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seals say which columns they hash, so that older ones still fit when a table gets another."""
    write("ada")
    earlier = {"entry": [name for name in AUDIT.columns()["entry"] if name != "address"]}
    monkeypatch.setattr(Log, "columns", lambda _: earlier)
    seal()
    monkeypatch.undo()
    write("bob")
    seal()
    assert verify_log(AUDIT).mistakes == []
    with unguarded():
        QuerySet(AuditEntry).update(address="192.0.2.1")
    assert verify_log(AUDIT).mistakes == [f"entry {AuditEntry.objects.latest('pk').pk} was changed"]


COLUMNS = {
    "audit": {
        *("id", "by", "action", "project_id", "kind", "object", "object_id", "detail", "address"),
        "created_at",
    },
    "ledger": {
        *("id", "batch_id", "kind", "token", "under", "currency", "publication_id", "participation_id"),
        *("assignment_id", "worker_id", "memo", "created_at"),
    },
}


@pytest.mark.parametrize("log", [AUDIT, LEDGER], ids=lambda log: log.name)
def test_no_column_that_seals_hash_is_gone(log: Log) -> None:
    assert COLUMNS[log.name] <= set(log.columns()["entry"]), "earlier seals could not be checked any more"
    assert log is AUDIT or {"id", "entry_id", "account", "amount"} <= set(log.columns()["lines"])
