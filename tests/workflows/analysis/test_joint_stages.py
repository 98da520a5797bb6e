"""Agreement, labels and counts of the stages that are about all boxes of a chain at once."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.domain.answer_labels import NAMES
from annotation.domain.geometry import Box
from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import Item, Judgment
from tests.entities_fast import ONE, THREE, TWO, answer, drawn, make_fast, said
from tests.factories import NOW, make_at_stage
from workflows.analysis.agreement_report import agreement_report
from workflows.analysis.counts.agreement import agreement_of_workers
from workflows.analysis.counts.targets import Target, stages_used
from workflows.analysis.counts.work import count_items, count_judgments
from workflows.analysis.domain.aggregation.box_consensus import around_known, others_than_known
from workflows.analysis.outcomes import outcomes_of
from workflows.analysis.rule_disagreement import aggregate
from workflows.review.set_aside import set_aside_worker

A, B, C = (Box(left, 0, left + 10, 10) for left in (0, 50, 100))
A_AGAIN, AWAY = Box(0, 0, 10, 9), Box(500, 500, 600, 600)


def test_boxes_of_one_answer_are_for_different_things() -> None:
    """Both of ada's boxes are closest to the first known box, so the better one is for it."""
    drawn = [("ada", (A_AGAIN, A)), ("bob", (B, A_AGAIN)), ("cid", (AWAY,))]
    assert around_known(drawn, (A, B)) == [
        [("ada", A), ("bob", A_AGAIN), ("cid", None)],
        [("ada", None), ("bob", B), ("cid", None)],
    ]
    assert others_than_known(drawn, (A, C)) == [("ada", None), ("bob", B), ("cid", AWAY)]


def outcomes(stage: str) -> list[str | None]:
    found = outcomes_of(Judgment.objects.filter(item__stage=stage), stage=stage)
    return [None if one.label is None else NAMES[stage][one.label] for one in found]


@pytest.mark.django_db
def test_an_outcome_rests_on_the_prior_of_its_chain() -> None:
    """After nobody could draw one, two *box* decide that a ball needs a box (.96), but not a park (.84)."""
    batch = make_fast([["ball", "park"]])
    answer(batch, {"none": "nobox"})
    for _ in range(2):
        answer(batch, {"requirement": "box"})
    types = dict(Item.objects.filter(stage="requirement").values_list("pk", "chain__types"))
    labels = dict(zip(sorted(types), outcomes("requirement"), strict=True))
    assert {types[pk]: label for pk, label in labels.items()} == {"other": "box", "scene": None}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("answers", "label"),
    [
        ([said("good", "good")], "fine"),
        ([said("good", "good", missing=True)] * 2, "changes"),
        ([said("good", "double")] * 2, "changes"),
        ([said("good", "loose"), said("good", "good"), said("good", "good")], "fine"),
    ],
)
def test_a_check_is_fine_if_all_of_it_is(answers: list[dict[str, Any]], label: str) -> None:
    batch = make_fast()
    answer(batch, drawn(ONE, TWO))
    for one in answers:
        answer(batch, one)
    assert outcomes("boxes") == ["box"] and outcomes("check") == [label]
    found = aggregate(project_id=batch.project_id, stage="check", batch_id=None, method="majority")
    assert ([found.names[one] for one in found.labels], found.differences) == ([label], [])


@pytest.mark.django_db
def test_who_draws_agrees_with_the_crowd_box_by_box() -> None:
    batch = make_fast()
    drawer = answer(batch, drawn(ONE, TWO, THREE))
    for one in (said("good", "loose", "good"), said("good", "loose", "good"), said("good", "loose", "good")):
        if Item.objects.filter(stage="check", state="open").exists():
            answer(batch, one)
    assert agreement_of_workers([drawer.pk], "boxes") == {drawer.pk: (2, 3)}
    set_aside_worker(worker_id=drawer.pk, stage="boxes", by="ada", note="", now=NOW, unsupported_only=False)
    assert agreement_of_workers([drawer.pk], "boxes") == {drawer.pk: (2, 3)}, "as the others said it"


@pytest.mark.django_db
def test_counts_have_the_stages_of_the_batches() -> None:
    fast, paper = make_fast(), make_at_stage("drawing")
    answer(fast, drawn(ONE, TWO))
    of = {batch: Target(batch.project_id, batch.pk, (batch.pk,)) for batch in (fast, paper)}
    both = Target(fast.project_id, None, (fast.pk, paper.pk))
    assert tuple(count_items(of[fast], NOW).stages) == PROTOCOL_STAGES["entities-fast"]
    assert tuple(count_items(of[paper], NOW).stages) == PROTOCOL_STAGES["flickr30k-entities"]
    assert len(count_items(both, NOW).stages) == 8
    assert count_judgments(of[fast], NOW).stages["boxes"].judgments == 1
    assert stages_used(project_id=fast.project_id) == PROTOCOL_STAGES["entities-fast"]
    report = agreement_report(project_id=fast.project_id, batch_id=None, resamples=10)
    assert [one["stage"] for one in report["stages"]] == list(PROTOCOL_STAGES["entities-fast"])
