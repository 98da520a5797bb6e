"""Rows that are written again are those that were made."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from annotation.models import Batch, Judgment
from tests.databases import Rows, rows_of
from tests.factories import answer_page, make_at_stage, make_worker
from tests.made_once import made_once, tables
from tests.unguarded import unguarded

pytestmark = pytest.mark.both_databases
Made = Callable[[str], Batch]


@pytest.fixture
def calls() -> list[str]:
    return []


@pytest.fixture
def make(calls: list[str]) -> Made:
    def make(stage: str) -> Batch:
        calls.append(stage)
        batch: Batch = make_at_stage.__wrapped__(stage)  # type: ignore[attr-defined]  # the function itself
        return batch

    return made_once(make)


def everything() -> dict[str, Rows]:
    return {table: rows_of(table) for table in tables()}


@pytest.mark.django_db
def test_a_second_test_finds_the_same_rows_and_work_goes_on_from_them(make: Made, calls: list[str]) -> None:
    with transaction.atomic():
        first, rows = make("coverage"), everything()
        transaction.set_rollback(True)
    assert not Judgment.objects.exists()
    again = make("coverage")
    assert (calls, again, everything()) == (["coverage"], first, rows)
    assert answer_page(make_worker(again.project)).accepted == 1


@pytest.mark.django_db
def test_other_work_and_work_beside_it_is_made(make: Made, calls: list[str]) -> None:
    made = {make("link").pk, make("drawing").pk, make("link").pk}
    assert calls == ["link", "drawing", "link"] and len(made) == 3


@pytest.mark.django_db
def test_what_is_made_without_guards_is_not_kept(make: Made, calls: list[str]) -> None:
    with transaction.atomic():
        with unguarded():
            make("link")
        transaction.set_rollback(True)
    make("link")
    assert calls == ["link", "link"]


@pytest.mark.django_db(transaction=True)
def test_where_others_see_what_is_committed_everything_is_made(make: Made, calls: list[str]) -> None:
    first = make("link")
    second = make("link")
    assert calls == ["link", "link"] and first != second
