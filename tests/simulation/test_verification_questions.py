"""Questions made of drawn scenes, and workers who know the scenes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from django.core.management import call_command

from annotation.domain.answers import parse_answer
from annotation.domain.protocols import ENTITIES_PROTOCOLS, ENTITIES_STAGES
from annotation.models import VerificationQuestion
from simulation.answers import answer
from simulation.profiles import PERFECT
from simulation.questions import read_question
from simulation.selectors import load_truth
from tests.factories import NOW
from workflows.assignments.page_view import questions_shown
from workflows.batch_settings.domain.quality_control import Control
from workflows.questions.domain.right_answers import is_right

pytestmark = pytest.mark.django_db

PROJECT = "drawn"


def test_who_makes_no_mistake_has_every_question_right(scenes: Path) -> None:
    """The answers are found in another way than the questions.

    So made-up wrong boxes are really wrong, and good ones good.
    """
    call_command(
        *("import_corpus", scenes, "--project", PROJECT, "--format", "flickr30k-entities"),
        *("--as-gold", "--images", scenes / "images", "--processes", "1"),
    )
    for protocol in ENTITIES_PROTOCOLS:
        call_command("questions", "make", project=PROJECT, role="gold", per_image=8, protocol=protocol)
    truth, rng = load_truth(PROJECT), Random(5)
    for stage in ENTITIES_STAGES:
        questions = list(VerificationQuestion.objects.filter(stage=stage))
        shown = questions_shown(stage, [question.pk for question in questions], worker_id=1, now=NOW)
        for question, data in zip(questions, shown, strict=True):
            given = answer(stage, read_question(data, truth.image_of), truth, PERFECT, rng)
            right = is_right(stage, question.answer, parse_answer(stage, given), box_iou=Control().box_iou)
            assert right, f"{question.kind}: {given} to {data}, which wants {question.answer}"
        kinds = Counter(question.kind for question in questions)
        assert len(questions) >= 12
        assert max(kinds.values()) <= 0.75 * len(questions)
