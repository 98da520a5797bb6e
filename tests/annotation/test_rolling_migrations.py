"""Processes of the earlier version go on while and after a migration runs, until the last one is replaced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

OURS = ("annotation", "workflows")
TAKES_AWAY = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
KNOWN = (
    *TAKES_AWAY,
    *(migrations.AddField, migrations.AlterField, migrations.CreateModel, migrations.AddConstraint),
    *(migrations.AddIndex, migrations.RemoveIndex, migrations.RemoveConstraint, migrations.AlterModelOptions),
    migrations.RunPython,
)
"""RunPython changes rows, and no columns. Read yourself what the earlier version makes of them."""
NEW_KINDS = {"case_model_once", "payment_screened_once"}
"""Constraints on rows of a kind that the earlier version does not have, and so never writes."""


def hindrances(app: str, operations: Sequence[Operation], before: ProjectState) -> Iterator[str]:
    """Yield a line for each operation after which code of the state before can no longer read or write."""
    added = {(one.model_name.lower(), one.name) for one in operations if isinstance(one, migrations.AddField)}
    state = before.clone()
    for operation in operations:
        if not isinstance(operation, KNOWN):
            yield f"{operation.describe()}: this test does not know what it does to the earlier version"
        elif isinstance(operation, TAKES_AWAY):
            yield f"{operation.describe()}: the earlier version uses it"
        elif isinstance(operation, migrations.AddField):
            known = (app, operation.model_name.lower()) in before.models
            field = operation.field
            if known and not (field.null or field.many_to_many or _has_database_default(field)):
                yield f"{operation.describe()}: the earlier version leaves it out, so it needs db_default"
        elif isinstance(operation, migrations.AlterField):
            was = state.models[app, operation.model_name.lower()].fields[operation.name]
            if was.null and not operation.field.null:
                yield f"{operation.describe()}: the earlier version writes NULL"
            if (was.max_length or 0) > (operation.field.max_length or 0):
                yield f"{operation.describe()}: the earlier version writes longer texts"
            if operation.field.unique and not was.unique:
                yield f"{operation.describe()}: the earlier version writes a value twice"
            if was.get_internal_type() != operation.field.get_internal_type():
                yield f"{operation.describe()}: the earlier version writes another type"
        elif (
            isinstance(operation, migrations.AddConstraint)
            and (app, operation.model_name_lower) in before.models
        ):
            used = {(operation.model_name_lower, name) for name in _fields_of(operation.constraint)}
            if not used & added and operation.constraint.name not in NEW_KINDS:
                yield f"{operation.describe()}: the earlier version writes rows that it refuses"
        operation.state_forwards(app, state)


def _has_database_default(field: Any) -> bool:
    return field.db_default is not models.NOT_PROVIDED


def _fields_of(constraint: models.BaseConstraint) -> set[str]:
    return set(getattr(constraint, "fields", ())) | _named(getattr(constraint, "condition", None))


def _named(condition: models.Q | None) -> set[str]:
    if condition is None:
        return set()
    found: set[str] = set()
    for child in condition.children:
        if isinstance(child, models.Q):
            found |= _named(child)
        elif isinstance(child, tuple):
            found.add(child[0].split("__")[0])
    return found


def later_migrations() -> list[tuple[str, str]]:
    """Return all migrations but the first of each app."""
    names = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sorted((app, name) for app, name in names if app in OURS and not name.startswith("0001"))


@pytest.mark.parametrize(("app", "name"), later_migrations())
def test_a_migration_lets_the_earlier_version_go_on(app: str, name: str) -> None:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    before = loader.project_state((app, name), at_end=False)
    found = list(hindrances(app, loader.disk_migrations[app, name].operations, before))
    assert found == []


def judged(*operations: Operation) -> list[str]:
    loader = MigrationLoader(None, ignore_no_migrations=True)
    return list(hindrances("annotation", list(operations), loader.project_state()))


def test_what_would_stop_the_earlier_version_is_found() -> None:
    integer = models.IntegerField
    assert judged(migrations.RemoveField("image", "width"))
    assert judged(migrations.DeleteModel("Abstention"))
    assert judged(migrations.RenameField("image", "width", "breadth"))
    assert judged(migrations.AddField("image", "year", integer(default=0))), "the default is Python's alone"
    assert judged(migrations.AlterField("judgment", "unrelated", models.JSONField(default=list)))
    assert judged(migrations.AlterField("case", "reason", models.CharField(max_length=4)))
    unique = models.UniqueConstraint(fields=["width"], name="one_width")
    assert judged(migrations.AddConstraint("image", unique))
    assert judged(migrations.AlterField("image", "width", integer(unique=True)))
    assert judged(migrations.AlterField("image", "width", models.TextField()))
    assert judged(migrations.RunSQL("DROP TABLE annotation_image"))
    assert judged(migrations.SeparateDatabaseAndState())


def test_what_only_adds_is_allowed() -> None:
    integer = models.IntegerField
    assert not judged(migrations.AddField("image", "year", integer(db_default=0)))
    assert not judged(migrations.AddField("image", "year", integer(null=True)))
    unique = models.UniqueConstraint(fields=["year"], condition=models.Q(year__gt=0), name="one_year")
    added = migrations.AddField("image", "year", integer(null=True))
    assert not judged(added, migrations.AddConstraint("image", unique))
