"""What rows are sealed as, and what is found when they are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.core.domain import records
from workflows.core.domain.records import Change, Row, compare, digests_of, read_digests, unexplained

VALUES = st.dictionaries(st.sampled_from("abc"), st.one_of(st.none(), st.integers(), st.text(max_size=3)))


def rows_of(*values: Mapping[str, Any], project: int = 1) -> dict[int, Row]:
    return {key: Row(key, project, value) for key, value in enumerate(values, 1)}


def found(
    now: Mapping[int, Row],
    *,
    sealed: Mapping[int, Row],
    changes: Mapping[int, Sequence[Change]] | None = None,
    seen: Mapping[int, int] | None = None,
) -> list[str]:
    """Seal rows, and compare others with that seal."""
    return list(compare(now, changes or {}, read_digests(digests_of(sealed.values(), seen or {}))))


@given(st.lists(VALUES, max_size=7))
def test_rows_that_are_as_they_were_are_no_mistake(values: list[dict[str, Any]]) -> None:
    rows = rows_of(*values)
    assert found(rows, sealed=rows) == []


@given(st.lists(VALUES, min_size=1, max_size=5), st.data())
def test_every_other_value_is_found(values: list[dict[str, Any]], data: st.DataObject) -> None:
    rows = rows_of(*values)
    key = data.draw(st.sampled_from(sorted(rows)))
    other = data.draw(VALUES.filter(lambda value: value != rows[key].values))
    assert len(found({**rows, key: Row(key, 1, other)}, sealed=rows)) == 1


def test_the_order_of_columns_does_not_matter() -> None:
    assert (
        found(rows_of({"a": 1, "b": {"x": 1, "y": 2}}), sealed=rows_of({"b": {"y": 2, "x": 1}, "a": 1})) == []
    )


def test_a_number_is_not_its_text() -> None:
    assert found(rows_of({"a": "1"}), sealed=rows_of({"a": 1})) == ["1: not as sealed"]


def test_removed_and_inserted_rows_are_named() -> None:
    rows = rows_of({"a": 1}, {"a": 2}, {"a": 3})
    less = {key: row for key, row in rows.items() if key != 2}
    assert found(less, sealed=rows) == ["1 to 3 of project 1: 3 rows were sealed, and 2 are there"]
    # Within a digest, one row more is a wrong count; outside of all, it is named itself.
    assert found({**rows, 9: Row(9, 1, {})}, sealed=rows) == [
        "9: inserted after its place was sealed, or moved there"
    ]


def test_a_row_cannot_move_to_another_project() -> None:
    rows = rows_of({"a": 1}, {"a": 2})
    moved = {**rows, 2: Row(2, 5, {"a": 2})}
    assert found(moved, sealed=rows) == [
        "1 to 2 of project 1: 2 rows were sealed, and 1 are there",
        "2: inserted after its place was sealed, or moved there",
    ]


def test_a_digest_names_the_few_rows_to_look_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "ROWS_PER_DIGEST", 2)
    rows = rows_of(*({"a": number} for number in range(5)))
    assert found({**rows, 4: Row(4, 1, {"a": 9})}, sealed=rows) == ["3 to 4 of project 1: not as sealed"]
    assert found({**rows, 5: Row(5, 1, {"a": 9})}, sealed=rows) == ["5: not as sealed"]


def test_recorded_changes_are_taken_back() -> None:
    sealed = rows_of({"a": 1, "b": 1})
    changes = {1: [Change(1, {"a": 1}, {"a": 2}), Change(1, {"a": 2}, {"a": 3})]}
    assert found(rows_of({"a": 3, "b": 1}), sealed=sealed, changes=changes) == []
    assert found(rows_of({"a": 3, "b": 2}), sealed=sealed, changes=changes) == ["1: not as sealed"]
    assert found(rows_of({"a": 4, "b": 1}), sealed=sealed, changes=changes) == [
        "1: changed since its last recorded change"
    ]


def test_changes_that_were_seen_by_the_seal_stay() -> None:
    changes = {1: [Change(1, {"a": 1}, {"a": 2}), Change(1, {"a": 2}, {"a": 3})]}
    assert found(rows_of({"a": 3}), sealed=rows_of({"a": 2}), changes=changes, seen={1: 1}) == []
    assert found(rows_of({"a": 3}), sealed=rows_of({"a": 3}), changes=changes, seen={1: 1}) == [
        "1: not as sealed"
    ]


def test_a_recorded_deletion_is_no_mistake_and_one_without_a_record_is() -> None:
    sealed = rows_of({"a": 1})
    deleted = {1: [Change(1, {"a": 1}, None)]}
    assert found({}, sealed=sealed, changes=deleted) == []
    assert found(sealed, sealed=sealed, changes=deleted) == ["1: it is there, and was deleted"]
    assert found({}, sealed=sealed) == ["1: 1 rows were sealed, and 0 are there"]


def test_changes_have_to_follow_each_other() -> None:
    changes = {1: [Change(1, {"a": 1}, {"a": 2}), Change(1, {"a": 7}, {"a": 3})]}
    assert list(unexplained(rows_of({"a": 3}), changes)) == [
        "1: its recorded changes do not follow each other"
    ]
    assert list(unexplained({}, {1: [Change(1, {"a": 1}, {"a": 2})]})) == ["1: it was removed"]


@given(st.lists(VALUES, max_size=4), st.dictionaries(st.integers(1, 99), st.integers(1, 9), max_size=3))
def test_the_text_of_a_seal_says_what_was_sealed(values: list[dict[str, Any]], seen: dict[int, int]) -> None:
    sealed = read_digests(digests_of(rows_of(*values).values(), seen))
    assert sum(digest.count for digest in sealed.digests) == len(values)
    assert sealed.seen == seen


def test_lines_of_somebody_else_are_passed_over() -> None:
    assert read_digests("nonsense\nseen x 1\n1 2 3 four 5\n").digests == []
