from __future__ import annotations

import json
import re
from hashlib import sha256

import pytest

from annotation.domain.types import TYPES, dictionary, singular
from tests.shared import ROOT
from workflows.priors.domain import words
from workflows.priors.domain.words import FEATURES, SIMILARITY, compare, similarity, words_of


@pytest.mark.parametrize(
    ("text", "head", "plural", "gender", "age"),
    [
        ("A man", "man", False, "male", "adult"),
        ("two young guys", "guy", True, "male", "adult"),
        ("the boys", "boy", True, "male", "child"),
        ("his wife", "wife", False, "female", "adult"),
        ("her hand", "hand", None, "female", None),
        ("people", "people", True, None, None),
        ("a couple", "couple", True, None, None),
        ("jeans", "jeans", None, None, None),
        ("the street", "street", None, None, None),
        ("3 dogs", "dog", True, None, None),
    ],
)
def test_a_mention_says_number_gender_and_age(
    text: str, head: str, plural: bool | None, gender: str | None, age: str | None
) -> None:
    found = words_of(text)
    assert (found.head, found.plural, found.gender, found.age) == (head, plural, gender, age)


def test_what_two_mentions_have_in_common() -> None:
    assert compare(words_of("a man in red"), words_of("a man in red"))["same_words"] == 1
    found = compare(words_of("a red shirt"), words_of("the blue shirts"))
    assert found == {"same_head": 1, "overlap": 1 / 3, "number_differs": 1, "colour_differs": 1}
    assert compare(words_of("another dog"), words_of("a dog"))["another"] == 1
    assert set(SIMILARITY) == set(FEATURES)


@pytest.mark.parametrize(
    ("one", "nearer", "farther"),
    [
        ("a man", "an old man", "a woman"),
        ("a red shirt", "the shirt", "a blue shirt"),
        ("two women", "women", "a woman"),
        ("a little boy", "a child", "an old man"),
    ],
)
def test_similar_words_come_first(one: str, nearer: str, farther: str) -> None:
    assert similarity(one, nearer) > similarity(one, farther)
    assert similarity(one, nearer) == similarity(nearer, one)


def test_the_documentation_has_the_weights_of_the_code() -> None:
    text = (ROOT / "docs" / "priors.md").read_text(encoding="utf-8")
    table = text[text.index("## Similarity without a prior") :]
    found: dict[str, float] = {}
    for names, numbers in re.findall(r"^\| (`.+`) \| ([-.\d, ]+) \|$", table, re.MULTILINE):
        found |= dict(zip(re.findall(r"`(\w+)`", names), map(float, numbers.split(",")), strict=True))
    assert found == dict(SIMILARITY)


READ_BY_LAUNCHED_BATCHES = "084c0c5c946782e6"


def test_words_that_launched_batches_read_are_changed_knowingly() -> None:
    """A batch pins the weights of its prior, but not the lists that say which weights apply."""
    dictionaries = {name: sorted(dictionary(name)) for name in (*TYPES, "colours")}
    entries = sorted({word for entries in dictionaries.values() for word in entries})
    read = {
        "lists": {name: sorted(value) for name, value in vars(words).items() if isinstance(value, frozenset)},
        "dictionaries": dictionaries,
        "singulars": [[singular(word), singular(f"{word}s"), singular(f"{word}es")] for word in entries],
        "similarity": dict(SIMILARITY),
    }
    digest = sha256(json.dumps(read, sort_keys=True).encode()).hexdigest()[:16]
    assert digest == READ_BY_LAUNCHED_BATCHES, (
        "Batches that were launched with likely_first or posterior, finished ones too, read these words at "
        "every step: the same answers may now lead to other questions and chains. docs/changing.md says what "
        f"to do (the row about word lists). If this is what you want, put {digest} here."
    )
