"""A record says how a model compares with people, and what its sealed answers since a gate opened showed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from annotation.domain.answers import BoxJudgment, CheckAnswer
from annotation.models import Assignment, Judgment, ModelAnswer, ModelVersion, Project, VerificationQuestion
from tests.entities_fast import ONE, said
from tests.factories import NOW, make_image, make_project, make_running, make_worker
from tests.judging_models import make_judge
from workflows.judges import records
from workflows.judges.comparison import audit_of, beside_people
from workflows.judges.domain.gate import Record
from workflows.judges.domain.kinds import NOTHING_MISSING, PEOPLE
from workflows.judges.records import Told

pytestmark = pytest.mark.django_db

OPENED, LATER = NOW.isoformat(), (NOW + timedelta(minutes=1)).isoformat()
BOTH = Record(open=frozenset({PEOPLE, NOTHING_MISSING}))


def answered(*boxes: bool, missing: bool = False) -> CheckAnswer:
    judged = tuple(BoxJudgment.GOOD if good else BoxJudgment.WRONG for good in boxes)
    return CheckAnswer(judged, missing=missing)


def told(model: CheckAnswer, *people: CheckAnswer, at: str = LATER) -> Told:
    return Told(at, at, 1, model, (PEOPLE,) * len(model.boxes), people, None)


def test_the_audit_counts_what_most_people_contradict_since_the_gate_opened() -> None:
    good, bad = answered(True), answered(False)
    rows = [
        told(good, good),  # two things, nothing contradicted
        told(good, bad, bad, good),  # one is
        told(good, bad, good),  # people are of two minds
        told(bad, answered(True, missing=True)),  # both are
        told(good, bad, at=OPENED),  # before
        replace(told(good), truth=bad),  # nobody has judged it
    ]
    found = audit_of(rows, BOTH, OPENED)
    assert found == {"opened_at": OPENED, "answers": 4, "things": 8, "contradicted": 3}


def test_the_audit_looks_at_open_kinds_alone() -> None:
    rows = [told(answered(True, True), answered(False, True, missing=True))]
    found = audit_of(rows, Record(open=frozenset({NOTHING_MISSING})), OPENED)
    assert (found["answers"], found["things"], found["contradicted"]) == (1, 1, 1)
    nothing = audit_of(rows, Record(open=frozenset({"owl"})), OPENED)
    assert (nothing["answers"], nothing["things"]) == (0, 0)


@pytest.fixture
def questions() -> list[VerificationQuestion]:
    """Return questions about good boxes of a project whose model and two workers err about some of them."""
    project = make_project()
    found = []
    for place in range(12):
        image = make_image(project, [["man"]], name=f"{place}.jpg")
        found.append(
            VerificationQuestion.objects.create(
                project=project, image=image, stage="check", kind="whole", state="active", content=str(place),
                source=VerificationQuestion.Source.values[0], mentions=[], new_boxes=[ONE],
                answer=said("good"), created_at=NOW,
            )
        )  # fmt: skip
    return found


def judge(question: VerificationQuestion, worker: int, *, right: bool, batch: int) -> None:
    page = Assignment.objects.create(
        worker_id=worker, batch_id=batch, stage="check", state="submitted", items=[], reward=0,
        currency="USD", expires_at=NOW, created_at=NOW,
    )  # fmt: skip
    Judgment.objects.create(
        assignment=page, worker_id=worker, question=question, created_at=NOW,
        answer=said("good" if right else "wrong"), correct=right,
    )  # fmt: skip


def test_errors_in_common_are_those_on_known_images(questions: list[VerificationQuestion]) -> None:
    project: Project = questions[0].project
    model: ModelVersion = make_judge(project)
    batch = make_running([["man"]])
    workers = [make_worker(project) for _ in range(2)]
    wrong = {"model": {0, 1, 2}, "first": {1, 2, 3}, "second": {2}}
    for place, question in enumerate(questions):
        ModelAnswer.objects.create(
            model=model,
            question=question,
            answer=said("good" if place not in wrong["model"] else "wrong"),
            created_at=NOW,
        )
        for worker, name in zip(workers, ("first", "second"), strict=True):
            judge(question, worker.pk, right=place not in wrong[name], batch=batch.pk)
    found = beside_people([], records._known(model), records_rng())["errors"]
    things = [(place, box) for place in range(12) for box in (True, False)]  # a box, and what is missing
    of_model = [box and place in wrong["model"] for place, box in things for _ in range(2)]
    of_people = [box and place in wrong[name] for place, box in things for name in ("first", "second")]
    assert found["correlation"][0] == pytest.approx(matthews_corrcoef(of_model, of_people))
    assert found["things"] == 24
    assert (found["model"], found["people"]) == pytest.approx((3 / 24, 4 / 48))
    low, high = found["correlation"][1:]
    assert low is None or low <= found["correlation"][0] <= high


def records_rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_agreement_is_with_the_first_person_who_judged() -> None:
    good, bad = answered(True), answered(False)
    rows = [
        replace(told(model, *people), image=place)
        for place, (model, people) in enumerate(
            [(good, (good,)), (good, (bad, good, good)), (bad, (bad, good)), (bad, (bad,)), (good, (good,))]
        )
    ]
    found = beside_people(rows, ModelAnswer.objects.none(), records_rng())
    expected = cohen_kappa_score([1, 1, 0, 0, 1], [1, 0, 0, 0, 1])
    assert found["boxes"]["kappa"][0] == pytest.approx(expected)
    assert (found["boxes"]["things"], found["boxes"]["alike"]) == (5, 0.8)
    assert found["missing"] == {"kappa": [None, None, None], "things": 5, "alike": 1.0}
    assert found["errors"]["things"] == 0 and found["errors"]["model"] is None
