"""Save and restore versions of a project's instructions. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from annotation.models import InstructionsVersion, Project
from annotation.transactions import write_transaction
from workflows.instructions.domain import Content, InstructionsError, to_json, with_photographs
from workflows.instructions.selectors import newest, usable_photographs

Also = Callable[[InstructionsVersion], object]


class StaleInstructionsError(Exception):
    """Somebody else saved a version meanwhile. `newest` is that version."""

    def __init__(self, newest: InstructionsVersion) -> None:
        super().__init__(f"{newest.by} saved version {newest.number} meanwhile.")
        self.newest = newest


class NoSuchVersionError(Exception):
    """The stage has no version of this number."""


def save_instructions(
    *,
    project_id: int,
    stage: str,
    content: Content,
    based_on: int,
    by: str,
    now: datetime,
    also: Also | None = None,
) -> tuple[InstructionsVersion | None, bool]:
    """Return the newest version, with this content, and whether it was written just now.

    `based_on` is the number of the version that was edited, or 0. Nothing is written if the newest version
    says the same, so that it is safe to save again. The version is None if the stage has none and needs none.
    `also` is called in the same transaction if a version is written. Raise InstructionsError, or
    StaleInstructionsError if somebody else saved a version after `based_on`.
    """
    with write_transaction():
        before = _lock_newest(project_id, stage)
        said = to_json(with_photographs(content, usable_photographs(project_id, content)))
        if before.content == said if before else content.is_built_in:
            return before, False
        if before and before.number != based_on:
            raise StaleInstructionsError(before)
        return _add(project_id, stage, before, said, by=by, now=now, also=also), True


def restore_instructions(
    *, project_id: int, stage: str, number: int, by: str, now: datetime, also: Also | None = None
) -> tuple[InstructionsVersion, bool]:
    """Return the newest version, which says what version `number` said, and whether it was written just now.

    Nothing is written if the newest version says the same. `also` is called in the same transaction if a
    version is written. Raise NoSuchVersionError.
    """
    with write_transaction():
        before = _lock_newest(project_id, stage)
        versions = InstructionsVersion.objects.filter(project=project_id, stage=stage)
        wanted = versions.filter(number=number).first()
        if wanted is None or before is None:
            raise NoSuchVersionError
        if before.content == wanted.content:
            return before, False
        made = _add(
            project_id, stage, before, wanted.content, by=by, now=now, also=also, restores=wanted.number
        )
        return made, True


def _lock_newest(project_id: int, stage: str) -> InstructionsVersion | None:
    """Return the newest version. Nobody else saves one of this project until the transaction ends."""
    if not Project.objects.select_for_update(no_key=True).filter(pk=project_id).exists():
        raise InstructionsError("", f"There is no project {project_id}.")
    return newest(project_id, stage)


def _add(
    project_id: int,
    stage: str,
    before: InstructionsVersion | None,
    content: dict[str, Any],
    *,
    by: str,
    now: datetime,
    also: Also | None,
    restores: int | None = None,
) -> InstructionsVersion:
    made = InstructionsVersion.objects.create(
        project_id=project_id,
        stage=stage,
        number=before.number + 1 if before else 1,
        content=content,
        restores=restores,
        by=by,
        created_at=now,
    )
    if also is not None:
        also(made)
    return made
