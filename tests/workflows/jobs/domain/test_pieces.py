"""How files are cut into pieces, and which announcements are refused."""

from __future__ import annotations

from typing import Any

import pytest

from workflows.jobs.domain.jobs import JobError
from workflows.jobs.domain.pieces import Announced, Piece, missing, read_announced


@pytest.mark.parametrize(
    ("size", "sizes"), [(0, [0]), (1, [1]), (10, [10]), (11, [10, 1]), (20, [10, 10]), (29, [10, 10, 9])]
)
def test_pieces_are_of_one_size_but_for_the_last(size: int, sizes: list[int]) -> None:
    file = Announced("corpus", "a.csv", size, 10)
    assert [file.piece_size(number) for number in range(file.pieces)] == sizes


def test_what_is_missing_is_named_in_order() -> None:
    files = [Announced("corpus", "a.csv", 0, 10), Announced("pictures", "a.zip", 25, 10)]
    assert missing(files, ()) == [(0, 0), (1, 0), (1, 1), (1, 2)]
    assert missing(files, {Piece(0, 0), Piece(1, 1), Piece(7, 7)}) == [(1, 0), (1, 2)]


GOOD = {"part": "corpus", "name": "a.csv", "size": 5}


def read(said: Any) -> tuple[Announced, ...]:
    return read_announced(said, parts=("corpus", "pictures"), most_files=2, most_bytes=10, piece_bytes=4)


def test_files_are_read_as_announced_up_to_the_limits() -> None:
    assert read([GOOD, {**GOOD, "part": "pictures"}]) == (
        Announced("corpus", "a.csv", 5, 4),
        Announced("pictures", "a.csv", 5, 4),
    )


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({}, "Announce a list"),
        ([], "Announce a list"),
        ([3], "is one of corpus, pictures"),
        ([{**GOOD, "part": "gold"}], "is one of corpus, pictures"),
        ([{**GOOD, "part": ["corpus"]}], "is one of corpus, pictures"),
        ([{**GOOD, "name": ""}], "1 to 500 characters"),
        ([{**GOOD, "name": "a" * 501}], "1 to 500 characters"),
        ([{**GOOD, "name": 3}], "1 to 500 characters"),
        ([{**GOOD, "size": -1}], "number of bytes"),
        ([{**GOOD, "size": 1.5}], "number of bytes"),
        ([{**GOOD, "size": True}], "number of bytes"),
        ([GOOD] * 3, "at most 2 files"),
        ([GOOD, {**GOOD, "size": 6}], "at most 10 bytes"),
    ],
)
def test_other_announcements_are_refused(said: Any, says: str) -> None:
    with pytest.raises(JobError, match=says):
        read(said)
