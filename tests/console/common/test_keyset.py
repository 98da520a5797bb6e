"""Pages of lists by keyset."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Project
from console.common.keyset import KeysetPage, first_rows, keyset_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def keys() -> list[int]:
    """Return the keys of five projects, in the order in which they were made."""
    return [Project.objects.create(name=f"project-{number}").pk for number in range(5)]


def shown(page: KeysetPage[Project]) -> tuple[list[int], int, int]:
    return [row.pk for row in page.rows], page.next, page.previous


def test_the_first_page_has_the_newest_and_nothing_before_it(keys: list[int]) -> None:
    _, _, _, d, e = keys
    assert shown(keyset_page(Project.objects.all(), 2)) == ([e, d], d, 0)


def test_pages_follow_one_another_to_the_end(keys: list[int]) -> None:
    a, b, c, d, _ = keys
    assert shown(keyset_page(Project.objects.all(), 2, before=d)) == ([c, b], b, c)
    assert shown(keyset_page(Project.objects.all(), 2, before=b)) == ([a], 0, a)
    assert shown(keyset_page(Project.objects.all(), 2, before=a)) == ([], 0, 0)


def test_a_full_last_page_has_no_next_one(keys: list[int]) -> None:
    a, b, c, _, _ = keys
    assert shown(keyset_page(Project.objects.all(), 2, before=c)) == ([b, a], 0, b)


def test_it_goes_backwards_to_the_nearest_rows_in_the_order_of_the_list(keys: list[int]) -> None:
    _, b, c, d, e = keys
    assert shown(keyset_page(Project.objects.all(), 2, after=b)) == ([d, c], c, d)
    assert shown(keyset_page(Project.objects.all(), 2, after=c)) == ([e, d], d, 0)


def test_the_oldest_can_come_first(keys: list[int]) -> None:
    a, b, c, d, e = keys
    rows = Project.objects.all()
    assert shown(keyset_page(rows, 2, newest_first=False)) == ([a, b], b, 0)
    assert shown(keyset_page(rows, 2, after=b, newest_first=False)) == ([c, d], d, c)
    assert shown(keyset_page(rows, 2, after=d, newest_first=False)) == ([e], 0, e)
    assert shown(keyset_page(rows, 2, before=d, newest_first=False)) == ([b, c], c, b)
    assert shown(keyset_page(rows, 2, before=c, newest_first=False)) == ([a, b], b, 0)


def test_before_wins_over_after(keys: list[int]) -> None:
    a, b, c, _, _ = keys
    assert shown(keyset_page(Project.objects.all(), 2, before=c, after=c)) == ([b, a], 0, b)


def test_rows_may_be_the_keys_themselves(keys: list[int]) -> None:
    _, _, c, d, e = keys
    page = keyset_page(Project.objects.values_list("pk", flat=True), 2, before=e)
    assert (page.rows, page.next, page.previous) == ([d, c], c, d)


def test_a_page_is_one_query_for_one_row_more_than_it_shows(keys: list[int]) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        keyset_page(Project.objects.all(), 2, before=keys[-1])
    assert len(queries) == 1
    assert "LIMIT 3" in queries[0]["sql"]


def test_first_rows_says_whether_there_are_more(keys: list[int]) -> None:
    by_name = Project.objects.order_by("name")
    assert [row.pk for row in first_rows(by_name, 4)[0]] == keys[:4]
    assert first_rows(by_name, 4)[1]
    assert not first_rows(by_name, 5)[1]
