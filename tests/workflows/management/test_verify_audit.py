from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet

from tests.factories import NOW
from tests.unguarded import unguarded
from workflows.core.audit_log import AUDIT, record_action
from workflows.core.guards import remove_guards
from workflows.core.models import AuditEntry, Seal
from workflows.core.seals import seal_log
from workflows.tasks import LOGS
from workflows.tasks import seal as seal_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def entry() -> AuditEntry:
    entry = record_action(by="ada", action="batch.launch", now=NOW)
    seal_log(AUDIT, clock=lambda: NOW)
    return entry


def _run(*arguments: str, command: str = "verify_audit") -> str:
    out = StringIO()
    try:
        call_command(command, *arguments, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_it_says_how_far_an_honest_log_is_sealed(entry: AuditEntry) -> None:
    record_action(by="bob", action="login", now=NOW)
    sealed, newest = _run().splitlines()
    assert sealed == "audit: 1 entries are as they were sealed, 1 are not sealed yet"
    assert newest == f"newest hash (seal 1): {Seal.objects.get().hash}"


def test_an_empty_log_has_no_hash() -> None:
    assert _run() == "audit: 0 entries are as they were sealed, 0 are not sealed yet\n"


def test_it_names_what_was_changed(entry: AuditEntry) -> None:
    with unguarded():
        QuerySet(AuditEntry).update(by="eve")
    assert _run() == f"audit: entry {entry.pk} was changed\n1 differences"


def test_it_names_tables_that_the_database_does_not_hold(entry: AuditEntry) -> None:
    remove_guards(["workflows_auditentry", "annotation_judgment"])
    first, second, last = _run().splitlines()
    assert first.startswith("annotation_judgment: its rows can be changed")
    assert second.startswith("workflows_auditentry: its rows can be changed")
    assert last == "2 differences"


def test_a_hash_that_was_kept_elsewhere_is_looked_for(entry: AuditEntry) -> None:
    hash_ = Seal.objects.get().hash
    assert _run("--expect", hash_).startswith("audit: 1 entries")
    assert f"audit: no seal has the hash {'0' * 64}" in _run("--expect", "0" * 64)


@pytest.mark.parametrize("command", ["verify_audit", "verify_ledger"])
@pytest.mark.parametrize("wrong", ["12", "x" * 64, "A" * 64, "0" * 65])
def test_what_is_no_hash_is_refused(command: str, wrong: str) -> None:
    assert _run("--expect", wrong, command=command).startswith("--expect: give the 64")


def test_the_task_seals_each_log(caplog: pytest.LogCaptureFixture) -> None:
    record_action(by="ada", action="login", now=NOW)
    caplog.set_level("INFO", logger="workflows.tasks")
    for name in LOGS:
        seal_task(name)
    (made,) = Seal.objects.all()
    assert caplog.messages == [f"seal 1 of the log audit, through entry {made.through}: {made.hash}"]
