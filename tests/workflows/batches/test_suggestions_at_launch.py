"""A batch is launched only with suggestions that are there, are shown, and cover what they are shown with."""

from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Image, Mention, VerificationQuestion
from tests.factories import FAST, make_batch, make_images, make_project, make_questions
from tests.suggesting_models import SUGGESTED, make_scored_set, make_set
from workflows.batch_settings.domain.setting_fields import SettingsError
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.launch_checks import readiness_of
from workflows.batches.lifecycle import BatchError, move_batch

pytestmark = pytest.mark.django_db


def obstacle(**settings: Any) -> str:
    """Return what is in the way of a draft of two images, with questions about two more."""
    project = make_project()
    make_images(project, [["man"]], 2)
    make_set(project)
    make_questions(project, "boxes", images=2, each=1)
    batch = make_batch(project, launch=False, **{"protocol": FAST, "suggestions": {"set": 1}, **settings})
    return readiness_of(batch).suggestions


def test_a_batch_without_a_set_needs_none() -> None:
    assert obstacle(suggestions={}) == "" == obstacle(suggestions={}, protocol="flickr30k-entities")


def test_the_set_exists_and_is_complete() -> None:
    assert obstacle(suggestions={"set": 2}).startswith("suggestions.set: the project has no complete set 2.")
    project = make_project()
    make_images(project, [["man"]], 1)
    make_set(project, completed=False)
    batch = make_batch(project, protocol=FAST, suggestions={"set": 1}, launch=False)
    assert "has no complete set 1" in readiness_of(batch).suggestions
    with pytest.raises(BatchError, match="cannot be launched: suggestions"):
        move_batch(batch=batch, action="launch")


def test_the_set_has_boxes() -> None:
    project = make_project()
    make_images(project, [["man"], ["man"]], 1)
    make_scored_set(project, lambda a, b: 0.5)
    batch = make_batch(project, protocol=FAST, suggestions={"set": 1}, launch=False)
    assert readiness_of(batch).suggestions.startswith(
        "suggestions.set: set 1 has scores of pairs, and no boxes"
    )


def test_the_batch_has_a_stage_in_which_boxes_are_drawn() -> None:
    assert obstacle(protocol="flickr30k-entities") == "" == obstacle()
    said = obstacle(protocol="relevance-crowd")
    assert said.startswith("suggestions.set: no suggestions are shown in relevance-crowd, where no boxes")


def test_the_classic_protocol_covers_the_images_of_its_own_questions() -> None:
    project = make_project()
    make_images(project, [["man"]], 2)
    make_set(project)
    for stage in ("drawing", "boxes", "quality"):
        make_questions(project, stage, images=1, each=1)
    batch = make_batch(project, launch=False, suggestions={"set": 1}, regime="verification")
    batch.works.exclude(image__in=Image.objects.filter(questions=None)).delete()
    assert "0 images of the batch and 1 images of verification questions" in readiness_of(batch).suggestions
    batch.settings = {**batch.settings, "regime": {**batch.settings["regime"], "drawing": "open"}}
    batch.save()
    assert readiness_of(batch).suggestions == ""


@pytest.mark.parametrize(("regime", "questions"), [("open", 0), ("verification", 2)])
def test_images_of_questions_are_covered_if_pages_have_questions(regime: str, questions: int) -> None:
    said = obstacle(regime=regime)
    if questions:
        assert "has nothing about 0 images of the batch and 2 images of verification questions" in said
    else:
        assert said == ""


def test_images_of_the_batch_are_covered_even_by_suggestions_without_boxes() -> None:
    project = make_project()
    images = make_images(project, [["man"], ["dog"]], 3)
    first = Mention.objects.filter(image=images[0]).earliest("pk")
    make_set(project, lambda mention: [] if mention.pk == first.pk else None)
    batch = make_batch(project, protocol=FAST, suggestions={"set": 1}, launch=False)
    assert "about 2 images of the batch and 0 images" in readiness_of(batch).suggestions
    Mention.objects.filter(image=images[1]).update(annotatable=False)
    assert "about 1 images of the batch" in readiness_of(batch).suggestions
    Image.objects.filter(pk=images[2].pk).update(split="test")
    assert readiness_of(batch).suggestions == "" and readiness_of(batch).ready


def test_images_of_the_test_split_count_if_they_get_suggestions() -> None:
    project = make_project()
    images = make_images(project, [["man"]], 2)
    Image.objects.filter(pk=images[0].pk).update(split="test")
    make_set(project, lambda mention: None if mention.image_id == images[0].pk else SUGGESTED)
    both = {"set": 1, "test_split": True}
    batch = make_batch(project, protocol=FAST, suggestions=both, launch=False)
    assert "about 1 images of the batch" in readiness_of(batch).suggestions


def test_questions_that_are_not_asked_need_no_suggestions() -> None:
    project = make_project()
    make_images(project, [["man"]], 2)
    make_set(project)
    for role, state in (("test", "active"), ("gold", "retired"), ("gold", "proposed")):
        made = make_questions(project, "boxes", images=1, role=role)
        VerificationQuestion.objects.filter(pk__in=[one.pk for one in made]).update(state=state)
    make_questions(project, "check", images=1)
    batch = make_batch(project, protocol=FAST, suggestions={"set": 1}, regime="verification", launch=False)
    batch.works.exclude(image__in=Image.objects.filter(questions=None)).delete()
    assert readiness_of(batch).suggestions == ""


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"set": 0}, "suggestions.set"),
        ({"set": "1"}, "suggestions.set"),
        ({"without": 1.5}, "suggestions.without"),
        ({"without": None}, "suggestions.without"),
        ({"test_split": 1}, "suggestions.test_split"),
        ({"model": "x"}, "suggestions.model"),
    ],
)
def test_settings_are_read_with_limits(given: dict[str, object], field: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings({"protocol": FAST, "suggestions": given})
    assert caught.value.field == field


def test_by_default_no_suggestions_are_shown_and_a_tenth_would_be_without() -> None:
    group = parse_settings({}).suggestions
    assert (group.set, group.without, group.test_split) == (None, 0.1, False)
