from __future__ import annotations

from typing import Any

import pytest

from annotation.models import Image, Mention
from tests.factories import NOW, make_image, make_project
from workflows.assignments.sample_page import Known, question_about, sample_questions

MENTIONS = ((1, 10), (2, 10), (3, 11))
"""Three mentions: two in one caption, one in another."""
SIZE = (100, 80)
BOX, OTHER = [1, 1, 20, 20], [30, 30, 50, 50]


@pytest.mark.parametrize(
    ("stage", "chains", "expected"),
    [
        ("link", (), ([1, 3], [], [])),
        ("link", (([2, 3], ()),), ([2, 3], [], [])),
        ("verification", (([2, 3], ()),), ([2, 3], [], [])),
        ("verification", (), ([1, 3], [], [])),
        ("requirement", (), ([1], [], [])),
        ("drawing", (([2], (BOX, OTHER)),), ([2], [OTHER], [])),
        ("drawing", (), ([1], [], [])),
        ("quality", (([2], (BOX, OTHER)),), ([2], [OTHER], [BOX])),
        ("quality", (([2], ()),), ([1], [], [[25, 20, 75, 60]])),
        ("coverage", (([2], (BOX, OTHER)),), ([2], [BOX, OTHER], [])),
        ("coverage", (([9], (BOX,)),), ([1], [[25, 20, 75, 60]], [])),
        ("boxes", (([2], (BOX, OTHER)),), ([2], [OTHER], [])),
        ("check", (([2], (BOX, OTHER)),), ([2], [], [BOX, OTHER])),
    ],
)
def test_questions_take_what_is_known_of_the_image(stage: str, chains: Any, expected: Any) -> None:
    assert question_about(stage, Known(MENTIONS, chains, SIZE)) == expected


@pytest.mark.parametrize(("stage", "mentions"), [("link", MENTIONS[:2]), ("quality", ())])
def test_an_image_with_too_little_is_left_out(stage: str, mentions: Any) -> None:
    assert question_about(stage, Known(mentions, (), SIZE)) is None


@pytest.mark.django_db
def test_only_photographs_of_the_project_with_phrases_are_shown(django_assert_max_num_queries: Any) -> None:
    project = make_project()
    images = [make_image(project, [["man"], ["man"]], name=f"{n}.jpg") for n in range(7)]
    Image.objects.update(file="p/x.jpg", width=640, height=480)
    Image.objects.filter(pk=images[0].pk).update(withdrawn_at=NOW)
    Image.objects.filter(pk=images[1].pk).update(file="")
    Mention.objects.filter(image=images[2]).update(annotatable=False)
    with django_assert_max_num_queries(6):
        questions = sample_questions(project.pk, "verification", now=NOW)
    assert len(questions) == 4
    assert all(question["image"]["url"] for question in questions)
    assert sample_questions(make_project("other").pk, "link", now=NOW) == []
