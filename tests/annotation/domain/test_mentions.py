"""docs/protocol.md, "Words" and "Mentions"."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.mentions import Described, Mention, annotatable, describe, head_of, representative
from tests.shared import ROOT


def mention(text: str, *, caption: int = 0, start: int = 0, number: int = 1) -> Mention:
    return Mention(number, caption, start, start + len(text.split()), text, ("other",))


MENTIONS = st.builds(
    mention,
    st.lists(st.sampled_from(["a", "red", "dog", "elephant"]), min_size=1, max_size=4).map(" ".join),
    caption=st.integers(0, 4),
    start=st.integers(0, 9),
    number=st.integers(1, 99),
)


def test_the_head_is_the_last_word_in_lower_case() -> None:
    assert mention("The Dogs").head == "dogs"
    assert head_of("A group of Friends") == "friends"


def test_most_tokens_make_the_representative() -> None:
    short, long = mention("extraordinarily tall"), mention("a tall man", number=2)
    assert representative([short, long]) == long


def test_then_most_characters() -> None:
    short, long = mention("a man"), mention("a woman", caption=3, number=2)
    assert representative([short, long]) == long


def test_then_the_earliest_caption_and_place() -> None:
    chain = [
        mention("a man", caption=2),
        mention("a dog", caption=1, start=5),
        mention("a cat", caption=1, start=3),
    ]
    assert representative(chain) == chain[2]


# Two mentions never begin at the same place of a caption.
PLACES = st.lists(MENTIONS, min_size=1, max_size=8, unique_by=lambda m: (m.caption, m.start))


@given(PLACES, st.randoms(use_true_random=False))
def test_the_representative_does_not_depend_on_order(chain: list[Mention], rng: Random) -> None:
    shuffled = chain.copy()
    rng.shuffle(shuffled)
    assert representative(shuffled) == representative(chain)


def test_a_chain_without_mentions_has_no_representative() -> None:
    with pytest.raises(ValueError, match="empty"):
        representative([])


@pytest.mark.parametrize(
    "chunk", ["he", "She", "THEM", "himself", "each other", "One another", "who", "what", "whatever"]
)
def test_pronouns_are_no_mentions(chunk: str) -> None:
    assert not annotatable(chunk.split())


def test_what_the_page_counts_as_pronouns_is_no_mention() -> None:
    page = " ".join((ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split())
    said = re.search(r"interrogative ones\. (.+?) alone count as pronouns, too", page)
    assert said
    words = [word.strip() for one in re.findall(r"\*([^*]+)\*", said[1]) for word in one.split(",")]
    assert words == [
        "This",
        "that",
        "these",
        "those",
        "there",
        "one",
        "ones",
        "another",
        "the other",
        "others",
    ]
    assert not any(annotatable(word.split()) for word in words)


@pytest.mark.parametrize(
    "chunk", ["the background", "Background", "the air", "midair", "mid air", "The distance"]
)
def test_frequent_nonvisual_terms_are_no_mentions(chunk: str) -> None:
    assert not annotatable(chunk.split())


@pytest.mark.parametrize(
    "chunk",
    [
        *(
            "a man",
            "someone",
            "something",
            "two",
            "other people",
            "their hands",
            "fun",
        ),
        *("a white top", "a brick wall background", "the top of a hill", "an air mattress"),
    ],
)
def test_every_other_chunk_is_a_mention(chunk: str) -> None:
    assert annotatable(chunk.split())


WORDS = st.sampled_from(["the", "left", "of", "side", "image", "frame", "2", "feet", "size", "safe"])


@given(st.lists(WORDS, min_size=1))
def test_any_words_may_be_a_chunk(words: list[str]) -> None:
    assert annotatable(words) in (True, False)


def test_a_chunk_may_end_with_of() -> None:
    assert annotatable(["the", "left", "of"])
    assert not annotatable(["the", "left", "of", "the", "image"])


@pytest.mark.parametrize("frame", ["bed", "picture", "door", "window"])
def test_only_a_frame_without_a_name_is_that_of_the_image(frame: str) -> None:
    assert annotatable(f"the side of the {frame} frame".split())
    assert annotatable(f"the top of a {frame} frame".split())
    assert not annotatable(["the", "left", "side", "of", "the", "frame"])


@pytest.mark.parametrize(
    "chunk",
    ["2 feet", "12 pieces", "2 yards", "the second", "a second", "Gun safe", "Metal safe", "the 2 feet"],
)
def test_things_are_no_measures(chunk: str) -> None:
    assert annotatable(chunk.split())


@pytest.mark.parametrize(
    "chunk",
    [
        *("2 ft", "10 x 12 feet", "5 feet 10 inches", "two seconds", "next second", "the last minute"),
        *("Dishwasher safe", "microwave safe", "9PM", "9pm", "9:30 p.m.", "10 AM", "6 inches", "20cm"),
    ],
)
def test_measures_and_times_are_no_mentions(chunk: str) -> None:
    assert not annotatable(chunk.split())


@pytest.mark.parametrize("after", ["p.m.", "PM"])
def test_an_hour_is_no_mention(after: str) -> None:
    assert not annotatable(["9"], "at", after)
    assert annotatable(["9"], "at", "nuns")


@pytest.mark.parametrize("after", ["long", "Tall", "of"])
def test_feet_are_a_measure_before_a_word_of_extent(after: str) -> None:
    assert not annotatable(["2", "feet"], "", after)


@pytest.mark.parametrize("chunk", ["one", "the other", "Others", "another one", "one of them", "their way"])
def test_what_refers_back_is_no_mention(chunk: str) -> None:
    assert not annotatable(chunk.split())


@pytest.mark.parametrize(
    ("before", "chunk"), [("at", "night"), ("In", "public"), ("in", "line"), ("at", "the same time")]
)
def test_a_fixed_phrase_is_no_mention_but_its_noun_is(before: str, chunk: str) -> None:
    assert not annotatable(chunk.split(), before)
    assert annotatable(chunk.split()) and annotatable(chunk.split(), "behind")


def test_a_number_has_the_types_of_the_persons_or_animals_before_it() -> None:
    caption = "Three nuns in hats , two with a dog and both of them asleep"
    tokens = caption.split()
    assert describe(tokens, 5, 6).types == ("people",)
    assert describe(tokens, 10, 13) == Described("both of them", "them", ("animals",), True)
    assert describe(["Four", "stand"], 0, 1).types == ("other",)


@pytest.mark.parametrize("chunk", ['"', "- -", "..."])
def test_stray_marks_are_no_mentions(chunk: str) -> None:
    assert not annotatable(chunk.split())


def test_describe_says_all_that_is_stored_of_a_chunk() -> None:
    tokens = ["She", "holds", "a", "man", "'s", "Arm", "in", "the", "air", "."]
    assert describe(tokens, 2, 6) == Described("a man 's Arm", "arm", ("bodyparts", "people"), True)
    assert describe(tokens, 7, 9) == Described("the air", "air", ("other",), False)
    assert describe(tokens, 0, 1).annotatable is False


@pytest.mark.parametrize(("start", "end"), [(1, 1), (2, 1), (-1, 1), (0, 4)])
def test_a_span_outside_the_caption_is_refused(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"span {start}:{end} .* 3 tokens"):
        describe(["a", "red", "dog"], start, end)
