"""A prior is fitted on captions alone, and tells things apart of which it was never told."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest

from annotation.domain.mentions import Mention, admissible
from tests.workflows.priors.domain.captions import worded_images
from workflows.priors.domain.assessment import assess, auc, known_pairs
from workflows.priors.domain.fit import fit_text_prior
from workflows.priors.domain.prior import (
    SUREST,
    ErrorRates,
    LinkAnswers,
    Prior,
    ScoreWeights,
    TextPrior,
    TooFewPairsError,
    error_rates,
    from_json,
    probability,
)

IMAGES = worded_images(150)


@pytest.fixture(scope="module")
def fitted() -> TextPrior:
    return fit_text_prior([mentions for mentions, _ in IMAGES])[0]


def known(
    images: list[tuple[list[Mention], dict[int, tuple[str, int]]]],
) -> list[tuple[Mention, Mention, bool]]:
    return [
        (a, b, truth[a.id] == truth[b.id])
        for mentions, truth in images
        for a, b in combinations(mentions, 2)
        if admissible(a, b)
    ]


def test_it_tells_things_apart_in_captions_it_has_not_seen(fitted: TextPrior) -> None:
    found = assess(fitted, known(worded_images(60, seed=2)))
    assert found.auc is not None and found.auc > 0.95
    for one in found.bins:
        if one.pairs > 150:
            assert one.predicted == pytest.approx(one.same, abs=0.12), "what it says is what happens"


def test_it_finds_how_many_pairs_are_the_same_thing() -> None:
    pairs = known(IMAGES)
    _, on = fit_text_prior([mentions for mentions, _ in IMAGES])
    assert on.across == len(pairs) and on.images == 150
    assert on.same == pytest.approx(sum(same for *_, same in pairs) / len(pairs), abs=0.05)


def test_a_type_of_the_projects_own_has_a_weight() -> None:
    """Words are the same, so that the type's is the weight that `people` has otherwise."""
    images = [
        [replace(one, types=("food",)) if one.types == ("people",) else one for one in mentions]
        for mentions, _ in IMAGES
    ]
    own, _ = fit_text_prior(images)
    theirs, _ = fit_text_prior([mentions for mentions, _ in IMAGES])
    assert own.weights["type.food"] == pytest.approx(theirs.weights["type.people"], abs=1e-3)
    assert own.weights["type.people"] == pytest.approx(0)
    assert "type.food" not in theirs.weights


def test_different_words_for_one_thing_count_for_it(fitted: TextPrior) -> None:
    man, guy, woman = (
        Mention(n, n, 0, 2, text, ("people",)) for n, text in enumerate(("a man", "a guy", "a woman"))
    )
    assert fitted.log_odds(man, guy) > fitted.log_odds(man, woman)
    assert fitted.log_odds(man, guy) == fitted.log_odds(guy, man)
    assert abs(fitted.log_odds(man, man)) <= SUREST


def test_log_odds_are_added_exactly() -> None:
    """Python adds floats in another way since 3.12. What is asked must not depend on the version."""
    weights = {
        "intercept": 1e100,
        "same_words": 1e50,
        "same_head": 1,
        "overlap": -1e50,
        "type.people": -1e100,
    }
    man = Mention(0, 0, 0, 2, "man", ("people",))
    assert TextPrior(weights, {}).log_odds(man, man) == 1
    third = TextPrior({"intercept": 1 / 3}, {})
    assert third.log_odds(man, man) == 0.333333333


def test_the_same_captions_give_the_same_prior(fitted: TextPrior) -> None:
    again = fit_text_prior([mentions for mentions, _ in IMAGES])[0]
    assert again == fitted
    prior = Prior(fitted, ErrorRates(0.1, 0.2))
    assert from_json(json.loads(json.dumps(prior.to_json()))) == prior


def test_too_few_captions_are_an_error_that_counts_them() -> None:
    with pytest.raises(TooFewPairsError, match=r"have \d+ pairs .* at least 20 of each"):
        fit_text_prior([IMAGES[0][0]])
    with pytest.raises(TooFewPairsError):
        fit_text_prior([])


def test_scores_are_another_format_and_a_prior_of_words_keeps_its_own() -> None:
    words = Prior(TextPrior({"intercept": 1.0}, {}))
    assert words.to_json()["format"] == 1 and "scores" not in words.to_json()
    scored = replace(words, scores=ScoreWeights(3, -1.25, 0.5))
    stored = json.loads(json.dumps(scored.to_json()))
    assert (stored["format"], stored["scores"]) == (2, {"set": 3, "added": -1.25, "times": 0.5})
    assert from_json(stored) == scored and from_json(json.loads(json.dumps(words.to_json()))) == words
    told = replace(scored, of_pairs={(1, 2): 0.5})
    assert told.to_json() == scored.to_json(), "scores of pairs are in their set"


def test_a_score_is_of_two_mentions_and_without_one_the_words_count() -> None:
    one, other, third = (Mention(n, n, 0, 2, "a man", ("people",)) for n in (2, 1, 3))
    text = TextPrior({"intercept": 1.0}, {})
    prior = Prior(text, scores=ScoreWeights(1, -2.0, 3.0), of_pairs={(1, 2): 0.5})
    assert prior.log_odds(one, other) == prior.log_odds(other, one) == 0.5
    assert prior.log_odds(one, third) == text.log_odds(one, third) == 1.0
    assert Prior(text, of_pairs={(1, 2): 0.5}).log_odds(one, other) == 1.0
    for score, most in ((1e308, SUREST), (-1e308, -SUREST)):
        assert replace(prior, of_pairs={(1, 2): score}).log_odds(one, other) == most


def test_another_format_is_not_read() -> None:
    with pytest.raises(ValueError, match="format 3"):
        from_json({"format": 3})


def test_error_rates_begin_at_the_papers_and_move_with_answers() -> None:
    assert error_rates(LinkAnswers()) == ErrorRates(0.047, 0.0492)
    few = error_rates(LinkAnswers(same=10, missed=1))
    assert 0.047 < few.missed < 0.055 and few.invented == 0.0492
    many = error_rates(LinkAnswers(same=5000, missed=1000, different=5000, invented=0))
    assert many.missed == pytest.approx(0.2, abs=0.01) and 0 < many.invented < 0.003
    assert many.for_yes > 0 > many.for_no


def test_auc_is_how_often_a_pair_that_is_the_same_scores_higher() -> None:
    assert auc([(0.9, True), (0.5, False), (0.4, True)]) == 0.5
    assert auc([(0.5, True), (0.5, False)]) == 0.5
    assert auc([(0.9, True), (0.1, False)]) == 1
    assert auc([(0.9, True)]) is None


def test_known_pairs_are_those_that_may_be_asked_about() -> None:
    mentions = [Mention(n, n // 2, n, n + 1, "x", ("other",)) for n in range(4)]
    pairs = [(a.id, b.id, same) for a, b, same in known_pairs(mentions, {0: 7, 1: 8, 2: 7})]
    assert pairs == [(0, 2, True), (1, 2, False)]


def test_log_odds_become_probabilities_without_overflow() -> None:
    assert probability(0) == 0.5
    assert probability(-1000) == 0
    assert probability(1000) == 1
