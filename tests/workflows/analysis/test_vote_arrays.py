from __future__ import annotations

import numpy as np
import pytest

from annotation.domain.answer_labels import NAMES, label_of
from annotation.domain.answers import Requirement, RequirementAnswer, Stage, parse_answer
from annotation.models import Batch, Item, Judgment, VerificationQuestion
from tests.factories import NOW, answer_page, make_at_stage, make_worker
from tests.workflows.management.test_aggregate import judged
from tests.workflows.management.test_agreement import judge
from workflows.analysis.outcomes import label_of_verdict
from workflows.analysis.vote_arrays import drawn_by_chain, known_answers, verdicts_of, votes_of
from workflows.analysis.worker_agreement import agreement_of
from workflows.pipeline.advance import advance_pending
from workflows.pipeline.domain.moves import PROTOCOLS
from workflows.pipeline.domain.verdicts import Verdict, decide_link, decide_requirement

ANSWERS: list[tuple[str, dict[str, object], str]] = [
    ("link", {"same": True}, "same"),
    ("verification", {"same": False}, "different"),
    ("requirement", {"requirement": "scene"}, "scene"),
    ("drawing", {"box": [1, 2, 30, 40]}, "box"),
    ("drawing", {"box": None}, "none"),
    ("quality", {"good": True}, "good"),
    ("coverage", {"complete": False}, "incomplete"),
]


@pytest.mark.parametrize(("stage", "answer", "label"), ANSWERS)
def test_answers_have_labels_and_so_has_what_they_decide(
    stage: str, answer: dict[str, object], label: str
) -> None:
    assert NAMES[stage][label_of(stage, answer)] == label
    given = [parse_answer(stage, answer)] * 2
    decide = PROTOCOLS["flickr30k-entities"].decide
    verdict = decide_link(given, settling=False) if stage == "link" else decide[stage](given)
    assert verdict is not None and NAMES[stage][label_of_verdict(stage, verdict)] == label


def test_no_box_without_a_reason_is_nobox() -> None:
    verdict = decide_requirement([RequirementAnswer(Requirement.NOBOX)] * 2)
    assert verdict is not None and NAMES["requirement"][label_of_verdict("requirement", verdict)] == "nobox"


def test_right_answers_of_drawing_questions_are_labels_too() -> None:
    assert [label_of("drawing", {"boxes": boxes}) for boxes in ([[1, 2, 3, 4]], [])] == [0, 1]


def test_a_verdict_of_another_stage_has_no_label() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        label_of_verdict("quality", Verdict("complete"))


@pytest.fixture
def batch(db: None) -> Batch:
    batch = make_at_stage("requirement", images=2)
    first, second = Item.objects.filter(batch=batch, stage="requirement").order_by("pk")
    judged(batch, first, {"requirement": "scene"}, {"requirement": "nobox"}, {"requirement": "scene"})
    judged(batch, second, {"requirement": "nobox"})
    return batch


def test_judgments_become_codes_of_items_workers_and_labels(batch: Batch) -> None:
    votes = votes_of(project_id=batch.project_id, stage="requirement")
    assert votes.items.tolist() == [0, 0, 0, 1]
    assert [votes.names[label] for label in votes.labels] == ["scene", "nobox", "scene", "nobox"]
    items = Item.objects.filter(stage="requirement").order_by("pk").values_list("pk", flat=True)
    assert list(votes.item_ids) == list(items)
    assert len(votes.worker_ids) == 3


def test_verification_questions_are_items_of_negated_ids(batch: Batch) -> None:
    right = {"requirement": "nobox"}
    question = judge(batch, "requirement", [{"requirement": "box"}], content="q", right=right)
    only = {"project_id": batch.project_id, "stage": "requirement"}
    assert -question in list(votes_of(**only, questions=True).item_ids)  # type: ignore[arg-type]
    alone = votes_of(**only, questions=True, items=False)  # type: ignore[arg-type]
    assert list(alone.item_ids) == [-question]
    assert known_answers(**only) == {-question: 2}  # type: ignore[arg-type]
    assert -question not in list(votes_of(**only).item_ids)  # type: ignore[arg-type]
    VerificationQuestion.objects.update(state="retired", retired="worn")
    assert known_answers(**only) == {-question: 2}  # type: ignore[arg-type]
    VerificationQuestion.objects.update(retired="void")
    assert not len(votes_of(**only, questions=True, items=False).item_ids)  # type: ignore[arg-type]
    assert known_answers(**only) == {}  # type: ignore[arg-type]
    found = agreement_of(
        project_id=batch.project_id,
        stage=Stage.REQUIREMENT,
        batch_id=None,
        rng=np.random.default_rng(1),
        resamples=10,
    )
    assert (found.answered, found.right.value) == (0, None)


def test_verdicts_are_the_rules_and_none_while_they_wait(batch: Batch) -> None:
    first, second = Item.objects.filter(stage="requirement").order_by("pk")
    found = list(verdicts_of(project_id=batch.project_id, stage="requirement"))
    # scene and nobox: two say that there is no box, and their reasons tie (section 3.2.1, [ours])
    assert found == [(first.pk, first.chain_id, 2), (second.pk, second.chain_id, None)]


def test_a_drawing_judgment_that_counts_is_part_of_the_verdict(db: None) -> None:
    """Section 3.2.2: "no box drawn" counts as *no box needed* at the next requirement.

    There, one more judgment decides.
    """
    batch = make_at_stage("drawing")
    answer_page(make_worker(batch.project), stage="drawing", answering=lambda *_: {"box": None})
    advance_pending(now=NOW)
    item = Item.objects.get(batch=batch, stage="requirement")
    assert item.counted is not None
    judged(batch, item, {"requirement": "nobox"})
    only = {"project_id": batch.project_id, "stage": "requirement"}
    assert list(verdicts_of(**only)) == [(item.pk, item.chain_id, 2)]  # type: ignore[arg-type]
    assert len(votes_of(**only)) == 1  # type: ignore[arg-type]


def test_other_batches_projects_and_stages_are_left_out(batch: Batch) -> None:
    other = make_at_stage("requirement")
    assert not len(votes_of(project_id=other.project_id, stage="requirement"))
    assert not len(votes_of(project_id=batch.project_id, stage="coverage"))
    assert not len(votes_of(project_id=batch.project_id, stage="requirement", batch_id=batch.pk + 1000))
    assert len(votes_of(project_id=batch.project_id, stage="requirement", batch_id=batch.pk)) == 4


def test_boxes_of_a_chain_with_one_are_not_read(db: None) -> None:
    batch = make_at_stage("drawing", images=2)
    first, second = Item.objects.filter(batch=batch, stage="drawing").order_by("pk")
    judged(batch, first, {"box": [1, 2, 30, 40]}, {"box": None})
    judged(batch, second, {"box": [1, 2, 30, 40]}, {"box": [5, 6, 70, 80]})
    found = drawn_by_chain(project_id=batch.project_id)
    assert {chain: len(boxes) for chain, boxes in found.items()} == {second.chain_id: 2}


def test_reading_changes_nothing_and_asks_once(batch: Batch, django_assert_num_queries: object) -> None:
    before = (Judgment.objects.count(), VerificationQuestion.objects.count())
    with django_assert_num_queries(1):  # type: ignore[operator]
        votes_of(project_id=batch.project_id, stage=Stage.REQUIREMENT)
    with django_assert_num_queries(1):  # type: ignore[operator]
        list(verdicts_of(project_id=batch.project_id, stage=Stage.REQUIREMENT))
    assert before == (Judgment.objects.count(), VerificationQuestion.objects.count())
