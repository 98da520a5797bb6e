"""The page of a project's priors."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Project
from tests.factories import NOW, make_batch
from tests.suggesting_models import make_scored_set
from tests.workflows.priors.stored_captions import make_worded
from workflows.core.models import AuditEntry
from workflows.priors.fit_prior import fit_prior
from workflows.priors.models import PriorVersion

pytestmark = pytest.mark.django_db


def address(project: Project) -> str:
    return reverse("priors:project", args=[project.pk])


def test_a_manager_fits_a_prior_and_sees_how_it_does(manager: Client, viewer: Client) -> None:
    project = make_worded(12, gold=True)
    empty = manager.get(address(project)).content.decode()
    assert "Fit a prior" in empty and "There is none yet." in empty
    assert viewer.post(address(project)).status_code == 403
    done = manager.post(address(project), follow=True).content.decode()
    assert "Prior 1 is fitted." in done and "<svg" in done and "12 images" in done
    assert AuditEntry.objects.get(action="prior.fit").detail == {"prior": 1}
    again = manager.post(address(project), follow=True).content.decode()
    assert "Prior 1 is still right" in again and PriorVersion.objects.count() == 1
    assert AuditEntry.objects.filter(action="prior.fit").count() == 1
    batch = make_batch(project, strategy="posterior")
    shown = viewer.get(address(project)).content.decode()
    assert f">{batch.name}</a>" in shown and "Fit again" not in shown
    assert viewer.get(address(project) + "?prior=7").status_code == 404


def test_a_prior_with_scores_says_what_they_add(viewer: Client) -> None:
    project = make_worded(12, gold=True)
    made = make_scored_set(project, lambda a, b: float(a.text == b.text))
    fit_prior(project=project, by="ada", now=NOW, scores=made.number)
    shown = viewer.get(address(project)).content.decode()
    assert "adds a model&#x27;s scores of pairs, from set 1" in shown and "× its score" in shown
    assert "The known chains were not used to fit its words." in shown


def test_too_few_captions_are_said_and_nothing_is_kept(manager: Client) -> None:
    project = make_worded(1)
    shown = manager.post(address(project), follow=True).content.decode()
    assert "No prior was fitted" in shown and not PriorVersion.objects.exists()


def test_a_draft_without_its_prior_says_so_before_the_launch(manager: Client) -> None:
    draft = make_batch(make_worded(2), launch=False, strategy="posterior")
    shown = manager.get(reverse("batches:move", args=[draft.pk, "launch"])).content.decode()
    assert "needs a prior" in shown and address(draft.project) in shown
