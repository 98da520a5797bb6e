"""manage.py questions."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Chain, Decision, Project, VerificationQuestion
from tests.factories import NOW, answer_page, make_at_stage, make_batch, make_image, make_project, make_worker
from tests.workflows.gold import make_known
from workflows.pipeline.advance import advance_pending

pytestmark = pytest.mark.django_db


def _project(images: int) -> Project:
    project = make_project()
    for number in range(images):
        make_known(project, name=f"{number}.jpg")
    return project


def _run(capsys: Any, action: str, project: Project | str, **options: Any) -> str:
    name = project if isinstance(project, str) else project.name
    call_command("questions", action, project=name, **options)
    return str(capsys.readouterr().out)


def test_made_questions_are_enough_for_a_batch_with_the_default_settings(capsys: Any) -> None:
    project = _project(40)
    told = _run(capsys, "make", project)
    assert "there are enough for a batch with the default settings" in told
    assert f"{VerificationQuestion.objects.count():,} new questions" in told
    for image in range(3):
        make_image(project, [["man"], ["dog"]], name=f"new-{image}.jpg")
    batch = make_batch(project, regime="trusted")
    assert (batch.state, batch.works.count()) == ("running", 3), "images with questions are kept for them"


def test_making_again_adds_nothing(capsys: Any) -> None:
    project = _project(3)
    _run(capsys, "make", project)
    assert "0 new questions" in _run(capsys, "make", project)


def test_what_is_missing_is_said(capsys: Any) -> None:
    told = _run(capsys, "make", _project(2), images=1)
    gold = VerificationQuestion.objects.filter(stage="drawing", role="gold").count()
    assert f"missing for the default settings: {40 - gold} questions, drawing, gold" in told
    assert "missing for the default settings: 30 questions, link, test" in told


@pytest.mark.parametrize("apart", [True, False])
def test_images_of_questions_that_their_ids_give_away_are_warned_of(apart: bool, capsys: Any) -> None:
    project = make_project()
    for number in range(24):
        if number < 12 if apart else number % 2:
            make_image(project, [["man"]], name=f"image-{number}.jpg")
        else:
            make_known(project, name=f"image-{number}.jpg")
    call_command("questions", "make", project=project.name, images=12, role="gold")
    assert ("Workers see the ids of images" in capsys.readouterr().err) == apart


def test_images_are_named(capsys: Any) -> None:
    project = _project(3)
    _run(capsys, "make", project, image=["1.jpg"], role="training")
    assert {(q.image.name, q.role) for q in VerificationQuestion.objects.all()} == {("1.jpg", "training")}


def test_a_list_is_of_one_stage_and_role(capsys: Any) -> None:
    project = _project(2)
    _run(capsys, "make", project, role="test")
    lines = _run(capsys, "list", project, stage="quality", role="test").splitlines()
    asked = VerificationQuestion.objects.filter(stage="quality")
    assert [int(line.split("\t")[0]) for line in lines] == list(
        asked.order_by("pk").values_list("pk", flat=True)
    )
    assert {tuple(line.split("\t")[1:3]) for line in lines} == {("quality", "test")}
    assert _run(capsys, "list", project, role="gold") == ""


def test_a_report_says_how_questions_fare_and_why_they_ended(capsys: Any) -> None:
    project = _project(1)
    _run(capsys, "make", project)
    first, second, *_ = VerificationQuestion.objects.filter(stage="link").order_by("pk")
    VerificationQuestion.objects.filter(pk=first.pk).update(
        asked=8,
        right=6,
        good_asked=4,
        good_right=1,
        exposures=9,
        state="retired",
        retired="good workers fail",
    )
    told = _run(capsys, "report", project, stage="link").splitlines()
    lines = {line.split()[0]: line.split() for line in told if line.strip()}
    assert lines[str(first.pk)][4:] == ["8", "75%", "25%", "9", "retired:", "good", "workers", "fail"]
    assert lines[str(second.pk)][4:] == ["0", "-", "-", "0"]
    numbers = [line.split()[0] for line in told if line.split()[1:2] == ["link"]]
    assert numbers[-1] == str(first.pk), "what is retired comes last"


def test_a_question_is_retired_or_voided_by_its_number(capsys: Any) -> None:
    project = _project(1)
    _run(capsys, "make", project)
    first, second, *_ = VerificationQuestion.objects.order_by("pk")
    assert "retired (too hard)" in _run(capsys, "retire", project, question=first.pk, note="too hard")
    assert "void" in _run(capsys, "void", project, question=second.pk, note="two men", by="ada")
    gone = VerificationQuestion.objects.filter(state="retired").order_by("pk")
    assert list(gone.values_list("pk", "retired")) == [(first.pk, "too hard"), (second.pk, "void")]


def test_where_there_are_fewer_images_it_says_how_many(capsys: Any) -> None:
    project = _project(2)
    assert f"--images {10**20}: there are only 2, and all were used" in _run(
        capsys, "make", project, images=10**20
    )
    assert "all were taken" not in _run(capsys, "make", project, images=2)


@pytest.mark.parametrize("action", ["retire", "void"])
def test_who_ends_a_question_and_why_is_asked_for_and_kept(action: str, capsys: Any) -> None:
    project = _project(1)
    _run(capsys, "make", project)
    question = VerificationQuestion.objects.latest("pk")
    for options, why in (
        ({}, "give a reason with --note"),
        ({"note": "  "}, "give a reason with --note"),
        ({"note": "wrong", "by": "x" * 151}, "by: must be a name of up to 150"),
        ({"note": "a\0b"}, "note: must be text"),
    ):
        with pytest.raises(CommandError, match=why):
            _run(capsys, action, project, question=question.pk, **options)
    assert not VerificationQuestion.objects.filter(state="retired").exists()
    for _ in range(2):
        _run(capsys, action, project, question=question.pk, note="two men", by="x" * 150)
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == (action, "x" * 150, "two men")
    assert (decision.content, decision.stage) == ({"questions": [question.pk]}, question.stage)


def test_finished_chains_of_a_batch_are_promoted(capsys: Any) -> None:
    project = make_project()
    make_image(project, [["dog"], ["dog"]])
    batch = make_batch(project)
    with pytest.raises(CommandError, match="none of its images is finished"):
        _run(capsys, "promote", project, batch="main")
    for _ in range(20):
        if batch.works.exclude(state="done").exists():
            answer_page(make_worker(project))
            advance_pending(now=NOW)
    assert "new questions" in _run(capsys, "promote", project, batch="main", by="ada")
    made = VerificationQuestion.objects.count()
    assert made > 0
    decision = Decision.objects.get(kind="promote")
    assert (decision.by, len(decision.content["questions"])) == ("ada", made)
    assert decision.content["chains"] == [Chain.objects.get().pk]
    assert "0 new questions" in _run(capsys, "promote", project, chain=[Chain.objects.get().pk])
    assert Decision.objects.filter(kind="promote").count() == 1


@pytest.mark.parametrize(
    ("action", "options", "why"),
    [
        ("make", {"images": 0}, "images: must be a number of at least 1"),
        ("make", {"images": 2, "image": ["0.jpg"]}, r"either --images \(how many\) or --image"),
        ("make", {"image": ["none.jpg"]}, "--image none.jpg: project .* has no such image"),
        ("make", {"per_image": 0}, "per_image: must be"),
        ("retire", {}, "name the question with --question"),
        ("void", {"question": 5}, "--question 5: project .* has no such question"),
        ("promote", {}, "either --chain"),
        ("promote", {"chain": [5]}, "--chain 5: project .* has no such chain"),
        ("promote", {"chain": [10**30]}, "--chain 10{30}: project .* has no such chain"),
        ("promote", {"batch": "nope"}, "has no batch 'nope'"),
        ("void", {"question": 10**30, "note": "wrong"}, "has no such question"),
    ],
)
def test_what_cannot_be_done_is_said(action: str, options: dict[str, Any], why: str, capsys: Any) -> None:
    with pytest.raises(CommandError, match=why):
        _run(capsys, action, _project(1), **options)


def test_questions_and_chains_of_another_project_are_not_touched(capsys: Any) -> None:
    other = make_at_stage("quality")
    project = _project(1)
    _run(capsys, "make", project)
    question = VerificationQuestion.objects.first()
    assert question is not None
    with pytest.raises(CommandError, match="no such question"):
        _run(capsys, "void", other.project, question=question.pk)
    with pytest.raises(CommandError, match="no such chain"):
        _run(capsys, "promote", project, chain=[Chain.objects.get().pk])


def test_an_unknown_project_is_named() -> None:
    with pytest.raises(CommandError, match="there is no project 'nowhere'"):
        call_command("questions", "list", project="nowhere")
