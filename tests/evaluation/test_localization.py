"""Phrase localization: the paper's tables from hit counts, made-up images by hand, and what holds for any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.boxes import iou_matrix
from evaluation.component_iou import component_iou
from evaluation.dataset import TYPES, Boxes, Chain, Dataset
from evaluation.localization import (
    RULES,
    Localization,
    Outcomes,
    Queries,
    Recall,
    Rule,
    join,
    localize,
    queries,
    summarize,
)
from evaluation.ragged import RaggedBoxes, RankedBoxes
from tests.evaluation.made_up import bare_queries, dataset, random_boxes, ranked, some_boxes
from tests.evaluation.small_set import small_set

INSTANCES = (5656, 2306, 523, 518, 400, 162, 1619, 3374)
"""The paper's table 6, in the order of TYPES."""
HITS = (3661, 1081, 90, 341, 275, 61, 832, 1072)
REACHABLE = (5459, 1784, 264, 472, 378, 131, 1344, 2560)
QUERIES, ALL_HITS = 14_481, 7369
"""The phrases of the test part as later works count them, and the hits that make table 5's 50.89% of them."""


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def outcomes(number: int, rank: list[int], reachable: list[bool]) -> Outcomes:
    return Outcomes(
        rows=np.arange(number),
        rank=np.array(rank),
        reachable=np.array(reachable),
        overlap=np.array(rank) / 10,
        instead=np.full(number, -1),
        first=np.zeros((number, 4)),
    )


def test_a_projects_own_types_have_rows_after_the_papers_eight() -> None:
    small = small_set()
    own = {"2": ("toys", "animals", "food")}
    images = []
    for image in small.images:
        captions = tuple(
            replace(one, mentions=tuple(replace(m, types=own.get(m.chain, m.types)) for m in one.mentions))
            for one in image.captions
        )
        images.append(replace(image, captions=captions))
    asked = queries(Dataset("own", tuple(images)))
    assert asked.type_names == (*TYPES, "food", "toys")
    number = len(asked)
    instead = np.full(number, -1)
    instead[0] = 1  # the first man's box hits the dogs
    found = summarize(asked, replace(outcomes(number, [0] * number, [True] * number), instead=instead), rng())
    assert [(row.name, row.queries) for row in found.by_type if row.queries] == [
        ("people", 4),
        ("clothing", 2),
        ("animals", 4),
        ("other", 2),
        ("food", 4),
        ("toys", 4),
    ]
    confusion = found.errors.confusion
    assert confusion.shape == (10, 10)
    assert [asked.type_names[at] for at in np.flatnonzero(confusion[0])] == ["animals", "food", "toys"]


def test_hit_counts_give_the_papers_table_6() -> None:
    """With single types, cell by cell."""
    types, rank, reachable = [], [], []
    for name, number, hits, bound in zip(TYPES, INSTANCES, HITS, REACHABLE, strict=True):
        types += [[name]] * number
        rank += [1] * hits + [0] * (number - hits)
        reachable += [True] * bound + [False] * (number - bound)
    found = summarize(bare_queries(types), outcomes(len(types), rank, reachable), rng(), resamples=0)
    assert [row.name for row in found.by_type] == list(TYPES)
    assert [row.queries for row in found.by_type] == list(INSTANCES)
    shares = [round(100 * row.share(0), 2) for row in found.by_type]
    assert shares == [64.73, 46.88, 17.21, 65.83, 68.75, 37.65, 51.39, 31.77]
    bounds = [round(100 * row.bound, 2) for row in found.by_type]
    assert bounds == [96.52, 77.36, 50.48, 91.12, 94.5, 80.86, 83.01, 75.87]


def test_mentions_of_several_types_make_tables_5_and_6_agree() -> None:
    """Table 6 has 14,558 instances and the test part 14,481 phrases, so that 77 count in two rows.

    The rows' hits over the rows' instances would be 50.92%.
    """
    twice = sum(INSTANCES) - QUERIES
    types, rank = [], []
    both_hit = sum(HITS) - ALL_HITS
    for n in range(twice):
        types.append(["bodyparts", "people"])
        rank.append(1 if n < both_hit else 0)
    for name, number, hits in zip(TYPES, INSTANCES, HITS, strict=True):
        shared = name in ("bodyparts", "people")
        left, right = number - twice * shared, hits - both_hit * shared
        types += [[name]] * left
        rank += [1] * right + [0] * (left - right)
    reached = [one > 0 for one in rank]
    found = summarize(bare_queries(types), outcomes(len(types), rank, reached), rng(), resamples=0)
    assert found.total.queries == QUERIES
    assert round(100 * found.total.share(0), 2) == 50.89
    assert round(100 * sum(HITS) / sum(INSTANCES), 2) == 50.92
    assert [row.hits[0] for row in found.by_type] == list(HITS)
    assert [row.queries for row in found.by_type] == list(INSTANCES)


def test_queries_are_mentions_with_boxes() -> None:
    box = np.array([[0.0, 0.0, 10.0, 10.0]])
    several = np.array([[0.0, 0.0, 10.0, 10.0], [50.0, 50.0, 90.0, 90.0]])
    data = dataset(
        [[("Two dogs", ("animals",), several), ("the sky", ("scene",), np.empty((0, 4)))],
         [("a man 's arm", ("bodyparts", "people"), box)]]
    )  # fmt: skip
    found = queries(data)
    assert found.phrases == ("two dogs", "a man 's arm")
    assert found.image.tolist() == [0, 1]
    assert found.enclosing.tolist() == [[0, 0, 90, 90], [0, 0, 10, 10]]
    assert [len(found.truth[n]) for n in range(2)] == [2, 1]
    assert [TYPES[n] for n in np.flatnonzero(found.types[1])] == ["people", "bodyparts"]
    assert found.plural.tolist() == [True, False]
    assert found.sizes.tolist() == [[100, 100], [100, 100]]
    assert len(queries(data, split="val")) == 0
    assert len(queries(data, split="test")) == 2


def test_a_mention_without_a_chain_is_no_query() -> None:
    image = dataset([[("a dog", ("animals",), np.array([[0.0, 0.0, 9.0, 9.0]]))]]).images[0]
    no_chains = type(image)(image.name, 100, 100, "", image.captions, {})
    assert len(queries(Dataset("made up", (no_chains,)))) == 0
    empty = type(image)(image.name, 100, 100, "", image.captions, {"0": Chain("0", (), np.empty((0, 4)))})
    assert len(queries(Dataset("made up", (empty,)))) == 0


def one_query(truth: Boxes, predicted: Boxes, rule: Rule) -> Outcomes:
    found = queries(dataset([[("two dogs", ("animals",), truth)]]))
    return localize(found, np.array([0]), ranked([predicted]), rule=rule)


def test_the_rules_disagree_about_plural_phrases() -> None:
    truth = np.array([[0.0, 0.0, 10.0, 10.0], [90.0, 0.0, 100.0, 10.0]])
    around, first_dog = np.array([[0.0, 0.0, 100.0, 10.0]]), truth[:1]
    assert [one_query(truth, around, rule).overlap[0] for rule in RULES] == [1.0, 0.1, 0.2]
    assert [one_query(truth, first_dog, rule).overlap[0] for rule in RULES] == [0.1, 1.0, 0.5]
    assert [one_query(truth, first_dog, rule).rank[0] for rule in RULES] == [0, 1, 1]


@given(some_boxes(least=1, most=4), some_boxes(least=1, most=3))
def test_the_overlap_of_the_first_box_is_that_of_its_rule(truth: Boxes, predicted: Boxes) -> None:
    first = predicted[:1]
    enclosing = np.concatenate([truth[:, :2].min(axis=0), truth[:, 2:].max(axis=0)])[None]
    expected = {
        "merged": iou_matrix(first, enclosing)[0, 0],
        "any": iou_matrix(first, truth).max(),
        "component": component_iou(truth, first),
    }
    for rule in RULES:
        assert one_query(truth, predicted, rule).overlap[0] == pytest.approx(expected[rule])


def test_a_hit_counts_at_its_rank_after_suppression() -> None:
    """The second box hides behind the first, so that the third, which is a hit, has rank 2."""
    truth = np.array([[60.0, 60.0, 80.0, 80.0]])
    predicted = np.array([[0.0, 0.0, 20.0, 20.0], [1.0, 0.0, 20.0, 20.0], [60.0, 60.0, 80.0, 79.0]])
    data = queries(dataset([[("a dog", ("animals",), truth)]]))
    assert localize(data, np.array([0]), ranked([predicted])).rank.tolist() == [2]
    assert localize(data, np.array([0]), ranked([predicted]), suppression=None).rank.tolist() == [3]


def test_a_hit_that_is_suppressed_is_reachable_and_no_more() -> None:
    truth = np.array([[0.0, 0.0, 10.0, 10.0]])
    predicted = np.array([[0.0, 0.0, 10.0, 21.0], [0.0, 0.0, 10.0, 11.0]])
    found = one_query(truth, predicted, "merged")
    assert (found.rank.tolist(), found.reachable.tolist()) == ([0], [True])


def test_a_hit_beyond_the_tenth_box_counts_only_for_the_bound() -> None:
    far = np.array([[10.0 * n, 0.0, 10.0 * n + 9, 9.0] for n in range(10)])
    truth = np.array([[50.0, 50.0, 60.0, 60.0]])
    found = one_query(truth, np.concatenate([far, truth]), "merged")
    assert (found.rank.tolist(), found.reachable.tolist()) == ([0], [True])


def test_a_query_without_predictions_is_a_miss_that_says_so() -> None:
    found = one_query(np.array([[0.0, 0.0, 9.0, 9.0]]), np.empty((0, 4)), "merged")
    assert (found.rank.tolist(), found.reachable.tolist(), found.overlap.tolist()) == ([0], [False], [0])
    assert np.isnan(found.first).all()


def test_misses_are_sorted_by_what_the_first_box_hits() -> None:
    man, dog = np.array([[0.0, 0.0, 40.0, 90.0]]), np.array([[60.0, 50.0, 90.0, 90.0]])
    hat, tree = np.array([[10.0, 0.0, 30.0, 10.0]]), np.array([[45.0, 0.0, 55.0, 90.0]])
    data = queries(
        dataset(
            [[("a man", ("people",), man), ("a dog", ("animals",), dog),
              ("a hat", ("clothing",), hat), ("a tree", ("other", "scene"), tree)]]
        )
    )  # fmt: skip
    predicted = [
        man,  # a hit
        np.array([[60.0, 50.0, 70.0, 60.0]]),  # a ninth of the dog: poor only if .1 or more
        man,  # the man instead of the hat
        np.empty((0, 4)),
    ]
    found = localize(data, np.arange(4), ranked(predicted))
    assert found.instead.tolist() == [-1, -1, 0, -1]
    errors = summarize(data, found, rng()).errors
    counts = (errors.hits, errors.other_phrase, errors.poor, errors.background, errors.without_box)
    assert counts == (1, 1, 0, 1, 1)
    row, column = TYPES.index("clothing"), TYPES.index("people")
    assert errors.confusion[row, column] == errors.confusion.sum() == 1
    nearer = localize(data, np.array([1]), ranked([np.array([[60.0, 50.0, 90.0, 55.0]])]))
    assert summarize(data, nearer, rng()).errors.poor == 1


def test_a_first_box_never_hits_another_mention_of_the_same_chain_instead() -> None:
    """By `any`, one dog is a miss of `merged` only: the other mention means the same dogs."""
    dogs = np.array([[0.0, 0.0, 10.0, 10.0], [80.0, 0.0, 90.0, 10.0]])
    data = queries(dataset([[("two dogs", ("animals",), dogs), ("a cat", ("animals",), dogs)]]))
    same = replace(data, chain=np.array([0, 0]))
    around = np.array([[0.0, 0.0, 90.0, 10.0]])
    predicted = ranked([around, around])
    assert localize(data, np.arange(2), predicted, rule="any").instead.tolist() == [1, 0]
    assert localize(same, np.arange(2), predicted, rule="any").instead.tolist() == [-1, -1]


def test_predictions_and_rows_must_match() -> None:
    data = bare_queries([["people"]])
    with pytest.raises(ValueError, match="predictions for 2 queries"):
        localize(data, np.array([0]), ranked([np.empty((0, 4))] * 2))
    with pytest.raises(ValueError, match="use one of merged, any, component"):
        localize(data, np.array([0]), ranked([np.empty((0, 4))]), rule="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no outcomes"):
        join([])


# What holds for any data ------------------------------------------------------------------------------------


def made_up(seed: int, images: int = 12, proposals: int = 40) -> tuple[Queries, RankedBoxes]:
    generator = np.random.default_rng(seed)
    data = dataset(
        [
            [
                (
                    ("two dogs", "a man", "hats")[place % 3],
                    tuple(generator.choice(TYPES, generator.integers(1, 3), replace=False)),
                    random_boxes(generator, int(generator.integers(0, 4))),
                )
                for place in range(int(generator.integers(1, 7)))
            ]
            for _ in range(images)
        ]
    )
    found = queries(data)
    lists = [random_boxes(generator, int(generator.integers(0, proposals))) for _ in range(len(found))]
    return found, ranked(lists)


def taken(predicted: RankedBoxes, rows: list[int]) -> RankedBoxes:
    return ranked([predicted.lists[row] for row in rows])


@given(st.integers(0, 999), st.sampled_from(RULES), st.sampled_from([None, 0.3, 0.5]))
def test_recall_grows_with_the_rank_and_never_exceeds_the_bound(
    seed: int, rule: Rule, suppression: float | None
) -> None:
    data, predicted = made_up(seed)
    found = localize(data, np.arange(len(data)), predicted, rule=rule, suppression=suppression)
    table = summarize(data, found, rng(), resamples=20)
    for row in every_row(table):
        assert 0 <= row.hits[0] <= row.hits[1] <= row.hits[2] <= row.reachable <= row.queries
    errors = table.errors
    parts = (errors.hits, errors.other_phrase, errors.poor, errors.background, errors.without_box)
    assert sum(parts) == len(data)
    assert table.total.hits[0] == errors.hits
    for rows in (table.by_number, table.by_size):
        assert sum(row.queries for row in rows) == len(data)


@given(st.integers(0, 999), st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_of_queries_or_on_the_parts(
    seed: int, rule: Rule, shuffle: object
) -> None:
    data, predicted = made_up(seed)
    whole = localize(data, np.arange(len(data)), predicted, rule=rule)
    order = np.random.default_rng(seed + 1).permutation(len(data)).tolist()
    cut = len(order) // 3
    parts = [
        localize(data, np.array(rows, dtype=np.int64), taken(predicted, rows), rule=rule)
        for rows in (order[:cut], order[cut:])
    ]
    joined = join(parts)
    for name in ("rank", "reachable", "overlap", "instead", "first"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(whole, name)[order])
    first, second = (summarize(data, one, rng(), resamples=50) for one in (whole, joined))
    for one, other in zip(every_row(first), every_row(second), strict=True):
        assert (one.name, one.queries, one.hits, one.reachable) == (
            other.name, other.queries, other.hits, other.reachable,
        )  # fmt: skip
        np.testing.assert_allclose(one.intervals, other.intervals)
    np.testing.assert_array_equal(first.errors.confusion, second.errors.confusion)


def every_row(table: Localization) -> list[Recall]:
    return [table.total, *table.by_type, *table.by_phrase, *table.by_number, *table.by_size]


def test_intervals_are_over_images() -> None:
    """All queries of an image are right or all are wrong: only ten images say anything, not 160 queries."""
    types = [["people"]] * 160
    rank = [1 if n // 16 % 2 else 0 for n in range(160)]
    found = summarize(bare_queries(types), outcomes(160, rank, [True] * 160), rng())
    low, high = found.total.intervals[0]
    assert low < 0.25 and high > 0.75  # of 160 independent queries: .42 to .58
    assert found.total.intervals[-1] == (1, 1)


def test_the_commonest_phrases_have_rows_in_their_order() -> None:
    box = np.array([[0.0, 0.0, 9.0, 9.0]])
    phrases = [f"thing {n:02}" for n in range(30) for _ in range(40 - n)]
    data = queries(dataset([[(phrase, ("other",), box)] for phrase in phrases]))
    found = localize(data, np.arange(len(data)), ranked([box] * len(data)))
    rows = summarize(data, found, rng(), resamples=0).by_phrase
    assert [(row.name, row.queries) for row in rows] == [(f"thing {n:02}", 40 - n) for n in range(25)]


def test_rows_by_size_follow_the_true_enclosing_box() -> None:
    sides = [31, 32, 63, 64, 255, 256]
    boxes = [np.array([[0.0, 0.0, side, side]]) for side in sides]
    data = queries(dataset([[("a thing", ("other",), box)] for box in boxes], side=500))
    found = localize(data, np.arange(len(data)), ranked(boxes))
    rows = summarize(data, found, rng(), resamples=0).by_size
    assert [row.queries for row in rows] == [1, 2, 1, 1, 1]
    assert rows[0].name == "below 32 px"
    assert rows[-1].name == "256 px and more"


def test_without_queries_there_is_nothing_to_say() -> None:
    data = queries(dataset([]))
    nothing = RankedBoxes(RaggedBoxes.of([]), np.empty(0))
    found = summarize(data, localize(data, np.arange(0), nothing), rng())
    assert found.total.queries == 0
    assert np.isnan(found.total.share(0))
    assert np.isnan(found.total.bound)
