"""A plausible truth about images of which none is known."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.made_up_truth import Phrase, make_up_truth
from simulation.selectors import load_made_up_truth, load_truth, truth_of_records
from simulation.truth import Span
from tests.factories import make_image, make_project

KINDS = ("people", "scene", "other")
PHRASES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.sampled_from(KINDS), st.sampled_from("abc")),
    max_size=20,
    unique_by=lambda one: one[:2],
).map(lambda rows: [Phrase((c, 10 * p, 10 * p + 5), kind, head) for c, p, kind, head in rows])


@given(PHRASES, st.integers(0, 9))
def test_every_mention_has_a_chain_whose_boxes_are_inside(phrases: list[Phrase], seed: int) -> None:
    truth = make_up_truth(phrases, (200, 90), random.Random(seed))
    assert set(truth) == {phrase.span for phrase in phrases}
    members: dict[int, list[Span]] = defaultdict(list)
    for span, chain in truth.items():
        members[chain.id].append(span)
        assert all(0 <= b.left < b.right <= 200 and 0 <= b.top < b.bottom <= 90 for b in chain.boxes)
        assert not (chain.scene and chain.boxes)
    kinds = {phrase.span: phrase.kind for phrase in phrases}
    for spans in members.values():
        assert len({span[0] for span in spans}) == len(spans), "mentions of a caption are different things"
        assert len({kinds[span] for span in spans}) == 1
    assert make_up_truth(phrases, (200, 90), random.Random(seed)) == truth


def test_mentions_with_the_same_head_are_one_chain() -> None:
    phrases = [Phrase((caption, 0, 3), "people", "man") for caption in range(5)]
    truth = make_up_truth(phrases, None, random.Random(1))
    assert len({chain.id for chain in truth.values()}) == 1
    assert next(iter(truth.values())).boxes, "people have boxes"


@pytest.mark.django_db
def test_a_corpus_without_gold_gets_a_made_up_truth_for_every_mention() -> None:
    project = make_project()
    image = make_image(project, [["man", "dog"], ["man"]])
    assert not load_truth(project.name).images
    truth = load_made_up_truth(project.name, seed=3)
    assert len(truth.images[image.pk]) == 3
    assert load_made_up_truth(project.name, seed=3) == truth


@pytest.mark.django_db
def test_records_about_images_of_the_same_names_are_a_truth() -> None:
    from annotation.domain.geometry import Box
    from annotation.domain.records import BoxRecord, CaptionRecord, ChainRecord, ImageRecord
    from annotation.models import Caption

    project = make_project()
    image = make_image(project, [["man"], ["man"]], name="one.jpg")
    places = tuple(image.mentions.order_by("pk").values_list("caption__index", "start", "end"))
    texts = Caption.objects.filter(image=image).order_by("index").values_list("text", flat=True)
    known = ImageRecord(
        "one.jpg",
        tuple(CaptionRecord(n, text, tuple(text.split())) for n, text in enumerate(texts)),
        chains=(ChainRecord(7, ("people",), places, (0,)),),
        boxes=(BoxRecord(Box(1, 2, 30, 40)),),
    )
    stranger = ImageRecord("two.jpg", known.captions, chains=known.chains, boxes=known.boxes)
    truth = truth_of_records(project.name, [known, stranger])
    assert set(truth.images) == {image.pk}
    chains = set(truth.images[image.pk].values())
    assert [(chain.id, chain.boxes) for chain in chains] == [(7, (Box(1, 2, 30, 40),))]
    assert len(truth.images[image.pk]) == 2
