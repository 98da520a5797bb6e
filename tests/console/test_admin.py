"""The lists of the admin site use cursors and few queries, and nothing can be edited except accounts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Image, Judgment, Project, Worker
from console.admin.corpus import ImageAdmin
from tests.factories import make_at_stage, make_image, make_project
from workflows.core.audit_log import record_action
from workflows.core.models import AuditEntry
from workflows.jobs.models import Job

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, tzinfo=UTC)
LISTS = (
    *("annotation.project", "annotation.batch", "annotation.image", "annotation.mention"),
    *("annotation.worker", "annotation.item", "annotation.judgment", "annotation.chain"),
    *("workflows.auditentry", "workflows.job"),
)
EMPTY = ("annotation.case", "annotation.verificationquestion", "annotation.decision", "workflows.snapshot")


def _address(model: str, page: str = "changelist", *args: object) -> str:
    return reverse(f"admin:{model.replace('.', '_')}_{page}", args=args)


def _fill() -> None:
    """Make a few rows of everything in LISTS."""
    make_at_stage("quality", images=3)
    project = Project.objects.get()
    record_action(by="mona", action="batch.launch", now=NOW, project=project)
    Job.objects.create(project=project, kind="import", by="mona", created_at=NOW)


def test_lists_show_their_newest_rows_and_neither_count_nor_skip(manager: Client) -> None:
    _fill()
    for model in LISTS:
        with CaptureQueriesContext(connection) as queries:
            reply = manager.get(_address(model))
        newest = apps.get_model(model).objects.order_by("-pk")[:50]
        assert [row.pk for row in reply.context["cl"].result_list] == [row.pk for row in newest] != [], model
        assert len(queries) <= 9, model
        assert not any("COUNT(" in query["sql"] or "OFFSET" in query["sql"] for query in queries), model


def test_rows_are_shown_in_few_queries(manager: Client) -> None:
    _fill()
    for model in LISTS:
        row = apps.get_model(model).objects.order_by("pk")[0]
        with CaptureQueriesContext(connection) as queries:
            reply = manager.get(_address(model, "change", row.pk))
        assert reply.status_code == 200
        assert 'name="_save"' not in reply.content.decode(), model
        assert len(queries) <= 20, model


def _names(reply: object) -> list[str]:
    return [image.name for image in reply.context["cl"].result_list]  # type: ignore[attr-defined]


def test_a_list_goes_down_and_up_by_cursor(manager: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImageAdmin, "list_per_page", 2)
    project = make_project()
    for name in "abcde":
        make_image(project, [["man"]], name=name)
    wanted = f"project__id__exact={project.pk}"
    reply = manager.get(_address("annotation.image") + f"?{wanted}")
    seen = [_names(reply)]
    while older := reply.context["cl"].older:
        assert wanted in older
        reply = manager.get(_address("annotation.image") + older)
        seen.append(_names(reply))
    assert seen == [["e", "d"], ["c", "b"], ["a"]]
    up = manager.get(_address("annotation.image") + reply.context["cl"].newer)
    assert _names(up) == ["c", "b"]
    top = manager.get(_address("annotation.image") + up.context["cl"].newer)
    assert _names(top) == ["e", "d"]
    assert not top.context["cl"].newer
    # If a filter is chosen on a later page, the list begins at the top.
    assert "before=" not in str(up.context["cl"].get_query_string())


@pytest.mark.parametrize("cursor", ["before=x", "after=-1", "before=99999999999999999999", "before="])
def test_a_cursor_that_makes_no_sense_shows_the_top(manager: Client, cursor: str) -> None:
    make_image(make_project(), [["man"]], name="a")
    assert _names(manager.get(_address("annotation.image") + f"?{cursor}")) == ["a"]


def test_a_list_past_its_end_leads_back(manager: Client) -> None:
    make_image(make_project(), [["man"]], name="a")
    reply = manager.get(_address("annotation.image") + "?before=1&q=")
    assert "There is nothing yet" in reply.content.decode()
    assert reply.context["cl"].newer == "?q="


@pytest.mark.parametrize("lookup", ["split__icontains=t", "project__name__contains=a", "name=a"])
def test_an_address_cannot_ask_for_what_the_list_does_not_offer(manager: Client, lookup: str) -> None:
    make_image(make_project(), [["man"]])
    assert manager.get(_address("annotation.image") + f"?{lookup}").status_code == 400


def test_what_belongs_to_no_project_is_found_by_the_filter_that_offers_it(manager: Client) -> None:
    record_action(by="mona", action="batch.launch", now=NOW, project=make_project())
    alone = record_action(by="mona", action="login", now=NOW)
    address = _address("workflows.auditentry")
    assert "?project__isnull=True" in manager.get(address).content.decode()
    reply = manager.get(address + "?project__isnull=True")
    assert alone in reply.context["cl"].result_list
    assert {entry.project for entry in reply.context["cl"].result_list} == {None}
    assert manager.get(_address("annotation.image") + "?project__isnull=True").status_code == 400


def test_images_are_found_by_id_and_by_whole_name(manager: Client) -> None:
    project = make_project()
    first, second = (make_image(project, [["man"]], name=name) for name in ("a.jpg", "b.jpg"))
    third = make_image(project, [["man"]], name=str(second.pk))  # names may be numbers
    found = {
        term: _names(manager.get(_address("annotation.image"), {"q": term}))
        for term in ("a.jpg", ".jpg", str(first.pk), str(second.pk), "9" * 30)
    }
    assert found == {
        "a.jpg": ["a.jpg"],
        ".jpg": [],
        str(first.pk): ["a.jpg"],
        str(second.pk): [third.name, "b.jpg"],
        "9" * 30: [],
    }


def test_judgments_are_found_by_their_worker(manager: Client) -> None:
    make_at_stage("quality")
    worker = Worker.objects.filter(judgments__isnull=False).order_by("pk")[0]
    reply = manager.get(_address("annotation.judgment"), {"q": worker.external_id})
    mine = Judgment.objects.filter(worker=worker).order_by("-pk")
    assert list(reply.context["cl"].result_list) == list(mine)


def test_nothing_can_be_added_edited_or_deleted_by_hand(admin_client: Client) -> None:
    request = admin_client.get(_address("annotation.image")).wsgi_request
    request.user = User.objects.get(is_superuser=True)
    for model in (*LISTS, *EMPTY):
        listed = admin.site._registry[apps.get_model(model)]
        assert not listed.has_add_permission(request), model
        assert not listed.has_change_permission(request), model
        assert not listed.has_delete_permission(request), model
    assert admin_client.get(_address("annotation.image", "add")).status_code == 403


@pytest.mark.parametrize(
    ("model", "page"),
    [("annotation.case", "review:queue"), ("annotation.verificationquestion", "questions:list")],
)
def test_some_lists_lead_to_the_review_pages(manager: Client, model: str, page: str) -> None:
    assert manager.get(_address(model))["Location"] == reverse(page)
    assert manager.get(_address(model) + "?q=").status_code == 200


def test_a_superuser_makes_an_account_and_the_log_says_so(admin_client: Client, settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick
    password = "four-words-of-mine"
    body = {"username": "nora", "password1": password, "password2": password, "usable_password": "true"}
    assert admin_client.post(_address("auth.user", "add"), body).status_code == 302
    nora = User.objects.get(username="nora")
    assert nora.check_password(password)
    form = {"username": "nora", "is_active": "on", "is_staff": "on", "_save": "Save"}
    assert admin_client.post(_address("auth.user", "change", nora.pk), form).status_code == 302
    written = [entry for entry in AuditEntry.objects.order_by("pk") if entry.object == "nora"]
    assert [(entry.action, entry.detail) for entry in written] == [
        ("account.create", {}),
        ("account.change", {"changed": ["Staff status"]}),
    ]
    assert admin_client.post(_address("auth.user", "delete", nora.pk), {"post": "yes"}).status_code == 403


def test_an_account_has_one_role(admin_client: Client) -> None:
    nora = User.objects.create(username="nora")
    roles = dict(Group.objects.values_list("name", "pk"))
    url = _address("auth.user", "change", nora.pk)
    form = {"username": "nora", "is_active": "on", "_save": "Save"}
    refused = admin_client.post(url, form | {"groups": [roles["viewer"], roles["manager"]]})
    assert "An account has one role" in refused.content.decode() and not nora.groups.exists()
    assert admin_client.post(url, form | {"groups": [roles["viewer"]]}).status_code == 302
    assert nora.groups.get().name == "viewer"


def test_a_manager_has_nothing_to_do_with_accounts(manager: Client) -> None:
    assert manager.get(_address("auth.user")).status_code == 403
    assert manager.get(_address("auth.group")).status_code == 403
    assert Image.objects.count() == 0
