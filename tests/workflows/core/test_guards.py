"""The database refuses to change or delete rows of append-only tables, whoever asks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.core.serializers import deserialize, serialize
from django.db import IntegrityError, connection, models, transaction

from annotation.domain.own_types import parse_types
from annotation.models import (
    Case,
    Decision,
    Item,
    JudgeRecord,
    Judgment,
    Mention,
    ModelAnswer,
    PairScores,
    Suggestion,
    SuggestionSet,
    SuggestionStop,
)
from tests.factories import NOW, answer_page, claim_page, make_running, make_worker, submit_page
from tests.shared import ROOT
from tests.unguarded import check_now, unguarded
from workflows.core.audit_log import AUDIT, record_action
from workflows.core.guards import APPEND_ONLY, keep_guards, missing_guards, remove_guards
from workflows.core.models import AppendOnly, AuditEntry
from workflows.core.seals import seal_log
from workflows.instructions.domain import Content
from workflows.instructions.versions import save_instructions
from workflows.judges.versions import add_model
from workflows.mention_types.versions import save_types
from workflows.money.ledger import reserve
from workflows.money.models import LedgerEntry
from workflows.pipeline.advance import advance_pending
from workflows.priors.models import PriorVersion
from workflows.review.models import SpotCheck
from workflows.review.set_aside import reinstate, set_aside_worker
from workflows.review.spot_checks import give_verdict
from workflows.workers.notes import note_worker

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

MODELS = [apps.get_model(label) for label in APPEND_ONLY]
by_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)


@pytest.fixture
def filled() -> None:
    """Write rows into every append-only table, by the code that does it."""
    batch = make_running([["man"], ["man"]])
    worker = make_worker(batch.project)
    answer_page(worker)
    advance_pending(now=NOW)
    submit_page(claim_page(make_worker(batch.project)), answering=lambda *_: {"unusable": True})
    set_aside_worker(worker_id=worker.pk, stage="link", by="ada", note="", now=NOW, unsupported_only=False)
    reserve(batch_id=batch.pk, token="t", amount=5, currency="USD", now=NOW)
    record_action(by="ada", action="batch.launch", now=NOW)
    note_worker(worker=worker, by="ada", text="wrote to me", now=NOW)
    save_instructions(
        project_id=batch.project_id,
        stage="link",
        content=Content({"en": "Look."}),
        based_on=0,
        by="ada",
        now=NOW,
    )
    model, _ = add_model(project=batch.project, name="judge", version="1", now=NOW)
    record = JudgeRecord.objects.create(model=model, stage="check", content={}, answers=0, created_at=NOW)
    ModelAnswer.objects.create(
        model=model, item=Item.objects.earliest("pk"), answer={}, weights={}, record=record, created_at=NOW
    )
    suggestions = SuggestionSet.objects.create(
        project=batch.project, number=1, model=model, settings={}, report={}, by="ada", created_at=NOW
    )
    mention = Mention.objects.earliest("pk")
    Suggestion.objects.create(set=suggestions, mention=mention, boxes=[])
    PairScores.objects.create(set=suggestions, image=mention.image, scores=[])
    case = Case.objects.create(project=batch.project, reason="suggestions", opened_at=NOW)
    SuggestionStop.objects.create(batch=batch, reason="crowd", figures={}, case=case, created_at=NOW)
    types = parse_types({"food": {"words": "pizza"}})
    save_types(project_id=batch.project_id, types=types, based_on=0, by="ada", now=NOW)
    PriorVersion.objects.create(
        project=batch.project, number=1, content={}, report={}, by="ada", created_at=NOW
    )
    spot_check = SpotCheck.objects.create(
        project=batch.project, seed=1, units=[["chain", 1, 1, 1]], totals={}, by="ada", created_at=NOW
    )
    give_verdict(spot_check=spot_check, place=0, right=True, reason="", note="", by="ada", now=NOW)
    assert seal_log(AUDIT, clock=lambda: NOW)


def refused(statement: Callable[[], object], table: str) -> None:
    why = rf"{table} is append-only: its rows are evidence"
    with pytest.raises(IntegrityError, match=why), transaction.atomic():
        statement()


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def rows_of(model: type[models.Model]) -> models.QuerySet[Any]:
    """Return all rows, by a manager that refuses nothing."""
    return models.QuerySet(model)


def changed_value(row: Any, field: Any) -> Any:
    value = getattr(row, field.attname)
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.DateTimeField):
        return NOW.replace(year=2020)
    if isinstance(field, models.JSONField):
        return {"changed": True}
    if isinstance(field, models.GenericIPAddressField):
        return "192.0.2.1"
    if isinstance(field, models.CharField | models.TextField):
        return f"{value[:-1]}!"
    if isinstance(getattr(field, "target_field", None), models.UUIDField):
        return uuid4()
    if isinstance(field, models.PositiveSmallIntegerField):
        return 99
    return 10**6


@by_model
@pytest.mark.usefixtures("filled")
def test_no_column_is_changed_but_those_that_are_named(model: type[models.Model]) -> None:
    row = rows_of(model).first()
    assert row is not None
    may_change = APPEND_ONLY[model._meta.label]
    fields = [field for field in model._meta.concrete_fields if field.name not in may_change]
    assert len(fields) == len(model._meta.concrete_fields) - len(may_change)
    for field in fields:
        new = {field.attname: changed_value(row, field)}
        refused(lambda new=new: rows_of(model).filter(pk=row.pk).update(**new), model._meta.db_table)  # type: ignore[misc]
    assert model._meta.default_manager is not None
    assert rows_of(model).filter(pk=row.pk).values().get() == {
        field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields
    }


@by_model
@pytest.mark.usefixtures("filled")
def test_no_row_is_deleted_or_replaced(model: type[models.Model]) -> None:
    table, count = model._meta.db_table, rows_of(model).count()
    assert count
    refused(lambda: rows_of(model)._raw_delete("default"), table)
    if connection.vendor == "postgresql":
        check_now()
        refused(lambda: sql(f"TRUNCATE {table} CASCADE"), table)
    else:
        refused(lambda: sql(f"REPLACE INTO {table} SELECT * FROM {table}"), table)  # noqa: S608
    assert rows_of(model).count() == count


@pytest.mark.skipif(connection.vendor != "postgresql", reason="other databases have no TRUNCATE")
@pytest.mark.usefixtures("filled")
def test_a_table_is_not_truncated_by_way_of_another() -> None:
    check_now()
    refused(lambda: sql("TRUNCATE annotation_project CASCADE"), r"(annotation|workflows)_\w+")


@pytest.mark.usefixtures("filled")
def test_the_message_says_what_may_change() -> None:
    with pytest.raises(IntegrityError, match=r"never changed \(except set_aside_id, regraded\) or deleted"):
        Judgment.objects.update(answer={})


@pytest.mark.usefixtures("filled")
def test_a_decision_may_let_judgments_count_again() -> None:
    aside = Judgment.objects.get()
    assert aside.set_aside is not None
    reinstate(decision_id=aside.set_aside.pk, by="ada", note="", now=NOW)
    aside.refresh_from_db()
    assert aside.set_aside is None


def test_every_append_only_model_is_named() -> None:
    found = {model for model in apps.get_models() if issubclass(model, AppendOnly)}
    assert found <= set(MODELS)
    for label, fields in APPEND_ONLY.items():
        names = {field.name for field in apps.get_model(label)._meta.concrete_fields}
        assert set(fields) < names


def test_only_migrations_and_tests_remove_guards() -> None:
    callers = set()
    for package in ("annotation", "benchmarks", "config", "console", "scripts", "simulation", "workflows"):
        for path in (ROOT / package).rglob("*.py"):
            if "remove_guards" in path.read_text(encoding="utf-8") and "migrations" not in path.parts:
                callers.add(path.relative_to(ROOT).as_posix())
    assert callers == {"workflows/core/guards.py"}


def test_a_guard_that_is_lost_is_named_and_installed_by_migrate() -> None:
    assert missing_guards() == []
    remove_guards(["annotation_decision"])
    (line,) = missing_guards()
    assert line.startswith("annotation_decision: its rows can be changed")
    call_command("migrate", verbosity=0)
    assert missing_guards() == []
    make_running([["man"], ["man"]])


def test_a_guard_that_somebody_weakened_is_named_and_put_right() -> None:
    if connection.vendor == "postgresql":
        sql("ALTER TABLE annotation_decision DISABLE TRIGGER USER")
        assert [line.split(":")[0] for line in missing_guards()] == ["annotation_decision"]
        sql(
            "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS"
            " 'BEGIN RETURN COALESCE(NEW, OLD); END'"
        )
        assert len(missing_guards()) == len(MODELS)
    else:
        sql("DROP TRIGGER annotation_decision_no_update")
        weak = "BEFORE UPDATE ON annotation_decision BEGIN SELECT 1; END"
        sql(f"CREATE TRIGGER annotation_decision_no_update {weak}")
        assert [line.split(":")[0] for line in missing_guards()] == ["annotation_decision"]
    keep_guards()
    assert missing_guards() == []


@pytest.mark.usefixtures("filled")
def test_a_new_column_is_held_after_the_next_migrate() -> None:
    check_now()
    sql("ALTER TABLE annotation_judgment ADD COLUMN later integer")
    call_command("migrate", verbosity=0)
    refused(lambda: sql("UPDATE annotation_judgment SET later = 1"), "annotation_judgment")


@pytest.mark.usefixtures("filled")
def test_what_was_dumped_can_be_loaded_into_empty_tables() -> None:
    kept = serialize("json", rows_of(Decision))
    judgments, decisions = Judgment.objects.count(), Decision.objects.count()
    with unguarded():
        Judgment.objects.update(set_aside=None)
        Decision.objects.all().delete()
    for loaded in deserialize("json", kept):
        loaded.save()
    assert (Judgment.objects.count(), Decision.objects.count()) == (judgments, decisions)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("filled")
def test_what_must_be_erased_is_erased_as_the_documentation_says() -> None:
    judgment = Judgment.objects.get()
    with unguarded():
        Judgment.objects.update(comment="somebody's name")
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?) *```", text, re.DOTALL)
    statements = [line.strip().replace("id = 123", f"id = {judgment.pk}") for line in block.splitlines()]
    if connection.vendor == "sqlite":
        statements = ["DROP TRIGGER annotation_judgment_no_update;", statements[2]]
        assert f"`{statements[0]}`" in text
    for statement in statements:
        sql(statement)
    if connection.vendor == "sqlite":
        call_command("migrate", verbosity=0)
    assert Judgment.objects.get().comment == ""
    assert missing_guards() == []


@pytest.mark.django_db(transaction=True)
def test_a_refusal_takes_the_rest_of_the_transaction_with_it() -> None:
    """This test's rows are deleted after it, as those of every test with transactions of its own."""

    def write_and_change() -> None:
        record_action(by="eve", action="login", now=NOW)
        rows_of(AuditEntry).update(by="eve")

    record_action(by="ada", action="login", now=NOW)
    refused(write_and_change, "workflows_auditentry")
    assert AuditEntry.objects.get().by == "ada"


@pytest.mark.django_db(transaction=True)
def test_the_tables_of_a_test_before_are_empty() -> None:
    assert not AuditEntry.objects.exists() and not LedgerEntry.objects.exists()
    assert missing_guards() == []
