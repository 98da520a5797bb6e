"""The audit log as a page and as a file."""

from __future__ import annotations

import csv
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from console.audit import entries
from tests.factories import NOW, make_project, make_worker
from workflows.core.audit_log import record_action
from workflows.core.models import AuditEntry
from workflows.core.spreadsheet_cells import safe_cell

pytestmark = pytest.mark.django_db

PAGE, FILE = "/admin/audit/", "/admin/audit/log.csv"


def _write(project: Project, *objects: str, by: str = "ada", action: str = "batch.launch") -> None:
    for name in objects:
        record_action(
            by=by,
            action=action,
            now=NOW,
            project=project,
            kind="batch",
            object=name,
            object_id=7,
            detail={"note": "<b>why</b>", "every": True, "batch": None},
            address="192.0.2.1",
        )


def _shown(client: Client, query: str) -> list[str]:
    return [line.entry.object for line in client.get(PAGE + query).context["found"].lines]


def test_it_is_readable_the_newest_first_and_escaped(viewer: Client) -> None:
    _write(make_project(), "first", "<script>")
    reply = viewer.get(PAGE + "?by=ada")
    text = reply.content.decode()
    assert [line.entry.object for line in reply.context["found"].lines] == ["<script>", "first"]
    assert "launched the batch" in text
    assert "&lt;b&gt;why" in text and "&lt;script&gt;" in text and "<b>why" not in text
    assert "192.0.2.1" not in text, "where colleagues sit is for managers"


def test_managers_see_where_requests_came_from(manager: Client) -> None:
    _write(make_project(), "one")
    assert "192.0.2.1" in manager.get(PAGE).content.decode()


def test_what_was_done_leads_to_its_page(viewer: Client) -> None:
    worker = make_worker(make_project())
    record_action(by="ada", action="worker.block", now=NOW, kind="worker", object="w", object_id=worker.pk)
    assert f'href="{reverse("workers:worker", args=[worker.pk])}"' in viewer.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?by=bob", ["b"]),
        ("?action=batch.pause", ["c"]),
        ("?kind=batch&object=7&by=ada", ["c", "a"]),
        ("?kind=batch&object=8", []),
        ("?project=0", []),
        ("?by=ada&action=batch.launch", ["a"]),
    ],
)
def test_it_is_filtered(viewer: Client, query: str, found: list[str]) -> None:
    project = make_project()
    _write(project, "a")
    _write(project, "b", by="bob")
    _write(project, "c", action="batch.pause")
    assert _shown(viewer, query) == found


def test_pages_follow_each_other_without_a_gap(viewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "ROWS", 2)
    _write(make_project(), *"abcde")
    reply = viewer.get(PAGE + "?by=ada")
    seen = []
    while True:
        seen += [line.entry.object for line in reply.context["found"].lines]
        if not reply.context["more"]:
            break
        reply = viewer.get(PAGE + reply.context["more"])
    assert "".join(seen) == "edcba"


def test_the_page_takes_few_queries(viewer: Client, django_assert_max_num_queries: Any) -> None:
    for _ in range(3):
        _write(make_project(), *"abc")
    with django_assert_max_num_queries(8):
        viewer.get(PAGE)


def _read(client: Client, query: str = "") -> list[list[str]]:
    reply = client.get(FILE + query)
    assert reply["Content-Type"].startswith("text/csv")
    return list(csv.reader(b"".join(reply).decode().splitlines()))


def test_the_file_has_what_the_filter_finds_in_portions(
    viewer: Client, manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "AT_ONCE", 2)
    monkeypatch.setattr(entries, "MAX_ENTRIES", 4)
    _write(make_project("p"), *"abcde")
    _write(make_project(), "other", by="bob")
    names, *lines = _read(viewer, "?by=ada")
    assert names[-1] == "detail"
    assert [line[6] for line in lines] == list("edcb"), "so many, and no more"
    assert lines[0][2:6] == ["ada", "batch.launch", "p", "batch"]
    first = AuditEntry.objects.get(object="b")
    assert [line[6] for line in _read(viewer, f"?by=ada&before={first.pk}")[1:]] == ["a"]
    assert _read(manager, "?by=bob")[1][-1] == "192.0.2.1"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_spreadsheet_takes_a_name_for_a_formula(cell: str) -> None:
    assert safe_cell(cell) == f"'{cell}"
    assert safe_cell("ada") == "ada"


@pytest.mark.parametrize("url", [PAGE, FILE])
def test_it_is_only_read(manager: Client, url: str) -> None:
    assert manager.post(url).status_code == 405


def test_a_nul_is_a_bad_request(viewer: Client) -> None:
    assert viewer.get(PAGE + "?by=%00").status_code == 400
