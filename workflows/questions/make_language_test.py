"""Makes the language test of a project: questions of `writing` that a worker corrects."""

from __future__ import annotations

from datetime import datetime
from random import Random

from annotation.domain.answers import CampaignStage
from annotation.models import Image, Project, VerificationQuestion
from annotation.transactions import write_transaction
from workflows.questions.domain.known_images import QuestionError, caption_digest
from workflows.questions.domain.language_test import Sentence, sentences_for
from workflows.questions.domain.supply import TEST, TRAINING
from workflows.questions.images import lock_roles, roles_of

KIND = "language"


def make_language_test(*, project: Project, now: datetime) -> int:
    """Make the questions of the language test in the project's language. Return how many are new.

    They are shown beside photographs of the project, which say nothing about them. A second call makes none
    twice. Raises QuestionError naming the field.
    """
    training, test = sentences_for(project.language)
    if not test:
        message = f"there is no test in {project.language}: write its sentences by hand, or do without a test"
        raise QuestionError("language", message)
    with write_transaction():
        lock_roles(project.pk)
        pictured = Image.objects.in_use().filter(project=project, width__gt=0).exclude(file="")
        images = list(pictured.order_by("name").values_list("pk", flat=True))
        roles = roles_of(images)
        rng = Random(f"language test/{project.name}")
        rows = []
        for role, sentences in ((TRAINING, training), (TEST, test)):
            # An image serves one role. Those that serve this one already come first, since no batch may have
            # them any more. Otherwise the training leaves half of the images to the test.
            serving = [pk for pk in images if roles.get(pk) == {role}]
            free = [pk for pk in images if roles.get(pk, {role}) == {role}]
            shown = rng.sample(serving or free, min(-(-len(free) // 2), len(serving or free), len(sentences)))
            if not shown or len(free) + (role == TEST) < 2:
                raise QuestionError("images", "the test needs two photographs that it can be beside")
            for place, sentence in enumerate(sentences):
                image = shown[place % len(shown)]
                roles.setdefault(image, {role})
                rows.append(_row(project.pk, image, role, sentence, now))
        there = VerificationQuestion.objects.filter(project=project, stage=CampaignStage.WRITING)
        known = set(there.values_list("content", flat=True))
        new = [row for row in rows if row.content not in known]
        VerificationQuestion.objects.bulk_create(new)
    return len(new)


def _row(project: int, image: int, role: str, sentence: Sentence, now: datetime) -> VerificationQuestion:
    return VerificationQuestion(
        project_id=project,
        image_id=image,
        stage=CampaignStage.WRITING,
        role=role,
        source=VerificationQuestion.Source.WRITTEN,
        kind=KIND,
        mentions=[],
        captions=[sentence.text],
        answer={"captions": list(sentence.corrections)},
        explanation=sentence.why if role == TRAINING else "",
        content=caption_digest(image, CampaignStage.WRITING, [sentence.text]),
        created_at=now,
    )
