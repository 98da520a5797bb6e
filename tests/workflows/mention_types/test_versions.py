"""Versions of a project's own types are only added, one at a time. Mentions keep what they were typed by."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connections

from annotation.domain.own_types import TypesError, parse_types
from annotation.domain.types import BUILT_IN, OwnType
from annotation.models import Project, TypesVersion
from annotation.selectors import all_type_names, project_types
from tests.factories import LATER, NOW, make_project
from tests.workflows.threads import at_once
from workflows.mention_types.versions import (
    NoSuchVersionError,
    StaleTypesError,
    newest,
    restore_types,
    save_types,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def food(*words: str, key: str = "food") -> tuple[OwnType, ...]:
    return parse_types({key: {"words": list(words)}})


def save(
    project: Project, types: tuple[OwnType, ...], based_on: int | None = 0, **more: Any
) -> tuple[TypesVersion | None, bool]:
    asked: dict[str, Any] = {"by": "ada", "now": NOW, **more}
    return save_types(project_id=project.pk, types=types, based_on=based_on, **asked)


def test_each_save_adds_a_version_and_the_same_again_adds_none() -> None:
    project, done = make_project(), []
    assert save(project, ()) == (None, False)
    assert project_types(project.pk) == BUILT_IN == project_types(None)
    first, created = save(project, food("pizza"), also=lambda made: done.append(made.number))
    assert first and created and (first.number, first.by) == (1, "ada")
    again, created = save(project, food("pizza"), also=lambda made: done.append(made.number))
    assert again == first and not created  # the reply was lost
    second, _ = save(project, (), based_on=1)  # the eight alone again
    assert second and second.number == 2
    assert done == [1]
    assert (project_types(project.pk).version, project_types(project.pk).own) == (2, ())
    assert project_types(make_project("other").pk) == BUILT_IN


def test_types_that_were_taken_away_stay_names_of_the_project() -> None:
    project = make_project()
    save(project, food("pizza"))
    save(project, food("ball", key="toys"), based_on=1)
    assert project_types(project.pk).names[8:] == ("toys",)
    assert all_type_names(project.pk)[8:] == ("food", "toys")


def test_a_version_that_is_restored_becomes_the_newest() -> None:
    project = make_project()
    save(project, food("pizza"))
    save(project, food("lunch"), based_on=1)
    made, created = restore_types(project_id=project.pk, number=1, by="bo", now=LATER)
    assert created and (made.number, made.restores, made.by) == (3, 1, "bo")
    assert project_types(project.pk).own == food("pizza")
    again, created = restore_types(project_id=project.pk, number=1, by="bo", now=LATER)
    assert again == made and not created
    with pytest.raises(NoSuchVersionError):
        restore_types(project_id=project.pk, number=9, by="bo", now=LATER)


def test_whoever_edited_an_earlier_version_is_told() -> None:
    project = make_project()
    save(project, food("pizza"), by="bo")
    with pytest.raises(StaleTypesError, match="bo saved version 1 meanwhile"):
        save(project, food("lunch"))
    made, _ = save(project, food("lunch"), based_on=None)  # a command takes the newest, whichever it is
    assert made and made.number == 2


def test_two_versions_never_have_one_number() -> None:
    project = make_project()
    made, _ = save(project, food("pizza"))
    assert made
    with pytest.raises(IntegrityError):
        TypesVersion.objects.create(
            project=project, number=made.number, content=made.content, by="bo", created_at=NOW
        )


def test_a_project_that_is_gone_has_no_types() -> None:
    with pytest.raises(TypesError, match="There is no project 999"):
        save_types(project_id=999, types=food("pizza"), based_on=0, by="ada", now=NOW)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_at_once_one_is_told() -> None:
    project = make_project()

    def attempt(word: str) -> int | str:
        try:
            made, _ = save(project, food(word), by=word)
        except StaleTypesError as error:
            return f"{error.newest.by} was first"
        assert made
        return made.number

    said = at_once([partial(attempt, name) for name in ("ada", "bo")])
    winner = TypesVersion.objects.get()
    assert sorted(said, key=str) == [1, f"{winner.by} was first"]
    same = at_once([partial(lambda: save(project, food("both"), based_on=1)) for _ in range(2)])
    assert sorted(created for _, created in same) == [False, True]
    latest = newest(project.pk)
    assert latest and latest.number == 2
    connections.close_all()
