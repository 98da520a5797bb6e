"""The experiment of the paper's table 2 on a project's own answers."""

from __future__ import annotations

import io
import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.domain.mentions import admissible, reading_order
from annotation.models import Batch, ImageWork, Judgment
from evaluation.audit import LinkCounts
from research.strategies import Sketch, draw_image
from tests.factories import NOW, answer_page, claim_maybe, make_batch, make_image, make_project, make_worker
from tests.suggesting_models import make_scored_set
from tests.unguarded import unguarded
from workflows.analysis.link_experiment import compare_strategies, count_image
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.link_strategies import ANSWERS, STRATEGIES
from workflows.priors.domain.prior import Prior, ScoreWeights, TextPrior
from workflows.priors.models import PriorVersion

FALSE_POSITIVES, FALSE_NEGATIVES = 0.06, 0.03


def votes_of(image: Sketch, rng: random.Random) -> dict[tuple[int, int], tuple[bool, ...]]:
    """Return answers that err at the planted rates."""
    votes = {}
    for a, b in combinations(reading_order(image.mentions), 2):
        if admissible(a, b):
            same = image.truth[a.id] == image.truth[b.id]
            rate = FALSE_NEGATIVES if same else FALSE_POSITIVES
            votes[a.id, b.id] = tuple(same != (rng.random() < rate) for _ in range(ANSWERS))
    return votes


def test_planted_error_rates_are_recovered_and_settling_lowers_them() -> None:
    rng = random.Random(4)
    images = [draw_image(rng, spread=0) for _ in range(250)]
    answered = [(image, votes_of(image, rng)) for image in images]
    found = {}
    for name in ("exhaustive", "greedy", "exhaustive_plus", "greedy_plus"):
        counts = LinkCounts()
        for image, votes in answered:
            strategy = STRATEGIES[name]["triangles"]
            counts += count_image(strategy, image.mentions, votes, seed="", asks_again=False)
        found[name] = counts.row()
    plain = found["exhaustive"]
    # Some thousands of pairs are the same, and more are not, so that the deviations are about 0.003.
    assert plain.false_positives == pytest.approx(FALSE_POSITIVES, abs=0.01)
    assert plain.false_negatives == pytest.approx(FALSE_NEGATIVES, abs=0.01)
    assert plain.matched_links == pytest.approx(1 - 0.05, abs=0.01)
    assert plain.asked == 1 and 0.5 < found["greedy"].asked < 0.65
    for name in ("exhaustive", "greedy"):
        plus = found[f"{name}_plus"]
        assert plus.matched_links > found[name].matched_links
        assert plus.matched_chains > found[name].matched_chains
        assert plus.questions > found[name].questions
        assert 0 < plus.precision <= 1 and 0 < plus.recall <= 1 and plus.f > found[name].f


@pytest.fixture
def batch(db: None) -> Batch:
    """Return a batch of two images whose pairs five workers have answered, and an image that is not asked."""
    project = make_project()
    for _ in range(2):
        make_image(project, [["man", "dog"], ["man"], ["man", "dog"]])
    batch = make_batch(project, strategy="every_pair", items_a_page={"link": 10})
    for _ in range(ANSWERS):
        worker = make_worker(project)
        while claim_maybe(worker, stage="link"):
            answer_page(worker, stage="link")
            advance_pending(now=NOW)
    return batch


def test_five_workers_answer_each_pair_and_the_strategies_are_compared(batch: Batch) -> None:
    assert set(ImageWork.objects.filter(batch=batch).values_list("state", flat=True)) == {"boxing"}
    assert Judgment.objects.filter(item__stage="link").count() == 2 * 4 * ANSWERS
    found = compare_strategies(batch=batch)
    assert (found.images, found.left_out) == (2, 0)
    assert set(found.rows) == {*STRATEGIES} - {"every_pair"}
    for name, row in found.rows.items():
        assert row.matched_chains == row.matched_links == row.f == 1, name
    assert found.rows["exhaustive"].questions == 8 and found.rows["greedy"].questions < 8


def test_a_prior_with_scores_is_compared_with_the_scores_of_the_images(batch: Batch) -> None:
    alike = Prior(TextPrior({"intercept": -6.0}, {}), scores=ScoreWeights(1, 0.0, 1.0))
    made = make_scored_set(batch.project, lambda a, b: 12.0 if a.text == b.text else None)
    PriorVersion.objects.create(
        project=batch.project,
        number=made.number,
        content=alike.to_json(),
        report={},
        by="ada",
        created_at=NOW,
    )
    row = compare_strategies(batch=batch).rows["posterior"]
    assert row.matched_chains == 1, "each join is asked about, though the batch does not say human_yes"
    PriorVersion.objects.create(
        project=batch.project,
        number=2,
        content=Prior(alike.text).to_json(),
        report={},
        by="ada",
        created_at=NOW,
    )
    assert compare_strategies(batch=batch).rows["posterior"].questions == 0, "words alone keep all apart"


def test_an_image_that_lacks_answers_is_left_out(batch: Batch) -> None:
    first = Judgment.objects.filter(item__stage="link").order_by("pk")[0]
    with unguarded():
        Judgment.objects.filter(pk=first.pk).delete()
    found = compare_strategies(batch=batch)
    assert (found.images, found.left_out) == (1, 1)


def test_the_command_prints_the_rows_beside_the_papers(batch: Batch, tmp_path: Path) -> None:
    out, file = io.StringIO(), tmp_path / "rows.json"
    call_command("link_experiment", project=batch.project.name, batch=batch.name, json=file, stdout=out)
    lines = [line.split() for line in out.getvalue().splitlines()]
    assert lines[0][:2] == ["exhaustive", "greedy"]
    assert ["matched", "chains", *["100.00%"] * 5] in lines
    assert ["in", "the", "paper", "81.84%", "81.55%", "90.67%", "86.07%", "–"] in lines
    assert out.getvalue().endswith("Images: 2; without all answers, left out: 0\n")
    assert json.loads(file.read_text())["strategies"]["exhaustive"]["questions"] == 8


def test_a_batch_without_such_answers_says_what_it_needs(db: None) -> None:
    project = make_project()
    make_image(project, [["man"], ["man"]])
    make_batch(project)
    with pytest.raises(CommandError, match="needs the link strategy every_pair"):
        call_command("link_experiment", project=project.name, batch="main")
