"""Batches that were launched before a rule of the protocol changed keep the earlier rule."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from annotation.models import Batch
from tests.factories import make_project
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of

pytestmark = pytest.mark.django_db

migration = import_module("annotation.migrations.0002_rules_of_launched_batches")


def migrated(state: str, settings: dict[str, object]) -> BatchSettings:
    batch = Batch.objects.create(project=make_project(), name="old", state=state, settings=settings)
    migration.keep_rules(apps, None)
    batch.refresh_from_db()
    return settings_of(batch)


@pytest.mark.parametrize("state", ["running", "paused", "finished", "cancelled"])
@pytest.mark.parametrize("limits", [{}, {"limits": {"returns": 3}}])
def test_a_launched_batch_keeps_the_rules_by_which_its_images_were_asked(
    state: str, limits: dict[str, object]
) -> None:
    found = migrated(state, {"seed": 5, **limits})
    assert (found.settle, found.requirement_adds_up, found.limits.boxes) == ("triangles", False, 1000)
    assert (found.seed, found.limits.returns) == (5, 3 if limits else 2)
    assert found.captions.rules == 1


def test_what_a_batch_says_itself_stays() -> None:
    found = migrated("running", {"settle": "cycles", "requirement_adds_up": True, "limits": {"boxes": 7}})
    assert (found.settle, found.requirement_adds_up, found.limits.boxes) == ("cycles", True, 7)


def test_a_draft_gets_the_rules_of_now() -> None:
    assert migrated("draft", {}) == BatchSettings()
