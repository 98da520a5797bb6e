"""Save and restore versions of a project's own types. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from annotation.domain.own_types import TypesError, to_json
from annotation.domain.types import OwnType
from annotation.models import Project, TypesVersion
from annotation.transactions import write_transaction

Also = Callable[[TypesVersion], object]


class StaleTypesError(Exception):
    """Somebody else saved a version meanwhile. `newest` is that version."""

    def __init__(self, newest: TypesVersion) -> None:
        super().__init__(f"{newest.by} saved version {newest.number} meanwhile: look at it, then save again.")
        self.newest = newest


class NoSuchVersionError(Exception):
    """The project has no version of this number."""


def newest(project_id: int) -> TypesVersion | None:
    """Return the version by which mentions are typed from now on; None: the eight types alone."""
    return TypesVersion.objects.filter(project=project_id).order_by("-number").first()


def save_types(
    *,
    project_id: int,
    types: Sequence[OwnType],
    based_on: int | None,
    by: str,
    now: datetime,
    also: Also | None = None,
) -> tuple[TypesVersion | None, bool]:
    """Return the newest version, with these types, and whether it was written just now.

    `based_on` is the number of the version that was edited, or 0; None takes the newest, whichever it is.
    Nothing is written if the newest version says the same, so that it is safe to save again. The version is
    None if the project has none and needs none. `also` is called in the same transaction if a version is
    written. Raise StaleTypesError if somebody else saved a version after `based_on`, and TypesError if there
    is no such project.
    """
    said = to_json(types)
    with write_transaction():
        before = _lock_newest(project_id)
        if before.content == said if before else not types:
            return before, False
        if based_on is not None and before and before.number != based_on:
            raise StaleTypesError(before)
        return _add(project_id, before, said, by=by, now=now, also=also), True


def restore_types(
    *, project_id: int, number: int, by: str, now: datetime, also: Also | None = None
) -> tuple[TypesVersion, bool]:
    """Return the newest version, which says what version `number` said, and whether it was written just now.

    Nothing is written if the newest version says the same. `also` is called in the same transaction if a
    version is written. Raise NoSuchVersionError.
    """
    with write_transaction():
        before = _lock_newest(project_id)
        wanted = TypesVersion.objects.filter(project=project_id, number=number).first()
        if wanted is None or before is None:
            raise NoSuchVersionError
        if before.content == wanted.content:
            return before, False
        return _add(
            project_id, before, wanted.content, by=by, now=now, also=also, restores=wanted.number
        ), True


def _lock_newest(project_id: int) -> TypesVersion | None:
    """Return the newest version. Nobody else saves one of this project until the transaction ends."""
    if not Project.objects.select_for_update(no_key=True).filter(pk=project_id).exists():
        raise TypesError("", f"There is no project {project_id}.")
    return newest(project_id)


def _add(
    project_id: int,
    before: TypesVersion | None,
    content: dict[str, Any],
    *,
    by: str,
    now: datetime,
    also: Also | None,
    restores: int | None = None,
) -> TypesVersion:
    made = TypesVersion.objects.create(
        project_id=project_id,
        number=before.number + 1 if before else 1,
        content=content,
        restores=restores,
        by=by,
        created_at=now,
    )
    if also is not None:
        also(made)
    return made
