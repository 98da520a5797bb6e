"""What our code changes in sealed rows is kept with what was there before."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Batch, Caption, Image, RowChange
from annotation.row_changes import PROJECT_OF, change_rows, changing, record_deletions
from tests.factories import NOW, make_batch, make_image, make_project
from workflows.core.record_tables import TABLES

pytestmark = pytest.mark.django_db


def kept() -> list[tuple[str, int, object, object]]:
    rows = RowChange.objects.order_by("pk")
    return list(rows.values_list("table", "key", "before", "after"))


def test_only_rows_that_change_are_kept() -> None:
    project = make_project()
    first, second = (make_image(project, [["man"]]) for _ in range(2))
    assert change_rows(Image.objects.filter(pk=first.pk), split="test") == 1
    images = Image.objects.filter(project=project).order_by("pk")
    assert change_rows(images, split="test", withdrawn_at=None) == 2
    assert kept() == [
        ("annotation.Image", first.pk, {"split": ""}, {"split": "test"}),
        (
            "annotation.Image",
            second.pk,
            {"split": "", "withdrawn_at": None},
            {"split": "test", "withdrawn_at": None},
        ),
    ]
    assert change_rows(Image.objects.none(), split="val") == 0


def test_a_time_is_kept_as_text_in_utc() -> None:
    image = make_image(make_project(), [["man"]])
    with changing(image, "withdrawn_at"):
        image.withdrawn_at = NOW
        image.save()
    assert kept()[0][3] == {"withdrawn_at": "2026-03-01T12:00:00.000000+00:00"}


def test_nothing_is_kept_if_the_change_fails() -> None:
    image = make_image(make_project(), [["man"], ["man"]])
    change_rows(Image.objects.filter(pk=image.pk), split="val")
    with pytest.raises(IntegrityError), transaction.atomic():
        change_rows(Caption.objects.filter(image=image), index=0)
    assert len(kept()) == 1


def test_all_of_a_row_that_is_deleted_is_kept() -> None:
    project = make_project()
    make_image(project, [["man"]])
    batch = make_batch(project, launch=False)
    record_deletions(Batch.objects.filter(pk=batch.pk))
    ((table, key, before, after),) = kept()
    assert (table, key, after) == ("annotation.Batch", batch.pk, None)
    assert isinstance(before, dict)
    assert (before["name"], before["settings"]) == (batch.name, batch.settings)


def test_every_table_that_is_changed_is_sealed() -> None:
    assert {label: TABLES[label].project for label in PROJECT_OF} == dict(PROJECT_OF)
