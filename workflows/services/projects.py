"""Projects: what a researcher says about one."""

from __future__ import annotations

from annotation.models import Project
from workflows.domain.contact import check_contact


def set_contact(*, project: Project, contact: str) -> str:
    """Say how workers reach the researcher; empty for the installation's contact. Returns what is kept.

    Raises ContactError.
    """
    project.contact = check_contact(contact)
    project.save(update_fields=["contact"])
    return project.contact
