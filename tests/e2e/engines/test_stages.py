"""Each stage in Firefox and WebKit, by each pointer and by keys: exactly what was answered is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.domain.answers import CampaignStage
from annotation.domain.protocols import ALL_STAGES
from annotation.models import Caption, Item
from tests.campaigns import launched, make_campaign_at
from tests.e2e.engines.answering import answer
from tests.e2e.engines.engine import POINTERS, Engine
from tests.e2e.engines.hands import Hands, Keyboard, Pointer, until
from tests.e2e.scenes import SCENES
from tests.e2e.site import Site
from tests.e2e.test_caption_campaigns import TEXTS, give_pictures
from tests.factories import make_image
from tests.selection import and_nightly
from workflows.batch_settings.domain.settings import parse_settings
from workflows.batches.lifecycle import create_batch
from workflows.batches.pairs import queue_pairs

KEYS = "keys"
SHORT = [(name, stage, way) for name in POINTERS for stage, way in (("drawing", "mouse"), ("link", KEYS))]
LONG = [
    (name, str(stage), way)
    for name, pointers in POINTERS.items()
    for stage in ALL_STAGES
    for way in (*pointers, KEYS)
    if (name, str(stage), way) not in SHORT
]
CAPTIONS = ({"caption": "right"}, {"caption": "minor"}, {"caption": "wrong"})


def hands_of(engine: Engine, way: Any) -> Hands:
    return Keyboard(engine) if way == KEYS else Pointer(engine, way)


@pytest.mark.parametrize(
    ("engine", "stage", "way"),
    and_nightly(SHORT, LONG, "one stage of each kind says that the engine works"),
    indirect=["engine"],
)
def test_what_is_answered_is_stored(engine: Engine, site: Site, stage: str, way: str) -> None:
    items = make_work(site, stage)
    hands = hands_of(engine, way)
    hands.go(site.worker_link(stage))
    hands.question(1, items)
    wanted = right_answers(site, stage)
    assert len(wanted) == items
    for number, right in enumerate(wanted, start=1):
        hands.question(number, items)
        answer(hands, stage, right)
    hands.send()
    given = until(lambda: site.judgments(stage), "judgments")
    assert [as_asked(one.answer, right) for one, right in zip(given, wanted, strict=True)] == wanted


def make_work(site: Site, stage: str) -> int:
    """Let a page of this stage wait, and return how many questions it has."""
    if stage in SCENES:
        site.open(stage, items=len(SCENES[stage]))
        return len(SCENES[stage])
    if stage in (CampaignStage.WRITING, CampaignStage.CAPTION_CHECK):
        images = len(TEXTS) if stage == CampaignStage.WRITING else len(CAPTIONS)
        make_campaign_at(stage, project=site.project, images=images, captions={"wanted": 1})
        give_pictures(site.project)
        return images
    shown, other = (make_image(site.project, [[word]]) for word in ("dog", "man"))
    give_pictures(site.project)
    both = list(Caption.objects.filter(image__in=(shown, other)).values_list("pk", flat=True))
    grading = stage == CampaignStage.GRADING
    protocol = "relevance-expert" if grading else "relevance-crowd"
    settings = parse_settings({"protocol": protocol, "regime": "open", "relevance": {"judges": 1}})
    batch = create_batch(project=site.project, name=stage, settings=settings, images=[shown.pk])
    queue_pairs(batch, [(shown.pk, group) for group in ([[one] for one in both] if grading else [both])])
    launched(batch)
    return 2 if grading else 1


def right_answers(site: Site, stage: str) -> list[dict[str, Any]]:
    """Return what is to be answered on the worker's page, in the order of its items."""
    if stage in SCENES:
        return site.right_answers(stage)
    (page,) = site.assignments(stage)
    if stage == CampaignStage.WRITING:
        return [{"caption": text} for text in TEXTS]
    if stage == CampaignStage.CAPTION_CHECK:
        return [dict(one) for one in CAPTIONS]
    found = []
    for item in (Item.objects.get(pk=pk) for pk in page.items):
        fits = [Caption.objects.get(pk=pk).image_id == item.work.image_id for pk in item.captions]
        found.append(
            {"grade": 4 if fits[0] else 1} if stage == CampaignStage.GRADING else {"describes": fits}
        )
    return found


def as_asked(stored: Mapping[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a stored answer what the right one says, too, and `point` only if one had to be given.

    The scale at which a box was drawn depends on the window.
    """
    found = {name: stored.get(name) for name in right}
    if boxes := found.get("boxes"):
        found["boxes"] = [{"box": one["box"]} if "box" in one else one for one in boxes]
    assert ("point" in stored) == right.get("missing", False)
    return found
