from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.image_names import HALF_DAY, LinkedPhotograph, alias_of, image_of, link_to, read_link
from tests.factories import NOW

FILE = "corpus/1000092795.jpg"
IDS = st.integers(0, 2**63 - 1)
NAMES = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=300)


@given(image=IDS, worker=IDS)
def test_an_alias_is_read_again(image: int, worker: int) -> None:
    assert image_of(alias_of(image, worker_id=worker)) == image


@given(file=NAMES, worker=IDS)
def test_a_link_is_read_again(file: str, worker: int) -> None:
    found = read_link(link_to(file, worker_id=worker, now=NOW), now=NOW)
    assert found is not None and found.file == file


def test_nothing_is_the_same_for_two_workers() -> None:
    links = {link_to(FILE, worker_id=worker, now=NOW) for worker in range(500)}
    aliases = {alias_of(7, worker_id=worker) for worker in range(500)}
    assert len(links) == len(aliases) == 500
    for names in (links, aliases):
        assert {len(name) for name in names} == {len(next(iter(names)))}
        starts = {name[:6] for name in names}
        assert len(starts) == 500, "a part that is the same would tell"


def test_a_link_tells_neither_the_name_nor_how_long_it_is() -> None:
    lengths = {len(link_to(f"p/{'n' * letters}.jpg", worker_id=1, now=NOW)) for letters in range(1, 43)}
    assert len(lengths) == 1
    assert "1000092795" not in link_to(FILE, worker_id=1, now=NOW)


def test_a_link_stays_for_half_a_day_and_works_for_at_least_a_day() -> None:
    start = NOW - timedelta(seconds=NOW.timestamp() % HALF_DAY)
    link = link_to(FILE, worker_id=1, now=start)
    assert link_to(FILE, worker_id=1, now=start + timedelta(seconds=HALF_DAY - 1)) == link
    last = start + timedelta(seconds=HALF_DAY)
    assert link_to(FILE, worker_id=1, now=last) != link
    assert read_link(link, now=last) == LinkedPhotograph(FILE, 86_400)
    assert read_link(link, now=last + timedelta(seconds=86_399)) == LinkedPhotograph(FILE, 1)
    assert read_link(link, now=last + timedelta(seconds=86_400)) is None


def test_a_link_that_was_changed_anywhere_leads_nowhere() -> None:
    link = link_to(FILE, worker_id=1, now=NOW)
    for place, letter in enumerate(link):
        other = "A" if letter != "A" else "B"
        assert read_link(link[:place] + other + link[place + 1 :], now=NOW) is None, place
        assert read_link(link[:place] + link[place + 1 :], now=NOW) is None, place


@pytest.mark.parametrize("more", ["=", "A", "AAAA", "!", "\n", " ", "é", "/", "/.."])
def test_a_link_has_one_spelling(more: str) -> None:
    link = link_to(FILE, worker_id=1, now=NOW)
    assert read_link(link + more, now=NOW) is None and read_link(more + link, now=NOW) is None


@given(st.text(max_size=300) | st.from_regex(r"[A-Za-z0-9_-]*", fullmatch=True))
def test_no_other_text_is_a_name_of_ours(text: str) -> None:
    assert read_link(text, now=NOW) is None
    with pytest.raises(ValueError, match="is not an alias"):
        image_of(text)


def test_a_text_of_any_length_is_refused() -> None:
    assert read_link("A" * 10_000_000, now=NOW) is None


def test_an_alias_is_no_link_and_a_link_no_alias() -> None:
    assert read_link(alias_of(7, worker_id=1), now=NOW) is None
    with pytest.raises(ValueError, match="is not an alias"):
        image_of(link_to(FILE, worker_id=1, now=NOW))


def test_names_made_with_the_key_before_are_read_while_it_is_among_the_fallbacks(settings: Any) -> None:
    before = settings.SECRET_KEY
    link, alias = link_to(FILE, worker_id=1, now=NOW), alias_of(7, worker_id=1)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another " * 8, ["a third " * 8, before]
    found = read_link(link, now=NOW)
    assert found is not None and (found.file, image_of(alias)) == (FILE, 7)
    assert link_to(FILE, worker_id=1, now=NOW) != link
    settings.SECRET_KEY_FALLBACKS = []
    assert read_link(link, now=NOW) is None
