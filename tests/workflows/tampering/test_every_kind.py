"""Each kind of change to the database is found by a command, or is named as not covered: none is silent."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import DataError, IntegrityError, connection, models, transaction

from tests.unguarded import unguarded
from tests.workflows.tampering import uncovered
from tests.workflows.tampering.kinds import CHECKS, Kind, kinds_of, tables
from tests.workflows.tampering.scene import make_scene
from workflows.core.record_tables import TABLES

pytestmark = pytest.mark.django_db

LEAST_FOUND = 150
"""Kinds of change that must be found, whatever is named as not covered."""
SEALED = [model for model in tables() if model._meta.label in TABLES]


def changed(kind: Kind) -> bool:
    """Make the change in the first way that the database takes. Return False if it takes none."""
    for way in kind.ways:
        try:
            with transaction.atomic():
                way()
        except (DataError, IntegrityError):
            continue
        return True
    return False


def found_by() -> str:
    """Return the first command that finds something, or what stopped it. Empty: all are content."""
    for command, check in CHECKS.items():
        try:
            if check():
                return command
        except Exception as error:  # noqa: BLE001  (a command that breaks off says so, too)
            return f"{command} ({type(error).__name__})"
    return ""


def outcomes(model: type[models.Model]) -> Iterator[tuple[str, str]]:
    """Yield each kind of change of the table, with the command that finds it, `refused`, or nothing."""
    for kind in kinds_of(model):
        with transaction.atomic():
            yield kind.name, found_by() if changed(kind) else "refused"
            transaction.set_rollback(True)


@pytest.fixture
def scene() -> Iterator[None]:
    make_scene()
    assert [line for check in CHECKS.values() for line in check()] == []
    with unguarded():
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA ignore_check_constraints = ON")
        yield
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA ignore_check_constraints = OFF")


@pytest.mark.slow("it makes some five hundred changes, and runs the commands after each")
def test_no_kind_of_change_is_silent(scene: None) -> None:
    found: dict[str, str] = {}
    for model in tables():
        if model._base_manager.exists():
            found.update(outcomes(model))
        elif model._meta.label not in uncovered.TABLES:
            found[f"{model._meta.label}: no row to change"] = ""
    silent = [kind for kind, by in found.items() if not by and not uncovered.reason_for(kind)]
    assert not silent, silent
    told = [kind for kind, by in found.items() if by not in ("", "refused")]
    assert len(told) >= LEAST_FOUND
    print({by: list(found.values()).count(by) for by in sorted(set(found.values()))}, len(found))


@pytest.mark.parametrize("model", [model for model in SEALED if model._meta.label != "annotation.Project"])
def test_every_sealed_table_has_rows_and_columns_that_exist(model: type[models.Model]) -> None:
    table = TABLES[model._meta.label]
    own = {part.attname for part in model._meta.concrete_fields}
    assert set(table.without) <= own
    assert list(model._base_manager.values_list(table.project, *table.columns(model))) == []


@pytest.mark.parametrize("name", [*uncovered.COLUMNS, *uncovered.ROWS, *uncovered.TABLES])
def test_what_is_named_exists(name: str) -> None:
    label, _, action = name.partition(": ")
    by_label = {model._meta.label: model for model in tables()}
    if label in by_label:
        assert action or name in uncovered.TABLES
        return
    table, _, column = label.rpartition(".")
    assert column in {part.name for part in by_label[table]._meta.concrete_fields}
