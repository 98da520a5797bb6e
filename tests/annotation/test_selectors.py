"""Reads of mentions look only at the images that they are asked about."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.selectors import mentions_by_image
from tests.factories import make_image, make_project
from tests.query_plans import plan_of

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_captions_of_other_images_are_not_read() -> None:
    """PostgreSQL prefers a join by hashes for some dozens of images. It reads no other captions either."""
    project = make_project()
    images = [make_image(project, [["man"], ["man", "dog"]]) for _ in range(3)]
    with CaptureQueriesContext(connection) as captured:
        found = mentions_by_image([images[0].pk, images[2].pk])
    assert {pk: [mention.text for mention in mentions] for pk, mentions in found.items()} == {
        images[0].pk: ["a man", "a man", "a dog"],
        images[2].pk: ["a man", "a man", "a dog"],
    }
    (statement,) = captured
    # How so few rows are read depends on what the planner knows of the tables, so the condition is enough.
    assert '"annotation_caption"."image_id" IN' in statement["sql"]
    if connection.vendor == "sqlite":
        assert "SCAN annotation_caption" not in plan_of(statement["sql"])
