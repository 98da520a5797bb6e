"""What the scripts of the instructions' pages begin with; see frontend/src/instructions/setup.ts."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.urls import reverse

from annotation.models import Image, InstructionsVersion, Project
from console.common.pictures import picture
from workflows.assignments.sample_page import NOBODY, sample_questions
from workflows.core.photographs import address_for
from workflows.instructions import domain
from workflows.instructions.domain import BUILT_IN, Content, from_json
from workflows.instructions.selectors import photographs_of, shown


def content_of(version: InstructionsVersion | None) -> Content:
    """Return what the version says; without a version, what is built in."""
    return from_json(version.content) if version else BUILT_IN


def editor_setup(project: Project, stage: str, version: InstructionsVersion | None) -> dict[str, Any]:
    """Return the setup of the editor. At most one query."""
    content = content_of(version)
    images = photographs_of(content)
    address = reverse("instructions:stage", args=[project.pk, stage])
    return {
        "stage": stage,
        "based_on": version.number if version else 0,
        "content": {
            "texts": dict(content.texts),
            "usual_examples": content.usual_examples,
            "examples": [
                {
                    "image": photograph(image)
                    if (image := images.get(one.image)) and str(image.file) == one.file
                    else None,
                    "view": one.view,
                    "boxes": one.boxes,
                    "good": one.good,
                    "words": one.words,
                    "why": dict(one.why),
                }
                for one in content.examples
            ],
        },
        "limits": {
            "text": domain.MAX_TEXT_LENGTH,
            "examples": domain.MAX_EXAMPLES,
            "why": domain.MAX_WHY_LENGTH,
            "words": domain.MAX_WORDS,
            "boxes": domain.MAX_BOXES.get(stage, 0),
            "view": domain.MIN_VIEW,
        },
        "images": reverse("instructions:photographs", args=[project.pk]),
        "preview": f"{address}preview/",
        "address": address,
    }


def photograph(image: Image) -> dict[str, Any]:
    """Return an image that has a photograph as the editor shows it."""
    shown = picture(image)
    return {
        "id": str(image.pk),
        "name": image.name,
        "url": shown.url,
        "width": shown.width,
        "height": shown.height,
    }


def preview_setup(
    project: Project, stage: str, content: Content, *, number: int, says: str, now: datetime
) -> dict[str, Any]:
    """Return the setup of the preview: questions about the project's photographs, and the instructions."""
    return {
        "stage": stage,
        "questions": sample_questions(project.pk, stage, now=now),
        "instructions": None
        if content.is_built_in
        else shown(
            content,
            pk=0,
            number=number,
            address=lambda file: address_for(file, worker_id=NOBODY, now=now),
        ),
        "says": says,
    }
