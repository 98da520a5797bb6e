"""Caption templates."""

import random

import pytest

from annotation.domain.records import MentionRecord
from simulation.scenes.captions import Topic, article, write_caption

TOPICS = {
    "man": Topic(1, ("people",), ("a man",), ("man",)),
    "arm": Topic(2, ("bodyparts",), ("a man 's arm|bodyparts/people",), ("man/arm",)),
    "beach": Topic(3, ("scene",), ("the beach",), scene=True),
    "fun": Topic(4, ("other",), ("fun",)),
}


def test_a_template_becomes_tokens_and_spans() -> None:
    caption = write_caption(
        2, "[man:the old man] waves on [beach] in [-:the air] .", TOPICS, random.Random(0)
    )
    assert caption.text == "The old man waves on the beach in the air ."
    assert caption.mentions == (
        MentionRecord(0, 3, ("people",), 1),
        MentionRecord(5, 7, ("scene",), 3),
        MentionRecord(8, 10, ("notvisual",), 0),
    )


def test_a_name_may_bring_types_of_its_own() -> None:
    caption = write_caption(0, "someone holds [arm] .", TOPICS, random.Random(0))
    assert caption.mentions == (MentionRecord(2, 6, ("bodyparts", "people"), 2),)


def test_naming_a_chain_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        write_caption(0, "[man] sees [man:himself] .", TOPICS, random.Random(0))


def test_naming_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="'dog'"):
        write_caption(0, "[dog] barks .", TOPICS, random.Random(0))


@pytest.mark.parametrize(
    ("key", "boxed", "scene", "nobndbox"),
    [("man", True, False, False), ("beach", False, True, False), ("fun", False, False, True)],
)
def test_flags_follow_from_what_can_be_seen(key: str, boxed: bool, scene: bool, nobndbox: bool) -> None:
    topic = TOPICS[key]
    assert (bool(topic.owners), topic.scene, topic.nobndbox) == (boxed, scene, nobndbox)


@pytest.mark.parametrize(("words", "told"), [("red hat", "a red hat"), ("orange hat", "an orange hat")])
def test_article(words: str, told: str) -> None:
    assert article(words) == told
