"""Lists of a batch's ledger, publications and participations, by cursors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import Batch
from console.crowd.labels import ACCOUNTS, ENTRIES
from workflows.crowd.models import Publication
from workflows.money.domain.currencies import amount
from workflows.money.models import LedgerEntry
from workflows.workers.models import Participation

ENTRIES_SHOWN, ROWS = 20, 50


@dataclass(frozen=True, slots=True)
class Entry:
    """A movement of money in words: what, and each account with its amount."""

    entry: LedgerEntry
    says: str
    lines: Sequence[tuple[str, str, bool]]  # the account, the amount, whether it is a debit


def ledger(batch: Batch, before: int = 0) -> tuple[list[Entry], int]:
    """The newest before `before` (0: all), and where to go on (0: nowhere). Two queries."""
    rows = LedgerEntry.objects.filter(batch=batch).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows.select_related("worker").prefetch_related("lines")[: ENTRIES_SHOWN + 1])
    shown = in_words(found[:ENTRIES_SHOWN])
    return shown, found[ENTRIES_SHOWN - 1].pk if len(found) > ENTRIES_SHOWN else 0


def in_words(entries: Iterable[LedgerEntry]) -> list[Entry]:
    """With their lines, debits first."""
    return [
        Entry(
            one,
            ENTRIES[one.kind],
            [
                (ACCOUNTS[line.account], amount(line.amount, one.currency), line.amount > 0)
                for line in sorted(one.lines.all(), key=lambda line: -line.amount)
            ],
        )
        for one in entries
    ]


def publications(batch: Batch, before: int = 0) -> tuple[list[Publication], int]:
    """The newest before `before`, and where to go on."""
    rows = Publication.objects.filter(batch=batch).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows[: ROWS + 1])
    return found[:ROWS], found[ROWS - 1].pk if len(found) > ROWS else 0


def participations(publication: Publication, before: int = 0) -> tuple[list[Participation], int]:
    """Of a publication, the newest before `before`, and where to go on."""
    rows = Participation.objects.filter(publication=publication).order_by("-pk")
    if before:
        rows = rows.filter(pk__lt=before)
    found = list(rows.select_related("worker")[: ROWS + 1])
    return found[:ROWS], found[ROWS - 1].pk if len(found) > ROWS else 0
