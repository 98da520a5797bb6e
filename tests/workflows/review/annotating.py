"""What a researcher says about a whole image, as the expert screen sends it."""

from __future__ import annotations

from typing import Any

from annotation.domain.types import TYPES
from annotation.models import Caption, Chain, Decision, Image, ImageWork, Mention
from tests.factories import NOW
from workflows.review.annotate import accepted_boxes, annotate_image, image_version
from workflows.review.domain.annotation import parse_annotation

BOX = [10, 20, 110, 220]


def said(image: Image, purpose: str = "final", *, key: str = "k1") -> dict[str, Any]:
    """Return the image as it is: a chain for each mention that has none, and no boxes but the accepted."""
    names: dict[int, str] = {}
    chains: list[dict[str, Any]] = []
    work = ImageWork.objects.filter(image=image, active=True).first()
    for chain, boxes in (accepted_boxes(work) if work else {}).items():
        name = f"C{len(chains)}"
        names |= dict.fromkeys(chain.members, name)
        chains.append({"name": name, "boxes": [list(box.edges) for box in boxes], "flag": chain.flag})
    captions = []
    for caption in Caption.objects.in_use().filter(image=image).order_by("index"):
        phrases = []
        for mention in Mention.objects.filter(caption=caption, superseded=False).order_by("start"):
            if mention.annotatable and mention.pk not in names:
                names[mention.pk] = f"C{len(chains)}"
                chains.append({"name": names[mention.pk], "boxes": [], "flag": ""})
            phrases.append(
                {
                    "start": mention.start,
                    "end": mention.end,
                    "types": mention.types.split("/"),
                    "chain": names.get(mention.pk, ""),
                }
            )
        captions.append({"phrases": phrases})
    return {
        "purpose": purpose,
        "key": key,
        "version": image_version(image.pk),
        "note": "",
        "captions": captions,
        "chains": chains,
    }


def drawn(image: Image, purpose: str = "final", *, key: str = "k1") -> dict[str, Any]:
    """Return the image as `said`, with a box for each chain that has none."""
    data = said(image, purpose, key=key)
    for place, chain in enumerate(data["chains"]):
        if not chain["boxes"]:
            chain["boxes"] = [[10 + place, 20, 110 + place, 220]]
    return data


def store(image: Image, data: dict[str, Any], by: str = "ada") -> Decision:
    """Parse and store it."""
    captions = Caption.objects.in_use().filter(image=image).order_by("index")
    counts = {index: len(tokens.split(" ")) for index, tokens in captions.values_list("index", "tokens")}
    return annotate_image(image_id=image.pk, annotation=parse_annotation(data, counts, TYPES), by=by, now=NOW)


def in_use(image: Image) -> list[Chain]:
    """Return the chains of the image's active work."""
    return list(accepted_boxes(ImageWork.objects.get(image=image, active=True)))
