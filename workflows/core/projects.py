"""Create projects, and set how workers reach the researcher of one."""

from __future__ import annotations

from django.core.validators import slug_re
from django.db import IntegrityError, transaction

from annotation.models import Project
from annotation.transactions import write_transaction
from workflows.core.contacts import check_contact


class ProjectError(Exception):
    """A project cannot have this name; the message says why."""


def create_project(*, name: str, contact: str = "") -> Project:
    """Create a project without images. Raises ProjectError for the name and ContactError for the contact."""
    if len(name) > 64 or not slug_re.match(name):
        raise ProjectError(f"{name!r} cannot be the name of a project: use up to 64 letters, digits, - and _")
    checked = check_contact(contact)
    try:
        with write_transaction(), transaction.atomic():
            return Project.objects.create(name=name, contact=checked)
    except IntegrityError as error:
        raise ProjectError(f"there is a project {name!r} already: choose another name") from error


def set_contact(*, project: Project, contact: str) -> str:
    """Set how workers reach the researcher, and return the contact as it is stored.

    If it is empty, workers see the installation's contact. Raises ContactError.
    """
    project.contact = check_contact(contact)
    project.save(update_fields=["contact"])
    return project.contact
