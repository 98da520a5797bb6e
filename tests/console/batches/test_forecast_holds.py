"""A forecast, compared with what the batch then took: demo scenes, and workers who err as the paper's did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command
from django.db.models import Count

from annotation.domain.answers import Stage
from annotation.models import Batch, Item, Judgment, Project
from simulation.answers import answer
from simulation.profiles import PROFILES
from simulation.questions import read_question
from simulation.scenes.write import write_scenes
from simulation.selectors import load_truth
from tests.factories import NOW, claim_maybe, make_worker
from workflows.assignments.page_view import shown_page
from workflows.assignments.replies import Reply
from workflows.assignments.submit import submit
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.cost_forecast import sample_of
from workflows.batches.domain.forecast import forecast
from workflows.batches.lifecycle import create_batch, move_batch
from workflows.pipeline.advance import advance_pending, open_queued

pytestmark = [pytest.mark.django_db, pytest.mark.slow("a whole batch by a simulated crowd")]

SCENES = 3
WORKERS = 4
OUTSIDE = 0.25
"""How far a stage may be outside of its range.

A range holds nine runs of ten, and there are twelve ranges here. Who gets which item is drawn anew in every
run.
"""


def _batch(folder: Path) -> Batch:
    write_scenes(folder, SCENES, 11)
    call_command(
        *("import_corpus", folder, "--project", "scenes", "--format", "flickr30k-entities", "--as-gold"),
        processes=1,
    )
    settings = parse_settings({"regime": "open", "items_a_page": dict.fromkeys(map(str, Stage), 50)})
    project = Project.objects.get(name="scenes")
    batch = move_batch(
        batch=create_batch(project=project, name="main", settings=settings),
        action="launch",
        without_pictures=True,
    )
    open_queued(batch_id=batch.pk, now=NOW)
    return batch


def _annotate(batch: Batch) -> None:
    """Annotate to the end, with workers who err as often as the paper's."""
    truth, rng = load_truth("scenes"), Random(5)
    workers = [make_worker(batch.project) for _ in range(WORKERS)]
    for _ in range(500):
        claims = [(worker, claim) for worker in workers if (claim := claim_maybe(worker))]
        if not claims:
            return
        for worker, claim in claims:
            shown = shown_page(claim.assignment, now=NOW)
            replies = []
            for entry in shown["items"]:
                question = read_question(entry["question"], truth.image_of)
                said = answer(shown["stage"], question, truth, PROFILES["paper"], rng)
                replies.append(Reply(item=entry["item"], answer=said))
            submit(worker_id=worker.pk, assignment_id=claim.assignment.pk, replies=replies, now=NOW)
        advance_pending(now=NOW)
    raise AssertionError("the batch never ends")


def test_what_the_service_takes_is_about_what_was_forecast(tmp_path: Path) -> None:
    batch = _batch(tmp_path)
    seen = forecast(sample_of(batch), SCENES, settings_of(batch), workers=WORKERS, rng=Random(1))
    _annotate(batch)
    items = Counter(dict(Item.objects.values_list("stage").annotate(Count("pk"))))
    judgments = Counter(dict(Judgment.objects.values_list("item__stage").annotate(Count("pk"))))
    for stage in map(str, Stage):
        for range_, count in (
            (seen.stages[stage].items, items[stage]),
            (seen.stages[stage].judgments, judgments[stage]),
        ):
            assert range_.low * (1 - OUTSIDE) <= count <= range_.high * (1 + OUTSIDE), stage
            assert range_.high < 3 * range_.low, "or it would say nothing"
    assert seen.total.judgments.low <= judgments.total() <= seen.total.judgments.high
