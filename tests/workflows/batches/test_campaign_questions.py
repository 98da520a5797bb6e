"""A draft of a campaign gets the questions that it lacks once, however often somebody asks for them."""

from __future__ import annotations

from collections import Counter

import pytest

from annotation.models import Batch, Caption, VerificationQuestion
from tests.factories import NOW
from tests.workflows.questions.test_make_caption_questions import described
from tests.workflows.threads import at_once
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.campaign_questions import make_campaign_questions
from workflows.batches.lifecycle import create_batch
from workflows.batches.pairs import queue_pairs


def draft(images: int) -> Batch:
    """Make a draft that judges the first caption of each image for itself."""
    project = described(images)
    ids = list(project.images.order_by("pk").values_list("pk", flat=True))
    batch = create_batch(
        project=project, name="crowd", settings=parse_settings({"protocol": "relevance-crowd"}), images=ids
    )
    own = dict(Caption.objects.filter(image__in=ids, index=0).values_list("image", "pk"))
    queue_pairs(batch, [(image, [own[image]]) for image in ids])
    return batch


@pytest.mark.django_db(transaction=True)
def test_two_who_press_the_button_at_once_make_the_questions_once() -> None:
    batch = draft(40)
    both = at_once([lambda: make_campaign_questions(batch=batch, now=NOW)] * 2)
    made = sorted((questions.total(), taken) for questions, taken in both)
    assert made[0] == (0, 0) and made[1][0] == VerificationQuestion.objects.count() > 0
    assert batch.works.count() == 40 - made[1][1]
    counts = Counter(VerificationQuestion.objects.values_list("image", flat=True))
    assert not set(counts) & set(batch.works.values_list("image", flat=True))
