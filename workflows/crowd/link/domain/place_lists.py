"""Read a platform's list of participants, as it comes out of its pages: CSV, with a header or ids alone."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType

from workflows.platforms.provider import Stand

MAX_BYTES, MAX_ROWS = 5_000_000, 50_000
ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,127}")
PARTICIPANTS = (
    *("participantid", "participant", "workerid", "worker", "surveycode", "surveyid", "idcode"),
    *("identitycode", "sonaid", "userid", "id"),
)
PLACES = ("assignmentid", "assignment", "sessionid", "submissionid", "placeid")
STANDS = ("status", "approvalstatus", "assignmentstatus", "creditstatus", "participationstatus")
TIMES = ("submittedat", "submitted", "completedat", "completiontime", "endtime")
"""Usual names of columns, without blanks and signs: those of CloudResearch Connect, SONA and Positly."""
WORDS: Mapping[str, Stand] = MappingProxyType(
    {
        **dict.fromkeys(
            ("approved", "autoapproved", "paid", "creditgranted", "granted", "participated"), Stand.APPROVED
        ),
        **dict.fromkeys(
            ("", "submitted", "pending", "pendingapproval", "pendingreview", "completed", "complete"),
            Stand.SUBMITTED,
        ),
        **dict.fromkeys(("awaitingreview", "awaitingapproval", "awaitingaction"), Stand.SUBMITTED),
        **dict.fromkeys(("rejected", "denied"), Stand.REJECTED),
        **dict.fromkeys(
            ("returned", "timedout", "expired", "abandoned", "cancelled", "canceled", "noshow"),
            Stand.RETURNED,
        ),
        **dict.fromkeys(("kickedoff", "dropped", "removed", "withdrawn"), Stand.RETURNED),
        **dict.fromkeys(("screenedout", "screenout", "terminated"), Stand.RETURNED),
        **dict.fromkeys(("unexcusednoshow", "excusednoshow"), Stand.RETURNED),
        **dict.fromkeys(("noshowunexcused", "noshowexcused"), Stand.RETURNED),
        **dict.fromkeys(("started", "inprogress", "working", "active", "signedup"), Stand.WORKING),
    }
)
"""What platforms say of a place, without blanks and signs."""


class ListError(Exception):
    """A list cannot be read; the message names the line and says what to do."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list. `assignment` is empty if the list has no column for it."""

    line: int
    participant: str
    assignment: str
    stand: Stand
    submitted_at: datetime | None
    told: bool = False  # whether the line has a status; else being on the list is one


def read_list(data: bytes, *, participant: str = "", assignment: str = "") -> list[Row]:
    """Return the rows of a list; `participant` and `assignment` are the platform's names of its parameters.

    The list is a CSV file with commas, semicolons or tabs. Columns are found by these names, then by the
    usual ones. A list without a header is one id a line. If places have ids of their own, the list must have
    them: else one row would stand for several. Raises ListError, also if the list names nobody.
    """
    if len(data) > MAX_BYTES:
        raise ListError(f"The list has more than {MAX_BYTES // 1_000_000} MB: is it the right file?")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ListError("The list is not text in UTF-8: save it as CSV in UTF-8, and try again.") from error
    rows = list(_rows(text, (participant, *PARTICIPANTS), (assignment, *PLACES) if assignment else ()))
    if not rows:
        raise ListError("The list names no participant: upload the file with the participants' ids.")
    if len(rows) > MAX_ROWS:
        raise ListError(f"The list has more than {MAX_ROWS:,} participants: upload it in parts.")
    return rows


def _rows(text: str, participants: Sequence[str], places: Sequence[str]) -> Iterator[Row]:
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        lines = [(reader.line_num, cells) for cells in reader if any(map(str.strip, cells))]
    except csv.Error as error:
        raise ListError(f"Line {reader.line_num} cannot be read as CSV ({error}).") from error
    if not lines:
        return
    header = [_plain(name) for name in lines[0][1]]
    who, place, stand, time = (_column(header, names) for names in (participants, places, STANDS, TIMES))
    if who is None and len(header) > 1:
        raise ListError(
            "No column has the participants' ids. Name it participantId, or as the batch's setting "
            f"“Parameter with the participant” says. The columns are: {', '.join(lines[0][1])}."
        )
    if places and place is None:
        raise ListError(
            "No column has the places' ids, and a participant may have several places in this batch. Name it "
            f"{places[0]}."
        )
    if who is None:
        who, place, stand, time = 0, None, None, None
    else:
        lines = lines[1:]
    for number, cells in lines:
        yield Row(
            number,
            _id(_cell(cells, who), number),
            _id(_cell(cells, place), number) if _cell(cells, place) else "",
            _stand(_cell(cells, stand), number),
            _time(_cell(cells, time)),
            bool(_cell(cells, stand)),
        )


def _cell(cells: Sequence[str], column: int | None) -> str:
    return "" if column is None or column >= len(cells) else cells[column].strip()


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    wanted = (_plain(name) for name in names if name)
    return next((header.index(name) for name in wanted if name in header), None)


def _id(text: str, line: int) -> str:
    if not ID.fullmatch(text):
        raise ListError(f"Line {line}: {text[:40]!r} is no id: letters, digits, _ and - are.")
    return text


def _stand(text: str, line: int) -> Stand:
    found = WORDS.get(_plain(text))
    if found is None:
        known = "approved, submitted, rejected, returned, started"
        raise ListError(
            f"Line {line}: the status {text[:40]!r} is not known. Replace it by the one of these that it "
            f"means, or leave it empty for a place that is done: {known}."
        )
    return found


def _time(text: str) -> datetime | None:
    """Return a time in ISO 8601, UTC if it names no zone. Other forms are no time: nothing depends on it."""
    try:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
