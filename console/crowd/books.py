"""Pages of a batch's ledger, publications and participations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotation.models import Batch
from console.common.keyset import KeysetPage, keyset_page
from console.crowd.labels import ACCOUNTS, ENTRIES
from workflows.crowd.models import Publication
from workflows.money.domain.currencies import amount
from workflows.money.models import LedgerEntry
from workflows.workers.models import Participation

ENTRIES_SHOWN, ROWS = 20, 50


@dataclass(frozen=True, slots=True)
class Entry:
    """A ledger entry in words, with each account and its amount."""

    entry: LedgerEntry
    says: str
    lines: Sequence[tuple[str, str, bool]]  # the account, the amount, whether it is a debit


def ledger(batch: Batch, before: int = 0) -> tuple[list[Entry], int]:
    """Return a page of the ledger, the newest first, and where the next begins (0: nowhere). Two queries."""
    rows = LedgerEntry.objects.filter(batch=batch).select_related("worker").prefetch_related("lines")
    found = keyset_page(rows, ENTRIES_SHOWN, before=before)
    return in_words(found.rows), found.next


def in_words(entries: Iterable[LedgerEntry]) -> list[Entry]:
    """Return the entries in words, with their lines, debits first."""
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


def publications(batch: Batch, before: int = 0) -> KeysetPage[Publication]:
    """Return a page of the batch's publications, the newest first."""
    return keyset_page(Publication.objects.filter(batch=batch), ROWS, before=before)


def participations(publication: Publication, before: int = 0) -> KeysetPage[Participation]:
    """Return a page of the publication's participations with their workers, the newest first."""
    rows = Participation.objects.filter(publication=publication).select_related("worker")
    return keyset_page(rows, ROWS, before=before)
