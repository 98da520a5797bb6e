"""The rules of seals of records: what rows hash to, and what is wrong with rows that changes explain or not.

A seal has a digest for each few rows of a project. Code may change a sealed row if it keeps the change. So a
row is compared as it was when it was sealed: its recorded changes since then are taken back first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from typing import Any

ROWS_PER_DIGEST = 50


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its project and its columns, which JSON can hold."""

    key: int
    project: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded change: the columns as they were and as they are since; None if the row was deleted."""

    project: int
    before: Mapping[str, Any]
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of the rows of one project with ids from `first` to `last`."""

    project: int
    first: int
    last: int
    count: int
    hash: str


@dataclass(frozen=True, slots=True)
class Digests:
    """What a seal keeps: digests, and how many changes of a row (by id) were made before it was sealed."""

    digests: Sequence[Digest]
    seen: Mapping[int, int] = field(default_factory=dict)


def digests_of(rows: Iterable[Row], seen: Mapping[int, int]) -> str:
    """Return the text that a seal keeps of rows, which `read_digests` reads."""
    lines = []
    ordered = sorted(rows, key=lambda row: (row.project, row.key))
    for project, group in groupby(ordered, key=lambda row: row.project):
        some = list(group)
        for start in range(0, len(some), ROWS_PER_DIGEST):
            part = some[start : start + ROWS_PER_DIGEST]
            lines.append(f"{project} {part[0].key} {part[-1].key} {len(part)} {_hash(part)}")
    return "\n".join([*lines, *(f"seen {key} {count}" for key, count in sorted(seen.items()))])


def read_digests(text: str) -> Digests:
    """Return what a seal keeps. Lines that are none were not written by us."""
    digests, seen = [], {}
    for line in text.splitlines():
        parts = line.split(" ")
        if len(parts) == 3 and parts[0] == "seen" and parts[1].isdecimal() and parts[2].isdecimal():
            seen[int(parts[1])] = int(parts[2])
        elif len(parts) == 5 and all(part.isdecimal() for part in parts[:4]):
            project, first, last, count = map(int, parts[:4])
            digests.append(Digest(project, first, last, count, parts[4]))
    return Digests(digests, seen)


def compare(
    rows: Mapping[int, Row], changes: Mapping[int, Sequence[Change]], sealed: Digests
) -> Iterator[str]:
    """Yield a line for each mistake in the rows (by id) of one seal. `changes` are all that they ever had."""
    yield from unexplained(rows, changes)
    left = _taken_back(rows, changes, sealed.seen)
    for digest in sealed.digests:
        there = [left[key] for key in sorted(left) if digest.first <= key <= digest.last]
        own = [row for row in there if row.project == digest.project]
        for row in own:
            del left[row.key]
        if len(own) != digest.count:
            yield f"{_range(digest)}: {digest.count} rows were sealed, and {len(own)} are there"
        elif _hash(own) != digest.hash:
            yield f"{_range(digest)}: not as sealed"
    for key in sorted(left):
        yield f"{key}: inserted after its place was sealed, or moved there"


def unexplained(rows: Mapping[int, Row], changes: Mapping[int, Sequence[Change]]) -> Iterator[str]:
    """Yield a line for each row that is not as its last recorded change left it."""
    for key in sorted(changes):
        state: dict[str, Any] = {}
        for change in changes[key]:
            if any(state.get(name, was) != was for name, was in change.before.items()):
                yield f"{key}: its recorded changes do not follow each other"
            state |= change.after or {}
        last, row = changes[key][-1], rows.get(key)
        if last.after is None:
            if row is not None:
                yield f"{key}: it is there, and was deleted"
        elif row is None:
            yield f"{key}: it was removed"
        elif any(row.values[name] != value for name, value in state.items() if name in row.values):
            yield f"{key}: changed since its last recorded change"


def _taken_back(
    rows: Mapping[int, Row], changes: Mapping[int, Sequence[Change]], seen: Mapping[int, int]
) -> dict[int, Row]:
    """Return the rows as they were when they were sealed."""
    found = dict(rows)
    for key, some in changes.items():
        since = some[seen.get(key, 0) :]
        if not since:
            continue
        if key not in found and since[-1].after is None:
            found[key] = Row(key, since[-1].project, since[-1].before)
        if key in found:
            values = dict(found[key].values)
            for change in reversed(since):
                values.update((name, was) for name, was in change.before.items() if name in values)
            found[key] = Row(key, found[key].project, values)
    return found


def _range(digest: Digest) -> str:
    if digest.first == digest.last:
        return str(digest.first)
    return f"{digest.first} to {digest.last} of project {digest.project}"


def _hash(rows: Iterable[Row]) -> str:
    content = [[row.key, row.project, row.values] for row in rows]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
