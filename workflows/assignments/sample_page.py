"""Questions for trying out a stage on a project's own photographs. Nothing of them is kept or sent.

What is right does not matter here. Where known chains tell what belongs together and where it is, their
mentions and boxes are shown; otherwise any mentions, and a box in the middle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db.models import Exists, OuterRef

from annotation.domain.answers import CAMPAIGN_STAGES, MAX_CAPTIONS_AT_ONCE, CampaignStage, JointStage, Stage
from annotation.models import Caption, GoldChain, Image, Mention, Project
from workflows.assignments.page_view import Shown, render

QUESTIONS = 4
"""How many questions a page has, each about another photograph."""
NOBODY = 0
"""The id of no worker. The links to the photographs are for whoever tries the stage out."""
_LOOKED_AT = 24
"""How many images are looked at for some that fit the stage."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an image: mentions with their captions, and chains with their boxes."""

    mentions: Sequence[tuple[int, int]]  # mention, caption; in reading order
    chains: Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]
    size: tuple[int, int]


def sample_questions(project_id: int, stage: str, *, now: datetime) -> list[dict[str, Any]]:
    """Return questions of the stage about the project's photographs, as a page shows them.

    The list is empty if no photograph has phrases, or captions where these are judged. At most six queries.
    """
    if stage in CAMPAIGN_STAGES:
        return _about_captions(project_id, stage, now)
    phrases = Mention.objects.filter(image=OuterRef("pk"), superseded=False, annotatable=True)
    images = (
        Image.objects.in_use()
        .filter(Exists(phrases), project=project_id, width__isnull=False, height__isnull=False)
        .exclude(file="")
        .order_by("pk")
    )
    gold = GoldChain.objects.filter(superseded=False, image__project=project_id)
    with_gold = list(images.filter(pk__in=gold.values("image"))[:_LOOKED_AT])
    found = [*with_gold, *(images[:_LOOKED_AT] if len(with_gold) < QUESTIONS else ())]
    by_id = {image.pk: image for image in found}
    mentions: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pk, image, caption in (
        Mention.objects.filter(image__in=by_id, superseded=False, annotatable=True)
        .order_by("caption__index", "start")
        .values_list("pk", "image", "caption")
    ):
        mentions[image].append((pk, caption))
    chains: dict[int, list[tuple[list[int], list[list[int]]]]] = defaultdict(list)
    for image, members, boxes in (
        gold.filter(image__in=by_id).order_by("number").values_list("image", "members", "boxes")
    ):
        chains[image].append((members, boxes))
    shown = []
    for pk, image in by_id.items():
        size = (image.width or 1, image.height or 1)
        file = _file_of(image)
        asked = question_about(stage, Known(mentions[pk], chains[pk], size))
        if asked is not None:
            ids, boxes, new = asked
            box = new[0] if new else None
            shown.append(Shown(image=file, mentions=ids, boxes=boxes, box=box, new_boxes=new))
    return render(stage, shown[:QUESTIONS], worker_id=NOBODY, now=now)


def _file_of(image: Image) -> tuple[int, str, int | None, int | None, str | None]:
    renditions = orjson.dumps(image.renditions).decode()
    return image.pk, str(image.file), image.width, image.height, renditions


def _about_captions(project_id: int, stage: str, now: datetime) -> list[dict[str, Any]]:
    """Return questions of a campaign: photographs with captions of their own and of each other."""
    images = Image.objects.in_use().filter(project=project_id).exclude(file="").order_by("pk")
    captions = Caption.objects.in_use().filter(image=OuterRef("pk"))
    chosen = list((images if stage == CampaignStage.WRITING else images.filter(Exists(captions)))[:QUESTIONS])
    texts: dict[int, list[str]] = defaultdict(list)
    rows = Caption.objects.in_use().filter(image__in=chosen).order_by("image_id", "index")
    for image, text in rows.values_list("image_id", "text"):
        texts[image].append(text)
    language = Project.objects.values_list("language", flat=True).get(pk=project_id)
    shown = []
    for one in chosen:
        others = [text for image, of in texts.items() if image != one.pk for text in of]
        said = {
            CampaignStage.WRITING: [],
            CampaignStage.RELEVANCE: [*others[:2], *texts[one.pk][:1], *others[2:]][:MAX_CAPTIONS_AT_ONCE],
        }
        own = said.get(CampaignStage(stage), texts[one.pk][:1])
        shown.append(Shown(image=_file_of(one), mentions=(), texts=own, language=language))
    return render(stage, shown, worker_id=NOBODY, now=now)


def question_about(stage: str, known: Known) -> tuple[list[int], list[list[int]], list[list[int]]] | None:
    """Return a question about an image: its mentions, the boxes that it has, and the new ones.

    Return None if the image has too few mentions for the stage.
    """
    caption_of = dict(known.mentions)
    chains = [
        ([pk for pk in members if pk in caption_of], [list(box) for box in boxes])
        for members, boxes in known.chains
    ]
    if stage == Stage.LINK:
        pair = next((two for members, _ in chains if (two := _apart(members, caption_of))), None)
        pair = pair or _apart([pk for pk, _ in known.mentions], caption_of)
        return (pair, [], []) if pair else None
    if stage == Stage.VERIFICATION:
        members = next((members for members, _ in chains if len(members) > 1), None)
        members = members or _apart([pk for pk, _ in known.mentions], caption_of)
        return (members, [], []) if members else None
    if not known.mentions:
        return None
    any_mention = [known.mentions[0][0]]
    if stage == Stage.REQUIREMENT:
        return any_mention, [], []
    width, height = known.size
    middle = [width // 4, height // 4, max(3 * width // 4, 1), max(3 * height // 4, 1)]
    mention, boxes = next(
        ((members[:1], boxes) for members, boxes in chains if members and boxes), (any_mention, [middle])
    )
    if stage == Stage.QUALITY:
        return mention, boxes[1:], boxes[:1]
    if stage == JointStage.CHECK:
        return mention, [], boxes
    return mention, boxes if stage == Stage.COVERAGE else boxes[1:], []


def _apart(mentions: Sequence[int], caption_of: dict[int, int]) -> list[int] | None:
    """Return the first two of these mentions that are in different captions, or None."""
    for pk in mentions[1:]:
        if caption_of[pk] != caption_of[mentions[0]]:
            return [mentions[0], pk]
    return None
