"""The sentences of the language test."""

from __future__ import annotations

import pytest

from annotation.domain.answers import CampaignStage, parse_answer
from tests.workflows.questions.domain.natural_corrections import RIGHT, WRONG
from workflows.batch_settings.domain.quality_control import Screening
from workflows.batch_settings.domain.settings import parse_settings
from workflows.questions.domain.language_test import SENTENCES, Sentence, sentences_for
from workflows.questions.domain.right_answers import alternatives, corrects, is_right

EACH = [pytest.param(one, id=one.text) for of in SENTENCES.values() for one in of]


@pytest.mark.parametrize("sentence", EACH)
def test_a_sentence_is_wrong_as_it_stands_and_right_as_corrected(sentence: Sentence) -> None:
    assert not corrects(sentence.corrections, sentence.text)
    assert sentence.why and len(sentence.why) <= 60
    for correction in [one for each in sentence.corrections for one in alternatives(each)]:
        assert not corrects([sentence.text], correction), "no alternative is the mistake itself"
        # Only the first letter may be another one: German nouns have capitals.
        exact = parse_answer(CampaignStage.WRITING, {"caption": correction[0].lower() + correction[1:-1]})
        assert is_right(
            CampaignStage.WRITING,
            {"captions": list(sentence.corrections)},
            exact,
            box_iou=Screening().approval,
        )


@pytest.mark.parametrize("sentence", EACH)
def test_the_first_correction_is_what_workers_are_shown(sentence: Sentence) -> None:
    first, *others = sentence.corrections
    assert list(alternatives(first)) == [first]
    assert corrects(others, first)


def test_natural_corrections_are_right_and_other_answers_are_not() -> None:
    """They were written from the faulty sentences alone."""
    known = {one.text: one.corrections for of in SENTENCES.values() for one in of}
    assert sum(map(len, RIGHT.values())) >= 60 and sum(map(len, WRONG.values())) >= 60
    refused = [said for text, of in RIGHT.items() for said in of if not corrects(known[text], said)]
    accepted = [said for text, of in WRONG.items() for said in of if corrects(known[text], said)]
    assert (refused, accepted) == ([], [])


@pytest.mark.parametrize("sentence", EACH)
def test_one_word_or_so_is_wrong(sentence: Sentence) -> None:
    wrong, right = (set(text.strip(".").split()) for text in (sentence.text, sentence.corrections[0]))
    assert 1 <= len(right - wrong) <= 3 and len(wrong - right) <= 2


@pytest.mark.parametrize(("language", "tests"), [("en", 20), ("en-GB", 20), ("de", 20), ("fr", 0)])
def test_a_try_has_enough_sentences(language: str, tests: int) -> None:
    training, test = sentences_for(language)
    assert len(test) == tests and not {one.text for one in training} & {one.text for one in test}
    assert len(training) == (Screening().training_items if tests else 0)
    screening = parse_settings({"protocol": "captions"}).screening
    assert not tests or len(test) >= screening.test_items * screening.tries


def test_no_sentence_is_there_twice() -> None:
    texts = [one.text for of in SENTENCES.values() for one in of]
    assert len(texts) == len(set(texts))
