"""Pictures of captions with the region of each phrase and its distance, as in figures 11 to 13."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baselines.cues import Phrase
from baselines.localization import PhraseLocalizer
from baselines.regions import RegionSource
from baselines.work import Work
from evaluation.arrays import Floats
from evaluation.boxes import enclosing
from evaluation.dataset import Caption, Image, Mention
from evaluation.report.model import Outline, Picture
from evaluation.report.pictures import find_image, picture


@dataclass(frozen=True, slots=True)
class Located:
    """A mention with the region that fits it best, and their distance."""

    mention: Mention
    box: tuple[float, float, float, float]
    distance: float


def locate(
    model: PhraseLocalizer, image: Image, mentions: Sequence[Mention], source: RegionSource
) -> list[Located]:
    """Return the best region of an image for each mention. Mentions without a word that counts are left out.

    There is none if the image has no proposal.
    """
    regions = model.regions(image, source)
    known = [one for one in mentions if Phrase.of(one).words]
    if not len(regions.boxes) or not known:
        return []
    phrases = [Phrase.of(one) for one in known]
    distance = 1 - model.score(phrases, model.embed(phrases), regions)
    return [
        Located(mention, edges(regions.boxes[row.argmin()]), float(row.min()))
        for mention, row in zip(known, distance, strict=True)
    ]


def sentence(caption: Caption, located: Sequence[Located]) -> str:
    """Return a caption with the number of each phrase and its distance after it, as `[1: 0.33]`."""
    marks: dict[int, list[str]] = {}
    for number, one in enumerate(located, 1):
        marks.setdefault(one.mention.key.end, []).append(f"[{number}: {one.distance:.2f}]")
    words: list[str] = []
    for at, token in enumerate(caption.tokens, 1):
        words += [token, *marks.get(at, ())]
    return " ".join(words)


def shown(
    work: Work, image: Image, located: Sequence[Located], title: str, text: str, *, truth: bool
) -> Picture | None:
    """Return a test image with the region of each mention, or None if its photograph is missing.

    With `truth`, the box around the true boxes of each mention is on it, too.
    """
    path = find_image(work.images, image.name)
    if path is None:
        return None
    outlines: list[Outline] = []
    for number, one in enumerate(located, 1):
        chain = image.chains.get(one.mention.chain) if one.mention.chain else None
        if truth and chain is not None and len(chain.boxes):
            outlines.append(Outline(edges(enclosing(chain.boxes)), "truth"))
        outlines.append(Outline(one.box, "predicted", str(number)))
    return picture(path, (image.width, image.height), outlines, title, text)


def edges(box: Floats) -> tuple[float, float, float, float]:
    """Return the four numbers of a box."""
    left, top, right, bottom = (float(edge) for edge in box)
    return left, top, right, bottom
