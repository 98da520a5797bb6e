"""`likely_first` and `posterior`: what they ask next, when they stop, and what a replay sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.mentions import Mention
from tests.workflows.pipeline.domain.image_builder import Same, by_truth, images, mention
from tests.workflows.priors.domain.captions import worded_images
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.link_courses import (
    CERTAINTIES,
    MAX_TIMES,
    Course,
    _shares,
    groups_by_type,
    play,
    posterior,
)
from workflows.pipeline.domain.link_courses import likely_first as likely_first_course
from workflows.pipeline.domain.link_strategies import ImageLinks, Link, likely_first, outvoted, strategy_of
from workflows.priors.domain.fit import fit_text_prior
from workflows.priors.domain.prior import Prior, TextPrior

UNKNOWN = Prior(TextPrior({}, {}))
"""A prior that words say nothing to."""
COURSES = {
    "likely_first": likely_first_course,
    **{
        f"{name} {yes}": posterior(UNKNOWN, certainty, human_yes=yes)
        for name, certainty in CERTAINTIES.items()
        for yes in (False, True)
    },
}
names = st.sampled_from(sorted(COURSES))


def ask(
    name: str, mentions: list[Mention], answers: list[bool]
) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Give these answers, then only *no*. Return the pairs in the order they were asked, and the chains."""
    votes: dict[tuple[int, int], list[bool]] = {}
    asked: list[tuple[int, int]] = []
    left = iter(answers)
    while True:
        pairs, chains = play(mentions, votes, COURSES[name])
        if not pairs:
            return asked, [[m.id for m in chain] for chain in chains]
        for pair in pairs:
            asked.append(pair)
            votes.setdefault(pair, []).append(next(left, False))


def texts(*said: str, types: str = "people") -> list[Mention]:
    """Return mentions, one a caption."""
    return [mention(n, n, types, text) for n, text in enumerate(said)]


def test_likely_first_asks_about_the_most_similar_chain_and_believes_a_yes_with_the_same_head() -> None:
    asked, chains = ask("likely_first", texts("a man", "a woman", "the woman"), [False, True])
    assert asked == [(0, 1), (1, 2)]
    assert chains == [[0], [1, 2]]


def test_likely_first_wants_two_answers_where_head_nouns_differ() -> None:
    asked, chains = ask("likely_first", texts("a man", "a guy"), [True, True])
    assert (asked, chains) == ([(0, 1), (0, 1)], [[0, 1]])
    asked, chains = ask("likely_first", texts("a man", "a guy"), [True, False, False])
    assert (asked, chains) == ([(0, 1)] * 3, [[0], [1]])


def test_likely_first_asks_about_another_member_if_there_is_one() -> None:
    asked, _ = ask("likely_first", texts("a man", "a man", "a guy"), [True, True, True])
    assert asked == [(0, 1), (0, 2), (1, 2)]


def test_likely_first_looks_again_at_chains_that_share_a_head_noun() -> None:
    asked, chains = ask("likely_first", texts("a man", "an old man"), [False, True, True, True])
    assert (asked, chains) == ([(0, 1)] * 4, [[0, 1]])
    asked, chains = ask("likely_first", texts("a man", "an old man"), [False, False])
    assert (asked, chains) == ([(0, 1)] * 2, [[0], [1]])
    asked, _ = ask("likely_first", texts("a man", "an actor"), [False])
    assert asked == [(0, 1)], "no second look where head nouns differ"


def test_a_tie_ends_apart_after_four_answers() -> None:
    asked, chains = ask("likely_first", texts("a man", "an old man"), [False, True, False, True])
    assert (len(asked), chains) == (4, [[0], [1]])


def test_a_chain_never_has_two_mentions_of_one_caption() -> None:
    two = [
        mention(0, 0, "people", "a man"),
        mention(1, 0, "people", "a man"),
        mention(2, 1, "people", "a man"),
    ]
    for name in COURSES:
        _, chains = ask(name, two, [True] * 50)
        assert not any({0, 1} <= set(chain) for chain in chains)


def test_groups_that_share_no_type_are_asked_about_at_once() -> None:
    mixed = [*texts("a man", "a man"), mention(5, 0, "scene", "a park"), mention(6, 1, "scene", "a park")]
    pairs, _ = play(mixed, {}, COURSES["likely_first"])
    assert pairs == [(0, 1), (5, 6)]


def test_posterior_asks_nothing_that_words_make_certain_enough() -> None:
    sure = {"intercept": 3.0}
    apart = posterior(Prior(TextPrior({"intercept": -3.0}, {})), CERTAINTIES["careful"], human_yes=False)
    assert play(texts("a man", "a dog"), {}, apart)[0] == []
    joined = posterior(Prior(TextPrior(sure, {})), CERTAINTIES["careful"], human_yes=False)
    pairs, _ = play(texts("a man", "a man"), {}, joined)
    assert pairs == [(0, 1)], "95% is enough to go on, but not at the end"
    assert play(texts("a man", "a man"), {(0, 1): [True]}, joined)[0] == []


def test_posterior_weighs_a_no_against_words_and_asks_again() -> None:
    course = posterior(Prior(TextPrior({"intercept": 3.0}, {})), CERTAINTIES["careful"], human_yes=False)
    votes = {(0, 1): [False]}
    assert play(texts("a man", "a man"), votes, course)[0] == [(0, 1)]
    votes[0, 1].append(False)
    assert play(texts("a man", "a man"), votes, course) == ([], [[m] for m in texts("a man", "a man")])


def test_each_mention_rests_on_a_persons_yes_if_that_is_wanted() -> None:
    prior = Prior(TextPrior({"intercept": 9.0}, {}))  # words alone make it 99.75% probable
    easy = posterior(prior, CERTAINTIES["careful"], human_yes=False)
    strict = posterior(prior, CERTAINTIES["careful"], human_yes=True)
    assert play(texts("a man", "a man"), {}, easy)[0] == []
    assert play(texts("a man", "a man"), {}, strict)[0] == [(0, 1)]


def test_mentions_that_only_a_third_one_connected_do_not_stay_together_without_it() -> None:
    mentions = [
        mention(0, 0, "bodyparts/people", "a man 's arm"),
        *(mention(n, n, "people", "a man") for n in (1, 2)),
        *(mention(n, n, "bodyparts", "an arm") for n in (3, 4)),
    ]
    prior = Prior(TextPrior({"intercept": 4.0, "same_words": 1.0}, {}))
    course = posterior(prior, CERTAINTIES["careful"], human_yes=False)
    assert play(mentions, {}, course)[0] == [(0, 1)], "the words join all, and this mention is least certain"
    _, chains = answer_all(mentions, course, lambda a, b: a.text == b.text)
    assert [[m.id for m in chain] for chain in chains] == [[0], [1, 2], [3, 4]]


def test_shares_do_not_depend_on_the_order_of_the_scores() -> None:
    scores = [2.7, 2.7, -2.7, -2.5, 2.0]
    assert _shares(scores)[-1] == _shares(scores[::-1])[-1]
    assert sorted(_shares(scores)) == sorted(_shares(scores[::-1]))


@given(names, images(), st.lists(st.booleans(), max_size=60))
def test_it_ends_in_a_partition_and_asks_no_pair_more_than_four_times(
    name: str, mentions: list[Mention], answers: list[bool]
) -> None:
    asked, chains = ask(name, mentions, answers)
    assert sorted(n for chain in chains for n in chain) == sorted(m.id for m in mentions)
    assert max(Counter(asked).values(), default=0) <= MAX_TIMES
    captions = {m.id: m.caption for m in mentions}
    for chain in chains:
        assert len({captions[n] for n in chain}) == len(chain)
        assert len(groups_by_type([m for m in mentions if m.id in chain])) == 1, "shared types connect it"


@given(names, images(most=7), st.lists(st.booleans(), max_size=40))
def test_what_was_asked_first_does_not_depend_on_what_was_answered_later(
    name: str, mentions: list[Mention], answers: list[bool]
) -> None:
    """A replay takes the same steps: the first answers to a pair are read where they were given."""
    asked, _ = ask(name, mentions, answers)
    for cut in range(0, len(asked), 5):
        fewer, _ = ask(name, mentions, answers[:cut])
        assert fewer[:cut] == asked[:cut]


def test_errorless_workers_give_the_truth_with_fewer_questions_than_pairs() -> None:
    found = worded_images(40, seed=5)
    prior = Prior(fit_text_prior([mentions for mentions, _ in found])[0])
    courses = {
        "likely_first": likely_first_course,
        "posterior": posterior(prior, CERTAINTIES["careful"], human_yes=False),
    }
    spent = {}
    for name, course in courses.items():
        questions = right = chains_in_all = 0
        for mentions, truth in found:
            asked, chains = answer_all(mentions, course, by_truth({k: hash(v) for k, v in truth.items()}))
            questions += asked
            gold = {frozenset(k for k in truth if truth[k] == thing) for thing in set(truth.values())}
            chains_in_all += len(gold)
            right += len(gold & {frozenset(m.id for m in chain) for chain in chains})
        spent[name] = questions
        if name == "likely_first":
            assert right == chains_in_all
        else:
            assert right / chains_in_all > 0.95, "it leaves out what is probable enough"
    assert spent["posterior"] < spent["likely_first"]


def answer_all(
    mentions: list[Mention], course: Callable[[Sequence[Mention]], Course], same: Same
) -> tuple[int, list[list[Mention]]]:
    by_id = {m.id: m for m in mentions}
    votes: dict[tuple[int, int], list[bool]] = {}
    while True:
        pairs, chains = play(mentions, votes, course)
        if not pairs:
            return sum(map(len, votes.values())), chains
        for a, b in pairs:
            votes.setdefault((a, b), []).append(same(by_id[a], by_id[b]))


def test_a_strategy_asks_again_only_about_answered_links() -> None:
    image = ImageLinks(texts("a man", "a guy"), {(0, 1): Link(True)})
    step = likely_first(image)
    assert (step.ask, step.again, step.asks) == ((), ((0, 1),), True)
    step = likely_first(ImageLinks(image.mentions, {(0, 1): Link(True, later=(True,))}))
    assert (step.asks, len(step.chains)) == (False, 1)


def test_a_batch_without_its_prior_is_an_error() -> None:
    with pytest.raises(LookupError, match="posterior needs a prior"):
        strategy_of(BatchSettings(strategy="posterior"))
    assert strategy_of(BatchSettings(strategy="posterior"), UNKNOWN)(ImageLinks([], {})).chains == ()


def test_pairs_that_most_answers_call_different_are_outvoted_if_they_end_in_one_chain() -> None:
    answers = {
        (1, 2): Link(False),
        (1, 3): Link(True, later=(False,)),
        (2, 3): Link(False, later=(True, False)),
        (3, 4): Link(False),
        (8, 9): Link(False),
    }
    assert outvoted([[1, 2, 3], [4]], answers) == [(1, 2), (2, 3)]
