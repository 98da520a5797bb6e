"""What is wrong with a sealed log is found and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from workflows.core.domain.logs import FIRST, Check, Row, Sealed, digest, digests_of, hash_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
COLUMNS = {"entry": ["id", "by"], "lines": ["amount"]}


def row(number: int, by: str = "ada") -> dict[str, Any]:
    return {"id": number, "by": by, "lines": [{"amount": number}, {"amount": -number}]}


ROWS = [row(number) for number in (1, 2, 3, 5, 6, 8, 9)]  # some transactions were rolled back


def sealed(rows: list[dict[str, Any]], *, each: int = 2) -> list[Sealed]:
    seals: list[Sealed] = []
    for place in range(0, len(rows), each):
        some = rows[place : place + each]
        number = len(seals) + 1
        seal = Sealed("audit", number, some[-1]["id"], COLUMNS, digests_of(some, COLUMNS), NOW, "")
        seals.append(replace(seal, hash=hash_of(seal, seals[-1].hash if seals else FIRST)))
    return seals


def mistakes(seals: list[Sealed], rows: list[dict[str, Any]]) -> list[str]:
    return list(Check().run(seals, iter(rows)))


def test_an_honest_log_is_clean_and_counted() -> None:
    check, seals = Check(), sealed(ROWS[:6])
    assert list(check.run(seals, iter(ROWS))) == []
    assert (check.seals, check.sealed, check.newer, check.newest) == (3, 6, 1, seals[-1].hash)


def test_a_log_without_seals_or_rows_is_clean() -> None:
    check = Check()
    assert list(check.run([], iter(ROWS))) == []
    assert (check.seals, check.sealed, check.newer, check.newest) == (0, 0, 7, "")
    assert mistakes([], []) == []


def changed(rows: list[dict[str, Any]]) -> None:
    rows[2] = row(3, by="eve")


def another_line(rows: list[dict[str, Any]]) -> None:
    rows[2] = {**rows[2], "lines": [*rows[2]["lines"], {"amount": 1}]}


def swapped(rows: list[dict[str, Any]]) -> None:
    rows[1], rows[2] = {**rows[2], "id": 2}, {**rows[1], "id": 3}


TAMPERINGS: dict[str, tuple[Callable[[list[dict[str, Any]]], object], list[str]]] = {
    "changed": (changed, ["entry 3 was changed"]),
    "a line more": (another_line, ["entry 3 was changed"]),
    "reordered": (swapped, ["entry 2 was changed", "entry 3 was changed"]),
    "removed": (lambda rows: rows.pop(1), ["entry 2 was removed"]),
    "the first removed": (lambda rows: rows.pop(0), ["entry 1 was removed"]),
    "inserted": (lambda rows: rows.insert(3, row(4)), ["entry 4 was inserted after its place was sealed"]),
    "inserted between seals": (
        lambda rows: rows.insert(5, row(7)),
        ["entry 7 was inserted after its place was sealed"],
    ),
    "all removed": (lambda rows: rows.clear(), [f"entry {row['id']} was removed" for row in ROWS]),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_with_rows_is_found_and_named(name: str) -> None:
    seals, rows = sealed(ROWS), list(ROWS)
    tamper, found = TAMPERINGS[name]
    tamper(rows)
    assert mistakes(seals, rows) == found


def test_a_seal_that_is_written_anew_does_not_fit_the_next() -> None:
    seals, rows = sealed(ROWS), list(ROWS)
    changed(rows)
    forged = replace(seals[1], digests=digests_of(rows[2:4], COLUMNS))
    seals[1] = replace(forged, hash=hash_of(forged, seals[0].hash))
    assert mistakes(seals, rows) == ["seal 3 was changed, or it does not follow seal 2"]


@pytest.mark.parametrize(
    "change", [{"through": 4}, {"sealed_at": NOW + timedelta(days=1)}, {"digests": ""}, {"log": "ledger"}]
)
def test_whatever_of_a_seal_is_changed_is_found(change: dict[str, Any]) -> None:
    seals = sealed(ROWS[:2])
    seals[0] = replace(seals[0], **change)
    assert mistakes(seals, ROWS[:2])[0] == "seal 1 was changed"


def test_a_seal_that_is_gone_is_named_and_the_rest_is_compared() -> None:
    seals, rows = sealed(ROWS), list(ROWS)
    rows[4] = row(6, by="eve")
    del seals[1]
    assert mistakes(seals, rows) == ["seal 2 is missing", "entry 6 was changed"]


def test_garbage_instead_of_digests_is_an_error_of_the_seal() -> None:
    (seal,) = sealed(ROWS[:2])
    assert mistakes([replace(seal, digests="x\n7\n \nnone of ours")], [])[0] == "seal 1 was changed"


def test_a_digest_is_the_same_wherever_the_row_is_read() -> None:
    columns = {"entry": ["id", "at", "detail", "key"]}
    one: Row = {"id": 1, "at": NOW, "detail": {"a": 1, "b": [None, 2.5, "ü"]}, "key": UUID(int=7), "later": 1}
    there = NOW.astimezone(timezone(timedelta(hours=2)))
    other: Row = {"key": UUID(int=7), "detail": {"b": [None, 2.5, "ü"], "a": 1}, "at": there, "id": 1}
    assert digest(one, columns) == digest(other, columns)
    # Written down, so that a later version that hashes in another way is noticed.
    text = (
        r'{"at":"2026-03-01T12:00:00.000000+00:00","detail":{"a":1,"b":[null,2.5,"\u00fc"]},"id":1,'
        r'"key":"00000000-0000-0000-0000-000000000007"}'
    )
    assert digest(one, columns) == sha256(text.encode()).hexdigest()


def test_what_has_no_agreed_text_is_not_hashed() -> None:
    with pytest.raises(TypeError, match="bytes cannot be hashed"):
        digest({"id": b"1"}, {"entry": ["id"]})
