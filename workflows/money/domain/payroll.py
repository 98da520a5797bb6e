"""What workers whom we pay ourselves earned in a period, as a table for whoever pays wages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from workflows.core.spreadsheet_cells import safe_cell
from workflows.money.domain.currencies import plain

COLUMNS = ("from", "to", "provider", "worker", "currency", "pages", "hours", "earned", "paid", "due")
SLACK = timedelta(minutes=1)
"""After a period's end, entries with a time in it may still be about to be written, some hundreds at once."""


class PeriodError(ValueError):
    """The period cannot be used; the message says which part of it."""


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days in UTC, both included."""

    first: date
    last: date

    @property
    def since(self) -> datetime:
        """Its beginning."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def until(self) -> datetime:
        """The moment after its end."""
        return datetime.combine(self.last, time(), UTC) + timedelta(days=1)

    def is_over(self, now: datetime) -> bool:
        """Whether nothing can be earned in it any more."""
        return now >= self.until + SLACK


@dataclass(slots=True)
class Line:
    """A worker's, in one currency; amounts in its smallest unit."""

    provider: str
    worker: str
    currency: str
    pages: int = 0
    milliseconds: int = 0  # at work on these pages
    earned: int = 0
    paid: int = 0

    @property
    def hours(self) -> str:
        """At work, to a hundredth."""
        return f"{self.milliseconds / 3_600_000:.2f}"

    @property
    def due(self) -> int:
        """What is still to be paid."""
        return self.earned - self.paid


def parse_period(first: str, last: str) -> Period:
    """Of two days as YYYY-MM-DD. Raises PeriodError."""
    days = []
    for name, text in (("from", first), ("to", last)):
        try:
            days.append(date.fromisoformat(text))
        except ValueError as error:
            raise PeriodError(f"{name}: {text!r} is no day as 2026-11-30") from error
    if days[1] < days[0]:
        raise PeriodError(f"to: {last} is before {first}")
    if days[1] == date.max:
        raise PeriodError(f"to: {last} is no day that will come")
    return Period(*days)


def table_rows(period: Period, lines: Iterable[Line]) -> Iterator[list[str]]:
    """Of a table, the names of its columns first. No cell is a formula for a spreadsheet."""
    yield list(COLUMNS)
    for line in lines:
        amounts = (plain(units, line.currency) for units in (line.earned, line.paid, line.due))
        names = (safe_cell(line.provider), safe_cell(line.worker), line.currency)
        days = period.first.isoformat(), period.last.isoformat()
        yield [*days, *names, str(line.pages), line.hours, *amounts]
