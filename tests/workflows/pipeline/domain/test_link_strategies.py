"""The four link strategies, as docs/protocol.md's stage 1 defines them, and the sources of links."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.domain.mentions import Mention, admissible
from tests.workflows.pipeline.domain.image_builder import by_pairs, by_truth, ids, mention, run
from workflows.pipeline.domain.link_strategies import (
    STRATEGIES,
    ImageLinks,
    Link,
    Pair,
    Source,
    Step,
    contradictions,
    exhaustive,
    greedy,
    next_cycle,
    next_of_caption,
    sources,
    violations,
)

# Two people and a shirt in three captions: 1 and 3 and 5 are one man, 6 is another, 2 and 4 one shirt.
SCENE = [
    mention(1, 0, "people"),
    mention(2, 0, "clothing"),
    mention(3, 1, "people"),
    mention(4, 1, "clothing"),
    mention(5, 2, "people"),
    mention(6, 2, "people"),
]
TRUTH = {1: 0, 3: 0, 5: 0, 6: 1, 2: 2, 4: 2}
# One mention in each of four captions, all of one type: every pair is asked by `exhaustive`.
FOUR = [mention(n, n) for n in (1, 2, 3, 4)]


def settled(steps: list[Step]) -> list[tuple[Pair, ...]]:
    return [step.settle for step in steps if step.settle]


@pytest.mark.parametrize(
    ("a", "b", "asked"),
    [
        (mention(1, 0, "people"), mention(2, 1, "people"), True),
        (mention(1, 0, "people"), mention(2, 0, "people"), False),  # same caption
        (mention(1, 0, "people"), mention(2, 1, "clothing"), False),  # no common type
        (mention(1, 0, "people/animals"), mention(2, 1, "animals"), True),  # one common type is enough
    ],
)
def test_same_caption_and_no_common_type_are_never_asked(a: Mention, b: Mention, asked: bool) -> None:
    assert admissible(a, b) == admissible(b, a) == asked
    for strategy in (exhaustive, greedy):
        steps, _ = run(strategy, [a, b], by_pairs((1, 2)))
        assert [step.ask for step in steps] == ([((1, 2),), ()] if asked else [()])
        assert ids(steps[-1].chains) == ([[1, 2]] if asked else [[1], [2]])


def test_exhaustive_asks_every_admissible_pair_once_and_all_at_once() -> None:
    steps, _ = run(exhaustive, SCENE, by_truth(TRUTH))
    assert [step.ask for step in steps] == [((1, 3), (1, 5), (1, 6), (2, 4), (3, 5), (3, 6)), ()]
    assert ids(steps[-1].chains) == [[1, 3, 5], [2, 4], [6]]


def test_exhaustive_chains_are_the_connected_components_of_the_yes_links() -> None:
    steps, _ = run(exhaustive, FOUR, by_pairs((1, 2), (2, 4)))
    assert ids(steps[-1].chains) == [[1, 2, 4], [3]]


def test_greedy_goes_caption_by_caption_and_asks_one_mention_of_every_chain_of_the_type() -> None:
    steps, links = run(greedy, SCENE, by_truth(TRUTH))
    assert steps[0].ask == ((1, 3), (2, 4)), "the first caption needs no question: its mentions begin chains"
    (five, six) = steps[1].ask
    assert five in ((1, 5), (3, 5)), "one mention of the chain {1, 3}, and none of the chain {2, 4}"
    assert six in ((1, 6), (3, 6))
    assert ids(steps[2].chains) == [[1, 3, 5], [2, 4], [6]]
    assert len(links) == 4


def test_greedy_does_not_stop_at_a_yes() -> None:
    image = [mention(1, 0), mention(2, 0), mention(3, 1)]
    steps, _ = run(greedy, image, by_pairs((1, 3), (2, 3)))
    assert steps[0].ask == ((1, 3), (2, 3))
    assert ids(steps[-1].chains) == [[1, 2, 3]], "both chains answered yes: they are one"


def test_greedy_freezes_the_chains_at_the_start_of_a_caption() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 1), mention(4, 1)]
    steps, _ = run(greedy, image, by_pairs((1, 2), (1, 4)))
    assert [step.ask for step in steps] == [((1, 2), (1, 3), (1, 4)), ()], "all of the caption at once"
    assert ids(steps[-1].chains) == [[1, 2, 4], [3]]


def test_greedy_starts_a_new_chain_where_nobody_says_yes() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 2)]
    steps, _ = run(greedy, image, by_pairs())
    assert [step.ask for step in steps] == [((1, 2),), ((1, 3), (2, 3)), ()]
    assert ids(steps[-1].chains) == [[1], [2], [3]]


def test_the_next_caption_waits_for_every_answer() -> None:
    image = [mention(1, 0), mention(2, 0), mention(3, 1), mention(4, 2)]
    known = {(1, 3): Link(True)}
    assert greedy(ImageLinks(image, known, "0")).ask == ((2, 3),)


def test_the_draw_is_seeded_and_even() -> None:
    image = [mention(n, n) for n in range(5)]
    all_one = by_truth(dict.fromkeys(range(5), 0))
    drawn: Counter[int] = Counter()
    for seed in map(str, range(400)):
        steps, _ = run(greedy, image, all_one, seed=seed)
        again, _ = run(greedy, image, all_one, seed=seed)
        assert steps == again
        ((one, other),) = steps[3].ask
        assert other == 4
        drawn[one] += 1
    assert set(drawn) == {0, 1, 2, 3}
    assert all(65 < count < 135 for count in drawn.values()), drawn


def test_only_mentions_with_a_common_type_are_drawn_from_a_chain() -> None:
    image = [mention(1, 0, "animals"), mention(2, 1, "animals/people"), mention(3, 2, "people")]
    for seed in map(str, range(20)):
        steps, _ = run(greedy, image, by_pairs((1, 2), (2, 3)), seed=seed)
        assert [step.ask for step in steps] == [((1, 2),), ((2, 3),), ()]


# --- plus ---------------------------------------------------------------------------------------------


def test_all_links_of_a_violated_triangle_are_settled() -> None:
    image = FOUR[:3]
    first = by_pairs((1, 2), (2, 3))
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], image, first, by_pairs((1, 2), (2, 3), (1, 3)))
    assert settled(steps) == [((1, 2), (1, 3), (2, 3))]
    assert ids(steps[-1].chains) == [[1, 2, 3]]
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], image, first, by_pairs((1, 2)))
    assert ids(steps[-1].chains) == [[1, 2], [3]], "the best of three replaces the first answer"


@pytest.mark.parametrize("yes", [(), ((1, 2),), ((1, 2), (1, 3), (2, 3))])
def test_a_triangle_of_no_one_or_three_yes_is_no_violation(yes: tuple[Pair, ...]) -> None:
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], FOUR[:3], by_pairs(*yes))
    assert settled(steps) == []


@pytest.mark.parametrize("strategy", ["exhaustive_plus", "greedy_plus"])
def test_two_mentions_of_one_caption_count_as_a_no_and_are_not_asked(strategy: str) -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 1)]
    steps, _ = run(STRATEGIES[strategy]["triangles"], image, by_pairs((1, 2), (1, 3)), by_pairs((1, 3)))
    assert settled(steps) == [((1, 2), (1, 3))]
    assert ids(steps[-1].chains) == [[1, 3], [2]]


def test_a_pair_that_was_never_asked_counts_as_nothing() -> None:
    by_type = [mention(1, 0, "people"), mention(2, 1, "people/animals"), mention(3, 2, "animals")]
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], by_type, by_pairs((1, 2), (2, 3)))
    assert settled(steps) == []
    assert ids(steps[-1].chains) == [[1, 2, 3]]
    steps, links = run(STRATEGIES["greedy_plus"]["triangles"], FOUR[:3], by_pairs((1, 2), (1, 3), (2, 3)))
    assert len(links) == 2
    assert settled(steps) == []


def test_one_triangle_is_settled_at_a_time_and_each_link_once() -> None:
    yes = by_pairs((1, 2), (2, 3), (3, 4))
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], FOUR, yes)
    assert settled(steps) == [((1, 2), (1, 3), (2, 3)), ((2, 4), (3, 4))]
    assert ids(steps[-1].chains) == [[1, 2, 3, 4]], "settled and still violated: the yes links stand"


def test_it_looks_again_after_each_triangle() -> None:
    yes = by_pairs((1, 2), (2, 3), (3, 4))
    steps, _ = run(STRATEGIES["exhaustive_plus"]["triangles"], FOUR, yes, by_pairs((1, 2)))
    assert settled(steps) == [((1, 2), (1, 3), (2, 3))], "without 2-3 the second triangle is none"
    assert ids(steps[-1].chains) == [[1, 2], [3, 4]]


def test_settling_never_changes_what_greedy_asks() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 1), mention(4, 2)]
    plain, _ = run(greedy, image, by_pairs((1, 2), (1, 3)))
    plus, _ = run(STRATEGIES["greedy_plus"]["triangles"], image, by_pairs((1, 2), (1, 3)), by_pairs())
    assert [s.ask for s in plus if s.ask] == [s.ask for s in plain if s.ask]
    assert ids(plus[-1].chains) == [[1], [2], [3], [4]]


def test_a_settled_link_counts_by_its_best_of_three() -> None:
    assert Link(True).same
    assert not Link(True, settled=False).same
    assert Link(False, settled=True).same


# --- cycles -------------------------------------------------------------------------------------------

# Three yes and one no around four mentions, and nothing said across.
RING = {(1, 2): Link(True), (1, 3): Link(False), (2, 4): Link(True), (3, 4): Link(True)}
RING_MENTIONS = [mention(1, 0), mention(2, 1), mention(3, 2), mention(4, 3)]


def test_triangles_pass_over_a_contradiction_of_four_links_and_cycles_settle_it() -> None:
    image = ImageLinks(RING_MENTIONS, RING)
    assert violations(image) == []
    assert contradictions(image) == [(1, 3)]
    assert next_cycle(image) == ((1, 2), (1, 3), (2, 4), (3, 4)), "the answered no and the path around it"


def test_the_shortest_cycle_is_settled_first() -> None:
    image = ImageLinks(
        [mention(n, n) for n in range(1, 6)],
        {**RING, (1, 5): Link(True), (3, 5): Link(True)},
    )
    assert next_cycle(image) == ((1, 3), (1, 5), (3, 5))


def test_two_mentions_of_one_caption_contradict_each_other_over_a_longer_path() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 2), mention(4, 2)]
    links = {(1, 2): Link(True), (1, 3): Link(True), (2, 4): Link(True)}
    assert violations(ImageLinks(image, links)) == []
    assert contradictions(ImageLinks(image, links)) == [(3, 4)]
    assert next_cycle(ImageLinks(image, links)) == ((1, 2), (1, 3), (2, 4)), "one caption: a known no"


def test_a_contradiction_of_settled_links_alone_is_asked_no_more_and_stays() -> None:
    settled_ring = {pair: Link(link.first, settled=link.first) for pair, link in RING.items()}
    image = ImageLinks(RING_MENTIONS, settled_ring)
    assert next_cycle(image) == ()
    assert contradictions(image) == [(1, 3)]
    # A further path between the two would not help: the settled one stays.
    longer = ImageLinks(
        [*RING_MENTIONS, mention(5, 4)], {**settled_ring, (2, 5): Link(True), (3, 5): Link(True)}
    )
    assert next_cycle(longer) == ()


def test_captions_settle_the_path_between_two_mentions_of_one_caption_and_no_other_cycle() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 2), mention(4, 2)]
    links = {(1, 2): Link(True), (1, 3): Link(True), (2, 4): Link(True)}
    assert next_of_caption(ImageLinks(image, links)) == ((1, 2), (1, 3), (2, 4))
    assert next_of_caption(ImageLinks(RING_MENTIONS, RING)) == ()


@pytest.mark.parametrize("name", ["exhaustive", "greedy"])
def test_the_last_step_names_two_mentions_of_one_caption_although_nothing_is_settled(name: str) -> None:
    """Section 3.1.1: two mentions of one caption are not coreferent. A third one may join them."""
    image = [mention(1, 0), mention(2, 1), mention(3, 1)]
    steps, _ = run(STRATEGIES[name]["captions"], image, by_pairs((1, 2), (1, 3)))
    assert ids(steps[-1].chains) == [[1, 2, 3]]
    assert steps[-1].contradictions == ((2, 3),)


def test_every_pair_names_two_mentions_of_one_caption_that_all_others_outvote() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 1), mention(4, 2), mention(5, 3)]
    everybody = by_pairs(*((a, b) for a in range(1, 6) for b in range(a + 1, 6) if (a, b) != (2, 3)))
    steps, _ = run(STRATEGIES["every_pair"]["captions"], image, everybody, everybody)
    assert ids(steps[-1].chains) == [[1, 2, 3, 4, 5]]
    assert steps[-1].contradictions == ((2, 3),)


def test_the_last_step_names_the_no_of_a_triangle_that_was_settled_so() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 2)]
    said = by_pairs((1, 2), (2, 3))
    steps, _ = run(STRATEGIES["exhaustive_plus"]["captions"], image, said, said)
    assert steps[-1].contradictions == ((1, 3),)


@pytest.mark.parametrize(("settle", "left"), [("captions", ()), ("triangles", ()), ("cycles", ((1, 3),))])
def test_the_last_step_names_what_cycles_could_not_settle(settle: str, left: tuple[Pair, ...]) -> None:
    ring = by_pairs(*(pair for pair, link in RING.items() if link.same))
    for seed in map(str, range(50)):
        steps, links = run(STRATEGIES["greedy_plus"][settle], RING_MENTIONS, ring, seed=seed)
        if set(links) == set(RING):
            assert steps[-1].contradictions == left
            assert bool(settled(steps)) == (settle == "cycles")
            return
    raise AssertionError("no seed asks about the ring")


# --- sources (the paper's figure 3) -------------------------------------------------------------------


def test_every_link_remembers_where_it_came_from() -> None:
    image = [mention(1, 0), mention(2, 1), mention(3, 2), mention(4, 2), mention(5, 0, "people")]
    answers = {(1, 2): Link(True), (2, 3): Link(True), (1, 4): Link(False)}
    assert sources(image, answers) == {
        (1, 2): Source.ASKED,
        (2, 3): Source.ASKED,
        (1, 4): Source.ASKED,
        (1, 3): Source.TRANSITIVITY,  # both are 2
        (2, 4): Source.TRANSITIVITY,  # 4 is not 1, which is 2
        (3, 4): Source.CAPTION,
        (1, 5): Source.CAPTION,  # of other types as well, but the caption rules first
        (5, 2): Source.TYPE,
        (5, 3): Source.TYPE,
        (5, 4): Source.TYPE,
    }
