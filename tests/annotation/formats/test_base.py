from __future__ import annotations

import pytest

from annotation.domain.records import Problem
from annotation.formats.base import MAX_UNREADABLE, check_name, name_and_folder, one_error


@pytest.mark.parametrize(
    ("path", "name", "folder"),
    [
        ("a.jpg", "a.jpg", ""),
        ("./a.jpg", "a.jpg", ""),
        ("x/y/a.jpg", "a.jpg", "x/y"),
        ("/x/a.jpg", "a.jpg", "x"),
        ("x\\a.jpg", "a.jpg", "x"),
        ("../a.jpg", "../a.jpg", ""),
        ("x/../../a.jpg", "x/../../a.jpg", ""),
        ("http://x/a.jpg", "http://x/a.jpg", ""),
        ("x\n/a.jpg", "x\n/a.jpg", ""),
    ],
)
def test_a_path_has_a_name_and_a_folder_unless_it_could_lead_elsewhere(
    path: str, name: str, folder: str
) -> None:
    assert name_and_folder(path) == (name, folder)


@pytest.mark.parametrize("space", ["\u202f", "\xa0", "\u2009", "\u3000", " "])
def test_spaces_of_every_kind_are_in_names(space: str) -> None:
    assert check_name(f"10.32.07{space}AM.png") is None
    assert name_and_folder(f"my{space}photos/a.jpg") == ("a.jpg", f"my{space}photos")


@pytest.mark.parametrize(
    "name", ["a\n.jpg", "a\u200b.jpg", "a\u202e.jpg", "a\u2028.jpg", "a\0.jpg", ".a.jpg"]
)
def test_what_cannot_be_seen_is_in_no_name(name: str) -> None:
    wrong = check_name(name)
    assert wrong is not None and "is not a plain file name" in wrong


def problems(count: int, **fields: bool) -> list[int | Problem]:
    return [Problem("f", n + 1, f"bad {n}", "hint", **fields) for n in range(count)]


def test_a_file_of_which_nothing_can_be_read_is_one_problem() -> None:
    for given in ([*problems(MAX_UNREADABLE), 1], problems(MAX_UNREADABLE + 50)):
        said = f"none of its first {MAX_UNREADABLE} entries can be read: bad 0"
        (problem,) = one_error(given)
        assert isinstance(problem, Problem) and problem.whole
        assert problem == Problem("f", 1, said, "hint")
    (few,) = one_error(problems(3))
    assert "none of its first 3 entries can be read: bad 0" in str(few)


def test_problems_of_a_file_that_can_be_read_stay_as_they_are() -> None:
    for given in ([*problems(3), 1], [1, *problems(50)], problems(1), [*problems(MAX_UNREADABLE - 1), 1]):
        assert list(one_error(given)) == given


def test_what_is_wrong_with_the_whole_file_is_said_first() -> None:
    assert str(next(one_error([*problems(3), Problem("f", None, "damaged", whole=True)]))) == "f: damaged"
