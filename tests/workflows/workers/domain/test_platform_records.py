from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.workers.domain.platform_records import (
    PlatformRecord,
    PlatformRecordError,
    parse_record,
    read_records,
)

HEAD = "worker,completed,approval\n"

names = st.text(st.characters(categories=("L", "N", "P")), min_size=1, max_size=20)
figures = st.builds(
    PlatformRecord,
    completed=st.none() | st.integers(0, 2**31 - 1),
    approval=st.none() | st.floats(0, 1),
)


@given(
    st.dictionaries(names, figures, max_size=8), st.permutations(["worker", "completed", "approval", "since"])
)
def test_a_file_is_read_as_it_was_written(rows: dict[str, PlatformRecord], columns: list[str]) -> None:
    out = StringIO(newline="")
    file = csv.DictWriter(out, columns)
    file.writeheader()
    for name, one in rows.items():
        file.writerow({"worker": name, "completed": one.completed, "approval": one.approval, "since": "2025"})
    assert read_records(StringIO(out.getvalue(), newline="")) == rows


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("", "line 1: no column 'worker'"),
        ("worker,completed\n", "line 1: no column 'approval'"),
        (HEAD + "ada,1\n", "line 2: it has 2 fields, and the first line has 3"),
        (HEAD + ",1,1\n", "line 2: worker: needs 1 to 128"),
        (HEAD + "ada,,\n\nada,1,1\n", "line 4: worker: 'ada' is in the file twice"),
        (HEAD + "ada,many,1\n", "line 2: completed: must be a whole number of tasks, not 'many'"),
        (HEAD + "ada,9999999999,1\n", "line 2: completed: must be 0 or more tasks, at most"),
        (HEAD + "ada,1,97%\n", "line 2: approval: must be a share from 0 to 1, like 0.97, not '97%'"),
        (HEAD + "ada,1,97\n", "line 2: approval: must be a share from 0 to 1"),
        (HEAD + "ada,1,nan\n", "line 2: approval: must be a share from 0 to 1"),
        (HEAD + '"ada,1,1\n', "line 2: unexpected end of data"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_line(lines: str, says: str) -> None:
    with pytest.raises(PlatformRecordError) as error:
        read_records(StringIO(lines, newline=""))
    assert str(error.value).startswith(says)


def test_an_empty_word_says_nothing() -> None:
    assert parse_record("", " ") == PlatformRecord(None, None)
    assert parse_record("0", "0") == PlatformRecord(0, 0.0)
