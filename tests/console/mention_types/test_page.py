"""A project's own types in the browser: shown, saved, refused and restored."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.own_types import MAX_TYPES, parse_types
from annotation.models import Project, TypesVersion
from annotation.selectors import project_types
from tests.factories import NOW, make_project
from workflows.core.models import AuditEntry
from workflows.mention_types.versions import save_types

pytestmark = pytest.mark.django_db

FOOD = {"key-0": "food", "label-0": "Food", "words-0": "Pizza\r\nhot dog # a compound\r\n"}


def address(project: Project) -> str:
    return reverse("types:project", args=[project.pk])


def text(reply: Any) -> str:
    content: str = reply.content.decode()
    return content


def send(client: Client, project: Project, fields: dict[str, str], based_on: int = 0) -> Any:
    return client.post(address(project), {"based_on": str(based_on), **fields})


def test_a_manager_saves_types_and_they_are_shown_with_their_versions(manager: Client) -> None:
    project = make_project()
    assert "The project has the eight types alone" in text(manager.get(address(project)))
    reply = send(manager, project, {**FOOD, "key-1": "", "label-1": "", "words-1": ""})
    assert (reply.status_code, reply["Location"]) == (302, address(project))
    (own,) = project_types(project.pk).own
    assert (own.key, own.label, own.words) == ("food", "Food", ("pizza", "hot dog"))
    shown = text(manager.get(address(project)))
    assert "Version 1 is saved." in shown and "Version 1, by <bdi>mona</bdi>" in shown
    assert 'name="key-0" value="food"' in shown and "pizza\nhot dog</textarea>" in shown
    assert 'name="key-1" value=""' in shown  # room for another one
    entry = AuditEntry.objects.get(action="types.save")
    assert (entry.by, entry.detail) == ("mona", {"version": 1})
    again = send(manager, project, FOOD, 1)
    assert "Nothing was changed." in text(manager.get(again["Location"]))
    assert TypesVersion.objects.count() == 1
    send(manager, project, {**FOOD, "remove-0": "on"}, 1)
    assert project_types(project.pk).own == ()
    manager.post(address(project), {"restore": "1"})
    assert project_types(project.pk).own == (own,)
    assert "says what version 1 said" in text(manager.get(address(project)))
    manager.post(address(project), {"restore": "9"})
    assert "There is no such version." in text(manager.get(address(project)))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({**FOOD, "words-0": "pizza\na b c d"}, "Line 2: &#x27;a b c d&#x27; has more than 3 words"),
        ({**FOOD, "key-0": "Food"}, "It must be 1 to 24 lower-case letters"),
        ({**FOOD, "key-0": ""}, "It must be 1 to 24 lower-case letters"),
        ({**FOOD, "key-0": "people"}, "It is the name of a built-in type"),
        ({**FOOD, "label-0": "x" * 41}, "It has 41 characters, and may have 40"),
        ({**FOOD, "words-0": ""}, "It must have at least one noun"),
        ({**FOOD, "key-5": "food", "words-5": "soup"}, "It is given twice: choose another key."),
    ],
)
def test_an_error_stands_at_its_field_and_nothing_is_lost(
    manager: Client, fields: dict[str, str], says: str
) -> None:
    project = make_project()
    reply = send(manager, project, fields)
    assert reply.status_code == 422
    assert says in text(reply) and "Nothing was saved." in text(reply)
    assert fields["label-0"] in text(reply) and "aria-invalid" in text(reply)
    assert not TypesVersion.objects.exists()


def test_too_many_types_are_refused_as_a_whole(manager: Client) -> None:
    fields: dict[str, str] = {}
    for place in range(MAX_TYPES + 1):
        fields |= {f"key-{place}": f"type_{chr(97 + place)}", f"words-{place}": "pizza"}
    reply = send(manager, make_project(), fields)
    assert reply.status_code == 422 and "There are 13 types, and a project may add 12." in text(reply)


def test_whoever_saves_second_is_told_and_may_put_theirs_in_its_place(manager: Client) -> None:
    project = make_project()
    theirs = parse_types({"toys": {"words": "ball"}})
    save_types(project_id=project.pk, types=theirs, based_on=0, by="bo", now=NOW)
    reply = send(manager, project, FOOD)
    assert reply.status_code == 409
    assert "bo saved version 1 meanwhile" in text(reply) and 'name="based_on" value="1"' in text(reply)
    assert 'value="food"' in text(reply) and project_types(project.pk).own == theirs
    send(manager, project, FOOD, 1)
    assert project_types(project.pk).names[-1] == "food"


def test_a_viewer_sees_the_types_and_cannot_save(viewer: Client) -> None:
    project = make_project()
    types = parse_types({"toys": {"label": "Toys <b>", "words": "ball"}})
    save_types(project_id=project.pk, types=types, based_on=0, by="bo", now=NOW)
    shown = text(viewer.get(address(project)))
    assert "Toys &lt;b&gt;</bdi>: ball" in shown
    assert "<textarea" not in shown and "Restore" not in shown
    assert send(viewer, project, FOOD, 1).status_code == 403


def test_a_list_of_versions_costs_the_same_however_long_it_is(
    manager: Client, django_assert_max_num_queries: Any
) -> None:
    project = make_project()
    for number in range(1, 33):
        TypesVersion.objects.create(
            project=project, number=number, content={"types": []}, by="bo", created_at=NOW
        )
    with django_assert_max_num_queries(16):
        shown = text(manager.get(address(project)))
    assert "?before=3" in shown
    assert ">2</th>" in text(manager.get(f"{address(project)}?before=3"))
