"""A project's mentions as the readers of predictions look them up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from annotation.models import Caption, GoldChain, Image, Mention, Project
from evaluation import dataset
from evaluation.localization import queries
from evaluation.predictions.lookup import Lookup
from workflows.suggestions.domain.preview import Known

ROWS_AT_ONCE = 5000
ASKED = "mentions that are asked about"
_ASKED, _OTHER = "asked", ""
"""The chain of a mention that workers may be asked about, and that of one that they are not asked about."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The mentions of a project that workers may be asked about; each is a query of `lookup`."""

    lookup: Lookup
    mentions: tuple[int, ...]
    """The id of each query's mention."""
    images: tuple[int, ...]
    """The id of each query's image."""


def corpus_of(project: Project) -> Corpus:
    """Return the mentions of the images in use. Five queries, however many there are.

    Images are in the order of their names, as in an export, so that a system can count them in this way.
    """
    mentions: defaultdict[int, list[_Mention]] = defaultdict(list)
    told = Mention.objects.filter(image__project=project, superseded=False).order_by("caption_id", "start")
    columns = ("pk", "start", "end", "types", "annotatable", "caption_id")
    for *row, caption in told.values_list(*columns).iterator(chunk_size=ROWS_AT_ONCE):
        mentions[caption].append(_Mention(*row))
    captions: defaultdict[int, list[tuple[int, int, str]]] = defaultdict(list)
    said = Caption.objects.in_use().filter(image__project=project).order_by("image_id", "index")
    rows = said.values_list("image_id", "pk", "index", "tokens").iterator(chunk_size=ROWS_AT_ONCE)
    for image, pk, index, words in rows:
        captions[image].append((pk, index, words))
    images: list[dataset.Image] = []
    ids: list[int] = []
    of_image: list[int] = []
    there = Image.objects.in_use().filter(project=project)
    sizes = there.values_list("pk", "name", "width", "height", "split")
    for pk, name, width, height, split in sorted(sizes, key=lambda row: row[1]):
        own = []
        for caption, index, words in captions[pk]:
            tokens = tuple(words.split(" "))
            own.append(dataset.Caption(index, tokens, _told(mentions[caption], name, index, tokens)))
            ids += [one.pk for one in mentions[caption] if one.asked]
        of_image += [pk] * (len(ids) - len(of_image))
        images.append(dataset.Image(name, width or 0, height or 0, split, tuple(own), {_ASKED: _EVERYTHING}))
    whole = dataset.Dataset(project.name, tuple(images), project.language)
    return Corpus(Lookup(whole, queries(whole), ASKED, has_truth=False), tuple(ids), tuple(of_image))


class _Mention(NamedTuple):
    pk: int
    start: int
    end: int
    types: str
    asked: bool


def _told(
    mentions: Sequence[_Mention], image: str, caption: int, tokens: tuple[str, ...]
) -> tuple[dataset.Mention, ...]:
    return tuple(
        dataset.Mention(
            dataset.MentionKey(image, caption, one.start, one.end),
            tokens[one.start : one.end],
            tuple(one.types.split("/")),
            _ASKED if one.asked else _OTHER,
        )
        for one in mentions
    )


_EVERYTHING = dataset.Chain(_ASKED, (), np.array([[0.0, 0.0, 1.0, 1.0]]))
"""Queries are mentions of chains with a box. So those that workers are asked about are in such a chain."""


def known_boxes(project: Project) -> Mapping[int, Known]:
    """Return the known boxes of the mentions of known chains, by mention id."""
    chains = GoldChain.objects.filter(
        image__project=project, image__withdrawn_at__isnull=True, superseded=False
    )
    of_mention = {
        mention: boxes
        for members, boxes in chains.values_list("members", "boxes")
        for mention in members
        if boxes
    }
    asked = Mention.objects.filter(image__project=project, superseded=False, annotatable=True)
    return {
        pk: Known(tuple(types.split("/")), np.array(of_mention[pk], dtype=np.float64).reshape(-1, 4))
        for pk, types in asked.values_list("pk", "types").iterator(chunk_size=ROWS_AT_ONCE)
        if pk in of_mention
    }
