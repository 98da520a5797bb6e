"""A draft of the full size beside the corpus that is worked on, to measure the pages before a launch."""

from __future__ import annotations

import random
from itertools import islice

from annotation.models import Batch, Caption, Image, Mention, Project
from benchmarks.made_up_corpus import CAPTIONS_EACH, HEIGHT, NOUNS, WIDTH
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batches.cost_forecast import SAMPLE
from workflows.batches.lifecycle import create_batch

AT_ONCE = 2000
MENTIONS_EACH = 3


def make_draft(images: int, settings: BatchSettings) -> Batch:
    """Make a second project with so many free images, and a draft of all of them.

    Only the images that a forecast looks at have captions and mentions. As in the other project, no image has
    a picture.
    """
    project = Project.objects.create(name="bench-draft")
    made = (Image(project=project, name=f"{n:010}.jpg", width=WIDTH, height=HEIGHT) for n in range(images))
    while some := list(islice(made, AT_ONCE)):
        Image.objects.bulk_create(some)
    # By their ids, since only images with captions are free.
    ids = Image.objects.filter(project=project).order_by("name").values_list("pk", flat=True)
    batch = create_batch(project=project, name="draft", settings=settings, images=ids)
    looked_at = batch.works.order_by("pk").values_list("image_id", flat=True)[:SAMPLE]
    draw = random.Random(5)
    phrases = {(image, index): _phrases(draw) for image in looked_at for index in range(CAPTIONS_EACH)}
    captions = Caption.objects.bulk_create(
        Caption(image_id=image, index=index, text=text, tokens=text)
        for (image, index), found in phrases.items()
        for text in [" and ".join(f"a {head}" for _, head in found)]
    )
    Mention.objects.bulk_create(
        Mention(
            image_id=caption.image_id, caption=caption, start=3 * place, end=3 * place + 2,
            text=f"a {head}", head=head, types=kind,
        )
        for caption in captions
        for place, (kind, head) in enumerate(phrases[caption.image_id, caption.index])
    )  # fmt: skip
    return batch


def _phrases(draw: random.Random) -> list[tuple[str, str]]:
    """Draw the types and head nouns of a caption's phrases."""
    types, weights = list(NOUNS), [chains for chains, _ in NOUNS.values()]
    return [(kind, draw.choice(NOUNS[kind][1])) for kind in draw.choices(types, weights, k=MENTIONS_EACH)]
