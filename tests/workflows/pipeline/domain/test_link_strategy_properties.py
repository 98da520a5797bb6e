"""The link strategies on any image: docs/protocol.md's stage 1 as properties."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from annotation.domain.mentions import Mention, admissible, of_one_caption
from tests.workflows.pipeline.domain.image_builder import (
    by_pairs,
    by_truth,
    ids,
    images,
    lawful_images,
    run,
    true_chains,
)
from workflows.pipeline.domain.link_strategies import (
    STRATEGIES,
    ImageLinks,
    Link,
    Pair,
    Source,
    components,
    contradictions,
    exhaustive,
    greedy,
    posterior,
    sources,
    violations,
)
from workflows.priors.domain.prior import Prior, TextPrior

ALL = {f"{name} {rule}": found for name, by_rule in STRATEGIES.items() for rule, found in by_rule.items()}
ALL["posterior"] = posterior(Prior(TextPrior({}, {})), "careful", human_yes=False)
names = st.sampled_from(sorted(ALL))


@st.composite
def answered_images(draw: st.DrawFn) -> tuple[list[Mention], list[Pair], list[Pair]]:
    """Draw an image, the pairs with a first yes, and those with a best-of-three yes. All else is no."""
    found = draw(images())
    pairs = [(a.id, b.id) for a, b in combinations(found, 2)]
    yes = st.lists(st.sampled_from(pairs), unique=True) if pairs else st.just([])
    return found, draw(yes), draw(yes)


@given(names, answered_images(), st.text(max_size=3))
def test_a_strategy_ends_in_a_partition_and_asks_nothing_it_may_not(
    name: str, image: tuple[list[Mention], list[Pair], list[Pair]], seed: str
) -> None:
    found, first, second = image
    steps, links = run(ALL[name], found, by_pairs(*first), by_pairs(*second), seed)  # checks "once"
    assert sorted(n for chain in ids(steps[-1].chains) for n in chain) == sorted(m.id for m in found)
    by_id = {m.id: m for m in found}
    assert all(admissible(by_id[a], by_id[b]) for a, b in links)
    place = {m.id: n for n, m in enumerate(found)}
    assert all(place[a] < place[b] for a, b in links), "pairs are in reading order"
    assert [(place[chain[0].id]) for chain in steps[-1].chains] == sorted(
        place[chain[0].id] for chain in steps[-1].chains
    )
    kinds = ["settle" if step.settle else "ask" for step in steps[:-1]]
    assert kinds == sorted(kinds), "settling comes after all questions"
    together = {(a, b) for chain in steps[-1].chains for a, b in of_one_caption(chain)}
    assert together <= set(steps[-1].contradictions), "two mentions of one caption are never silent"
    if "plus" not in name:
        assert "settle" not in kinds
    elif not name.endswith("cycles"):
        image_links = ImageLinks(found, links, seed)
        wrong = violations(image_links)
        assert all(links[pair].settled is not None for triangle in wrong for pair in triangle)
        of_caption = contradictions(image_links, of_caption=True)
        nos = {pair for triangle in wrong for pair in triangle if not links[pair].same}
        assert set(steps[-1].contradictions) == {*of_caption, *nos}
        certain = [pair for pair, link in links.items() if link.settled]
        if name.endswith("captions"):
            for one, other in of_caption:
                assert any({one, other} <= set(chain) for chain in ids(components(found, certain)))
    else:
        image_links = ImageLinks(found, links, seed)
        assert steps[-1].contradictions == tuple(contradictions(image_links))
        for pair in contradictions(image_links):
            assert pair not in links or links[pair].settled is not None
        certain = [pair for pair, link in links.items() if link.settled]
        for one, other in contradictions(image_links):
            assert any({one, other} <= set(chain) for chain in ids(components(found, certain)))


@given(names, answered_images(), st.randoms(use_true_random=False))
def test_the_order_in_which_mentions_and_answers_are_given_changes_nothing(
    name: str, image: tuple[list[Mention], list[Pair], list[Pair]], rng: random.Random
) -> None:
    found, first, second = image
    steps, links = run(ALL[name], found, by_pairs(*first), by_pairs(*second))
    mixed = list(found)
    rng.shuffle(mixed)
    again, links_again = run(ALL[name], mixed, by_pairs(*first), by_pairs(*second))
    assert (again, links_again) == (steps, links)
    backwards = dict(reversed(links.items()))
    assert ALL[name](ImageLinks(mixed, backwards, "0")) == steps[-1]


@given(images(), st.data())
def test_exhaustive_with_true_answers_finds_all_the_truth_that_may_be_asked_about(
    found: list[Mention], data: st.DataObject
) -> None:
    truth = {m.id: data.draw(st.integers(0, 3)) for m in found}
    same = [
        (a.id, b.id) for a, b in combinations(found, 2) if admissible(a, b) and truth[a.id] == truth[b.id]
    ]
    for name in ("exhaustive triangles", "exhaustive_plus triangles", "exhaustive_plus cycles"):
        steps, _ = run(ALL[name], found, by_truth(truth))
        assert steps[-1].chains == tuple(components(found, same))


@given(names, lawful_images(), st.text(max_size=3))
def test_true_answers_give_the_truth_where_it_obeys_the_protocols_assumptions(
    name: str, image: tuple[list[Mention], dict[int, int]], seed: str
) -> None:
    found, truth = image
    steps, _ = run(ALL[name], found, by_truth(truth), seed=seed)
    assert {frozenset(chain) for chain in ids(steps[-1].chains)} == true_chains(found, truth)
    assert not any(step.settle for step in steps), "true answers violate nothing"


@given(answered_images())
def test_greedy_asks_no_pair_that_exhaustive_does_not(
    image: tuple[list[Mention], list[Pair], list[Pair]],
) -> None:
    found, first, _ = image
    _, few = run(greedy, found, by_pairs(*first))
    _, all_pairs = run(exhaustive, found, by_pairs(*first))
    assert set(few) <= set(all_pairs)


@given(answered_images())
def test_all_questions_of_a_greedy_step_are_of_one_caption_and_captions_go_up(
    image: tuple[list[Mention], list[Pair], list[Pair]],
) -> None:
    found, first, _ = image
    caption = {m.id: m.caption for m in found}
    steps, _ = run(greedy, found, by_pairs(*first))
    asked = [{caption[b] for _, b in step.ask} for step in steps if step.ask]
    assert all(len(captions) == 1 for captions in asked)
    assert all(max(a) < min(b) for a, b in pairwise(asked))


@given(images(), st.data())
def test_violations_are_the_triangles_with_two_yes_and_one_no(
    found: list[Mention], data: st.DataObject
) -> None:
    possible = [(a.id, b.id) for a, b in combinations(found, 2) if admissible(a, b)]
    answers = {pair: Link(data.draw(st.booleans())) for pair in possible if data.draw(st.booleans())}

    def value(a: Mention, b: Mention) -> bool | None:
        link = answers.get((a.id, b.id))
        return link.same if link else (False if a.caption == b.caption else None)

    expected = {
        frozenset(pair for pair in ((a.id, b.id), (a.id, c.id), (b.id, c.id)) if pair in answers)
        for a, b, c in combinations(found, 3)
        if sorted(str(value(*pair)) for pair in ((a, b), (a, c), (b, c))) == ["False", "True", "True"]
    }
    triangles = list(violations(ImageLinks(found, answers, "0")))
    assert {frozenset(triangle) for triangle in triangles} == expected
    assert len(triangles) == len(expected)


@given(answered_images())
def test_exhaustive_leaves_nothing_to_transitivity(
    image: tuple[list[Mention], list[Pair], list[Pair]],
) -> None:
    found, first, _ = image
    _, links = run(exhaustive, found, by_pairs(*first))
    assert Source.TRANSITIVITY not in sources(found, links).values()
