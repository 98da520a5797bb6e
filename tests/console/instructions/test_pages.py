"""A project's instructions in the browser: listed, saved, previewed and restored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import GoldChain, Image, InstructionsVersion, Mention, Project
from tests.factories import NOW, make_image, make_project
from workflows.core.models import AuditEntry
from workflows.instructions.domain import parse_content
from workflows.instructions.versions import save_instructions

pytestmark = pytest.mark.django_db


def address(project: Project, page: str = "stage", stage: str = "quality") -> str:
    return reverse(
        f"instructions:{page}", args=[project.pk, *([stage] if page in ("stage", "preview") else [])]
    )


def text(reply: Any) -> str:
    content: str = reply.content.decode()
    return content


def photographed(project: Project, name: str = "a.jpg") -> Image:
    image = make_image(project, [["man", "dog"], ["man"]], name=name)
    Image.objects.filter(pk=image.pk).update(file=f"p/{name}", width=640, height=480)
    return image


def example(image: Image, **changes: Any) -> dict[str, Any]:
    whole = {"image": image.pk, "view": [0, 0, 640, 480], "boxes": [[10, 10, 90, 90]], "words": ["a man"]}
    return {**whole, "good": False, "why": {"en": "Too wide."}, **changes}


def save(client: Client, project: Project, content: Any, based_on: Any = 0) -> Any:
    body = json.dumps({"based_on": based_on, "content": content})
    return client.post(address(project), body, content_type="application/json")


def setup_of(reply: Any, name: str) -> Any:
    head = f'<script id="{name}" type="application/json">'
    return json.loads(text(reply).partition(head)[2].partition("</script>")[0])


def test_a_manager_saves_and_restores_and_the_list_says_whose_they_are(manager: Client) -> None:
    project = make_project()
    listed = text(manager.get(address(project, "list")))
    assert listed.count('<td data-label="Instructions">built in</td>') == 6
    image = photographed(project)
    reply = save(manager, project, {"texts": {"en": "Look."}, "examples": [example(image)]})
    assert reply.json() == {"next": address(project)}
    assert "Version 1 is saved." in text(manager.get(address(project)))
    save(manager, project, {"texts": {"en": "Look well."}}, based_on=1)
    assert "version 2, by <bdi>mona</bdi>" in text(manager.get(address(project, "list")))
    shown = manager.post(address(project), {"restore": "1"}, follow=True)
    assert "Version 3 says what version 1 said" in text(shown)
    assert "says what version 1 said</small>" in text(shown)
    setup = setup_of(shown, "instructions-setup")
    assert (setup["based_on"], setup["content"]["texts"]) == (3, {"en": "Look."})
    assert setup["content"]["examples"][0]["image"]["name"] == "a.jpg"
    assert "There is no such version." in text(manager.post(address(project), {"restore": "9"}, follow=True))
    acts = AuditEntry.objects.exclude(action="login").order_by("pk").values_list("action", "detail__version")
    assert list(acts) == [("instructions.save", 1), ("instructions.save", 2), ("instructions.restore", 3)]


def test_somebody_else_was_faster(manager: Client) -> None:
    project = make_project()
    content = parse_content({"texts": {"en": "One."}}, "quality")
    save_instructions(project_id=project.pk, stage="quality", content=content, based_on=0, by="bo", now=NOW)
    reply = save(manager, project, {"texts": {"en": "Mine."}})
    assert (reply.status_code, reply.json()) == (
        409,
        {"error": "bo saved version 1 meanwhile.", "newest": 1},
    )
    assert save(manager, project, {"texts": {"en": "Mine."}}, based_on=1).status_code == 200


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            {"texts": {"de": "x" * 6001}},
            "The German text has 6001 characters, and may have 6000: shorten it.",
        ),
        ({"examples": [{"why": {}}]}, "Example 1: the image must be the number of an image."),
        ("x", "The input must be an object."),
    ],
)
def test_what_is_wrong_is_said_in_words(manager: Client, content: Any, says: str) -> None:
    project = make_project()
    reply = save(manager, project, content)
    assert (reply.status_code, reply.json()["error"]) == (422, says)
    assert not InstructionsVersion.objects.exists()
    preview = manager.post(address(project, "preview"), {"content": json.dumps(content)})
    assert preview.status_code == 422 and says in text(preview)


def test_what_is_no_json_is_refused(manager: Client) -> None:
    project = make_project()
    for body in (b"", b"[" * 100_000, b'{"based_on": true, "content": {}}'):
        reply = manager.post(address(project), body, content_type="application/json")
        assert reply.status_code == 422
    assert manager.get(address(project, stage="nothing")).status_code == 404


def test_others_read_what_managers_wrote(manager: Client, viewer: Client) -> None:
    project = make_project()
    save(manager, project, {"texts": {"en": "Look <b>well</b>."}, "usual_examples": False})
    shown = text(viewer.get(address(project)))
    assert "Look &lt;b&gt;well&lt;/b&gt;." in shown
    assert "instructions-setup" not in shown and "Restore" not in shown
    assert save(viewer, project, {}).status_code == 403
    assert viewer.post(address(project, "preview"), {"content": "{}"}).status_code == 403


def test_the_preview_shows_a_version_or_what_is_not_saved_on_own_photographs(manager: Client) -> None:
    project = make_project()
    empty = setup_of(manager.get(address(project, "preview")), "preview-setup")
    assert (empty["questions"], empty["instructions"]) == ([], None)
    image = photographed(project)
    man = Mention.objects.filter(image=image).order_by("pk")[0]
    GoldChain.objects.create(image=image, number=1, members=[man.pk], boxes=[[1, 2, 30, 40], [5, 5, 9, 9]])
    save(manager, project, {"texts": {"en": "One."}})
    save(manager, project, {"texts": {"en": "Two."}}, based_on=1)
    newest = setup_of(manager.get(address(project, "preview")), "preview-setup")
    (question,) = newest["questions"]
    assert (question["box"], question["boxes"]) == ([1, 2, 30, 40], [[5, 5, 9, 9]])
    assert "a.jpg" not in question["image"]["url"]
    assert newest["instructions"]["texts"] == {"en": "Two."}
    first = setup_of(manager.get(address(project, "preview") + "?version=1"), "preview-setup")
    assert first["instructions"]["texts"] == {"en": "One."}
    draft = {"texts": {"de": "Drei."}, "examples": [example(image)]}
    posted = manager.post(address(project, "preview"), {"content": json.dumps(draft)})
    shown = setup_of(posted, "preview-setup")
    assert shown["instructions"]["texts"] == {"de": "Drei."}
    assert len(shown["instructions"]["examples"]) == 1
    assert InstructionsVersion.objects.count() == 2


def test_photographs_are_offered_by_name(viewer: Client) -> None:
    project = make_project()
    for name in ("b1.jpg", "a1.jpg", "b2.jpg"):
        photographed(project, name)
    Image.objects.filter(pk=photographed(project, "b3.jpg").pk).update(file="")
    photographed(make_project("other"), "b4.jpg")

    def names(**query: str) -> list[str]:
        reply = viewer.get(address(project, "photographs"), query).json()
        return [one["name"] for one in reply["images"]]

    assert names() == ["a1.jpg", "b1.jpg", "b2.jpg"]
    assert names(name="b") == ["b1.jpg", "b2.jpg"]
    assert names(name="b", after="b1.jpg") == ["b2.jpg"]
