"""Verification questions are made of the captions of a project, and of what experts said about them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotation.models import Caption, Image, Project, VerificationQuestion
from tests.campaigns import CHECK, GRADING, RELEVANCE, WRITING, launched, make_judged
from tests.factories import NOW, answer_page, make_project, make_worker
from workflows.batch_settings.domain.settings import BatchSettings, parse_settings
from workflows.batches.lifecycle import create_batch
from workflows.batches.pairs import queue_pairs
from workflows.pipeline.advance import advance_pending
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.exposure import stock_of
from workflows.questions.make_caption_questions import (
    free_for_questions,
    make_caption_questions,
    make_missing_questions,
    make_more_questions,
)
from workflows.questions.supply import shortages

pytestmark = pytest.mark.django_db

NOUNS = (
    "cup",
    "boat",
    "horse",
    "tower",
    "bridge",
    "violin",
    "piano",
    "lamp",
    "truck",
    "cat",
    "tree",
    "river",
)


def described(images: int, project: Project | None = None) -> Project:
    """Make images with two captions each, which share no word with those of most others."""
    project = project or make_project()
    for number in range(images):
        image = Image.objects.create(
            project=project,
            name=f"{number:04}.jpg",
            file=f"{number}.jpg",
            width=640,
            height=480,
        )
        for index in range(2):
            noun = f"{NOUNS[number % len(NOUNS)]}{number}"
            text = f"{'A' if index else 'The'} {noun} ."
            Caption.objects.create(image=image, index=index, text=text, tokens=text)
    return project


def settings_for(protocol: str = "relevance-crowd", **settings: Any) -> BatchSettings:
    return parse_settings({"protocol": protocol, **settings})


def asked(project: Project) -> Counter[tuple[str, str]]:
    rows = VerificationQuestion.objects.filter(project=project).values_list("stage", "role")
    return Counter((stage, role) for stage, role in rows)


@pytest.mark.parametrize("protocol", ["relevance-crowd", "relevance-expert"])
def test_what_a_campaign_lacks_is_made(protocol: str) -> None:
    project, settings = described(60), settings_for(protocol)
    short = shortages(project, settings, stock_of(project.pk))
    assert {role for _, role, _, _ in short} == {"gold", "training", "test"}
    make_missing_questions(project=project, settings=settings, now=NOW)
    assert not shortages(project, settings, stock_of(project.pk))
    made = asked(project)
    assert made.total() > 0
    roles: dict[int, set[str]] = {}
    for image, role in VerificationQuestion.objects.values_list("image", "role"):
        roles.setdefault(image, set()).add(role)
    assert all(len(of_image) == 1 for of_image in roles.values()), "an image has one role"
    explained = VerificationQuestion.objects.exclude(explanation="")
    assert set(explained.values_list("role", flat=True)) == {"training"}
    assert explained.count() == VerificationQuestion.objects.filter(role="training").count()
    make_missing_questions(project=project, settings=settings, now=NOW)
    assert asked(project) == made, "nothing lacks any more"


def test_more_images_let_workers_go_on() -> None:
    project, settings = described(60), settings_for()
    make_missing_questions(project=project, settings=settings, now=NOW)
    before = asked(project)
    images = set(VerificationQuestion.objects.values_list("image", flat=True))
    make_more_questions(project=project, settings=settings, images=3, now=NOW)
    more = asked(project) - before
    assert set(more) == {(RELEVANCE, "gold")} and more.total() >= 12
    new = VerificationQuestion.objects.exclude(image__in=images).values_list("image", flat=True)
    assert len(new) == more.total() and len(set(new)) == 3, "workers have not seen these images"


def test_images_without_questions_come_before_those_that_workers_have_seen() -> None:
    project, settings = described(60), settings_for(screening={"test": False}, control={"set_questions": 12})
    make_missing_questions(project=project, settings=settings, now=NOW)
    more = settings_for(screening={"test": False}, control={"set_questions": 24})
    make_missing_questions(project=project, settings=more, now=NOW)
    counts = Counter(VerificationQuestion.objects.values_list("image", flat=True))
    assert sum(counts.values()) >= 24 and max(counts.values()) == 4


def test_too_few_images_still_serve_every_role() -> None:
    project, settings = described(20), settings_for()
    make_missing_questions(project=project, settings=settings, now=NOW)
    assert {role for _, role in asked(project)} == {"gold", "training", "test"}


def test_a_campaign_of_captions_gets_its_language_test_and_its_checks() -> None:
    project = described(60)
    settings = settings_for("captions")
    make_missing_questions(project=project, settings=settings, now=NOW)
    made = asked(project)
    assert made[WRITING, "training"] > 0 and made[CHECK, "gold"] > 0
    assert not shortages(project, settings, stock_of(project.pk))


def test_a_language_without_a_test_is_named() -> None:
    project = described(30, make_project())
    Project.objects.filter(pk=project.pk).update(language="ja")
    project.refresh_from_db()
    with pytest.raises(QuestionError, match="no test in ja"):
        make_missing_questions(project=project, settings=settings_for("captions"), now=NOW)
    assert not asked(project)


def test_without_a_free_image_nothing_is_made() -> None:
    batch = make_judged(RELEVANCE, images=12)
    assert not free_for_questions(batch.project).filter(works__batch=batch).exists()
    project = described(0)
    make_missing_questions(project=project, settings=settings_for(), now=NOW)
    assert not asked(project)


# What experts said -----------------------------------------------------------------------------------------


def graded(grade: int, judges: int = 3) -> tuple[Image, str, str]:
    """Let experts give an own and a strange caption of an image this grade; return all three."""
    project = described(8)
    image, other = project.images.order_by("name")[:2]
    batch = create_batch(
        project=project,
        name="experts",
        settings=parse_settings({"protocol": "relevance-expert", "regime": "open"}),
        images=[image.pk],
    )
    own, strange = (one.captions.get(index=0) for one in (image, other))
    queue_pairs(batch, [(image.pk, [own.pk]), (image.pk, [strange.pk])])
    launched(batch)
    for _ in range(judges):
        answer_page(make_worker(project), answering=lambda stage, question: {"grade": grade}, stage=GRADING)
        advance_pending(now=NOW)
    return image, own.text, strange.text


def controls_of(image: Image) -> list[VerificationQuestion]:
    make_caption_questions(project=image.project, stage=GRADING, images=[image.pk], per_image=20, now=NOW)
    return list(VerificationQuestion.objects.filter(image=image))


def shown(questions: list[VerificationQuestion], grade: int) -> set[str]:
    return {question.captions[0] for question in questions if question.answer == {"grade": grade}}


def test_an_image_whose_captions_were_judged_serves_later_and_before_not() -> None:
    image, _, _ = graded(1)
    assert image in free_for_questions(image.project)
    unfinished, _, _ = graded(1, judges=2)
    assert unfinished not in free_for_questions(unfinished.project)


def test_a_caption_that_experts_found_wrong_is_a_wrong_one() -> None:
    image, own, strange = graded(1)
    made = controls_of(image)
    assert shown(made, 1) == {strange}, "those that experts found wrong come first"
    assert own not in shown(made, 4) and shown(made, 4), "its own caption is wrong, too"


def test_a_caption_that_experts_found_right_is_no_wrong_one() -> None:
    image, own, strange = graded(4)
    made = controls_of(image)
    assert strange not in shown(made, 1) and shown(made, 1)
    assert own in shown(made, 4)
