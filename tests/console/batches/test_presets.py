"""A new batch begins with a preset, whose form asks only what differs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Project
from console.batches.preset_choice import PRESETS
from tests.console.batches.form_data import acts, filled
from tests.factories import make_batch, make_image, make_project
from workflows.batch_settings.domain.presets import preset_settings, rewards_for
from workflows.batch_settings.selectors import settings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project("pets")
    make_image(project, [["man"], ["man"]], name="0.jpg")
    return project


def address(project: Project, preset: str) -> str:
    return f"{reverse('batches:new', args=[project.pk])}?preset={preset}"


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sent_as_it_comes_makes_its_batch(manager: Client, project: Project, preset: str) -> None:
    url = address(project, preset)
    reply = manager.get(url)
    shown = [bound.name for bound, _, _ in reply.context["form"].first()]
    assert shown == list(PRESETS[preset].asked)
    folded = {bound.name for fold in reply.context["folds"] for bound, _, _ in fold.fields}
    fields = reply.context["form"].fields
    used = {name for name in fields if not fields[name].disabled}  # the others are of other campaigns
    assert folded == used - set(shown), "everything else is behind Advanced"
    manager.post(url, filled(manager, url, name="a", preset=preset))
    assert settings_of(Batch.objects.get()) == preset_settings(preset)


def test_rewards_follow_the_wage_that_is_typed(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    manager.post(url, filled(manager, url, name="a", preset="paid", crowd__hourly_wage="15", crowd__cap="40"))
    settings = settings_of(Batch.objects.get())
    assert dict(settings.reward) == rewards_for(1500)
    assert (settings.crowd.hourly_wage, settings.crowd.cap) == (1500, 4000)
    assert acts().get().detail["preset"] == "paid"


def test_rewards_that_are_typed_are_kept(manager: Client, project: Project) -> None:
    url = address(project, "paid")
    manager.post(url, filled(manager, url, name="a", preset="paid", reward__link="0.99"))
    assert settings_of(Batch.objects.get()).reward["link"] == 99


def test_a_preset_that_is_none_is_the_papers(manager: Client, project: Project) -> None:
    assert manager.get(address(project, "x")).context["preset"] == "paper"


def test_an_error_behind_advanced_opens_it(manager: Client, project: Project) -> None:
    url = address(project, "known")
    reply = manager.post(url, filled(manager, url, name="a", preset="known", control__entrance="many"))
    assert reply.status_code == 422 and reply.context["preset"] == "known"
    assert 'advanced" open' in reply.content.decode()


def test_a_copy_keeps_its_settings_and_offers_no_preset(manager: Client, project: Project) -> None:
    manager.post(
        address(project, "known"), filled(manager, address(project, "known"), name="a", preset="known")
    )
    batch = Batch.objects.get()
    reply = manager.get(reverse("batches:clone", args=[batch.pk]))
    assert reply.context["presets"] == [] and "Who annotates?" not in reply.content.decode()


def test_the_page_counts_free_images_as_they_are_now(manager: Client, project: Project) -> None:
    shown = manager.get(address(project, "paid"))
    assert (shown.context["free"], shown.context["images"]) == (1, 1)
    assert "Verification questions need images" in shown.content.decode()
    assert "Verification questions need images" not in manager.get(address(project, "known")).content.decode()
    make_batch(project, launch=False)
    assert manager.get(address(project, "known")).context["free"] == 0
