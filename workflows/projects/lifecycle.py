"""Create, rename, archive, restore and delete projects, and set how workers reach the researcher."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.core.validators import slug_re
from django.db import IntegrityError, transaction

from annotation.domain.field_errors import FieldError
from annotation.languages import is_tag
from annotation.models import Batch, Project
from annotation.selectors import owner_of_folder
from annotation.transactions import write_transaction
from workflows.core.contacts import check_contact
from workflows.jobs.domain.jobs import UNFINISHED
from workflows.jobs.models import Job


class ProjectError(FieldError):
    """This cannot be done to a project. `field` names what is wrong, or is "" for the project as it is."""


def create_project(*, name: str, contact: str = "", language: str = "en") -> Project:
    """Create a project without images, whose captions are in this language.

    Raises ProjectError for the name and the language, and ContactError for the contact.
    """
    checked, tag = check_contact(contact), _check_language(language)
    with write_transaction():
        return _save(Project(contact=checked, language=tag), name)


def change_project(
    *,
    project_id: int,
    name: str,
    contact: str,
    language: str | None = None,
    also: Callable[[], object] | None = None,
) -> Project:
    """Set the project's name, and how workers reach the researcher. Its photographs stay where they are.

    If the contact is empty, workers see the installation's contact. Without a `language`, it stays as it is.
    `also` is called in the same transaction. Raises ProjectError for the name and the language, and
    ContactError for the contact.
    """
    checked = check_contact(contact)
    tag = None if language is None else _check_language(language)
    with write_transaction():
        project = _locked(project_id)
        project.contact = checked
        project.language = tag or project.language
        _save(project, name)
        if also is not None:
            also()
    return project


def archive_project(*, project_id: int, now: datetime, also: Callable[[], object] | None = None) -> Project:
    """Take the project off the lists. Everything of it stays, and it can be restored.

    Nothing changes if it is archived already. `also` is called in the same transaction. Raises ProjectError
    if one of its batches has not ended, or a job of it is unfinished.
    """
    with write_transaction():
        project = _locked(project_id)
        if project.archived_at is None:
            _check_rests(project)
            project.archived_at = now
            project.save(update_fields=["archived_at"])
            if also is not None:
                also()
    return project


def restore_project(*, project_id: int, also: Callable[[], object] | None = None) -> Project:
    """Put an archived project on the lists again. `also` is called in the same transaction."""
    with write_transaction():
        project = _locked(project_id)
        if project.archived_at is not None:
            project.archived_at = None
            project.save(update_fields=["archived_at"])
            if also is not None:
                also()
    return project


def delete_project(
    *, project_id: int, typed: str, now: datetime, also: Callable[[], object] | None = None
) -> None:
    """Delete the project for good: nobody sees it from now on, and another may have its name.

    `typed` is its name, as somebody typed it to confirm. `workflows.projects.erasure` deletes its images and
    their annotation afterwards. Money, workers, and the audit log are kept. `also` is called in the same
    transaction, before the name changes. Raises ProjectError if another name was typed, if one of its batches
    has not ended, or a job of it is unfinished.
    """
    with write_transaction():
        project = _locked(project_id)
        if typed.strip() != project.name:
            raise ProjectError("name", f"Type the name of the project, {project.name}, to delete it.")
        _check_rests(project)
        if also is not None:
            also()
        project.deleted_at = now
        project.name = f"deleted-{project.pk}"
        project.save(update_fields=["deleted_at", "name"])


def _check_language(tag: str) -> str:
    if not is_tag(tag):
        raise ProjectError("language", "It is a code such as en, de or pt-BR.")
    return tag


def _locked(project_id: int) -> Project:
    project = Project.objects.select_for_update(no_key=True).filter(pk=project_id).first()
    if project is None:
        raise ProjectError("", f"There is no project {project_id}.")
    return project


def _save(project: Project, name: str) -> Project:
    if len(name) > 64 or not slug_re.match(name):
        raise ProjectError("name", "It has up to 64 letters, digits, - and _, and nothing else.")
    if name != project.name:
        if (owner := owner_of_folder(name)) is not None and owner.pk != project.pk:
            raise ProjectError(
                "name", f"Photographs of another project, {owner.name}, lie in a folder of it."
            )
        if name.startswith("deleted-"):
            raise ProjectError("name", "Names that begin with deleted- are kept for deleted projects.")
    project.name = name
    try:
        with transaction.atomic():
            project.save()
    except IntegrityError as error:
        raise ProjectError("name", f"There is a project {name} already: choose another name.") from error
    return project


def _check_rests(project: Project) -> None:
    """Raise ProjectError if something of the project is under way."""
    live = project.batches.filter(state__in=Batch.UNDER_WAY).order_by("pk").first()
    if live is not None:
        raise ProjectError(
            "", f"Its batch {live.name} is {live.state}: cancel it, or wait until it has ended."
        )
    job = Job.objects.filter(project=project, state__in=UNFINISHED).order_by("pk").first()
    if job is not None:
        raise ProjectError(
            "", f"Its {job.kind} {job.pk} is {job.state}: wait until it has ended, or cancel it."
        )
