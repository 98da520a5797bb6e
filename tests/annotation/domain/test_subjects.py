from __future__ import annotations

import pytest

from annotation.domain.subjects import Subject, subject_before

TAGS = {
    **dict.fromkeys(("a", "the"), "AT0"),
    **dict.fromkeys(("two", "several"), "CRD"),
    **dict.fromkeys(("man", "nun", "suit", "group", "dog"), "NN1"),
    **dict.fromkeys(("men", "nuns"), "NN2"),
    **dict.fromkeys(("old", "red"), "AJ0"),
    **dict.fromkeys(("in", "as", "to"), "PRP"),
    **dict.fromkeys(("watch", "listening"), "VVB"),
    **{"and": "CJC", "of": "PRF", "while": "CJS", ",": "PUN", "colorfully": "AV0", "clothed": "VVN"},
}


def before_the_end(text: str) -> Subject:
    words = text.split()
    return subject_before(words, [TAGS[word] for word in words], len(words), lambda word: word != "suit")


@pytest.mark.parametrize(
    "text",
    [
        "a man",
        "a suit , a man",
        "a man in a suit while a nun",
        "two men as the old man",
        "a colorfully clothed nun",
    ],
)
def test_it_leads_at_the_beginning_of_a_clause(text: str) -> None:
    assert before_the_end(text).leads


@pytest.mark.parametrize("text", ["a man in a suit", "a nun watch a man"])
def test_it_does_not_lead_after_a_preposition_or_a_verb(text: str) -> None:
    assert not before_the_end(text).leads


@pytest.mark.parametrize(
    ("text", "perceived"), [("watch a man", True), ("listening to a man", True), ("to a man", False)]
)
def test_who_is_watched_needs_no_ending(text: str, perceived: bool) -> None:
    assert before_the_end(text).perceived is perceived


@pytest.mark.parametrize(
    ("text", "one", "plural", "incomplete"),
    [
        ("a man", True, False, False),
        ("the man", False, False, False),
        ("two men", False, True, False),
        ("a man and a nun", False, True, False),
        ("a group", False, None, False),
        ("a group of men", False, None, False),
        ("several dog", False, None, True),
    ],
)
def test_it_has_a_number(text: str, one: bool, plural: bool | None, incomplete: bool) -> None:
    found = before_the_end(text)
    assert (found.one, found.plural, found.incomplete) == (one, plural, incomplete)


def test_nothing_before_a_word_is_no_subject_of_a_number() -> None:
    found = before_the_end("in")
    assert (found.leads, found.one, found.plural) == (False, False, None)
