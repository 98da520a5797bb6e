"""A batch of another protocol: its form has the settings of its stages, and its pages show them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.domain.protocols import PROTOCOL_STAGES
from annotation.models import Batch, Project
from console.batches import form
from tests.console.batches.form_data import filled, filled_again
from tests.factories import FAST, make_image, make_project
from workflows.batch_settings.domain.presets import preset_settings
from workflows.batch_settings.selectors import settings_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project("pets")
    make_image(project, [["man"], ["man"]], name="0.jpg")
    return project


def folds(reply: Any) -> list[str]:
    return [fold.name for fold in reply.context["folds"]]


@pytest.mark.parametrize("preset", ["known", "paid", "paper"])
def test_a_preset_has_the_settings_of_the_protocols_stages(
    manager: Client, project: Project, preset: str
) -> None:
    url = f"{reverse('batches:new', args=[project.pk])}?preset={preset}&protocol={FAST}"
    page = manager.get(url)
    assert {"Joint drawing", "Joint check"} < set(folds(page))
    assert not {"Box drawing", "Box quality", "Box coverage"} & set(folds(page))
    text = page.content.decode()
    assert "All boxes at once" in text and f'<input type="hidden" name="stages_of" value="{FAST}">' in text
    assert f'href="?preset=known&amp;protocol={FAST}"' in text
    manager.post(url, filled(manager, url, name="a", preset=preset))
    settings = settings_of(Batch.objects.get())
    assert settings == preset_settings(preset, FAST)
    assert set(settings.reward) == set(PROTOCOL_STAGES[FAST])
    assert settings.reward["boxes"] == (40 if preset == "paid" else 0), "160 s at 9.00 an hour"


def test_the_settings_of_models_are_shown_where_models_can_help(manager: Client, project: Project) -> None:
    url = reverse("batches:new", args=[project.pk])
    joint = manager.get(f"{url}?preset=known&protocol={FAST}")
    (models,) = (fold for fold in joint.context["folds"] if fold.name == "Models that help")
    assert {field.name.partition(".")[0] for field, _, _ in models.fields} == {"judge", "suggestions"}
    assert len(models.fields) == 8 and not models.wrong
    classic = manager.get(f"{url}?preset=known")
    (models,) = (fold for fold in classic.context["folds"] if fold.name == "Models that help")
    assert {field.name.partition(".")[0] for field, _, _ in models.fields} == {"suggestions"}
    assert "judge.model" not in classic.content.decode()


def test_whoever_chooses_another_protocol_sees_its_stages_first(manager: Client, project: Project) -> None:
    url = reverse("batches:new", args=[project.pk]) + "?preset=known"
    chosen = filled(manager, url, name="a", preset="known", protocol=FAST, reward__link="0.25")
    reply = manager.post(url, {**chosen, form.STAGES_OF: "flickr30k-entities"})
    assert reply.status_code == 422 and not Batch.objects.exists()
    assert list(reply.context["form"].errors) == ["protocol"]
    assert "Joint check" in folds(reply)
    again = filled_again(reply)
    assert (again["reward.link"], again["items_a_page.boxes"]) == ("0.25", "5")
    assert manager.post(url, {**again, form.STAGES_OF: FAST}).status_code == 302
    draft = Batch.objects.get()
    assert (settings_of(draft).protocol, settings_of(draft).reward["link"]) == (FAST, 25)
    url = reverse("batches:settings", args=[draft.pk])
    back = filled(manager, url, protocol="flickr30k-entities")
    assert manager.post(url, {**back, form.STAGES_OF: FAST}).status_code == 422
    assert settings_of(Batch.objects.get()).protocol == FAST


def test_its_forecast_and_costs_have_its_stages(manager: Client, project: Project) -> None:
    url = f"{reverse('batches:new', args=[project.pk])}?preset=paid&protocol={FAST}"
    manager.post(url, filled(manager, url, name="a", preset="paid", crowd__cap="500"))
    draft = Batch.objects.get()
    shown = manager.get(reverse("batches:forecast", args=[draft.pk])).context["outlook"]
    names = ["Coreference link", "Chain verification", "Box requirement", "Joint drawing", "Joint check"]
    assert [line.name for line in shown.lines] == names
    assert shown.assumed == ["joint drawing", "joint check"], "table 3 has no times of them"
    assert [price.name for price in shown.costs.prices] == names
    going = manager.get(reverse("crowd:batch", args=[draft.pk])).context["going"]
    assert [row.stage for row in going.rows] == names
    for page in ("batches:settings", "dashboards:batch", "batches:questions"):
        about = project.pk if page == "batches:questions" else draft.pk
        assert manager.get(reverse(page, args=[about])).status_code == 200
