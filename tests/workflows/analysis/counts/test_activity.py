"""What changed lately is found without reading what is older."""

from __future__ import annotations

from itertools import islice

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Image
from tests.factories import make_image, make_project
from tests.query_plans import plan_of
from workflows.analysis.counts import activity
from workflows.analysis.counts.activity import corpus_mark, newest_rows

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


@pytest.mark.parametrize("most", [1, 2, 3, 5, 9])
def test_the_newest_rows_come_in_parts(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(activity, "AT_ONCE", 2)
    project = make_project()
    made = [make_image(project, [["man"]]).pk for _ in range(5)]
    assert [pk for pk, _ in newest_rows(Image, most, "name")] == made[::-1][:most]


def test_rows_that_nobody_takes_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(activity, "AT_ONCE", 2)
    project = make_project()
    made = [make_image(project, [["man"]]).pk for _ in range(7)]
    with CaptureQueriesContext(connection) as captured:
        assert [pk for pk, _ in islice(newest_rows(Image, 100, "name"), 3)] == made[::-1][:3]
    assert len(captured) == 2
    assert all("LIMIT 2" in query["sql"] and "CURSOR" not in query["sql"] for query in captured)


def test_images_without_a_picture_are_counted_by_an_index() -> None:
    project = make_project()
    make_image(project, [["man"]])
    with CaptureQueriesContext(connection) as captured:
        corpus_mark(project.pk)
    (statement,) = [query["sql"] for query in captured if "COUNT(" in query["sql"]]
    assert "image_without_picture" in plan_of(statement, "bitmapscan")
