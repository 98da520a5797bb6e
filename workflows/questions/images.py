"""Reads what is known of images, from their corpus or from finished chains, and what they are used for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, QuerySet

from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.domain.geometry import Box as PureBox
from annotation.domain.mentions import Mention as PureMention
from annotation.domain.protocols import ENTITIES_STAGES, Campaign
from annotation.models import (
    Box,
    Caption,
    Chain,
    GoldChain,
    Image,
    ImageWork,
    Mention,
    Project,
    VerificationQuestion,
)
from annotation.selectors import mentions_by_image
from workflows.questions.domain.known_images import KnownChain, KnownImage

SCENE, NO_BOX = "scene", "nobndbox"


def being_annotated(image: str) -> Exists:
    """Return a condition: a batch is annotating the image, or is about to. `image` is the path to its id.

    Batches of other campaigns do not count: they ask nothing about chains.
    """
    works = ImageWork.objects.grounding().filter(image=OuterRef(image), active=True)
    return Exists(works.exclude(state=ImageWork.State.DONE))


def usable(project: Project, *, without_pictures: bool = False) -> QuerySet[Image]:
    """Return the images that questions can be about: those with a size, and a picture if one is needed.

    Images that a batch is annotating, or is about to, are left out: a question about them could not be asked.
    """
    images = Image.objects.in_use().filter(~being_annotated("pk"), project=project, width__gt=0, height__gt=0)
    return images if without_pictures else images.exclude(file="")


def with_gold(images: QuerySet[Image]) -> QuerySet[Image]:
    """Return those of the images whose chains are known: imported, or annotated as gold."""
    return images.filter(Exists(GoldChain.objects.filter(image=OuterRef("pk"), superseded=False)))


def known_from_gold(images: Collection[int]) -> dict[int, KnownImage]:
    """Return what is known about these images beforehand, by id, without chains with a superseded mention."""
    mentions = askable_mentions(images)
    chains: dict[int, list[KnownChain]] = defaultdict(list)
    rows = GoldChain.objects.filter(image__in=images, superseded=False)
    for row in rows.order_by("image_id", "number"):
        members = _members(row.members, mentions)
        if members:
            boxes = tuple(PureBox(*edges) for edges in row.boxes)
            chains[row.image_id].append(KnownChain(row.pk, members, boxes, row.scene, row.nobndbox))
    return _images(chains)


def known_from_chains(rows: Collection[Chain]) -> dict[int, KnownImage]:
    """Return what these chains say about their images, by image id, if they are done or non-visual."""
    by_image = {row.pk: row.work.image_id for row in rows}
    mentions = askable_mentions(set(by_image.values()))
    boxes: dict[int, list[PureBox]] = defaultdict(list)
    accepted = Box.objects.filter(chain__in=by_image, state=Box.State.ACCEPTED).order_by("pk")
    for box in accepted:
        boxes[box.chain_id].append(box.rectangle)
    chains: dict[int, list[KnownChain]] = defaultdict(list)
    for row in rows:
        members = _members(row.members, mentions)
        if members and row.state in (DONE, NONVISUAL):
            flags = row.flag == SCENE, row.flag == NO_BOX
            chains[by_image[row.pk]].append(KnownChain(row.pk, members, tuple(boxes[row.pk]), *flags))
    return _images(chains)


def askable_mentions(images: Collection[int]) -> dict[int, PureMention]:
    """Return the mentions of these images that can be asked about, by id."""
    old = set(Mention.objects.filter(image__in=images, superseded=True).values_list("pk", flat=True))
    found = mentions_by_image(images).values()
    return {mention.id: mention for of_image in found for mention in of_image if mention.id not in old}


def _members(ids: Collection[int], mentions: Mapping[int, PureMention]) -> tuple[PureMention, ...]:
    """Return the mentions in reading order, or () if one of them is missing."""
    if not all(pk in mentions for pk in ids):
        return ()
    return tuple(sorted((mentions[pk] for pk in ids), key=lambda mention: (mention.caption, mention.start)))


def _images(chains: Mapping[int, list[KnownChain]]) -> dict[int, KnownImage]:
    sizes = Image.objects.filter(pk__in=chains).values_list("pk", "width", "height")
    return {
        pk: KnownImage(pk, width, height, tuple(chains[pk]))
        for pk, width, height in sizes
        if width and height
    }


def lock_roles(project_id: int) -> None:
    """Lock the project, so that nobody else adds questions to its images until the transaction ends.

    No constraint of the database holds that an image has one role: whoever adds questions must lock this.
    """
    list(Project.objects.select_for_update(no_key=True).filter(pk=project_id).values_list("pk", flat=True))


def roles_of(images: Collection[int]) -> dict[int, set[str]]:
    """Return the roles of each image's questions, by image id. One query.

    Retired questions count as well, since workers have seen them.
    """
    roles: dict[int, set[str]] = defaultdict(set)
    questions = VerificationQuestion.objects.filter(image__in=images)
    for image, role in questions.order_by().values_list("image", "role").distinct():
        roles[image].add(role)
    return dict(roles)


def settled(questions: QuerySet[VerificationQuestion]) -> QuerySet[VerificationQuestion]:
    """Return those of these proposed questions whose chain is still finished, with all of its image."""
    finished = Chain.objects.filter(
        pk=OuterRef("chain"),
        state__in=(DONE, NONVISUAL),
        work__state=ImageWork.State.DONE,
        work__active=True,
    )
    return questions.filter(Exists(finished))


def free_images(project: Project, campaign: Campaign = Campaign.ENTITIES) -> QuerySet[Image]:
    """Return the images in use that a batch of this campaign may take.

    The grounding takes images with captions that no other batch grounds, and that no question about chains
    is about which is or may be asked. Captions are collected for images without a caption that no other
    batch collects them for. Which captions fit may be judged for any image.
    """
    images = Image.objects.in_use().filter(project=project)
    if campaign is Campaign.RELEVANCE:
        return images
    taken = ImageWork.objects.filter(image=OuterRef("pk"), campaign=campaign, active=True)
    images = images.filter(~Exists(taken))
    captioned = Exists(Caption.objects.in_use().filter(image=OuterRef("pk")))
    if campaign is Campaign.CAPTIONS:
        return images.filter(~captioned)
    return images.filter(captioned, ~_kept_for_questions())


def images_in_no_batch(project: Project) -> tuple[int, int]:
    """Count the images in use that no batch holds: without questions about chains, and with some."""
    held = ImageWork.objects.filter(image=OuterRef("pk"), active=True)
    images = Image.objects.in_use().filter(~Exists(held), project=project)
    kept = images.filter(_kept_for_questions()).count()
    return images.count() - kept, kept


def _kept_for_questions() -> Exists:
    """Return a condition of images: a question about chains is or may be asked about them."""
    about = VerificationQuestion.objects.filter(image=OuterRef("pk"), stage__in=ENTITIES_STAGES)
    return Exists(about.exclude(state=VerificationQuestion.State.RETIRED))
