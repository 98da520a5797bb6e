"""Reads of a project's instructions: which version is the newest, and what workers see of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from annotation.models import Image, InstructionsVersion
from workflows.core.photographs import address_for
from workflows.instructions.domain import Content, Photograph, from_json

Address = Callable[[str], str | None]
"""Returns the address of a photograph, by its file."""


def newest(project_id: int, stage: str) -> InstructionsVersion | None:
    """Return the version that workers of this stage see from now on; None: the built-in instructions."""
    versions = InstructionsVersion.objects.filter(project=project_id, stage=stage)
    return versions.order_by("-number").first()


def newest_id(project_id: int, stage: str) -> int | None:
    """Return the id of the newest version."""
    versions = InstructionsVersion.objects.filter(project=project_id, stage=stage)
    return versions.order_by("-number").values_list("pk", flat=True).first()


def newest_for_worker(worker_id: int, stage: str) -> int | None:
    """Return the id of the newest version in the worker's project."""
    versions = InstructionsVersion.objects.filter(project__workers=worker_id, stage=stage)
    return versions.order_by("-number").values_list("pk", flat=True).first()


def newest_by_stage(project_id: int) -> dict[str, InstructionsVersion]:
    """Return the newest version of each stage that has one."""
    rows = InstructionsVersion.objects.filter(project=project_id).defer("content").order_by("number")
    return {row.stage: row for row in rows}


def shown_to_worker(version_id: int | None, *, worker_id: int, now: datetime) -> dict[str, Any] | None:
    """Return a version as the API shows it to this worker, or None for the built-in instructions."""
    if version_id is None:
        return None
    version = InstructionsVersion.objects.get(pk=version_id)
    return shown(
        from_json(version.content),
        pk=version.pk,
        number=version.number,
        address=lambda file: address_for(file, worker_id=worker_id, now=now),
    )


def shown_to_anybody(project_id: int, stage: str) -> dict[str, Any] | None:
    """Return the newest instructions without their examples, or None for the built-in ones.

    Examples show parts of the project's photographs, which are only for its workers.
    """
    version = newest(project_id, stage)
    if version is None:
        return None
    content = replace(from_json(version.content), examples=())
    return shown(content, pk=version.pk, number=version.number, address=lambda file: None)


def shown(content: Content, *, pk: int, number: int, address: Address) -> dict[str, Any]:
    """Return instructions as the workers' pages read them.

    Left out are examples whose image is withdrawn or gone, or has another photograph now.
    """
    images = photographs_of(content)
    return {
        "id": pk,
        "version": number,
        "texts": dict(content.texts),
        "usual_examples": content.usual_examples,
        "examples": [
            {
                "image": {"url": address(one.file), "width": image.width, "height": image.height},
                "view": list(one.view),
                "boxes": [list(box) for box in one.boxes],
                "good": one.good,
                "words": list(one.words),
                "why": dict(one.why),
            }
            for one in content.examples
            if (image := images.get(one.image)) is not None and str(image.file) == one.file
        ],
    }


def photographs_of(content: Content) -> Mapping[int, Image]:
    """Return the images of the examples that are in use, by id. No query if there is no example."""
    if not content.examples:
        return {}
    return Image.objects.in_use().in_bulk({one.image for one in content.examples})


def usable_photographs(project_id: int, content: Content) -> dict[int, Photograph]:
    """Return the photographs from which the examples can be cut, by the id of their image."""
    images = Image.objects.in_use().filter(project=project_id, pk__in={one.image for one in content.examples})
    return {
        pk: Photograph(file, width, height)
        for pk, file, width, height in images.values_list("pk", "file", "width", "height")
        if file and width and height
    }
