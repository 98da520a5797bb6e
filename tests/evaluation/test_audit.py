"""Error rates, samples, and the rows of table 2 from simulated answers."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import binomtest

from evaluation.audit import (
    TABLE_2,
    LinkCounts,
    count_links,
    draw,
    draw_places,
    error_rate,
    exact_bounds,
    gold_chains,
    images_with_an_error,
)
from tests.evaluation.made_up import dataset, random_boxes

NO_ANSWERS = np.empty(0, dtype=np.int64)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@given(st.integers(0, 300), st.integers(1, 300), st.sampled_from([0.8, 0.95, 0.99]))
def test_intervals_are_scipys(wrong: int, judged: int, level: float) -> None:
    wrong = min(wrong, judged)
    found = error_rate(wrong, judged, level=level)
    expected = stats.binomtest(wrong, judged).proportion_ci(level, method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert 0 <= found.low <= found.share <= found.high <= 1


def test_rates_of_nothing_and_of_impossible_counts() -> None:
    nothing = error_rate(0, 0)
    assert math.isnan(nothing.share) and math.isnan(nothing.low)
    for wrong, judged, level in ((3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0)):
        with pytest.raises(ValueError, match="no rate of errors"):
            error_rate(wrong, judged, level=level)


def test_planted_error_rates_are_recovered() -> None:
    """Drawn mentions of a data set, a known share of which is wrong, are judged without an error."""
    data = dataset([[("a dog", ("animals",), random_boxes(rng(n), n % 3))] * 4 for n in range(500)])
    bad = {mention.key for n, image in enumerate(data.images) for mention in image.mentions() if n % 50 < 2}
    held = 0
    for seed in range(100):
        drawn = draw(data, rng(seed), mentions=400, chains=0, boxes=0).mentions
        found = error_rate(len(bad & {*drawn}), len(drawn))
        held += found.low <= 0.04 <= found.high
    assert held >= 90


def test_the_papers_rates_make_about_eight_per_cent_of_its_images_wrong() -> None:
    assert images_with_an_error(0.0034, 0.0034) == pytest.approx(0.08, abs=0.005)
    assert images_with_an_error(0, 0) == 0
    assert images_with_an_error(1, 0) == 1


def test_samples_are_of_all_kinds_without_repetition() -> None:
    data = dataset([[("a dog", ("animals",), random_boxes(rng(n), n % 3))] * 2 for n in range(30)])
    found = draw(data, rng(), mentions=20, chains=10, boxes=15)
    assert (len(found.mentions), len(found.chains), len(found.boxes)) == (20, 10, 15)
    assert len({*found.mentions}) == 20 and len({*found.boxes}) == 15
    images = {image.name: image for image in data.images}
    assert all(place < len(images[name].chains[chain].boxes) for name, chain, place in found.boxes)
    assert draw(data, rng(), mentions=20, chains=10, boxes=15) == found
    everything = draw(data, rng(), mentions=10**6, chains=10**6, boxes=10**6)
    assert (len(everything.mentions), len(everything.chains), len(everything.boxes)) == (60, 60, 60)


def test_every_place_is_as_likely_to_be_drawn() -> None:
    times = np.bincount(np.concatenate([draw_places(20, 5, rng(seed)) for seed in range(2000)]), minlength=20)
    assert stats.chisquare(times).pvalue > 0.001
    assert draw_places(0, 5, rng()) == []


# Link strategies --------------------------------------------------------------------------------------------


def all_pairs(mentions: int) -> np.ndarray:
    return np.array([*combinations(range(mentions), 2)], dtype=np.int64).reshape(-1, 2)


def test_the_rows_of_one_image() -> None:
    """Gold chains {0, 1, 2}, {3}, {4}. The strategy missed 0-2, invented 3-4, and did not ask about 1-2."""
    gold, chains = np.array([0, 0, 0, 1, 2]), np.array([0, 0, 1, 2, 2])
    pairs = all_pairs(5)
    said = {(0, 1): 1, (0, 2): 0, (3, 4): 1, (0, 3): 0, (0, 4): 0, (1, 3): 0, (1, 4): 0}
    answers = np.array([said.get((int(a), int(b)), -1) for a, b in pairs])
    found = count_links(gold, chains, pairs, answers, questions=9)
    row = found.row()
    assert (found.pairs, found.asked, found.same, found.different) == (10, 7, 2, 5)
    assert row.matched_links == 1 - 2 / 7
    assert row.matched_chains == 0  # {3} and {4} were joined, and {0, 1, 2} was torn
    assert (row.false_positives, row.false_negatives) == (1 / 5, 1 / 2)
    assert (row.asked, row.questions) == (0.9, 9)
    assert (row.precision, row.recall) == (1 / 2, 1 / 3)
    assert row.f == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert found.right == 10 - 2 - 1  # 1-2 was not asked, and is apart


def test_counts_of_images_add_up() -> None:
    pairs = all_pairs(2)
    right = count_links(np.array([0, 0]), np.array([5, 5]), pairs, np.array([1]), questions=1)
    wrong = count_links(np.array([0, 1]), np.array([5, 5]), pairs, np.array([1]), questions=3)
    both = (right + wrong).row()
    assert (both.matched_links, both.matched_chains, both.questions, both.asked) == (0.5, 1 / 3, 4, 2)
    assert all(math.isnan(value) for value in (LinkCounts().row().matched_links, LinkCounts().row().f))
    lonely = count_links(np.array([0]), np.array([7]), all_pairs(1), np.empty(0, dtype=int), questions=0)
    assert (lonely.pairs, lonely.chains, lonely.matched) == (0, 1, 1)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=7))
def test_a_gold_chain_matches_only_exactly(mentions: list[tuple[int, int]]) -> None:
    gold, chains = (np.array([one[side] for one in mentions], dtype=np.int64) for side in (0, 1))
    found = count_links(
        gold, chains, all_pairs(len(gold)), np.full(len(all_pairs(len(gold))), -1), questions=0
    )
    of = [
        {frozenset(np.flatnonzero(one == name).tolist()) for name in one.tolist()} for one in (gold, chains)
    ]
    assert found.matched == len(of[0] & of[1])
    assert found.chains == len(of[0])


def test_planted_error_rates_of_answers_are_recovered_as_the_papers_row() -> None:
    """Workers who err as in the paper's `exhaustive` give its false positives and negatives."""
    generator = rng(4)
    positives, negatives = TABLE_2["exhaustive"][2:4]
    total = LinkCounts()
    for _ in range(600):
        gold = generator.integers(0, 5, 8)
        pairs = all_pairs(8)
        same = gold[pairs[:, 0]] == gold[pairs[:, 1]]
        errs = generator.random(len(pairs)) < np.where(same, negatives, positives)
        answers = np.where(same != errs, 1, 0)
        chains = gold_chains(8, pairs, answers, 1 - answers)
        total += count_links(gold, chains, pairs, answers, questions=len(pairs))
    row = total.row()
    assert row.false_positives == pytest.approx(positives, abs=0.006)
    assert row.false_negatives == pytest.approx(negatives, abs=0.012)
    assert row.matched_links == pytest.approx(1 - 0.049, abs=0.006)
    assert row.asked == 1
    assert row.precision < 1 and row.recall > 0.9


def test_gold_chains_from_several_answers_a_pair() -> None:
    """Five workers a pair, each wrong one time in ten: the majority finds the chains of most images."""
    generator = rng(5)
    exact = 0
    for _ in range(200):
        gold = generator.integers(0, 4, 6)
        pairs = all_pairs(6)
        same = gold[pairs[:, 0]] == gold[pairs[:, 1]]
        yes = generator.binomial(5, np.where(same, 0.9, 0.1))
        found = gold_chains(6, pairs, yes, 5 - yes)
        exact += bool(((found[pairs[:, 0]] == found[pairs[:, 1]]) == same).all())
    assert exact > 0.85 * 200
    assert gold_chains(3, np.empty((0, 2), dtype=int), NO_ANSWERS, NO_ANSWERS).tolist() == [0, 1, 2]
    assert gold_chains(2, np.array([[0, 1]]), np.array([1]), np.array([1])).tolist() == [0, 1]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=8))
def test_linked_mentions_are_one_chain_also_through_others(links: list[tuple[int, int]]) -> None:
    pairs = np.array(links, dtype=np.int64).reshape(-1, 2)
    found = gold_chains(7, pairs, np.ones(len(pairs), dtype=int), np.zeros(len(pairs), dtype=int))
    group = {n: {n} for n in range(7)}
    for a, b in links:
        joined = group[a] | group[b]
        group |= dict.fromkeys(joined, joined)
    for a, b in combinations(range(7), 2):
        assert (found[a] == found[b]) == (b in group[a])


@pytest.mark.parametrize(("part", "of"), [(0, 1), (1, 1), (0, 30), (3, 18), (9, 9), (120, 131), (4000, 5000)])
@pytest.mark.parametrize("tail", [0.025, 0.05])
def test_exact_bounds_are_those_of_scipy(part: int, of: int, tail: float) -> None:
    low, high = exact_bounds(part, of, tail=tail)
    interval = binomtest(part, of).proportion_ci(1 - 2 * tail, method="exact")
    assert (low, high) == pytest.approx((interval.low, interval.high), abs=1e-9)


@pytest.mark.parametrize(
    ("part", "of", "tail"), [(2, 1, 0.1), (-1, 3, 0.1), (0, 0, 0.1), (1, 2, 0.5), (1, 2, 0)]
)
def test_exact_bounds_of_no_share(part: int, of: int, tail: float) -> None:
    with pytest.raises(ValueError, match="is no share"):
        exact_bounds(part, of, tail=tail)
