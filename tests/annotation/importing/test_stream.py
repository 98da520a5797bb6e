from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.importing import stream
from annotation.importing.prepare import PreparedCaption, prepare_all
from annotation.importing.processes import Processes, Result
from tests.annotation.importing.made_corpora import record


def sizes(records: list[ImageRecord | Problem]) -> list[list[str]]:
    return [[one.name for one in group] for group in stream.group_records(records, lambda problem: None)]


def test_groups_are_bounded_in_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "IMAGES_AT_ONCE", 2)
    assert sizes([record(name, "x") for name in "abcde"]) == [["a", "b"], ["c", "d"], ["e"]]


def test_groups_are_bounded_in_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHARACTERS_AT_ONCE", 9)
    assert sizes([record(name, "x" * 5) for name in "abc"]) == [["a", "b"], ["c"]]


def test_an_image_is_never_twice_in_a_group() -> None:
    assert sizes([record(name, "x") for name in "abca"]) == [["a", "b", "c"], ["a"]]


def test_problems_are_reported_between_the_records() -> None:
    seen: list[Problem] = []
    problem = Problem("x", 1, "bad")
    assert len(list(stream.group_records([problem, record("a", "x"), problem], seen.append))) == 1
    assert seen == [problem, problem]


@pytest.mark.parametrize("processes", [1, 2])
def test_prepared_groups_come_in_order(processes: int) -> None:
    groups = [[record(f"{n}.jpg", f"A man holds {n} dogs.")] for n in range(9)]
    expected = [(group, prepare_all(group, "hanta")) for group in groups]
    assert list(stream.prepare_groups(groups, "hanta", processes)) == expected


def test_reading_stays_only_a_few_groups_ahead() -> None:
    read = 0

    def reader() -> Iterator[list[ImageRecord]]:
        nonlocal read
        for n in range(50):
            read += 1
            yield [record(f"{n}.jpg", "A man.")]

    groups = stream.prepare_groups(reader(), "hanta", 2)
    next(groups)
    assert read <= 6
    groups.close()


def test_groups_with_their_own_mentions_start_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("annotation.importing.processes.Processes.submit", fail)
    own = ImageRecord("a.jpg", (CaptionRecord(0, "A man .", ("A", "man", "."), ()),))
    [(_, [[prepared]])] = stream.prepare_groups([[own]], "hanta", 2)
    assert isinstance(prepared, PreparedCaption) and prepared.mentions == ()


def test_groups_are_bounded_in_bytes_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "PICTURES_AT_ONCE", 9)
    assert sizes([record(name, "x", picture=b"12345") for name in "abc"]) == [["a", "b"], ["c"]]


def test_pictures_are_not_sent_to_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[ImageRecord] = []

    def submit(self: Processes, records: list[ImageRecord]) -> Callable[[], Result]:
        sent.extend(records)
        return lambda: []

    monkeypatch.setattr(Processes, "submit", submit)
    ((group, _),) = stream.prepare_groups([[record("a", "x", picture=b"1")]], "hanta", 2)
    assert [one.picture for one in sent] == [None] and group[0].picture == b"1"
