"""The rules of seals: what a row of a log hashes to, how seals are chained, and what is wrong with a log.

A seal has a digest for each row that was added since the seal before, and a hash of these digests and of the
hash before. So a row that is changed, removed or added afterwards differs from its seal, and a seal that is
written anew to fit differs from the seal after it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

FIRST = "0" * 64
"""What the first seal of a log has for the hash of the seal before."""
LINES = "lines"
Row = Mapping[str, Any]
"""A row of a log by column. What belongs to it in another table is a list under LINES."""
Columns = Mapping[str, Sequence[str]]
"""The columns that a seal hashes: those of an entry under "entry", those of its lines under LINES."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A seal as it is stored."""

    log: str
    number: int
    through: int
    columns: Mapping[str, Any]  # `Columns`, and for the log `records` the table as well
    digests: str
    sealed_at: datetime
    hash: str


def digest(row: Row, columns: Columns) -> str:
    """Return the SHA-256 of these columns of a row, the same on every database."""
    content: dict[str, Any] = {name: row[name] for name in columns["entry"]}
    if LINES in columns:
        content[LINES] = [{name: line[name] for name in columns[LINES]} for line in row[LINES]]
    return _hash(content)


def digests_of(rows: Iterable[Row], columns: Columns) -> str:
    """Return the digests of the rows that a seal keeps."""
    return "\n".join(f"{row['id']} {digest(row, columns)}" for row in rows)


def hash_of(seal: Sealed, before: str) -> str:
    """Return the hash that a seal must have if the seal before it has the hash `before`."""
    return _hash(
        {
            "before": before,
            "log": seal.log,
            "number": seal.number,
            "through": seal.through,
            "columns": seal.columns,
            "digests": seal.digests,
            "sealed_at": seal.sealed_at,
        }
    )


@dataclass(slots=True)
class Check:
    """A comparison of a log's rows with its seals: what was counted, and the newest hash."""

    seals: int = 0
    sealed: int = 0
    newer: int = 0  # rows that are not sealed yet
    newest: str = ""

    def run(self, seals: Iterable[Sealed], rows: Iterator[Row]) -> Iterator[str]:
        """Yield a line for each mistake. Seals come by number, rows by id; a group of them is in memory."""
        before, row = FIRST, next(rows, None)
        while row is not None and row["id"] <= 0:
            yield f"entry {row['id']} was inserted by hand: the database counts from 1"
            row = next(rows, None)
        for seal in seals:
            sealed = _sealed_digests(seal)
            some: dict[int, Row] = {}
            while row is not None and row["id"] <= seal.through:
                some[row["id"]], row = row, next(rows, None)
            if seal.number != self.seals + 1:
                yield f"seal {self.seals + 1} is missing"
                some = {number: row for number, row in some.items() if number >= min(sealed, default=0)}
            elif seal.hash != hash_of(seal, before):
                after = f", or it does not follow seal {self.seals}" if self.seals else ""
                yield f"seal {seal.number} was changed{after}"
            yield from _compare(sealed, some, seal.columns)
            self.seals, self.newest = seal.number, seal.hash
            self.sealed += len(some)
            before = seal.hash
        while row is not None:
            self.newer, row = self.newer + 1, next(rows, None)


def _sealed_digests(seal: Sealed) -> dict[int, str]:
    """Return the digests of a seal by the row's id. Lines that are none were not written by us."""
    parts = (line.partition(" ") for line in seal.digests.splitlines())
    return {int(number): sealed for number, _, sealed in parts if number.isdecimal()}


def _compare(sealed: Mapping[int, str], rows: Mapping[int, Row], columns: Columns) -> Iterator[str]:
    for number in sorted({*rows, *sealed}):
        if number not in rows:
            yield f"entry {number} was removed"
        elif number not in sealed:
            yield f"entry {number} was inserted after its place was sealed"
        elif sealed[number] != digest(rows[number], columns):
            yield f"entry {number} was changed"


def _hash(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=_plain)
    return sha256(text.encode()).hexdigest()


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be hashed")
