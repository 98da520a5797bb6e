"""Types of a project's own: what they may be, and how they type mentions (docs/protocol.md, "Mentions")."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.mentions import describe
from annotation.domain.own_types import (
    MAX_TYPES,
    MAX_WORDS,
    TypesError,
    from_json,
    own_types,
    parse_types,
    to_json,
)
from annotation.domain.types import BUILT_IN, TYPES, OwnType, ProjectTypes, in_order, types_of

FOOD = OwnType("food", "Food", ("pizza", "hot dog", "orange", "player", "arm"))
MEALS = OwnType("a_meal", "Meal", ("pizza", "lunch", "grass"))
PROJECT = ProjectTypes(3, (FOOD, MEALS))


@pytest.mark.parametrize(
    ("chunk", "types"),
    [
        ("a slice of pizza", ("a_meal", "food")),  # two lists, by name
        ("three pizzas", ("a_meal", "food")),
        ("a hot dog", ("food",)),
        ("a dog", ("animals",)),  # the longest entry decides
        ("an orange", ("food",)),
        ("the orange", ("food",)),
        ("orange", ("clothing",)),  # a colour alone
        ("two players", ("food",)),  # moved from people
        ("a man 's arm", ("food",)),  # moved from bodyparts, so its possessor does not count
        ("a deep-dish-pizza", ("a_meal", "food")),
        ("a quokka", ("other",)),
        ("a lunch truck", ("vehicles",)),
        ("the grass", ("a_meal",)),
        ("green grass", ("scene",)),  # a longer entry of the built-in ones
    ],
)
def test_a_projects_words_move_from_the_built_in_types(chunk: str, types: tuple[str, ...]) -> None:
    assert types_of(chunk.split(), PROJECT) == types


def test_a_possessor_has_the_projects_types() -> None:
    assert types_of(["a", "player", "'s", "hand"], PROJECT) == ("bodyparts", "food")


def test_a_number_has_the_projects_type_of_the_persons_before_it() -> None:
    tokens = ["Three", "players", ",", "two", "in", "red"]
    assert describe(tokens, 3, 4).types == ("people",)
    assert describe(tokens, 3, 4, PROJECT).types == ("food",)


def test_without_types_of_its_own_a_project_has_the_eight() -> None:
    assert (BUILT_IN.names, BUILT_IN.version) == (TYPES, 0)
    assert PROJECT.names == (*TYPES, "a_meal", "food")
    assert in_order(["food", "scene", "a_meal", "people", "food"]) == ("people", "scene", "a_meal", "food")


def test_types_are_read_from_a_list_or_from_lines_and_stored() -> None:
    text = "Pizza\n\n  hot   dog  # as a compound\n# nothing\npizza\n"
    said = {"food": {"label": "  Things to  eat ", "words": text}, "toy_car": {"words": ["toy car"]}}
    found = parse_types(said)
    assert found == (
        OwnType("food", "Things to eat", ("pizza", "hot dog")),
        OwnType("toy_car", "toy car", ("toy car",)),
    )
    assert from_json(to_json(found)) == found
    assert parse_types({}) == ()


@pytest.mark.parametrize(
    ("data", "field", "message"),
    [
        ([], "", "There must be a table for each type."),
        ({"food": []}, "food", "must be a table with label and words"),
        ({"food": {"word": []}}, "food.word", "is not known here"),
        ({"Food": {"words": "pizza"}}, "Food.key", "must be 1 to 24 lower-case letters and _"),
        ({"_food": {"words": "pizza"}}, "_food.key", "beginning with a letter"),
        ({"f" * 25: {"words": "pizza"}}, f"{'f' * 25}.key", "must be 1 to 24 lower-case letters"),
        ({"": {"words": "pizza"}}, "key", "must be 1 to 24 lower-case letters"),
        ({"people": {"words": "nun"}}, "people.key", "is the name of a built-in type"),
        ({"notvisual": {"words": "air"}}, "notvisual.key", "is the name of a built-in type"),
        ({"food": {"label": "x" * 41, "words": "pizza"}}, "food.label", "has 41 characters, and may have 40"),
        ({"food": {"label": "a\nb", "words": "pizza"}}, "food.label", "without line breaks"),
        ({"food": {"label": 3, "words": "pizza"}}, "food.label", "must be a text"),
        ({"food": {"words": "# nothing"}}, "food.words", "must have at least one noun"),
        ({"food": {"words": 3}}, "food.words", "must be a list of nouns, or a text"),
        ({"food": {"words": ["pizza", 3]}}, "food.words", "must be a list of nouns, or a text"),
        ({"food": {"words": "pizza\n\na b c d"}}, "food.words, line 3", "has more than 3 words"),
        ({"food": {"words": ["pizza", "x" * 61]}}, "food.words, line 2", "has 61 characters"),
        ({"food": {"words": "pizza\n123"}}, "food.words, line 2", "'123' is no noun"),
        ({"food": {"words": ["a", "b", "\u200bx"]}}, "food.words, line 3", "is no noun"),
    ],
)  # fmt: skip
def test_an_error_names_the_type_the_field_and_the_line(data: Any, field: str, message: str) -> None:
    with pytest.raises(TypesError) as raised:
        parse_types(data)
    assert raised.value.field == field
    assert message in raised.value.message


def test_there_are_limits() -> None:
    keys = [f"type_{chr(97 + n)}" for n in range(MAX_TYPES + 1)]
    with pytest.raises(TypesError, match="There are 13 types, and a project may add 12"):
        own_types([(key, "", "pizza") for key in keys])
    assert len(own_types([(key, "", "pizza") for key in keys[:-1]])) == MAX_TYPES
    with pytest.raises(TypesError, match="has 2,001 nouns, and may have 2,000"):
        own_types([("food", "", [_noun(n) for n in range(MAX_WORDS + 1)])])
    with pytest.raises(TypesError, match=r"food\.key: is given twice"):
        own_types([("food", "", "pizza"), ("food", "", "lunch")])


def test_all_types_of_a_project_fit_into_a_mention() -> None:
    from annotation.models import Chain, Mention

    longest = "/".join([*TYPES, *("x" * 24 for _ in range(MAX_TYPES))])
    for model in (Mention, Chain):
        assert len(longest) <= (model._meta.get_field("types").max_length or 0)


def _noun(number: int) -> str:
    return "".join(chr(97 + int(digit)) for digit in str(number))
