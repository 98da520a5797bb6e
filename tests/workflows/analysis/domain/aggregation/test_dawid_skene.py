from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import Votes, from_ids, from_rows
from tests.evaluation.planted import CHOICES, planted
from tests.evaluation.test_agreement import some_votes
from workflows.analysis.domain.aggregation.dawid_skene import UNKNOWN, dawid_skene, known_labels
from workflows.analysis.domain.aggregation.majority import majority

CROWDKIT: dict[str, Any] = json.loads(Path(__file__).with_name("crowdkit.json").read_text())
models = st.booleans()


def in_order(votes: Votes) -> tuple[list[int], list[int]]:
    """Return the codes of items and of workers, sorted by what they stand for."""
    items = sorted(range(len(votes.item_ids)), key=lambda code: str(votes.item_ids[code]))
    workers = sorted(range(len(votes.worker_ids)), key=lambda code: str(votes.worker_ids[code]))
    return items, workers


@pytest.fixture
def fixture_votes() -> Votes:
    rows, _ = planted([0.95, 0.9, 0.8, 0.6, 0.35], items=24, each=3)
    votes = from_rows(sorted(rows), CHOICES)
    assert list(votes.item_ids) == CROWDKIT["items"]
    return votes


@pytest.mark.parametrize(("name", "one_coin"), [("DawidSkene", False), ("OneCoinDawidSkene", True)])
def test_both_models_say_what_crowd_kit_says(fixture_votes: Votes, name: str, one_coin: bool) -> None:
    fit = dawid_skene(fixture_votes, one_coin=one_coin, smoothing=0, tolerance=0, most=20)
    assert fit.iterations == 20
    np.testing.assert_allclose(fit.posterior, CROWDKIT[name]["posterior"], atol=1e-9)
    np.testing.assert_allclose(fit.priors, CROWDKIT[name]["priors"], atol=1e-9)
    if one_coin:
        by_name = fit.accuracies[in_order(fixture_votes)[1]]
        np.testing.assert_allclose(by_name, CROWDKIT[name]["accuracies"], atol=1e-9)


@pytest.mark.parametrize("one_coin", [False, True])
def test_planted_accuracies_are_found_again(one_coin: bool) -> None:
    accuracies = [0.95, 0.9, 0.85, 0.8, 0.7, 0.55]
    rows, truth = planted(accuracies, items=3000, each=4)
    votes = from_rows(rows, CHOICES)
    fit = dawid_skene(votes, one_coin=one_coin)
    _, workers = in_order(votes)
    assert fit.converged
    np.testing.assert_allclose(fit.accuracies[workers], accuracies, atol=0.03)
    np.testing.assert_allclose(
        fit.confusions[workers][:, range(3), range(3)].mean(axis=1), accuracies, atol=0.03
    )
    right = np.array([CHOICES.index(truth[item]) for item in range(3000)])
    assert np.mean(fit.labels == right) > np.mean(majority(votes).labels == right) > 0.9


def test_a_worker_who_confuses_one_way_only_is_seen_through_by_the_full_model() -> None:
    rng = random.Random(3)
    rows = []
    for item in range(400):
        truth = rng.choice(["no", "yes"])
        rows += [(item, f"good{n}", truth if rng.random() < 0.9 else "yes") for n in range(3)]
        rows.append((item, "always yes", "yes"))
    votes = from_rows(rows, ("no", "yes"))
    fit = dawid_skene(votes)
    lazy = fit.confusions[list(votes.worker_ids).index("always yes")]
    assert lazy[0, 1] > 0.99 and lazy[1, 1] > 0.99


@given(some_votes, models, st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_of_judgments_items_workers_or_labels(
    rows: list[tuple[int, str, str]], one_coin: bool, rng: random.Random
) -> None:
    first = from_rows(rows, CHOICES)
    names = rng.sample(CHOICES, 3)
    second = from_rows(rng.sample(rows, len(rows)), names)
    a, b = (dawid_skene(votes, one_coin=one_coin, most=10, tolerance=0) for votes in (first, second))
    columns = [names.index(name) for name in CHOICES]
    (items, workers), (other_items, other_workers) = in_order(first), in_order(second)
    np.testing.assert_allclose(a.posterior[items], b.posterior[other_items][:, columns], atol=1e-6)
    np.testing.assert_allclose(a.accuracies[workers], b.accuracies[other_workers], atol=1e-6)
    np.testing.assert_allclose(a.priors, b.priors[columns], atol=1e-6)


@given(some_votes, models, st.sampled_from([0.0, 0.01, 1.0]))
def test_the_objective_never_falls_and_every_row_is_a_distribution(
    rows: list[tuple[int, str, str]], one_coin: bool, smoothing: float
) -> None:
    fit = dawid_skene(from_rows(rows, CHOICES), one_coin=one_coin, smoothing=smoothing, most=30)
    assert np.all(np.diff(fit.objective) >= -1e-7 * len(rows))
    for shares in (fit.posterior, fit.confusions, fit.priors):
        assert np.all(shares >= 0)
        np.testing.assert_allclose(shares.sum(axis=-1), 1)


@pytest.mark.parametrize("one_coin", [False, True])
def test_unanimous_items_keep_their_label(one_coin: bool) -> None:
    rows = [(item, worker, CHOICES[item % 3]) for item in range(12) for worker in "abc"]
    votes = from_rows(rows, CHOICES)
    fit = dawid_skene(votes, one_coin=one_coin)
    assert [CHOICES[label] for label in fit.labels] == [CHOICES[item % 3] for item in range(12)]
    assert fit.posterior.max(axis=1).min() > 0.99
    assert fit.accuracies.min() > 0.99


@pytest.mark.parametrize("one_coin", [False, True])
def test_one_worker_alone_is_believed(one_coin: bool) -> None:
    votes = from_rows([(item, "only", CHOICES[item % 2]) for item in range(10)], CHOICES)
    fit = dawid_skene(votes, one_coin=one_coin)
    assert [CHOICES[label] for label in fit.labels] == [CHOICES[item % 2] for item in range(10)]


def test_a_tie_of_two_strangers_stays_one() -> None:
    fit = dawid_skene(from_rows([(1, "a", "yes"), (1, "b", "no")], ("no", "yes")))
    np.testing.assert_allclose(fit.posterior, [[0.5, 0.5]])
    assert fit.labels.tolist() == [0]


@pytest.mark.parametrize("one_coin", [False, True])
def test_no_judgments_are_no_error(one_coin: bool) -> None:
    fit = dawid_skene(from_rows([], ("no", "yes")), one_coin=one_coin)
    assert fit.posterior.shape == (0, 2) and fit.converged and not fit.iterations


def test_known_labels_anchor_the_rest() -> None:
    """Two bad workers outvote a good one, but verification questions show who is who."""
    rng = random.Random(2)
    flip = {"no": "yes", "yes": "no"}
    truth = {item: rng.choice(["no", "yes"]) for item in range(200)}
    rows = [
        (item, worker, right if (rng.random() < share) else flip[right])
        for item, right in truth.items()
        for worker, share in (("good", 0.97), ("bad", 0.2), ("worse", 0.15))
    ]
    votes = from_rows(rows, ("no", "yes"))
    known = known_labels(votes, {item: ("no", "yes").index(truth[item]) for item in range(40)})
    others = slice(40, None)
    right = np.array([("no", "yes").index(truth[item]) for item in range(200)])
    alone, anchored = dawid_skene(votes), dawid_skene(votes, known=known)
    assert np.mean(alone.labels[others] == right[others]) < 0.2
    assert np.mean(anchored.labels[others] == right[others]) > 0.9
    assert np.all(anchored.posterior[range(40), right[:40]] == 1)


def test_iterations_are_limited() -> None:
    rows, _ = planted([0.9, 0.6, 0.4], items=50, each=3)
    fit = dawid_skene(from_rows(rows, CHOICES), most=2, tolerance=0)
    assert fit.iterations == 2 and not fit.converged


@pytest.mark.parametrize(
    "options", [{"smoothing": -1}, {"tolerance": -1}, {"most": 0}, {"known": np.array([UNKNOWN] * 3)}]
)
def test_options_out_of_range_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))):
        dawid_skene(from_rows([(1, "a", "no")], ("no", "yes")), **options)


def test_more_workers_than_fit_into_memory_are_refused() -> None:
    names = [str(n) for n in range(8000)]
    with pytest.raises(ValueError, match="more than fit into memory"):
        dawid_skene(from_rows([(1, "a", "1")], names))


def test_a_label_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match="'maybe' is not a label: use one of no, yes"):
        from_rows([(1, "a", "maybe")], ("no", "yes"))


def test_ids_of_any_size_become_codes() -> None:
    votes = from_ids(np.array([9, 2, 9]), np.array([70, 70, 80]), np.array([0, 1, 1]), ("no", "yes"))
    assert votes.items.tolist() == [1, 0, 1] and list(votes.item_ids) == [2, 9]
    assert votes.counts().tolist() == [[0, 1], [1, 1]]
