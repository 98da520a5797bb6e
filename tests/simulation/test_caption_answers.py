"""What simulated workers write, and what they say about captions."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from annotation.languages import foreign_language
from annotation.misspellings import misspelt_words
from simulation.caption_answers import FOREIGN, PASTED, meant, misspell
from simulation.characters import CARELESS, CARELESS_JUDGES, CARELESS_WRITERS, Character, Kind, mixed_crowd
from simulation.questions import Question
from simulation.truth import Truth

OWN = ("A man in a yellow jacket throws a stick .", "A dog runs after a wooden stick .")
OTHER = ("Two women drink coffee outside .",)
TRUTH = Truth(captions={1: OWN, 2: OTHER}, corrections={"A dog run .": "A dog runs ."})


def say(kind: Kind, stage: str, *captions: str, image: int = 1, correct: str | None = None) -> Any:
    question = Question(image, (), captions=captions, correct=correct)
    return Character(kind).answer(stage, question, TRUTH, 0, Random(5))


def test_an_honest_writer_describes_the_photograph() -> None:
    assert say(Kind.HONEST, "writing")["caption"] in OWN
    assert say(Kind.SLEEPER, "writing")["caption"] in OWN


def test_each_careless_writer_writes_in_their_way() -> None:
    assert say(Kind.RANDOM, "writing")["caption"] in OTHER, "of another photograph"
    assert say(Kind.COPIER, "writing") == say(Kind.COPIER, "writing", image=2) == {"caption": PASTED}
    assert say(Kind.FOREIGN, "writing")["caption"] in FOREIGN
    assert misspelt_words(say(Kind.MISSPELLER, "writing")["caption"], "en")


def test_what_careless_writers_write_is_what_the_rules_look_for() -> None:
    assert all(foreign_language(text, "en") == "de" for text in FOREIGN)
    assert all(misspelt_words(misspell(text, Random(3)), "en") for text in (*OWN, *OTHER))


def test_the_language_test_is_passed_by_those_who_can_spell() -> None:
    for kind in (Kind.HONEST, Kind.COPIER, Kind.FOREIGN, Kind.RANDOM):
        assert say(kind, "writing", correct="A dog run .") == {"caption": "A dog runs ."}
    wrong = say(Kind.HONEST, "writing", correct="A cat run .")["caption"]
    assert wrong != "A cat run .", "what is not corrected cannot be sent"


@pytest.mark.parametrize(
    ("caption", "check", "grade", "describes"),
    [
        (OWN[0], "right", 4, True),
        (misspell(OWN[0], Random(1)), "minor", 3, True),
        (OTHER[0], "wrong", 1, False),
    ],
)
def test_honest_judges_know_what_describes_the_photograph(
    caption: str, check: str, grade: int, describes: bool
) -> None:
    assert say(Kind.HONEST, "caption_check", caption) == {"caption": check}
    assert say(Kind.HONEST, "grading", caption) == {"grade": grade}
    assert say(Kind.HONEST, "relevance", caption, OWN[1]) == {"describes": [describes, True]}
    assert meant(caption, OWN) == (OWN[0] if describes else None)


def test_spammers_judge_without_reading() -> None:
    assert say(Kind.ALWAYS_YES, "relevance", *OTHER, *OTHER) == {"describes": [True, True]}
    assert say(Kind.ALWAYS_YES, "caption_check", *OTHER) == {"caption": "right"}
    assert say(Kind.ALWAYS_YES, "grading", *OTHER) == {"grade": 4}
    assert len(say(Kind.RANDOM, "relevance", *OTHER, *OTHER)["describes"]) == 2
    assert say(Kind.RANDOM, "grading", *OTHER)["grade"] in range(1, 5)


@pytest.mark.parametrize(
    ("kind", "ticked"), [(Kind.ONE_TICK, 1), (Kind.TWO_TICKS, 2), (Kind.FIRST_CAPTION, 1)]
)
def test_those_who_tick_do_not_look(kind: Kind, ticked: int) -> None:
    said = say(kind, "relevance", *OTHER, *OTHER, *OWN[:2])["describes"]
    assert (sum(said), len(said)) == (ticked, 4)
    assert said[0] or kind != Kind.FIRST_CAPTION
    assert say(kind, "grading", *OTHER)["grade"] in range(1, 5), "elsewhere at random"
    assert kind in CARELESS_JUDGES


def test_a_crowd_of_writers_has_the_kinds_of_careless_writers() -> None:
    kinds = {one.kind for one in mixed_crowd(16, 0.25, 1, CARELESS_WRITERS)}
    assert kinds == {Kind.HONEST, *CARELESS_WRITERS}
    assert not set(CARELESS) & {Kind.COPIER, Kind.FOREIGN, Kind.MISSPELLER}
