from __future__ import annotations

import pytest

from workflows.jobs.domain.archives import MAX_ENTRIES, SMALL, ArchiveError, Entry, check_entries


def check(*entries: Entry, most_bytes: int = 10_000_000_000) -> int:
    return check_entries(entries, most_bytes=most_bytes)


def test_a_plain_corpus_is_fine() -> None:
    names = ("set/", "set/Sentences/1.txt", "set/images/größe 1.jpg", "captions.token.gz")
    assert check(*(Entry(name, 1000, 900) for name in names)) == 4000


@pytest.mark.parametrize(
    "name",
    [
        *("/etc/passwd", "../a", "a/../../b", "..", "C:\\a", "c:/a", "a\\..\\b", "", "a//b", "./a", "a\0b"),
        *("a\n", "x" * 256, "a/" * 11 + "b", "//a"),
    ],
)
def test_no_path_leads_out_or_is_odd(name: str) -> None:
    with pytest.raises(ArchiveError):
        check(Entry(name, 1, 1))


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (Entry("a.txt", 1, 1, link=True), "link"),
        (Entry("a.txt", 1, 1, encrypted=True), "password"),
        (Entry("deep/inner.ZIP", 1, 1), "holds the archive"),
        (Entry("zeros.txt", 500_000_000, 500_000), "times as large as packed"),
        (Entry("zeros.txt", 500_000_000, 0), "times as large as packed"),
    ],
)
def test_what_is_odd_is_named(entry: Entry, says: str) -> None:
    with pytest.raises(ArchiveError, match=says) as refused:
        check(entry)
    assert entry.name in str(refused.value)


def test_the_whole_is_bounded_in_bytes_and_in_files() -> None:
    with pytest.raises(ArchiveError, match="more than 2,000 bytes"):
        check(Entry("a", 1500, 1500), Entry("b", 501, 501), most_bytes=2000)
    with pytest.raises(ArchiveError, match="more than 250,000 files"):
        check_entries((Entry(str(n), 0, 0) for n in range(MAX_ENTRIES + 1)), most_bytes=1)
    with pytest.raises(ArchiveError, match="twice"):
        check(Entry("a", 1, 1), Entry("a", 1, 1))


def test_many_small_files_are_no_way_around_the_ratio() -> None:
    with pytest.raises(ArchiveError, match="files are more than 200 times as large as packed"):
        check(*(Entry(f"{number}.txt", SMALL, SMALL // 1000) for number in range(40)))
    assert check(*(Entry(f"{number}.txt", SMALL // 40, 1) for number in range(40))) <= SMALL
