"""The payroll: what direct workers earned in a period, as a table for whoever pays them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from workflows.core.spreadsheet_cells import safe_cell
from workflows.money.domain.currencies import plain

COLUMNS = ("from", "to", "provider", "worker", "currency", "pages", "hours", "earned", "paid", "due")
SLACK = timedelta(minutes=1)
"""How long after a period's end entries with a time in it may still be written, some hundreds at once."""


class PeriodError(ValueError):
    """The period cannot be used; the message says which day is wrong."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period of whole days in UTC, from `first` to `last` inclusive."""

    first: date
    last: date

    @property
    def since(self) -> datetime:
        """When the period begins."""
        return datetime.combine(self.first, time(), UTC)

    @property
    def until(self) -> datetime:
        """The first moment after the period."""
        return datetime.combine(self.last, time(), UTC) + timedelta(days=1)

    def is_over(self, now: datetime) -> bool:
        """Return whether nothing can be earned in the period any more."""
        return now >= self.until + SLACK


def month_of(day: date) -> Period:
    """Return the month of a day."""
    first = day.replace(day=1)
    return Period(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))


@dataclass(slots=True)
class Line:
    """What one worker earned in one currency; amounts are in its smallest unit."""

    provider: str
    worker: str
    currency: str
    pages: int = 0
    milliseconds: int = 0  # at work on these pages
    earned: int = 0
    paid: int = 0

    @property
    def hours(self) -> str:
        """The hours at work, with two decimals."""
        return f"{self.milliseconds / 3_600_000:.2f}"

    @property
    def due(self) -> int:
        """What has been earned and not paid yet."""
        return self.earned - self.paid


def parse_period(first: str, last: str) -> Period:
    """Read a period from two days as YYYY-MM-DD. Raises PeriodError."""
    days = []
    for name, text in (("from", first), ("to", last)):
        try:
            days.append(date.fromisoformat(text))
        except ValueError as error:
            raise PeriodError(f"{name}: {text!r} is not a day, such as 2026-11-30") from error
    if days[1] < days[0]:
        raise PeriodError(f"to: {last} is before {first}")
    if days[1] == date.max:
        raise PeriodError(f"to: {last} is too late: choose an earlier day")
    return Period(*days)


def table_rows(period: Period, lines: Iterable[Line]) -> Iterator[list[str]]:
    """Yield the rows of the table, the columns' names first. No spreadsheet runs a cell as a formula."""
    yield list(COLUMNS)
    for line in lines:
        amounts = (plain(units, line.currency) for units in (line.earned, line.paid, line.due))
        names = (safe_cell(line.provider), safe_cell(line.worker), line.currency)
        days = period.first.isoformat(), period.last.isoformat()
        yield [*days, *names, str(line.pages), line.hours, *amounts]
