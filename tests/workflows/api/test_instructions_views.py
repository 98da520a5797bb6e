"""The instructions of a stage for a worker who tries it out, and for people who have not accepted a task."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Image, Project
from tests.factories import NOW, make_image, make_project, make_running, make_worker
from tests.workflows.crowd_made import ACCOUNT, enter, make_publication
from tests.workflows.http import Api, check_problem
from workflows.instructions.domain import parse_content
from workflows.instructions.versions import save_instructions

pytestmark = pytest.mark.django_db

TEXTS = {"en": "Look at the wings."}


def write(project: Project) -> Image:
    """Save instructions of links with an example of a photograph, and return its image."""
    image = make_image(project, [["man"]])
    Image.objects.filter(pk=image.pk).update(file="private/wings.jpg", width=640, height=480)
    example = {"image": image.pk, "view": [0, 0, 100, 100], "good": True, "why": {"en": "Both wings."}}
    content = parse_content({"texts": TEXTS, "usual_examples": False, "examples": [example]}, "link")
    save_instructions(project_id=project.pk, stage="link", content=content, based_on=0, by="ada", now=NOW)
    return image


def test_a_worker_reads_the_newest_instructions_of_their_project() -> None:
    project = make_project()
    api = Api(make_worker(project))
    assert api.get("instructions/link").json() == {"instructions": None}
    write(project)
    shown = api.get("instructions/link").json()["instructions"]
    assert (shown["version"], shown["texts"], shown["usual_examples"]) == (1, TEXTS, False)
    (example,) = shown["examples"]
    assert example["why"] == {"en": "Both wings."} and example["image"]["url"]
    assert api.get("instructions/drawing").json() == {"instructions": None}
    assert Api(make_worker(make_project())).get("instructions/link").json() == {"instructions": None}
    check_problem(api.get("instructions/cooking"), 404)
    assert Client().get("/api/v1/instructions/link").status_code == 401


def test_who_has_not_accepted_a_task_reads_the_text_and_sees_no_photograph(settings: Any) -> None:
    settings.MTURK = ACCOUNT
    batch = make_running([["man"], ["man"]])
    publication = make_publication(batch)
    address = f"/api/v1/crowd/instructions/link/{publication.token}"
    assert Client().get(address).json() == {"instructions": None}
    write(batch.project)
    reply = Client().get(address)
    shown = reply.json()["instructions"]
    assert (shown["texts"], shown["usual_examples"], shown["examples"]) == (TEXTS, False, [])
    assert "wings.jpg" not in reply.content.decode() and batch.project.name not in reply.content.decode()
    assert Client().get(f"{address}0").status_code == 404
    wrong = f"/api/v1/crowd/instructions/drawing/{publication.token}"
    assert Client().get(wrong).status_code == 404, "another stage"
    # The token of one page opens nothing else.
    check_problem(enter(publication).get("instructions/link"), 403)
