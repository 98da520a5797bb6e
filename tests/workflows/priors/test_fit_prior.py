"""Priors are fitted on a project's captions, and kept as versions that never change."""

from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.models import Project
from tests.factories import NOW, make_project, make_questions
from tests.workflows.priors.stored_captions import make_worded
from workflows.core.models import AppendOnlyError
from workflows.priors.domain.prior import TooFewPairsError, from_json
from workflows.priors.fit_prior import fit_prior
from workflows.priors.models import PriorVersion
from workflows.priors.selectors import newest

pytestmark = pytest.mark.django_db


def fit(project: Project) -> tuple[PriorVersion, bool]:
    return fit_prior(project=project, by="ada", now=NOW)


@pytest.mark.both_databases
def test_fitting_again_writes_nothing_until_there_is_something_new() -> None:
    project = make_worded(10, gold=True)
    noted: list[int] = []

    def note(made: PriorVersion) -> None:
        noted.append(made.number)

    first, created = fit_prior(project=project, by="ada", now=NOW, also=note)
    assert created and first.number == 1 and noted == [1]
    later = NOW + timedelta(days=1)
    again, created = fit_prior(project=project, by="bo", now=later, also=note)
    assert (again.pk, created, noted) == (first.pk, False, [1])
    make_worded(10, seed=2, project=project)
    second, created = fit(project)
    assert created and second.number == 2
    assert PriorVersion.objects.get(pk=first.pk).content == first.content != second.content
    latest = newest(project.pk)
    assert latest is not None and latest.number == 2
    with pytest.raises(AppendOnlyError):
        first.save()


def test_it_says_what_it_was_fitted_on_and_how_it_does() -> None:
    found, _ = fit(make_worded(20, gold=True))
    assert found.report["fitted_on"]["images"] == 20
    known = found.report["known"]
    assert known["auc"] > 0.9 and sum(one["pairs"] for one in known["bins"]) == known["pairs"] > 300
    assert from_json(found.content).errors.missed == 0.047
    unknown, _ = fit(make_worded(20))
    assert unknown.report["known"] == {"pairs": 0, "same": 0, "auc": None, "bins": []}


def test_trusted_workers_answers_to_verification_questions_move_the_error_rates() -> None:
    project = make_worded(10)
    make_questions(project, "link", images=2)
    project.questions.update(good_asked=100, good_right=80)
    found, _ = fit(project)
    assert found.report["answers"] == {"same": 200, "missed": 40, "different": 0, "invented": 0}
    assert found.content["errors"]["missed"] == pytest.approx((40 + 9.4) / 400)
    project.questions.update(retired="void")
    later, created = fit(project)
    assert created and later.content["errors"]["missed"] == 0.047


def test_a_project_without_captions_has_no_prior() -> None:
    with pytest.raises(TooFewPairsError, match="0 pairs"):
        fit(make_project())
