"""The language test of a project."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Project, VerificationQuestion
from tests.factories import NOW, make_images, make_project
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.make_language_test import make_language_test

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project()
    make_images(project, [], 5)
    return project


def test_its_sentences_are_made_once_and_an_image_serves_one_role(project: Project) -> None:
    assert [make_language_test(project=project, now=NOW) for _ in range(2)] == [24, 0]
    questions = VerificationQuestion.objects.filter(project=project, stage="writing")
    roles = {image: set() for image in questions.values_list("image", flat=True)}  # type: ignore[var-annotated]
    for image, role in questions.values_list("image", "role"):
        roles[image].add(role)
    assert all(len(one) == 1 for one in roles.values())
    assert questions.filter(role="training").exclude(explanation="").count() == 4


def test_a_project_of_another_language_is_told_so(project: Project) -> None:
    project.language = "fr"
    project.save()
    with pytest.raises(QuestionError, match="there is no test in fr"):
        make_language_test(project=project, now=NOW)
    with pytest.raises(CommandError, match="there is no test in fr"):
        call_command("language_test", project=project.name)
    assert not VerificationQuestion.objects.exists()


@pytest.mark.parametrize("photographs", [0, 1])
def test_one_photograph_is_not_enough(photographs: int) -> None:
    project = make_project()
    make_images(project, [], photographs)
    with pytest.raises(QuestionError, match="needs two photographs"):
        make_language_test(project=project, now=NOW)


@pytest.mark.parametrize("photographs", [2, 3, 30])
def test_two_photographs_are_enough(photographs: int) -> None:
    project = make_project()
    make_images(project, [], photographs)
    assert make_language_test(project=project, now=NOW) == 24
