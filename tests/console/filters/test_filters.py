"""Saved filters on the pages of images and of boxes."""

from __future__ import annotations

import pytest
from django.test import Client

from annotation.models import Project
from tests.factories import NOW, make_project
from workflows.core.models import AuditEntry
from workflows.review.models import SavedFilter

pytestmark = pytest.mark.django_db


def _said(client: Client, project: Project, page: str) -> str:
    return client.get(f"/admin/projects/{project.pk}/{page}/?low=80").content.decode()


def test_both_pages_list_their_filters_and_keep_the_conditions(manager: Client) -> None:
    project = make_project()
    address = f"/admin/projects/{project.pk}/filters/"
    reply = manager.post(address, {"page": "boxes", "name": "twice", "query": "?low=80"})
    assert reply["Location"] == f"/admin/projects/{project.pk}/boxes/?low=80"
    said = manager.get(reply["Location"]).content.decode()
    assert '<a href="?low=80" title="saved by mona">twice</a>' in said
    assert "twice" not in manager.get(f"/admin/projects/{project.pk}/images/").content.decode()
    (kept,) = SavedFilter.objects.all()
    manager.post(address, {"page": "boxes", "query": "", "remove": kept.pk})
    assert not SavedFilter.objects.exists()
    actions = (
        AuditEntry.objects.filter(action__startswith="filter").order_by("pk").values_list("action", flat=True)
    )
    assert list(actions) == ["filter.save", "filter.remove"]


def test_who_may_only_look_uses_filters_and_saves_none(viewer: Client, reviewer: Client) -> None:
    project = make_project()
    SavedFilter.objects.create(
        project=project, page="boxes", name="twice", query="low=80", by="ada", created_at=NOW
    )
    assert "Save this filter" in _said(reviewer, project, "boxes")
    said = _said(viewer, project, "boxes")
    assert "twice" in said and "Save this filter" not in said and "Remove the filter" not in said


def test_a_filter_without_a_name_is_refused_in_words(reviewer: Client) -> None:
    project = make_project()
    reply = reviewer.post(
        f"/admin/projects/{project.pk}/filters/", {"page": "boxes", "query": "low=80"}, follow=True
    )
    assert "Give the filter a name" in reply.content.decode()
