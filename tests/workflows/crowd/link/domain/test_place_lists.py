"""Lists as platforms give them out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from workflows.crowd.link.domain.place_lists import MAX_BYTES, ListError, Row, read_list
from workflows.platforms.provider import Stand


def read(text: str, **names: str) -> list[tuple[str, str, Stand]]:
    return [(row.participant, row.assignment, row.stand) for row in read_list(text.encode(), **names)]


@pytest.mark.parametrize(
    "text",
    [
        "ParticipantId,AssignmentId,Status\nann,A1,Pending\n",
        "\ufeffparticipant_id;Assignment ID;status\r\nann;A1;submitted\r\n",
        '"Worker Id"\t"assignmentId"\t"Approval Status"\nann\tA1\tAwaiting Review\n',
    ],
)
def test_usual_names_of_columns_in_whatever_case_and_with_whatever_delimiter(text: str) -> None:
    assert read(text, assignment="place") == [("ann", "A1", Stand.SUBMITTED)]
    assert read(text) == [("ann", "", Stand.SUBMITTED)], (
        "a participant has one place: its column says nothing"
    )


def test_a_list_without_places_is_refused_if_places_have_ids_of_their_own() -> None:
    for text in ("participantId\nann\n", "ann\n"):
        with pytest.raises(ListError, match="places' ids"):
            read(text, assignment="place")


def test_the_names_of_the_parameters_come_first() -> None:
    text = "id,survey_code,slot\n1,ann,S1\n"
    assert read(text, participant="survey_code", assignment="slot") == [("ann", "S1", Stand.SUBMITTED)]


def test_a_list_without_a_header_is_one_id_a_line() -> None:
    assert read("ann\n\n ben \n") == [("ann", "", Stand.SUBMITTED), ("ben", "", Stand.SUBMITTED)]


@pytest.mark.parametrize(
    ("word", "stand"),
    [
        ("Approved", Stand.APPROVED),
        ("Credit Granted", Stand.APPROVED),
        ("", Stand.SUBMITTED),
        ("rejected", Stand.REJECTED),
        ("Timed-out", Stand.RETURNED),
        ("SCREENED OUT", Stand.RETURNED),
        ("Unexcused No-Show", Stand.RETURNED),
        ("No-Show (Unexcused)", Stand.RETURNED),
        ("Kicked Off", Stand.RETURNED),
        ("Awaiting Action", Stand.SUBMITTED),
        ("PENDING REVIEW", Stand.SUBMITTED),
        ("in progress", Stand.WORKING),
    ],
)
def test_words_of_platforms(word: str, stand: Stand) -> None:
    assert read(f"participantId,status\nann,{word}\n") == [("ann", "", stand)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "names no participant"),
        (b"participantId\n", "names no participant"),
        (b"name,mail\nann,a@b\n", "No column"),
        (b"participantId\nann\na b\n", "Line 3: 'a b' is no id"),
        (b"participantId\n-1+2\n", "Line 2: '-1[+]2' is no id"),
        (b"participantId,status\nann,odd\n", "Line 2: the status 'odd'"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"a" * (MAX_BYTES + 1), "more than 5 MB"),
    ],
)
def test_what_cannot_be_read_is_one_error_that_says_what_to_do(data: bytes, says: str) -> None:
    with pytest.raises(ListError, match=says):
        read_list(data)


def test_the_time_of_a_submission_is_utc_if_it_names_no_zone() -> None:
    data = (
        b"participantId,submitted_at\nann,2026-11-30 10:00:00\nben,yesterday\ncat,0001-01-01T00:00:00+14:00\n"
    )
    at = datetime(2026, 11, 30, 10, tzinfo=UTC)
    assert read_list(data) == [
        Row(2, "ann", "", Stand.SUBMITTED, at),
        Row(3, "ben", "", Stand.SUBMITTED, None),
        Row(4, "cat", "", Stand.SUBMITTED, None),
    ]
