"""Filters that a project keeps for its pages."""

from __future__ import annotations

import pytest

from tests.factories import NOW, make_project
from workflows.review import saved_filters
from workflows.review.models import SavedFilter
from workflows.review.saved_filters import FilterError, filters_of, remove_filter, save_filter

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_name_saved_again_has_the_new_conditions() -> None:
    project = make_project()
    for query in ("?phrase=dog&after=7", "phrase=dog", "phrase=red+cat&before=9"):
        save_filter(project=project, page="images", name=" my  dogs ", query=query, by="ada", now=NOW)
    save_filter(project=project, page="boxes", name="my dogs", query="low=80", by="ada", now=NOW)
    (kept,) = filters_of(project, "images")
    assert (kept.name, kept.query) == ("my dogs", "phrase=red+cat")
    remove_filter(project=make_project(), filter_id=kept.pk)
    assert filters_of(project, "images") == [kept]
    for _ in range(2):
        remove_filter(project=project, filter_id=kept.pk)
    assert filters_of(project, "images") == []
    assert len(filters_of(project, "boxes")) == 1


@pytest.mark.parametrize(
    ("page", "name", "query"),
    [
        ("images", "x", ""),
        ("images", "x", "after=7"),
        ("nowhere", "x", "low=1"),
        ("images", " ", "low=1"),
        ("images", "x" * 61, "low=1"),
        ("images", "x", f"phrase={'x' * 1000}"),
    ],
)
def test_what_cannot_be_saved_is_refused(page: str, name: str, query: str) -> None:
    with pytest.raises(FilterError):
        save_filter(project=make_project(), page=page, name=name, query=query, by="ada", now=NOW)
    assert not SavedFilter.objects.exists()


def test_a_page_has_a_limited_number_of_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_filters, "MAX_FILTERS", 1)
    project = make_project()
    for query in ("low=1", "low=2"):
        save_filter(project=project, page="boxes", name="a", query=query, by="ada", now=NOW)
    with pytest.raises(FilterError, match="remove one first"):
        save_filter(project=project, page="boxes", name="b", query="low=1", by="ada", now=NOW)
