"""The versions of models that a project knows, and their tokens."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import IntegrityError
from django.db.models import F

from annotation.domain.field_errors import NamedFieldError
from annotation.models import Batch, ModelVersion, Project
from annotation.transactions import write_transaction
from workflows.batch_settings.selectors import settings_of
from workflows.judges.domain.kinds import PEOPLE

_NAME = re.compile(r"[-a-zA-Z0-9_]{1,40}")
_VERSION = re.compile(r"[-a-zA-Z0-9_.]{1,40}")
MAX_TEXT = 1000


class ModelVersionError(NamedFieldError):
    """A version of a model cannot be written down as it is described."""


def add_model(
    *,
    project: Project,
    name: str,
    version: str,
    family: str = "",
    digest: str = "",
    trained_on: str = "",
    now: datetime,
) -> tuple[ModelVersion, bool]:
    """Return the project's model of this name and version, and whether it was written just now.

    The family is the name, unless it is given. Raises ModelVersionError, which names the field: also if the
    version is known already and said to be something else, since what it answered is stored under its name.
    """
    family = family or name
    for field, text, pattern in (
        ("name", name, _NAME),
        ("family", family, _NAME),
        ("version", version, _VERSION),
    ):
        if not pattern.fullmatch(text):
            dots = ", dots" if field == "version" else ""
            raise ModelVersionError(field, f"must be 1 to 40 letters, digits{dots}, hyphens and underscores")
    if family == PEOPLE:
        raise ModelVersionError("family", f"must not be {PEOPLE}: boxes that workers draw are called that")
    for field, text, longest in (("digest", digest, 80), ("trained_on", trained_on, MAX_TEXT)):
        if len(text) > longest:
            raise ModelVersionError(field, f"must be text of at most {longest} characters")
    about = {"family": family, "digest": digest, "trained_on": trained_on}
    try:
        with write_transaction():
            found, new = ModelVersion.objects.get_or_create(
                project=project, name=name, version=version, defaults={**about, "created_at": now}
            )
    except IntegrityError:  # another process wrote it just now
        found, new = ModelVersion.objects.get(project=project, name=name, version=version), False
    for field, text in about.items():
        if getattr(found, field) != text:
            raise ModelVersionError(
                field,
                f"{found} is known already with {getattr(found, field)!r} here: give the model a new version",
            )
    return found, new


def find_model(*, project_id: int, named: str) -> ModelVersion | None:
    """Return the project's model of this name, written as `name/version`, or None if it has no such model."""
    name, _, version = named.partition("/")
    return ModelVersion.objects.filter(project=project_id, name=name, version=version).first()


def batches_of(model: ModelVersion) -> list[Batch]:
    """Return all batches that name the model as their judge, drafts too, in order of their ids."""
    batches = Batch.objects.filter(project=model.project_id, settings__has_key="judge").order_by("pk")
    return [batch for batch in batches if settings_of(batch).judge.model == str(model)]


def end_tokens(*, model: ModelVersion) -> None:
    """Make every token of the model invalid. The next one that is made is valid again."""
    ModelVersion.objects.filter(pk=model.pk).update(generation=F("generation") + 1)
    model.refresh_from_db(fields=["generation"])
