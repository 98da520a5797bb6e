"""docs/protocol.md, "Mentions", rule 3."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.types import NOTVISUAL, TYPES, dictionary, is_listed, singular, types_of

LISTS = (
    *TYPES,
    "colours",
    "colour_modifiers",
    "coloured_things",
    "pronouns",
    "nonvisual",
    "nonvisual_phrases",
    "quantities",
)


@pytest.mark.parametrize(
    ("chunk", "types"),
    [
        ("Two elderly , Welsh males", "people"),
        ("A troupe of masked Bolivian dancers", "people"),
        ("part of a choir", "people"),
        ("firemen", "people"),
        ("shaggy hair", "bodyparts"),
        ("her teeth", "bodyparts"),
        ("three wolves", "animals"),
        ("a police dog", "animals"),
        ("black apron", "clothing"),
        ("knitted headscarves", "clothing"),
        ("an acoustic guitar", "instruments"),
        ("a newspaper cart", "vehicles"),
        ("several buses", "vehicles"),
        ("a fire-truck", "vehicles"),
        ("the bonnet of a truck", "vehicles"),
        ("the cities", "scene"),
        ("outdoors", "scene"),
        ("Texas poker", "other"),
        ("four", "other"),
        ("a garden hose", "other"),
        ("yellow stars", "other"),
        ("a rock star", "people"),
        ("a stroller", "other"),
        ("backpacks", "clothing"),
        ("people of Welsh descent", "people"),
        ("a group of quokkas", "other"),
    ],
)
def test_the_head_noun_decides(chunk: str, types: str) -> None:
    assert types_of(chunk.split()) == (types,)


@pytest.mark.parametrize(
    ("chunk", "types"),
    [
        ("hot dogs", "other"),
        ("a teddy bear", "other"),
        ("fire hydrants", "other"),
        ("a baseball cap", "clothing"),
        ("a flower girl", "people"),
        ("a dog house", "other"),
        ("a life jacket", "clothing"),
    ],
)
def test_a_known_compound_goes_before_its_last_word(chunk: str, types: str) -> None:
    assert types_of(chunk.split()) == (types,)


@pytest.mark.parametrize(
    "chunk", ["blue", "Black", "dark blue", "all black", "red and white", "bright orange", "blue-green"]
)
def test_only_a_colour_is_clothing(chunk: str) -> None:
    assert types_of(chunk.split()) == ("clothing",)


@pytest.mark.parametrize(
    ("chunk", "types"),
    [
        ("the blue sky", ("scene",)),
        ("a white light", ("other",)),
        ("an orange", ("other",)),
        ("the orange", ("other",)),
        ("orange", ("clothing",)),
        ("navy", ("clothing",)),
        ("sky blue", ("clothing",)),
        ("the blue", ("clothing",)),
    ],
)
def test_a_colour_word_is_clothing_only_where_it_stands_for_clothing(
    chunk: str, types: tuple[str, ...]
) -> None:
    assert types_of(chunk.split()) == types


@pytest.mark.parametrize("chunk", ["a red ball", "orange juice", "the light", "all"])
def test_a_colour_beside_something_else_is_not_clothing(chunk: str) -> None:
    assert "clothing" not in types_of(chunk.split())


@pytest.mark.parametrize(
    ("chunk", "types"),
    [
        ("a man 's arm", ("bodyparts", "people")),
        ("the women ’s hair", ("bodyparts", "people")),
        ("a dog 's wet nose", ("bodyparts", "animals")),
        ("the girls ' feet", ("bodyparts", "people")),
        ("the robot 's arm", ("bodyparts",)),
        ("a man 's hat", ("clothing",)),
    ],
)
def test_a_body_part_has_its_possessors_types_too(chunk: str, types: tuple[str, ...]) -> None:
    assert types_of(chunk.split()) == types


@given(st.lists(st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), min_size=1, max_size=6))
def test_every_chunk_has_a_type_and_none_twice(tokens: list[str]) -> None:
    types = types_of(tokens)
    assert types and set(types) <= set(TYPES) and len(set(types)) == len(types)
    assert NOTVISUAL not in types


def test_a_word_of_two_dictionaries_has_both_types() -> None:
    assert types_of(["a", "diner"]) == ("people", "scene")
    assert types_of(["a", "lab"]) == ("animals", "scene")


def test_compounds_are_known_in_the_plural_too() -> None:
    assert is_listed("boy scouts") and is_listed("Boy Scout") and not is_listed("boy walks")


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        *(("women", "woman"), ("players", "player"), ("firemen", "fireman"), ("glasses", "glasses")),
        *(("boxes", "box"), ("quokkas", "quokka"), ("zwieses", "zwiese"), ("grass", "grass"), ("bus", "bus")),
    ],
)
def test_a_noun_has_a_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert singular(one) == one


@pytest.mark.parametrize("name", LISTS)
def test_dictionaries_hold_distinct_lower_case_entries_that_can_be_found(name: str) -> None:
    entries = dictionary(name)
    assert entries
    for entry in entries:
        assert entry == entry.lower() == " ".join(entry.split())
        assert len(entry.split()) <= 3, f"{entry!r} in {name} is longer than what is looked up"
        assert re.fullmatch(r"[\w'./ -]+", entry), f"{entry!r} in {name}"


def test_an_unknown_dictionary_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match="hats"):
        dictionary("hats")
