"""Seals of the audit log and of the ledger: hashes of their rows, each chained to the one before.

Rows are written by many processes at the same moment. A chain from row to row would make them wait for each
other, so a periodic task seals what was added meanwhile, up to an id below which nothing can appear any more.
Rows that are newer than the last seal are held by the guards alone (workflows.core.guards).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db import connection, models
from django.db.models import Exists, Max, OuterRef

from annotation.transactions import snapshot, write_transaction
from workflows.core.domain.logs import FIRST, LINES, Check, Columns, Row, Sealed, digests_of, hash_of
from workflows.core.locks import try_lock
from workflows.core.models import Seal

ROWS_PER_SEAL = 1000
MAX_SEALS = 50
"""In one run, so that it ends soon. The next one goes on."""
PATIENCE_SECONDS = 2.0
POLL_SECONDS = 0.02
_NO_LINES: tuple[int | None, Iterator[Row]] = (None, iter(()))


@dataclass(frozen=True, slots=True)
class Log:
    """A table that is sealed, with the table of the lines that its entries have, if there is one."""

    name: str
    entries: type[models.Model]
    lines: type[models.Model] | None = None
    entry: str = ""  # the column of a line that names its entry

    def columns(self) -> Columns:
        """Return the columns that new seals hash: all that there are."""
        found: dict[str, Sequence[str]] = {"entry": _columns(self.entries)}
        if self.lines:
            found[LINES] = _columns(self.lines)
        return found


@dataclass(frozen=True, slots=True)
class Verified:
    """What a check of a log found: a line for each mistake, and how far the log is sealed."""

    mistakes: list[str]
    counts: Check


def seal_log(log: Log, *, clock: Callable[[], datetime], patience: float = PATIENCE_SECONDS) -> list[Seal]:
    """Seal the entries that were added since the last seal; return the new seals.

    It seals nothing if another process is sealing the log, or if transactions that may still add an earlier
    entry do not end within `patience` seconds. The next run then does it.
    """
    made: list[Seal] = []
    with try_lock(f"seal-{log.name}") as free:
        newest = _newest(log)
        after = newest.through if newest else 0
        if free and (through := last_settled(log.entries, after, patience)):
            while len(made) < MAX_SEALS and (seal := _seal_next(log, through, clock())):
                made.append(seal)
    return made


def verify_log(log: Log, *, expect: str = "") -> Verified:
    """Compare all entries with the log's seals, in one state of the database. Others can write meanwhile.

    `expect` is a hash that some seal had. If none has it any more, that is a mistake, too.
    """
    counts = Check()
    with snapshot():
        seals = Seal.objects.filter(log=log.name).order_by("number")
        mistakes = list(counts.run(map(_sealed, seals.iterator(50)), _rows(log)))
        mistakes += _lines_of_none(log)
        if expect and not seals.filter(hash=expect).exists():
            mistakes.append(f"no seal has the hash {expect}: the log was cut or written anew since then")
    return Verified(mistakes, counts)


def _lines_of_none(log: Log) -> list[str]:
    """Return a line for each entry that is not there and has lines all the same."""
    if log.lines is None:
        return []
    there = log.entries._default_manager.filter(pk=OuterRef(log.entry))
    rows = log.lines._default_manager.filter(~Exists(there)).order_by(log.entry)
    missing = rows.values_list(log.entry, flat=True).distinct()
    return [f"entry {number} has lines, and is not there itself" for number in missing]


def _seal_next(log: Log, through: int, now: datetime) -> Seal | None:
    """Seal the next entries, at most ROWS_PER_SEAL and none after the id `through`."""
    with write_transaction():
        before = _newest(log)
        after, number = (before.through, before.number + 1) if before else (0, 1)
        added = log.entries._default_manager.filter(pk__gt=after, pk__lte=through).order_by("pk")
        ids = list(added.values_list("pk", flat=True)[:ROWS_PER_SEAL])
        if not ids:
            return None
        columns = log.columns()
        digests = digests_of(_rows(log, after=after, through=ids[-1]), columns)
        seal = Sealed(log.name, number, ids[-1], columns, digests, now, "")
        return Seal.objects.create(
            log=seal.log,
            number=seal.number,
            through=seal.through,
            columns=seal.columns,
            digests=seal.digests,
            sealed_at=seal.sealed_at,
            hash=hash_of(seal, before.hash if before else FIRST),
        )


def _newest(log: Log) -> Seal | None:
    return Seal.objects.filter(log=log.name).order_by("-number").defer("digests").first()


def last_settled(model: type[models.Model], after: int, patience: float) -> int | None:
    """Return the newest id such that no row up to it can be added any more; None: none after `after`.

    On PostgreSQL, a transaction may commit a row after others committed higher ids. Whoever inserts holds
    a lock of the table from before the id is drawn until after the commit. So wait until everybody who holds
    it now has let go of it. On SQLite, writers take turns.
    """
    added = model._base_manager.filter(pk__gt=after)
    last: int | None = added.aggregate(last=Max("pk"))["last"]
    if last is None or connection.vendor == "sqlite":
        return last
    until = time.monotonic() + patience
    writers = _writers(model)
    while writers:
        if time.monotonic() > until:
            return None
        time.sleep(POLL_SECONDS)
        writers &= _writers(model)
    return last


def _writers(model: type[models.Model]) -> set[str]:
    """Return the transactions of others that may have added entries and have not ended."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'relation' AND granted"
            " AND relation = %s::regclass AND mode = 'RowExclusiveLock'"
            " AND pid IS DISTINCT FROM pg_backend_pid()"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [model._meta.db_table],
        )
        return {transaction for (transaction,) in cursor.fetchall()}


def _rows(log: Log, *, after: int | None = None, through: int | None = None) -> Iterator[Row]:
    """Yield the entries with their lines, by id. Both tables are read in step.

    None for `after` stands for the beginning, so that ids below 1 are read, too.
    """
    entries = _by_id(log.entries, "id", after, through)
    if log.lines is None:
        yield from entries
        return
    groups = groupby(_by_id(log.lines, log.entry, after, through), lambda line: line[log.entry])
    number, group = next(groups, _NO_LINES)
    for entry in entries:
        while number is not None and number < entry["id"]:  # lines of an entry that was removed
            number, group = next(groups, _NO_LINES)
        yield {**entry, LINES: list(group) if number == entry["id"] else []}


def _by_id(model: type[models.Model], column: str, after: int | None, through: int | None) -> Iterator[Row]:
    rows = model._default_manager.order_by(column, "pk")
    if after is not None:
        rows = rows.filter(**{f"{column}__gt": after})
    if through is not None:
        rows = rows.filter(**{f"{column}__lte": through})
    return rows.values(*_columns(model)).iterator()


def _columns(model: type[models.Model]) -> list[str]:
    return [part.attname for part in model._meta.concrete_fields]


def _sealed(seal: Seal) -> Sealed:
    return Sealed(seal.log, seal.number, seal.through, seal.columns, seal.digests, seal.sealed_at, seal.hash)
