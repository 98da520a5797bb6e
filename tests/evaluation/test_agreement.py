"""Worked examples of the literature, and then what holds for any judgments."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import (
    MIN_SHARED,
    NO_ITEMS,
    ONE_LABEL,
    Level,
    Votes,
    cohen_kappa,
    fleiss_kappa,
    from_rows,
    krippendorff_alpha,
    percent_agreement,
)
from evaluation.significance import Estimate
from tests.evaluation.planted import CASES, CHOICES, planted

FIGURES = [percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha]
figures = pytest.mark.parametrize("figure", FIGURES)
Figure = Callable[..., Estimate]

# Fleiss 1971, table 1: diagnoses of 30 patients by 6 psychiatrists each. His kappa is 0.430.
DIAGNOSES = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Krippendorff 2011, section D: four observers and twelve units, some of which were not judged.
OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]


OTHERS: dict[str, Any] = json.loads(Path(__file__).with_name("agreement.json").read_text())
"""What other libraries say about the agreement in CASES. agreement_oracle.py made it, and says how."""


some_votes = st.lists(
    st.tuples(st.integers(0, 7), st.sampled_from("uvwxyz"), st.sampled_from(CHOICES)),
    min_size=1,
    max_size=40,
    unique_by=lambda row: row[:2],
)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def value(figure: Figure, votes: Votes) -> float:
    found = figure(votes, rng(), resamples=0).value
    assert found is not None
    return float(found)


def from_counts(rows: list[list[int]]) -> Votes:
    """Return judgments with as many made-up workers an item as there are judgments."""
    votes = [
        (item, f"w{n}", str(label))
        for item, row in enumerate(rows)
        for n, label in enumerate(label for label, times in enumerate(row) for _ in range(times))
    ]
    return from_rows(votes, [str(n) for n in range(len(rows[0]))])


def by_observer(*lines: str) -> Votes:
    return from_rows(
        (unit, f"observer {n}", label)
        for n, line in enumerate(lines)
        for unit, label in enumerate(line)
        if label != "."
    )


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        # the tables of the article "Cohen's kappa" in Wikipedia
        ([[20, 5], [10, 15]], 0.4),
        ([[45, 15], [25, 15]], 0.1304),
        ([[25, 35], [5, 35]], 0.2593),
        ([[10, 0], [0, 10]], 1.0),
        ([[0, 10], [10, 0]], -1.0),
    ],
)
def test_cohens_kappa_of_known_tables(table: list[list[int]], kappa: float) -> None:
    pairs = [(a, b) for a in (0, 1) for b in (0, 1) for _ in range(table[a][b])]
    votes = from_rows(
        row for item, (a, b) in enumerate(pairs) for row in ((item, "A", str(a)), (item, "B", str(b)))
    )
    assert value(cohen_kappa, votes) == pytest.approx(kappa, abs=5e-5)


def test_fleiss_kappa_of_his_own_example() -> None:
    rows = [[int(n) for n in row] for row in DIAGNOSES.split()]
    assert np.sum(rows, axis=0).tolist() == [26, 26, 30, 55, 43]
    assert value(fleiss_kappa, from_counts(rows)) == pytest.approx(0.430, abs=5e-4)
    assert value(percent_agreement, from_counts(rows)) == pytest.approx(0.556, abs=5e-4)


def test_fleiss_kappa_of_the_known_table_of_fourteen_raters() -> None:
    """The worked example of the article "Fleiss' kappa" in Wikipedia."""
    rows = ["0000E", "02642", "00356", "03920", "22811", "77000", "32630", "25322", "65210", "02237"]
    votes = from_counts([[int(n, 16) for n in row] for row in rows])
    assert value(fleiss_kappa, votes) == pytest.approx(0.210, abs=5e-4)
    assert value(percent_agreement, votes) == pytest.approx(0.378, abs=5e-4)


@pytest.mark.parametrize(
    ("lines", "alpha"),
    [
        (["0100000010", "1110010000"], 0.095),  # section A: two observers, binary
        (["aabbdcccedda", "babbbccceddd"], 0.692),  # section B: two observers, five values
        (OBSERVERS, 0.743),  # section C: four observers, missing data
    ],
)
def test_krippendorffs_alpha_of_his_own_examples(lines: list[str], alpha: float) -> None:
    assert value(krippendorff_alpha, by_observer(*lines)) == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_four_observers_at_every_level(level: Level, alpha: float) -> None:
    """Section C of Krippendorff 2011 has the nominal figure, section D those of the other levels."""
    found = krippendorff_alpha(by_observer(*OBSERVERS), rng(), level=level)
    assert found.value is not None and found.low is not None and found.high is not None
    assert found.value == pytest.approx(alpha, abs=5e-4)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_labels_that_are_two_are_alike_at_every_level(level: Level) -> None:
    """All distances between two labels are one distance, so that the level makes no difference."""
    votes = from_rows([(item, worker, str(item * 7 % 5 % 2)) for item in range(9) for worker in "ab"][:-1])
    shifted = from_rows(
        [
            (item, worker, str((item + (worker == "b" and item % 4 == 0)) % 2))
            for item in range(9)
            for worker in "ab"
        ]
    )
    for one in (votes, shifted):
        nominal = krippendorff_alpha(one, rng(), resamples=0).value
        assert krippendorff_alpha(one, rng(), level=level, resamples=0).value == pytest.approx(nominal)


def test_interval_data_needs_numbers() -> None:
    votes = from_rows([(1, "a", "bad"), (1, "b", "good"), (2, "a", "good"), (2, "b", "good")])
    with pytest.raises(ValueError, match="give the values of the labels bad, good"):
        krippendorff_alpha(votes, rng(), level="interval")
    found = krippendorff_alpha(votes, rng(), level="interval", values=[1, 4], resamples=0)
    assert found.value == pytest.approx(krippendorff_alpha(votes, rng(), resamples=0).value)


@pytest.mark.parametrize("case", CASES)
def test_other_libraries_say_the_same(case: str) -> None:
    votes, others = from_rows(CASES[case]), OTHERS[case]
    assert value(krippendorff_alpha, votes) == pytest.approx(others["alpha"])
    if "fleiss" in others:
        assert value(fleiss_kappa, votes) == pytest.approx(others["fleiss"])
    pairs = [(shared, kappa) for _, _, shared, kappa in others["cohen"] if shared >= MIN_SHARED]
    shared, kappas = zip(*pairs, strict=True)
    assert value(cohen_kappa, votes) == pytest.approx(np.average(kappas, weights=shared))


@figures
def test_full_agreement_is_one(figure: Figure) -> None:
    votes = from_rows([(item, worker, CHOICES[item % 3]) for item in range(12) for worker in "ab"])
    found = figure(votes, rng())
    assert (found.value, found.low, found.high) == pytest.approx((1, 1, 1))


@figures
def test_without_an_item_of_two_judgments_there_is_no_figure(figure: Figure) -> None:
    for rows in ([], [(1, "a", "no"), (2, "b", "yes")]):
        assert figure(from_rows(rows, ("no", "yes")), rng()) == Estimate(None, reason=NO_ITEMS)


@pytest.mark.parametrize("figure", [cohen_kappa, fleiss_kappa, krippendorff_alpha])
def test_one_label_for_everything_leaves_nothing_beyond_chance(figure: Figure) -> None:
    votes = from_rows([(item, worker, "yes") for item in range(20) for worker in "ab"], ("no", "yes"))
    assert figure(votes, rng()) == Estimate(None, reason=ONE_LABEL)


@pytest.mark.parametrize("figure", [cohen_kappa, fleiss_kappa, krippendorff_alpha])
def test_an_interval_that_most_resamples_do_not_have_is_none(figure: Figure) -> None:
    rows = [(item, worker, "yes") for item in range(20) for worker in "ab"]
    found = figure(from_rows([*rows[:-1], (19, "b", "no")], ("no", "yes")), rng())
    assert found.value is not None and found.low is None
    assert "of the resamples" in found.reason


@figures
def test_one_item_has_no_interval(figure: Figure) -> None:
    found = figure(from_rows([(1, "a", "no"), (1, "b", "yes")]), rng())
    assert found.value is not None and found.low is None
    assert found.reason == "one item has no interval"


@figures
def test_the_interval_holds_the_truth_nineteen_times_out_of_twenty(figure: Figure) -> None:
    """Two workers are right about three labels with probabilities 0.9 and 0.8.

    The truth is that of many items.
    """
    accuracies = [0.9, 0.8]
    many, _ = planted(accuracies, items=40_000, each=2, seed=0)
    truth = value(figure, from_rows(many))
    held = 0
    for seed in range(1, 61):
        rows, _ = planted(accuracies, items=120, each=2, seed=seed)
        found = figure(from_rows(rows, CHOICES), rng(), resamples=300)
        assert found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    assert held >= 52


@figures
def test_chance_is_worth_nothing(figure: Figure) -> None:
    rows, _ = planted([1 / 3, 1 / 3], items=5000, each=2)
    expected = 1 / 3 if figure is percent_agreement else 0
    assert value(figure, from_rows(rows)) == pytest.approx(expected, abs=0.03)


def test_pairs_of_many_workers_count_by_what_they_share() -> None:
    """a and b share 20 items and agree. a and c share 20 and never agree. b and c share too few."""
    rows = [(item, worker, "yes" if item % 2 else "no") for item in range(20) for worker in "ab"]
    rows += [(item, "a", "yes" if item % 2 else "no") for item in range(20, 40)]
    rows += [(item, "c", "no" if item % 2 else "yes") for item in range(20, 40)]
    rows += [(40, "b", "yes"), (40, "c", "no")]
    assert value(cohen_kappa, from_rows(rows)) == pytest.approx(0)


def test_pairs_that_share_hardly_an_item_do_not_count() -> None:
    rows = [(item, f"w{item + n}", "yes") for item in range(30) for n in (0, 1)]
    found = cohen_kappa(from_rows(rows), rng())
    assert found == Estimate(None, reason="no two workers share 10 items")


@pytest.mark.parametrize("figure", [percent_agreement, fleiss_kappa, krippendorff_alpha])
def test_intervals_of_patterns_are_those_of_items(figure: Figure) -> None:
    """Drawing patterns of items is the same as drawing items.

    `_resample` does one or the other, depending on their number.
    """
    few, _ = planted([0.9, 0.8], items=120, each=2)
    many = [(item + 120 * n, worker, label) for n in range(10) for item, worker, label in few]
    a, b = figure(from_rows(few), rng()), figure(from_rows(many), rng())
    assert a.value is not None and a.low is not None and a.high is not None
    assert b.low is not None and b.high is not None
    # With ten times the items, the width shrinks by the root of ten.
    assert (a.high - a.low) / (b.high - b.low) == pytest.approx(10**0.5, rel=0.15)


@given(some_votes)
def test_nothing_depends_on_the_order_of_the_judgments(rows: list[tuple[int, str, str]]) -> None:
    other = random.Random(len(rows)).sample(rows, len(rows))
    for figure in FIGURES:
        a, b = (figure(from_rows(each, CHOICES), rng(), resamples=0).value for each in (rows, other))
        assert a == pytest.approx(b) if a is not None else b is None


@figures
def test_options_out_of_range_are_refused(figure: Figure) -> None:
    votes = from_rows([(item, worker, "no") for item in range(2) for worker in "ab"], ("no", "yes"))
    with pytest.raises(ValueError, match="resamples at least 0"):
        figure(votes, rng(), resamples=-1)


def test_half_a_million_judgments_take_a_moment() -> None:
    generator = rng()
    items = np.arange(500_000) // 2
    workers = (items * 7 + np.arange(500_000) % 2 * 13) % 50
    labels = np.where(generator.random(500_000) < 0.8, items % 3, generator.integers(3, size=500_000))
    votes = Votes(items, workers, labels, np.arange(250_000), np.arange(50), CHOICES)
    begin = time.process_time()
    for figure in (percent_agreement, fleiss_kappa, krippendorff_alpha):
        assert figure(votes, generator).low is not None
    assert time.process_time() - begin < 5
