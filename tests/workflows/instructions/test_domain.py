from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows.instructions.domain import (
    MAX_EXAMPLES,
    MAX_TEXT_LENGTH,
    Content,
    InstructionsError,
    Photograph,
    from_json,
    parse_content,
    to_json,
    with_photographs,
)

EXAMPLE: dict[str, Any] = {
    "image": 7,
    "view": [10, 10, 110, 90],
    "boxes": [[20, 20, 60, 60]],
    "good": False,
    "words": ["a dog"],
    "why": {"en": "Its tail is outside."},
}


def example(**changes: Any) -> dict[str, Any]:
    return {"examples": [{**EXAMPLE, **changes}]}


def test_what_was_sent_is_stored_and_read_again() -> None:
    content = parse_content({"texts": {"en": "Look well."}, **example()}, "drawing")
    content = with_photographs(content, {7: Photograph("p/a.jpg", 200, 100)})
    assert from_json(to_json(content)) == content
    assert content.examples[0].file == "p/a.jpg"
    assert parse_content({}, "link") == Content()
    assert parse_content({}, "link").is_built_in


def test_texts_keep_their_lines_and_nothing_that_cannot_be_seen() -> None:
    text = "  Look.\r\n\r\n\r\n\r\n- One \x00\u0007 \n-  Two\ud800  \n"
    content = parse_content({"texts": {"en": text, "de": " \n "}}, "link")
    assert content.texts == {"en": "Look.\n\n- One\n-  Two"}
    why = {"de": "Zu\nweit."}
    assert parse_content(example(why=why), "quality").examples[0].why == {"de": "Zu weit."}


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], ""),
        ({"text": {}}, "text"),
        ({"texts": "Look"}, "texts"),
        ({"texts": {"fr": "Regardez"}}, "texts.fr"),
        ({"texts": {"en": 3}}, "texts.en"),
        ({"texts": {"en": "x" * (MAX_TEXT_LENGTH + 1)}}, "texts.en"),
        ({"usual_examples": "no"}, "usual_examples"),
        ({"examples": [EXAMPLE] * (MAX_EXAMPLES + 1)}, "examples"),
        (example(image="7"), "examples[0].image"),
        (example(image=2**63), "examples[0].image"),
        (example(view=[10, 10, 20, 90]), "examples[0].view"),
        (example(view=[10.5, 10, 110, 90]), "examples[0].view"),
        (example(view=[110, 10, 10, 90]), "examples[0].view"),
        (example(boxes=[[0, 20, 60, 60]]), "examples[0].boxes[0]"),
        (example(boxes=[[20, 20, 60, 60]] * 2), "examples[0].boxes"),
        (example(good=None), "examples[0].good"),
        (example(words=["x" * 81]), "examples[0].words[0]"),
        (example(words=["x"] * 7), "examples[0].words"),
        (example(why={}), "examples[0].why"),
        (example(why={"en": "x" * 241}), "examples[0].why.en"),
        (example(html="<b>"), "examples[0].html"),
    ],
)
def test_an_error_names_the_field_that_is_wrong(data: Any, field: str) -> None:
    with pytest.raises(InstructionsError) as error:
        parse_content(data, "quality")
    assert error.value.field == field


def test_a_stage_that_shows_no_box_has_none_in_its_examples() -> None:
    with pytest.raises(InstructionsError, match="must be empty in this stage"):
        parse_content(example(), "link")
    assert len(parse_content(example(boxes=[[20, 20, 60, 60]] * 8), "coverage").examples[0].boxes) == 8


@pytest.mark.parametrize(
    ("photographs", "field"),
    [
        ({}, "examples[0].image"),
        ({7: Photograph("p/a.jpg", 109, 100)}, "examples[0].view"),
        ({7: Photograph("p/a.jpg", 110, 89)}, "examples[0].view"),
    ],
)
def test_examples_are_cut_from_photographs_that_are_there(
    photographs: dict[int, Photograph], field: str
) -> None:
    with pytest.raises(InstructionsError) as error:
        with_photographs(parse_content(example(), "quality"), photographs)
    assert error.value.field == field


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries({}, optional={"texts": _JSON, "examples": _JSON, "usual_examples": _JSON})
    | st.builds(lambda name, value: example(**{name: value}), st.sampled_from(sorted(EXAMPLE)), _JSON)
)
def test_whatever_is_sent_is_either_read_or_refused(data: Any) -> None:
    try:
        content = parse_content(data, "quality")
    except InstructionsError:
        return
    assert from_json(to_json(content)) == content
